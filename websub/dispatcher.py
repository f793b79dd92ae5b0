"""Working off rows that wait for strangers: claimed in small batches, sent by a shared pool.

Rows are read and written by the calling thread alone; the pool's threads only wait for the network.
So a slow callback holds a thread and nothing else, not even its place among the lane's threads,
and results are written many at a time.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, Protocol, TypeVar

from core.celery.shutdown import is_shutting_down
from websub.host_limits import HostLimiter
from websub.process_lock import single_process_lock

DRAIN_SECONDS = 0.5  # A thread that waits for longer is replaced by another.
MAX_REPLACED_THREADS = 3  # How many times the lane's threads may wait so beside them.
HOST_BUSY_SECONDS = 0.05
RECORD_ROWS = 50
RECORD_SECONDS = 0.2
STUCK_SECONDS = 10.0  # What a run may claim beyond its time while it waits for somebody anyway.
CHECK_SECONDS = 0.5  # While strangers are waited for, how often new work is looked for.

_hosts = HostLimiter()  # Of all lanes and runs: a host does not care which of them asks.


@dataclass(frozen=True, slots=True)
class Queue:
    """A kind of work with threads of its own, so that no other kind waits for it.

    A run claims rows for `run_seconds` and then leaves its place in the worker to other tasks; at
    once when the worker is to stop. Of a lane that `is_single`, one process of a machine runs at a
    time: those who hang hold up one another, and never more than one place in the worker.
    """

    name: str
    threads: int
    batch: int
    run_seconds: float
    is_single: bool

    def pool(self) -> ThreadPoolExecutor:
        """The lane's threads in this process."""
        return _pool(self.name, self.most_threads)

    @property
    def most_threads(self) -> int:
        """With those that wait for somebody who hangs; an idle thread is used again first."""
        return self.threads * (1 + MAX_REPLACED_THREADS)

    @property
    def most_held_per_host(self) -> int:
        """One host may hold half of them, so that the others have more than enough left."""
        return self.most_threads // 2


@cache
def _pool(name: str, threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix=name)


class Hosted(Protocol):
    @property
    def callback_host(self) -> str: ...


Item = TypeVar("Item", bound=Hosted)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Job(Generic[Item, Result]):
    """What a lane does: claim at most so many rows, and none of some hosts; try rows of one host,
    each taken when its turn comes; write results down.

    `attempt` runs in the pool's threads and must neither raise nor touch the rows.
    """

    claim: Callable[[int, Collection[str]], Sequence[Item]]
    attempt: Callable[[Iterator[Item]], Iterator[Result]]
    settle: Callable[[Sequence[Result]], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended: rows settled, and whether it stopped while more may be due."""

    settled: int = 0
    is_cut_short: bool = False


def run(lane: Queue, work: Job[Item, Result]) -> RunResult:
    """Work off what is due; nothing if another process of this machine is at it already."""
    if not lane.is_single:
        return _Dispatcher(lane, work).run()
    with single_process_lock(lane.name) as is_ours:
        return _Dispatcher(lane, work).run() if is_ours else RunResult()


@dataclass(slots=True)
class _Thread:
    """One of a run's threads: where it is, since when it waits there, and whether for too long."""

    host: str
    since: float
    is_stuck: bool = False


@dataclass(slots=True)
class _Dispatcher(Generic[Item, Result]):
    """A run.

    Its threads take row after row and host after host by themselves. One that is held by a row does
    not count among the lane's any more, and ends with that row.
    """

    lane: Queue
    work: Job[Item, Result]
    waiting: dict[str, deque[Item]] = field(default_factory=dict)
    threads: dict[Future[None], _Thread] = field(default_factory=dict)
    results: deque[Result] = field(default_factory=deque)
    settled: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    bell: threading.Event = field(default_factory=threading.Event)

    def run(self) -> RunResult:
        try:
            return self._work_off()
        finally:
            with self.lock:
                self.waiting.clear()  # After an error nobody would write down how they ended.

    # --- The calling thread ---

    def _work_off(self) -> RunResult:
        started = looked_at = settled_at = time.monotonic()
        is_dry = False
        while True:
            now = time.monotonic()
            self._look_at_threads(now)
            has_time = now - started < self._claiming_seconds() and not is_shutting_down()
            wants_more = not is_dry or now - looked_at >= CHECK_SECONDS
            room = self._room()
            if has_time and wants_more and room >= self.lane.batch // 2:
                is_dry = self._take(room) < room
                looked_at = now
            self._start()
            is_idle = not self.threads and not self.waiting
            if not is_idle:
                self.bell.wait(RECORD_SECONDS if self.threads else HOST_BUSY_SECONDS)
                self.bell.clear()
            now = time.monotonic()
            is_time = now - settled_at >= RECORD_SECONDS or len(self.results) >= RECORD_ROWS
            if self.results and (is_idle or is_time):
                self._settle()
                settled_at = now
            is_over = is_dry or is_shutting_down() or now - started >= self.lane.run_seconds
            if is_idle and is_over:
                return RunResult(self.settled, is_cut_short=not is_dry)

    def _look_at_threads(self, now: float) -> None:
        for future in [future for future in self.threads if future.done()]:
            del self.threads[future]
            future.result()
        with self.lock:
            for thread in self.threads.values():
                if thread.host and not thread.is_stuck and now - thread.since > DRAIN_SECONDS:
                    thread.is_stuck = True
                    _hosts.hold(thread.host)

    def _count_at_work(self) -> int:
        return sum(not thread.is_stuck for thread in self.threads.values())

    def _claiming_seconds(self) -> float:
        """How long a run claims rows: longer while a slow stranger holds up its end anyway."""
        is_held_up = any(thread.is_stuck for thread in self.threads.values())
        return self.lane.run_seconds + (STUCK_SECONDS if is_held_up else 0.0)

    def _room(self) -> int:
        """How many more rows to have in hand. Those who hang take nobody's place here either."""
        passed_over = self._passed_over()
        with self.lock:
            waiting = sum(len(rows) for h, rows in self.waiting.items() if h not in passed_over)
        return self.lane.batch - waiting - self._count_at_work()

    def _passed_over(self) -> frozenset[str]:
        return _hosts.saturated_hosts(self.lane.most_held_per_host)

    def _take(self, room: int) -> int:
        items = self.work.claim(room, self._passed_over())
        with self.lock:
            for item in items:
                self.waiting.setdefault(item.callback_host, deque()).append(item)
        return len(items)

    def _start(self) -> None:
        """As many threads as may be and find something to do."""
        pool = self.lane.pool()
        places = min(
            self.lane.threads - self._count_at_work(), self.lane.most_threads - len(self.threads)
        )
        for _ in range(places):
            thread = _Thread("", 0.0)
            if not self._enter(thread):
                return
            future = pool.submit(self._work, thread)
            self.threads[future] = thread
            future.add_done_callback(lambda _: self.bell.set())

    def _settle(self) -> None:
        results = [self.results.popleft() for _ in range(len(self.results))]
        self.work.settle(results)
        self.settled += len(results)

    # --- Its threads ---

    def _work(self, thread: _Thread) -> None:
        is_in = True
        while is_in:
            try:
                for result in self.work.attempt(self._rows(thread)):
                    self.results.append(result)
                    if len(self.results) >= RECORD_ROWS:
                        self.bell.set()
            finally:
                self._leave(thread)
            is_in = self._enter(thread)

    def _enter(self, thread: _Thread) -> bool:
        """Whether there is a host with rows, and a place for the thread at it."""
        with self.lock:
            for host in self.waiting if not thread.is_stuck else ():
                if _hosts.enter(host, self.lane.most_held_per_host):
                    thread.host, thread.since = host, time.monotonic()
                    return True
        return False

    def _rows(self, thread: _Thread) -> Iterator[Item]:
        while not thread.is_stuck:
            with self.lock:
                rows = self.waiting.get(thread.host)
                if not rows:
                    return
                item = rows.popleft()
                if not rows:
                    del self.waiting[thread.host]
                thread.since = time.monotonic()
            yield item

    def _leave(self, thread: _Thread) -> None:
        with self.lock:
            host, thread.host = thread.host, ""
            _hosts.leave(host, was_held=thread.is_stuck)
