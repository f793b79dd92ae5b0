"""Break an installation in many ways, and show that its subscribers lose nothing.

`python -m tools.chaos.run [--database sqlite|postgres] [--broker files|redis|rabbitmq] [--scenario
NAME]` starts real processes in a temporary folder and real subscribers over TLS on loopback, and
prints a table. Without choices it runs all scenarios on SQLite with files, and on PostgreSQL with
Redis and with RabbitMQ, each with servers of its own. The exit code is 1 if a promise was broken.
"""

import argparse
import contextlib
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from pathlib import Path

from tools.benchmarks.measuring import free_port, machine, table
from tools.chaos.installation import Installation
from tools.chaos.processes import Broken, Family, Missing, family, wait_for
from tools.chaos.sink import Post, Sink, Subscriber, listening

PAIRS = (("sqlite", "files"), ("postgres", "redis"), ("postgres", "rabbitmq"))
DRAIN_SECONDS = 55.0
QUIET_SECONDS = 2.0  # For posts that come too late, or once too often.
UNDER_FAULTS_SECONDS = 45.0  # Claims of 17 seconds, a sweep, and a busy machine.
LATE_SECONDS = 90.0  # Killed workers and callbacks that answer too late, one after the other.
POSTS_TO_THE_DEAD = 3
SILENT_SECONDS = 10.0


@dataclass(slots=True)
class World:
    """Installation, editor and sink of a scenario."""

    installation: Installation
    sink: Sink
    crowd: list[Subscriber]
    next_edit: int
    committed: dict[int, float] = field(default_factory=dict)
    slowest_save: float = 0.0

    @property
    def live(self) -> list[Subscriber]:
        return [subscriber for subscriber in self.crowd if subscriber.is_live]

    def edit(self) -> int:
        answer = self.installation.ask("add", self.next_edit)
        self.slowest_save = max(self.slowest_save, answer["seconds"])
        return self._note(answer["committed_at"])

    def edit_and_crash(self) -> int:
        return self._note(self.installation.crash_after_commit(self.next_edit))

    def _note(self, committed_at: float) -> int:
        self.committed[self.next_edit] = committed_at
        self.next_edit += 1
        return self.next_edit - 1

    def wait_until_sent(self, edit: int, count: int) -> None:
        """In the middle of the fan-out."""
        wait_for(
            f"Edit {edit} at {count} subscribers",
            lambda: self.sink.reached(self.crowd, edit) >= count,
            30,
            pause=0.002,
        )

    def wait_until_all_have(self, edit: int) -> None:
        wait_for(
            f"Edit {edit} at all subscribers",
            lambda: self.sink.satisfied(self.live, edit) == len(self.live),
            UNDER_FAULTS_SECONDS,
        )

    def has_no_due_delivery(self) -> bool:
        """Whether live subscribers have the last edit, and the hub has given up the others."""
        has_all = self.sink.satisfied(self.live, self.next_edit - 1) == len(self.live)
        return has_all and all(s.is_live or s.path in self.sink.denied for s in self.crowd)


# --- Scenarios: they edit, break and heal ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scenario:
    run: Callable[[World], None]
    crowd: Mapping[str, int]
    staleness_seconds: float = UNDER_FAULTS_SECONDS
    needs: str = ""  # A server of this kind, which SQLite is not, nor a folder of messages.
    # A process that is frozen while writing to a socket goes on afterwards, beside other workers;
    # then the newest version follows once more.
    freezes: bool = False

    @property
    def name(self) -> str:
        return self.run.__name__.replace("_", "-")


def worker_killed(world: World) -> None:
    """Once in the middle of a fan-out, once right after a commit."""
    worker = world.installation.workers[0]
    edit = world.edit()
    world.wait_until_sent(edit, 5)
    world.installation.restart(worker)
    world.wait_until_all_have(edit)
    world.edit()
    world.installation.restart(worker)


def beat_killed(world: World) -> None:
    """Messages are enough without the scheduler; lost ones wait until it is back."""
    world.installation.beat.kill()
    world.wait_until_all_have(world.edit())
    world.edit_and_crash()
    time.sleep(4)
    world.installation.beat.start()


def broker_lost(world: World) -> None:
    with world.installation.without_messages(seconds=6):
        for _ in range(3):
            world.edit()
            time.sleep(1)
    time.sleep(1)
    world.edit()


def broker_silent(world: World) -> None:
    """It neither answers nor refuses, and ends no connection: saves go on, deliveries wait."""
    broker = world.installation.broker
    assert broker is not None
    broker.member.signal(signal.SIGSTOP)
    try:
        world.edit()
        time.sleep(SILENT_SECONDS)
    finally:
        broker.member.signal(signal.SIGCONT)
    if world.slowest_save > SILENT_SECONDS:
        raise Broken(f"A save waited {world.slowest_save:.1f} s for the broker.")
    world.edit()


def database_crashed(world: World) -> None:
    postgresql = world.installation.postgresql
    assert postgresql is not None
    world.wait_until_sent(world.edit(), 5)
    postgresql.crash()
    time.sleep(3)
    postgresql.start()
    world.edit()


def worker_frozen(world: World) -> None:
    """It wakes up with old content to send, after another worker has sent newer one.

    Frozen in the middle of a transaction it locks SQLite, so edits may wait until it is awake.
    """
    worker, second, _ = world.installation.workers
    world.wait_until_sent(world.edit(), 5)
    worker.signal(signal.SIGSTOP)
    waking = threading.Timer(20, worker.signal, (signal.SIGCONT,))
    waking.start()
    second.start()
    time.sleep(2)
    world.edit()
    waking.join()
    world.edit()


def crash_after_commit(world: World) -> None:
    for _ in range(2):
        world.wait_until_all_have(world.edit_and_crash())


def claims_expire(world: World) -> None:
    """Two workers die in alternation, while callbacks answer late, too late or never.

    Claims of the dead expire beside requests that others have under way.
    """
    worker, second, _ = world.installation.workers
    second.start()
    for dying in (worker, second) * 3:
        world.wait_until_sent(world.edit(), 8)
        for _ in range(4):
            time.sleep(1)
            world.edit()
        world.installation.restart(dying)


# A worker that is killed between a post and its record has the post made again. So the posts of a
# dead callback are counted where no worker dies.
MIXED = {"healthy": 40, "flaky": 6, "dead": 4}
LIVE = {"healthy": 50, "flaky": 6}
LATE = {"healthy": 32, "slow": 8, "late": 8, "flaky": 8}

SCENARIOS = (
    Scenario(worker_killed, LIVE),
    Scenario(beat_killed, MIXED),
    Scenario(broker_lost, MIXED),
    Scenario(broker_silent, {"healthy": 50, "dead": 4}, needs="broker"),
    Scenario(database_crashed, LIVE, needs="database"),
    Scenario(worker_frozen, LIVE, freezes=True),
    Scenario(crash_after_commit, MIXED),
    Scenario(claims_expire, LATE, LATE_SECONDS),
)


# --- Judging by what the subscribers received -----------------------------------------------------

COLUMNS = (
    "scenario", "result", "subscribers", "edits", "posts", "most to one", "lost",
    "older after newer", "most in flight to one", "worst staleness s", "slowest save s",
)  # fmt: skip


def judge(world: World, scenario: Scenario) -> tuple[list[str], list[str]]:
    """The broken promises as sentences, and the figures of a row."""
    newest = world.installation.digest()
    posts = {subscriber: world.sink.posts[subscriber.path] for subscriber in world.crowd}
    all_posts = [post for sent in posts.values() for post in sent]
    lost = sum(_last_digest(posts[subscriber]) != newest for subscriber in world.live)
    older = sum(
        later.edit < earlier.edit for sent in posts.values() for earlier, later in pairwise(sent)
    )
    in_flight = max(world.sink.most_open[subscriber.path] for subscriber in world.crowd)
    stale = max(
        _lag(posts[subscriber], *edit)
        for subscriber in world.live
        for edit in world.committed.items()
    )
    most = max(map(len, posts.values()))
    dead = {len(sent) for subscriber, sent in posts.items() if not subscriber.is_live}
    found = {
        f"{lost} subscribers do not have the newest document": lost > 0,
        f"{older} older bodies came after newer ones": older > 0 and not scenario.freezes,
        f"{in_flight} posts to one subscriber were open at a time": (
            in_flight > 1 and not scenario.freezes
        ),
        "Deliveries had no good signature": not all(post.is_signed for post in all_posts),
        f"{stale:.1f} s of staleness are too many": stale > scenario.staleness_seconds,
        f"dead callbacks got {dead} posts": not dead <= {POSTS_TO_THE_DEAD},
    }
    counts = (len(world.crowd), len(world.committed), len(all_posts), most, lost, older, in_flight)
    seconds = (f"{stale:.2f}", f"{world.slowest_save:.2f}")
    return [sentence for sentence, is_so in found.items() if is_so], [*map(str, counts), *seconds]


def _last_digest(sent: Sequence[Post]) -> str:
    return next((post.digest for post in reversed(sent) if post.is_acknowledged), "")


def _lag(sent: Sequence[Post], edit: int, committed_at: float) -> float:
    """Seconds until the subscriber had the edit; infinite if it never got it."""
    arrived = (post.at for post in sent if post.is_acknowledged and post.edit >= edit)
    return max(0.0, next(arrived, inf) - committed_at)


# --- The run --------------------------------------------------------------------------------------


def main() -> int:
    names = [scenario.name for scenario in SCENARIOS]
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.run", description=__doc__)
    parser.add_argument("--database", choices=["sqlite", "postgres"])
    parser.add_argument("--broker", choices=["files", "redis", "rabbitmq"])
    parser.add_argument("--scenario", choices=names, action="append")
    given = parser.parse_args()
    chosen = [scenario for scenario in SCENARIOS if scenario.name in (given.scenario or names)]
    pairs: Sequence[tuple[str, str]] = PAIRS
    if given.database or given.broker:
        pairs = [(given.database or "sqlite", given.broker or "files")]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    return max([_run_pair(pair, chosen) for pair in pairs])


def _run_pair(pair: tuple[str, str], scenarios: Sequence[Scenario]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="reviews-chaos-"))
    print(f"== {' and '.join(pair)}: state and logs in {folder}", flush=True)
    rows: list[Sequence[str]] = []
    with contextlib.ExitStack() as stack:
        bundle = folder / "authority.pem"
        sink = stack.enter_context(listening(free_port(), bundle))
        members = stack.enter_context(family(folder))
        try:
            installation = Installation(members, folder / "state", bundle, pair)
            installation.prepare()
        except Missing as missing:
            print(f"Not run: {missing}")
            return 0
        next_edit = 1
        for scenario in scenarios:
            servers = {"database": installation.postgresql, "broker": installation.broker}
            if scenario.needs and servers[scenario.needs] is None:
                continue
            crowd = sink.crowd(scenario.name, dict(scenario.crowd))
            world = World(installation, sink, crowd, next_edit)
            broken, figures = _play(scenario, world, members)
            print(f"{scenario.name}: {'; '.join(broken) or 'kept'}", flush=True)
            rows.append([scenario.name, "FAILED" if broken else "kept", *figures])
            next_edit = world.next_edit
    print(table(f"Chaos on {' and '.join(pair)} ({machine()})", COLUMNS, rows))
    if any("FAILED" in row for row in rows):
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def _play(scenario: Scenario, world: World, members: Family) -> tuple[list[str], list[str]]:
    installation = world.installation
    try:
        installation.start()
        world.edit()  # So that there is something to follow.
        time.sleep(1)
        world.committed.clear()
        installation.subscribe(world.crowd)
        scenario.run(world)
        with contextlib.suppress(Broken):  # The verdict names missing deliveries.
            wait_for("The last delivery", world.has_no_due_delivery, DRAIN_SECONDS, pause=0.1)
        time.sleep(QUIET_SECONDS)
        broken, figures = judge(world, scenario)
        broken += [f"{name} ended by itself" for name in members.fallen()]
        installation.ask("forget")
        installation.workers[1].kill()
    except Broken as why:
        return [str(why)], ["-"] * (len(COLUMNS) - 2)
    return broken, figures


if __name__ == "__main__":
    sys.exit(main())
