"""Break an installation in many ways, and show that its subscribers lose nothing.

`python -m tools.chaos.run [--database sqlite|postgres] [--broker files|redis|rabbitmq] [--scenario
NAME]` starts processes in a temporary folder and subscribers with TLS on loopback, and prints a
table. Without options it runs all scenarios on SQLite with files, and on PostgreSQL with Redis and
with RabbitMQ. The exit code is 1 if a guarantee was broken.
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
from tools.chaos.processes import ChaosError, ProgramMissing, Supervisor, supervise, wait_for
from tools.chaos.sink import Post, Sink, Subscriber, listening

PAIRS = (("sqlite", "files"), ("postgres", "redis"), ("postgres", "rabbitmq"))
DRAIN_SECONDS = 55.0
QUIET_SECONDS = 2.0  # For late or duplicate posts.
UNDER_FAULTS_SECONDS = 45.0  # Claims of 17 seconds, a sweep, and a busy machine.
LATE_SECONDS = 90.0  # Several killed workers in a row, and callbacks that answer too late.
POSTS_TO_DEAD = 3
SILENT_SECONDS = 10.0


@dataclass(slots=True)
class Context:
    """State of one scenario: installation, subscribers and edits."""

    installation: Installation
    sink: Sink
    subscribers: list[Subscriber]
    next_edit: int
    committed: dict[int, float] = field(default_factory=dict)
    slowest_save: float = 0.0

    @property
    def live(self) -> list[Subscriber]:
        return [subscriber for subscriber in self.subscribers if subscriber.is_live]

    def edit(self) -> int:
        answer = self.installation.ask("add", self.next_edit)
        self.slowest_save = max(self.slowest_save, answer["seconds"])
        return self._record_edit(answer["committed_at"])

    def edit_and_crash(self) -> int:
        return self._record_edit(self.installation.crash_after_commit(self.next_edit))

    def _record_edit(self, committed_at: float) -> int:
        self.committed[self.next_edit] = committed_at
        self.next_edit += 1
        return self.next_edit - 1

    def wait_until_sent(self, edit: int, count: int) -> None:
        """Wait until `count` subscribers have received the edit."""
        wait_for(
            f"Edit {edit} at {count} subscribers",
            lambda: self.sink.reached(self.subscribers, edit) >= count,
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
        """Whether live subscribers have the last edit, and dead ones are unsubscribed."""
        has_all = self.sink.satisfied(self.live, self.next_edit - 1) == len(self.live)
        return has_all and all(s.is_live or s.path in self.sink.denied for s in self.subscribers)


# --- Scenarios ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scenario:
    run: Callable[[Context], None]
    subscribers: Mapping[str, int]
    staleness_seconds: float = UNDER_FAULTS_SECONDS
    needs: str = ""  # `database` or `broker`, if the scenario needs such a server.
    # A frozen process continues to write to its sockets later, beside other workers. So older
    # content may follow newer content, until the hub sends the newest once more.
    freezes: bool = False

    @property
    def name(self) -> str:
        return self.run.__name__.replace("_", "-")


def worker_killed(context: Context) -> None:
    """Kill the worker during a fan-out, and right after a commit."""
    worker = context.installation.workers[0]
    edit = context.edit()
    context.wait_until_sent(edit, 5)
    context.installation.restart(worker)
    context.wait_until_all_have(edit)
    context.edit()
    context.installation.restart(worker)


def beat_killed(context: Context) -> None:
    """Kill the scheduler: messages still deliver edits, lost messages wait for its return."""
    context.installation.beat.kill()
    context.wait_until_all_have(context.edit())
    context.edit_and_crash()
    time.sleep(4)
    context.installation.beat.start()


def broker_lost(context: Context) -> None:
    with context.installation.without_messages(seconds=6):
        for _ in range(3):
            context.edit()
            time.sleep(1)
    time.sleep(1)
    context.edit()


def broker_silent(context: Context) -> None:
    """Freeze the broker: saves must not wait for it, deliveries may."""
    broker = context.installation.broker
    assert broker is not None
    broker.process.signal(signal.SIGSTOP)
    try:
        context.edit()
        time.sleep(SILENT_SECONDS)
    finally:
        broker.process.signal(signal.SIGCONT)
    if context.slowest_save > SILENT_SECONDS:
        raise ChaosError(f"A save waited {context.slowest_save:.1f} s for the broker.")
    context.edit()


def database_crashed(context: Context) -> None:
    postgresql = context.installation.postgresql
    assert postgresql is not None
    context.wait_until_sent(context.edit(), 5)
    postgresql.crash()
    time.sleep(3)
    postgresql.start()
    context.edit()


def worker_frozen(context: Context) -> None:
    """Freeze a worker with old content while another sends newer content.

    A worker that is frozen in a transaction locks SQLite, so edits may have to wait.
    """
    worker, second, _ = context.installation.workers
    context.wait_until_sent(context.edit(), 5)
    worker.signal(signal.SIGSTOP)
    waking = threading.Timer(20, worker.signal, (signal.SIGCONT,))
    waking.start()
    second.start()
    time.sleep(2)
    context.edit()
    waking.join()
    context.edit()


def crash_after_commit(context: Context) -> None:
    for _ in range(2):
        context.wait_until_all_have(context.edit_and_crash())


def claims_expire(context: Context) -> None:
    """Kill two workers alternately, while callbacks answer late, too late or never.

    Claims of killed workers expire while other workers have requests in flight.
    """
    worker, second, _ = context.installation.workers
    second.start()
    for dying in (worker, second) * 3:
        context.wait_until_sent(context.edit(), 8)
        for _ in range(4):
            time.sleep(1)
            context.edit()
        context.installation.restart(dying)


# If a worker is killed between a post and its record, the post is repeated. So posts to dead
# callbacks are counted only in scenarios that kill no worker.
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


# --- Evaluation of what the subscribers received --------------------------------------------------

COLUMNS = (
    "scenario", "result", "subscribers", "edits", "posts", "most to one", "lost",
    "older after newer", "most in flight to one", "worst staleness s", "slowest save s",
)  # fmt: skip


def evaluate(context: Context, scenario: Scenario) -> tuple[list[str], list[str]]:
    """Return the broken guarantees as sentences, and the figures of a row."""
    newest = context.installation.digest()
    posts = {subscriber: context.sink.posts[subscriber.path] for subscriber in context.subscribers}
    all_posts = [post for sent in posts.values() for post in sent]
    lost = sum(_last_digest(posts[subscriber]) != newest for subscriber in context.live)
    older = sum(
        later.edit < earlier.edit for sent in posts.values() for earlier, later in pairwise(sent)
    )
    in_flight = max(context.sink.most_open[subscriber.path] for subscriber in context.subscribers)
    stale = max(
        _lag(posts[subscriber], *edit)
        for subscriber in context.live
        for edit in context.committed.items()
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
        f"dead callbacks got {dead} posts": not dead <= {POSTS_TO_DEAD},
    }
    counts = (
        len(context.subscribers),
        len(context.committed),
        len(all_posts),
        most,
        lost,
        older,
        in_flight,
    )
    seconds = (f"{stale:.2f}", f"{context.slowest_save:.2f}")
    return [sentence for sentence, is_so in found.items() if is_so], [*map(str, counts), *seconds]


def _last_digest(sent: Sequence[Post]) -> str:
    return next((post.digest for post in reversed(sent) if post.is_acknowledged), "")


def _lag(sent: Sequence[Post], edit: int, committed_at: float) -> float:
    """Return seconds until the subscriber had the edit; infinite if never."""
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
        supervisor = stack.enter_context(supervise(folder))
        try:
            installation = Installation(supervisor, folder / "state", bundle, pair)
            installation.prepare()
        except ProgramMissing as missing:
            print(f"Not run: {missing}")
            return 0
        next_edit = 1
        for scenario in scenarios:
            servers = {"database": installation.postgresql, "broker": installation.broker}
            if scenario.needs and servers[scenario.needs] is None:
                continue
            subscribers = sink.make_subscribers(scenario.name, dict(scenario.subscribers))
            context = Context(installation, sink, subscribers, next_edit)
            broken, figures = _run_scenario(scenario, context, supervisor)
            print(f"{scenario.name}: {'; '.join(broken) or 'kept'}", flush=True)
            rows.append([scenario.name, "FAILED" if broken else "kept", *figures])
            next_edit = context.next_edit
    print(table(f"Chaos on {' and '.join(pair)} ({machine()})", COLUMNS, rows))
    if any("FAILED" in row for row in rows):
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def _run_scenario(
    scenario: Scenario, context: Context, supervisor: Supervisor
) -> tuple[list[str], list[str]]:
    installation = context.installation
    try:
        installation.start()
        context.edit()  # The topic needs content.
        time.sleep(1)
        context.committed.clear()
        installation.subscribe(context.subscribers)
        scenario.run(context)
        with contextlib.suppress(ChaosError):  # `evaluate` reports missing deliveries.
            wait_for("The last delivery", context.has_no_due_delivery, DRAIN_SECONDS, pause=0.1)
        time.sleep(QUIET_SECONDS)
        broken, figures = evaluate(context, scenario)
        broken += [f"{name} ended by itself" for name in supervisor.exited()]
        installation.ask("delete_subscriptions")
        installation.workers[1].kill()
    except ChaosError as why:
        return [str(why)], ["-"] * (len(COLUMNS) - 2)
    return broken, figures


if __name__ == "__main__":
    sys.exit(main())
