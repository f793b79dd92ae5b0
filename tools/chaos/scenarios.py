"""Scenarios, one function each: they edit, break and heal; `verdicts` checks the deliveries."""

import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tools.chaos.installation import Installation
from tools.chaos.processes import wait_for
from tools.chaos.sink import Sink, Subscriber

WITHOUT_FAULTS_SECONDS = 2.0
UNDER_FAULTS_SECONDS = 45.0  # Claims of 17 seconds, a sweep, and a busy machine.
LATE_SECONDS = 90.0  # Killed workers and callbacks that answer too late, one after the other.
FROZEN_SECONDS = 20.0
STORM_EDITS = 100
STORM_PAUSE_SECONDS = 0.1
STORM_POSTS = 20


@dataclass(slots=True)
class World:
    """Installation, editor and sink of a scenario."""

    installation: Installation
    sink: Sink
    crowd: list[Subscriber]
    next_edit: int
    committed: dict[int, float] = field(default_factory=dict)
    saved_seconds: list[float] = field(default_factory=list)

    @property
    def last_edit(self) -> int:
        return self.next_edit - 1

    def edit(self) -> int:
        answer = self.installation.ask(f"add {self.next_edit}")
        self.saved_seconds.append(answer["seconds"])
        return self._note(answer["committed_at"])

    def edit_and_crash(self) -> int:
        return self._note(self.installation.crash_after_commit(self.next_edit))

    def _note(self, committed_at: float) -> int:
        self.committed[self.next_edit] = committed_at
        self.next_edit += 1
        return self.last_edit

    def wait_until_sent(self, edit: int, count: int) -> None:
        """In the middle of the fan-out."""
        wait_for(
            f"Edit {edit} at {count} subscribers",
            lambda: self.sink.reached(self.crowd, edit) >= count,
            30,
            pause=0.002,
        )

    def wait_until_all_have(self, edit: int) -> None:
        live = [subscriber for subscriber in self.crowd if subscriber.is_live]
        wait_for(
            f"Edit {edit} at all subscribers",
            lambda: self.sink.satisfied(live, edit) == len(live),
            UNDER_FAULTS_SECONDS,
        )


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    run: Callable[[World], None]
    crowd: Mapping[str, int]
    staleness_seconds: float = UNDER_FAULTS_SECONDS
    most_posts: int | None = None  # For each subscriber.
    needs: str = ""  # A server of this kind, which SQLite is not, nor a folder of messages.
    # A process that is frozen while writing to a socket goes on afterwards, beside other workers;
    # then the newest version follows once more.
    freezes: bool = False


def nothing_breaks(world: World) -> None:
    for _ in range(4):
        edit = world.edit()
        world.wait_until_all_have(edit)
        time.sleep(1.5)


def worker_killed(world: World) -> None:
    """Once in the middle of a fan-out, once right after a commit."""
    edit = world.edit()
    world.wait_until_sent(edit, 5)
    world.installation.restart(world.installation.worker)
    world.wait_until_all_have(edit)
    world.edit()
    world.installation.restart(world.installation.worker)


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
    """It neither answers nor refuses, and ends no connection."""
    broker = world.installation.broker
    assert broker is not None
    broker.member.signal(signal.SIGSTOP)
    try:
        world.wait_until_all_have(world.edit())
    finally:
        broker.member.signal(signal.SIGCONT)
    world.edit()


def database_crashed(world: World) -> None:
    postgresql = world.installation.postgresql
    assert postgresql is not None
    edit = world.edit()
    world.wait_until_sent(edit, 5)
    postgresql.crash()
    time.sleep(3)
    postgresql.start()
    world.edit()


def worker_frozen(world: World) -> None:
    """It wakes up with old content to send, after another worker has sent newer one.

    Frozen in the middle of a transaction it locks SQLite, so edits may wait until it is awake.
    """
    installation = world.installation
    world.wait_until_sent(world.edit(), 5)
    installation.worker.signal(signal.SIGSTOP)
    waking = threading.Timer(FROZEN_SECONDS, installation.worker.signal, (signal.SIGCONT,))
    waking.start()
    installation.second_worker.start()
    time.sleep(2)
    world.edit()
    waking.join()
    world.edit()


def crash_after_commit(world: World) -> None:
    for _ in range(2):
        world.wait_until_all_have(world.edit_and_crash())


def slow_and_flaky(world: World) -> None:
    for _ in range(3):
        world.edit()
        time.sleep(3)


def claims_expire(world: World) -> None:
    """Two workers die in alternation, while callbacks answer late, too late or never.

    Claims of the dead expire beside requests that others have under way.
    """
    installation = world.installation
    installation.second_worker.start()
    for worker in (installation.worker, installation.second_worker) * 3:
        world.wait_until_sent(world.edit(), 8)
        for _ in range(4):
            time.sleep(1)
            world.edit()
        installation.restart(worker)


def storm(world: World) -> None:
    """Long enough that not all of it is one delivery."""
    for _ in range(STORM_EDITS):
        world.edit()
        time.sleep(STORM_PAUSE_SECONDS)


# A worker that is killed between a post and its record has the post made again. So the posts of a
# dead callback are counted where no worker dies.
MIXED = {"healthy": 40, "flaky": 6, "dead": 4}
LIVE = {"healthy": 50, "flaky": 6}

SCENARIOS = (
    Scenario("baseline", nothing_breaks, {"healthy": 60}, WITHOUT_FAULTS_SECONDS),
    Scenario("worker-killed", worker_killed, LIVE),
    Scenario("beat-killed", beat_killed, MIXED),
    Scenario("broker-lost", broker_lost, MIXED),
    Scenario("broker-silent", broker_silent, {"healthy": 50, "dead": 4}, needs="broker"),
    Scenario("database-crashed", database_crashed, LIVE, needs="database"),
    Scenario("worker-frozen", worker_frozen, LIVE, freezes=True),
    Scenario("crash-after-commit", crash_after_commit, MIXED),
    Scenario(
        "slow-and-flaky",
        slow_and_flaky,
        {"healthy": 40, "slow": 8, "flaky": 8, "hanging": 4, "dead": 4},
    ),
    Scenario(
        "claims-expire",
        claims_expire,
        {"healthy": 24, "slow": 8, "late": 8, "flaky": 8, "unaware": 8},
        staleness_seconds=LATE_SECONDS,
    ),
    Scenario("storm", storm, {"healthy": 50, "dead": 4}, most_posts=STORM_POSTS),
)
