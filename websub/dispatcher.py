"""Run a queue of rows whose work is a request: claimed in batches, sent by a pool of threads.

The calling thread alone reads and writes rows; the pool's threads only wait for the network. So a
slow callback holds a thread and nothing else, since another thread replaces it, and results are
written many at a time.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, Protocol, TypeVar

from websub.concurrency import HostLimiter, is_shutting_down, single_process_lock

DRAIN_SECONDS = 0.5  # A thread that waits longer for one callback is stuck; another replaces it.
MAX_REPLACED_THREADS = 3  # Stuck threads beside those at work, as a multiple of those.
HOST_BUSY_SECONDS = 0.05
RECORD_ROWS = 50
RECORD_SECONDS = 0.2
STUCK_SECONDS = 10.0  # A run claims rows for so much longer while it waits for a stuck thread.
CHECK_SECONDS = 0.5  # Between two looks for new rows while threads wait.

_hosts = HostLimiter()  # Of all queues and runs: a host does not care which of them asks.


@dataclass(frozen=True, slots=True)
class Queue:
    """A kind of work with threads of its own, so that no other kind waits for it.

    A run claims rows for `run_seconds`, then ends so that the worker can run other tasks; at once
    when the worker shuts down. A queue that `is_single` runs in one process of a machine at a time:
    its slow callbacks delay one another, and never more than one process of the worker.
    """

    name: str
    threads: int
    batch: int
    run_seconds: float
    is_single: bool

    def pool(self) -> ThreadPoolExecutor:
        """The queue's threads in this process."""
        return _pool(self.name, self.max_threads)

    @property
    def max_threads(self) -> int:
        """The number of threads, stuck ones included; an idle thread is used again first."""
        return self.threads * (1 + MAX_REPLACED_THREADS)

    @property
    def max_stuck_per_host(self) -> int:
        """Half of the threads, so that one host leaves enough to the others."""
        return self.max_threads // 2


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
    """The three steps of a queue's work.

    `claim` takes a limit and hosts to leave out. `attempt` tries rows of one host, each taken from
    the iterator when the one before is done; it runs in the pool's threads and must neither raise
    nor touch the rows. `record` stores results.
    """

    claim: Callable[[int, Collection[str]], Sequence[Item]]
    attempt: Callable[[Iterator[Item]], Iterator[Result]]
    record: Callable[[Sequence[Result]], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """The number of rows that a run processed, and whether it stopped while more may be due."""

    processed: int = 0
    is_cut_short: bool = False


def run(queue: Queue, job: Job[Item, Result]) -> RunResult:
    """Process the rows that are due; none while another process runs a single queue."""
    if not queue.is_single:
        return _Dispatcher(queue, job).run()
    with single_process_lock(queue.name) as is_ours:
        return _Dispatcher(queue, job).run() if is_ours else RunResult()


@dataclass(slots=True)
class _Thread:
    """A thread of a run: its host, since when it waits there, and whether for too long."""

    host: str
    since: float
    is_stuck: bool = False


@dataclass(slots=True)
class _Dispatcher(Generic[Item, Result]):
    """One run of a queue.

    Its threads take row after row and host after host by themselves. A stuck thread does not count
    among those of the queue any more, and ends with its row.
    """

    queue: Queue
    job: Job[Item, Result]
    waiting: dict[str, deque[Item]] = field(default_factory=dict)
    threads: dict[Future[None], _Thread] = field(default_factory=dict)
    results: deque[Result] = field(default_factory=deque)
    processed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    wakeup: threading.Event = field(default_factory=threading.Event)

    def run(self) -> RunResult:
        try:
            return self._process_due()
        finally:
            with self.lock:
                self.waiting.clear()  # After an error their results would be lost.

    # --- The calling thread ---

    def _process_due(self) -> RunResult:
        started = looked_at = recorded_at = time.monotonic()
        is_exhausted = False
        while True:
            now = time.monotonic()
            self._check_threads(now)
            has_time = now - started < self._claiming_seconds() and not is_shutting_down()
            wants_more = not is_exhausted or now - looked_at >= CHECK_SECONDS
            room = self._room()
            if has_time and wants_more and room >= self.queue.batch // 2:
                is_exhausted = self._take(room) < room
                looked_at = now
            self._start()
            is_idle = not self.threads and not self.waiting
            if not is_idle:
                self.wakeup.wait(RECORD_SECONDS if self.threads else HOST_BUSY_SECONDS)
                self.wakeup.clear()
            now = time.monotonic()
            is_time = now - recorded_at >= RECORD_SECONDS or len(self.results) >= RECORD_ROWS
            if self.results and (is_idle or is_time):
                self._record()
                recorded_at = now
            is_over = is_exhausted or is_shutting_down() or now - started >= self.queue.run_seconds
            if is_idle and is_over:
                return RunResult(self.processed, is_cut_short=not is_exhausted)

    def _check_threads(self, now: float) -> None:
        for future in [future for future in self.threads if future.done()]:
            del self.threads[future]
            future.result()
        with self.lock:
            for thread in self.threads.values():
                if thread.host and not thread.is_stuck and now - thread.since > DRAIN_SECONDS:
                    thread.is_stuck = True
                    _hosts.mark_stuck(thread.host)

    def _active_threads(self) -> int:
        return sum(not thread.is_stuck for thread in self.threads.values())

    def _claiming_seconds(self) -> float:
        """How long a run claims rows: longer while a stuck thread delays its end anyway."""
        is_held_up = any(thread.is_stuck for thread in self.threads.values())
        return self.queue.run_seconds + (STUCK_SECONDS if is_held_up else 0.0)

    def _room(self) -> int:
        """How many more rows to claim. Rows of saturated hosts do not count."""
        exclude_hosts = self._saturated_hosts()
        with self.lock:
            waiting = sum(len(rows) for h, rows in self.waiting.items() if h not in exclude_hosts)
        return self.queue.batch - waiting - self._active_threads()

    def _saturated_hosts(self) -> frozenset[str]:
        return _hosts.saturated_hosts(self.queue.max_stuck_per_host)

    def _take(self, room: int) -> int:
        items = self.job.claim(room, self._saturated_hosts())
        with self.lock:
            for item in items:
                self.waiting.setdefault(item.callback_host, deque()).append(item)
        return len(items)

    def _start(self) -> None:
        """Start as many threads as are allowed and find rows."""
        pool = self.queue.pool()
        places = min(
            self.queue.threads - self._active_threads(), self.queue.max_threads - len(self.threads)
        )
        for _ in range(places):
            thread = _Thread("", 0.0)
            if not self._enter(thread):
                return
            future = pool.submit(self._work, thread)
            self.threads[future] = thread
            future.add_done_callback(lambda _: self.wakeup.set())

    def _record(self) -> None:
        results = [self.results.popleft() for _ in range(len(self.results))]
        self.job.record(results)
        self.processed += len(results)

    # --- Its threads ---

    def _work(self, thread: _Thread) -> None:
        is_in = True
        while is_in:
            try:
                for result in self.job.attempt(self._rows(thread)):
                    self.results.append(result)
                    if len(self.results) >= RECORD_ROWS:
                        self.wakeup.set()
            finally:
                self._leave(thread)
            is_in = self._enter(thread)

    def _enter(self, thread: _Thread) -> bool:
        """Give the thread a host that has rows and may be contacted; whether there is one."""
        with self.lock:
            for host in self.waiting if not thread.is_stuck else ():
                if _hosts.acquire(host, self.queue.max_stuck_per_host):
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
            _hosts.release(host, was_stuck=thread.is_stuck)
