"""Working off rows that wait for strangers: claimed in small batches, sent by a shared pool.

The database is talked to by the calling thread alone; the pool's threads only wait for the network.
So a slow callback holds a thread and nothing else, and results are written many at a time.
"""

import contextlib
import fcntl
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, Protocol, TypeVar

from django.conf import settings

MOST_PER_HOST = 4  # In one process, over all lanes and runs.
HOST_BUSY_SECONDS = 0.05
SETTLE_ROWS = 50
SETTLE_SECONDS = 0.2
HELD_UP_SECONDS = 10.0  # What a run may claim beyond its time while it waits for somebody anyway.
LOOK_SECONDS = 0.5  # While strangers are waited for, how often new work is looked for.


@dataclass(frozen=True, slots=True)
class Lane:
    """A kind of work with threads of its own, so that no other kind waits for it.

    A run claims rows for `run_seconds` and then leaves its place in the worker to other tasks. Of
    a lane that `is_single`, one process of a machine runs at a time: those who hang hold up one
    another, and never more than one place in the worker.
    """

    name: str
    threads: int
    batch: int
    run_seconds: float
    is_single: bool

    def pool(self) -> ThreadPoolExecutor:
        """The lane's threads in this process."""
        return _pool(self.name, max(1, self.threads))


@cache
def _pool(name: str, threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix=name)


class Hosted(Protocol):
    @property
    def callback_host(self) -> str: ...


Item = TypeVar("Item", bound=Hosted)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Work(Generic[Item, Result]):
    """What a lane does: claim at most so many rows, try some of one host, write results down.

    `attempt` runs in the pool's threads and must neither raise nor touch the database.
    """

    claim: Callable[[int], Sequence[Item]]
    attempt: Callable[[Sequence[Item]], list[Result]]
    settle: Callable[[Sequence[Result]], None]


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended: rows settled, and whether it stopped while more may be due."""

    settled: int = 0
    is_cut_short: bool = False


def run(lane: Lane, work: Work[Item, Result]) -> Run:
    """Work off what is due; nothing if another process of this machine is at it already."""
    with _turn(lane) as is_ours:
        return _Pump(lane, work).run() if is_ours else Run()


@contextlib.contextmanager
def _turn(lane: Lane) -> Iterator[bool]:
    if not lane.is_single:
        yield True
        return
    # A lock of the file system ends with its process, however that ends.
    with (settings.STATE_DIR / f"{lane.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
            return
        yield True


class _Hosts:
    """How many threads of this process are at each host."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy: Counter[str] = Counter()

    def enter(self, host: str) -> int:
        """How many could have entered before this one did; 0 if it may not."""
        with self._lock:
            free = MOST_PER_HOST - self._busy[host]
            if free <= 0:
                return 0
            self._busy[host] += 1
            return free

    def leave(self, host: str) -> None:
        with self._lock:
            self._busy[host] -= 1
            if not self._busy[host]:
                del self._busy[host]


_hosts = _Hosts()


@dataclass(slots=True)
class _Pump(Generic[Item, Result]):
    lane: Lane
    work: Work[Item, Result]
    waiting: dict[str, deque[Item]] = field(default_factory=dict)
    active: dict[Future[list[Result]], tuple[int, float]] = field(default_factory=dict)
    in_hand: int = 0
    settled: int = 0

    def run(self) -> Run:
        started = looked_at = settled_at = time.monotonic()
        is_dry = False
        results: list[Result] = []
        while True:
            now = time.monotonic()
            has_time = now - started < self._claiming_seconds(now)
            wants_more = not is_dry or now - looked_at >= LOOK_SECONDS
            room = self.lane.batch - self.in_hand
            if has_time and wants_more and room >= self.lane.batch // 2:
                is_dry = self._take(room) < room
                looked_at = now
            self._start()
            if self.active:
                results += self._finished()
            elif self.waiting:
                time.sleep(HOST_BUSY_SECONDS)  # Another run of this process is at its hosts.
            is_idle = not self.active and not self.waiting
            now = time.monotonic()
            if results and (
                is_idle or len(results) >= SETTLE_ROWS or now - settled_at >= SETTLE_SECONDS
            ):
                self.work.settle(results)
                self.settled += len(results)
                results, settled_at = [], now
            if is_idle and (is_dry or now - started >= self.lane.run_seconds):
                return Run(self.settled, is_cut_short=not is_dry)

    def _claiming_seconds(self, now: float) -> float:
        """How long a run claims rows: longer while a slow stranger holds up its end anyway."""
        is_held_up = any(now - since > LOOK_SECONDS for _, since in self.active.values())
        return self.lane.run_seconds + (HELD_UP_SECONDS if is_held_up else 0.0)

    def _take(self, room: int) -> int:
        items = self.work.claim(room)
        for item in items:
            self.waiting.setdefault(item.callback_host, deque()).append(item)
        self.in_hand += len(items)
        return len(items)

    def _start(self) -> None:
        """Share each host's rows out among the threads that it may have."""
        pool = self.lane.pool()
        for host, items in list(self.waiting.items()):
            while items and (free := _hosts.enter(host)):
                share = [items.popleft() for _ in range(-(-len(items) // free))]
                attempting = pool.submit(self._attempt, host, share)
                self.active[attempting] = len(share), time.monotonic()
            if not items:
                del self.waiting[host]

    def _attempt(self, host: str, share: Sequence[Item]) -> list[Result]:
        try:
            return self.work.attempt(share)
        finally:
            _hosts.leave(host)

    def _finished(self) -> list[Result]:
        done, _ = wait(self.active, timeout=SETTLE_SECONDS, return_when=FIRST_COMPLETED)
        results: list[Result] = []
        for future in done:
            count, _ = self.active.pop(future)
            self.in_hand -= count
            results += future.result()
        return results
