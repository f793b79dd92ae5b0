"""Run a queue of rows whose work is a request: claimed in batches, sent by a pool of threads.

The calling thread alone reads and writes rows; the pool's threads only wait for the network. So a
slow callback holds a thread and nothing else, and results are written many at a time.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, Protocol, TypeVar

from websub.concurrency import MAX_CONCURRENT, HostLimiter, is_shutting_down, single_process_lock

HOST_BUSY_SECONDS = 0.05
RECORD_ROWS = 50
RECORD_SECONDS = 0.2
WAITING_SECONDS = 10.0  # A run claims rows for so much longer while it waits for a callback.
CHECK_SECONDS = 0.5  # Between two looks for new rows while threads wait.


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
        return _pool(self.name, self.threads)

    def hosts(self) -> HostLimiter:
        """The limits of hosts, which leave at least half of the threads to other hosts."""
        return _hosts(self.name, max(1, min(MAX_CONCURRENT, self.threads // 2)))


@cache
def _pool(name: str, threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix=name)


@cache
def _hosts(name: str, most: int) -> HostLimiter:
    return HostLimiter(most)


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
class _Dispatcher(Generic[Item, Result]):
    """One run of a queue, whose threads take row after row and host after host by themselves."""

    queue: Queue
    job: Job[Item, Result]
    waiting: dict[str, deque[Item]] = field(default_factory=dict)
    threads: set[Future[None]] = field(default_factory=set)
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
            self._forget_ended_threads()
            # Beyond its time a run claims now and then, while a callback delays its end anyway.
            left = self.queue.run_seconds - (now - started)
            has_time = left > -WAITING_SECONDS and not is_shutting_down()
            wants_more = (left > 0 and not is_exhausted) or now - looked_at >= CHECK_SECONDS
            full_hosts = self._full_hosts()
            room = self._room(full_hosts)
            if has_time and wants_more and room >= self.queue.batch // 2:
                is_exhausted = self._take(room, full_hosts) < room and not full_hosts
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

    def _forget_ended_threads(self) -> None:
        for future in [future for future in self.threads if future.done()]:
            self.threads.remove(future)
            future.result()

    def _full_hosts(self) -> frozenset[str]:
        """Hosts whose rows wait for others of the same host."""
        with self.lock:
            return self.queue.hosts().full_hosts() & self.waiting.keys()

    def _room(self, full_hosts: Collection[str]) -> int:
        """How many more rows to claim. Waiting rows of full hosts do not count."""
        with self.lock:
            waiting = sum(len(rows) for h, rows in self.waiting.items() if h not in full_hosts)
        return self.queue.batch - waiting

    def _take(self, room: int, full_hosts: Collection[str]) -> int:
        items = self.job.claim(room, full_hosts)
        with self.lock:
            for item in items:
                self.waiting.setdefault(item.callback_host, deque()).append(item)
        return len(items)

    def _start(self) -> None:
        """Start as many threads as are allowed and find rows."""
        for _ in range(self.queue.threads - len(self.threads)):
            if (host := self._enter()) is None:
                return
            future = self.queue.pool().submit(self._work, host)
            self.threads.add(future)
            future.add_done_callback(lambda _: self.wakeup.set())

    def _record(self) -> None:
        results = [self.results.popleft() for _ in range(len(self.results))]
        self.job.record(results)
        self.processed += len(results)

    # --- Its threads ---

    def _work(self, first: str) -> None:
        host: str | None = first
        while host is not None:
            try:
                for result in self.job.attempt(self._rows(host)):
                    self.results.append(result)
                    if len(self.results) >= RECORD_ROWS:
                        self.wakeup.set()
            finally:
                self.queue.hosts().release(host)
            host = self._enter()

    def _enter(self) -> str | None:
        """A host that has rows and may be contacted, by the calling thread from now on."""
        with self.lock:
            return next((host for host in self.waiting if self.queue.hosts().acquire(host)), None)

    def _rows(self, host: str) -> Iterator[Item]:
        while True:
            with self.lock:
                rows = self.waiting.get(host)
                if not rows:
                    return
                item = rows.popleft()
                if not rows:
                    del self.waiting[host]
            yield item
