"""Run a queue of requests: claim rows in batches, and send them from a thread pool."""

import contextlib
import fcntl
import logging
import mmap
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from websub import conf
from websub.formatting import log_once

logger = logging.getLogger(__name__)

MAX_CONCURRENT = 4  # Threads per queue and host, over all runs of this process.
POLL_SECONDS = 0.02
RECORD_ROWS = 50
RECORD_SECONDS = 0.2
OVERTIME_SECONDS = 10.0  # A run that waits for a callback keeps claiming rows for this long.
CHECK_SECONDS = 0.5  # Between two claims while threads wait.

# --- Concurrency limits ---------------------------------------------------------------------------

_shutting_down = mmap.mmap(-1, 1)  # Anonymous shared memory, so child processes see it too.


def request_shutdown() -> None:
    """Make the runs of this worker end soon; other workers process the remaining rows."""
    _shutting_down[0] = 1


class HostLimiter:
    """Limit the number of threads that contact one host. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._active: Counter[str] = Counter()

    def acquire(self, host: str) -> bool:
        """Count one more thread at the host, or return False if the host is full."""
        with self._lock:
            if self.is_full(host):
                return False
            self._active[host] += 1
            return True

    def release(self, host: str) -> None:
        with self._lock:
            self._active -= Counter([host])  # Subtraction drops zeros.

    def is_full(self, host: str) -> bool:
        return self._active.get(host, 0) >= self._most


@contextlib.contextmanager
def single_process_lock(name: str) -> Iterator[bool]:
    """Hold a lock that one run per machine can hold; yield whether this run got it."""
    with contextlib.ExitStack() as held:
        is_ours = True
        try:
            path = Path(conf.get("WEBSUB_STATE_DIR")) / f"{name}.lock"
            file = held.enter_context(path.open("w"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            is_ours = False
        except OSError as error:
            # Without the lock each process runs the queue. Claims still prevent duplicates.
            log_once(
                logger,
                f"WEBSUB_STATE_DIR takes no lock ({error}). Let this user write there, and have it "
                "on a file system that knows locks.",
            )
        yield is_ours


# --- A queue --------------------------------------------------------------------------------------


@cache
def _threads(name: str, threads: int) -> tuple[ThreadPoolExecutor, HostLimiter]:
    """Create the threads of a queue in this process; one host may use at most half of them."""
    most = max(1, min(MAX_CONCURRENT, threads // 2))
    return ThreadPoolExecutor(threads, thread_name_prefix=name), HostLimiter(most)


class Hosted(Protocol):
    @property
    def callback_host(self) -> str: ...


Item = TypeVar("Item", bound=Hosted)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Queue(Generic[Item, Result]):
    """A queue with its own threads, so that no other queue waits for it.

    A run claims rows for `run_seconds` and then ends, so that the worker can run other tasks. It
    ends at once when the worker shuts down. A queue with `is_single` runs in one process per
    machine, so its slow callbacks occupy at most one process of the worker.

    `claim` takes a limit and the hosts to exclude. `attempt` processes rows of one host and takes
    each from the iterator after it has finished the previous one. It runs in the pool's threads and
    must neither raise nor change the rows. `record` stores results.
    """

    name: str
    threads: int
    batch: int
    run_seconds: float
    is_single: bool
    claim: Callable[[int, Collection[str]], Sequence[Item]]
    attempt: Callable[[Iterator[Item]], Iterator[Result]]
    record: Callable[[Sequence[Result]], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """Number of rows that a run processed, and whether it ended while more may be due."""

    processed: int = 0
    is_cut_short: bool = False


def run(queue: Queue[Item, Result]) -> RunResult:
    """Process due rows. Skip a single queue that another process is running."""
    if not queue.is_single:
        return _Run(queue).run()
    with single_process_lock(queue.name) as is_ours:
        return _Run(queue).run() if is_ours else RunResult()


@dataclass(slots=True)
class _Run(Generic[Item, Result]):
    """One run of a queue. Threads take rows from their host's deque and append to `results`."""

    queue: Queue[Item, Result]
    waiting: dict[str, deque[Item]] = field(default_factory=dict)
    threads: set[Future[None]] = field(default_factory=set)
    results: deque[Result] = field(default_factory=deque)
    processed: int = 0
    is_exhausted: bool = False  # The last claim found no more due rows.

    def run(self) -> RunResult:
        try:
            return self._process_due()
        finally:
            for rows in self.waiting.values():
                rows.clear()  # After an error nothing would record their results.

    def _process_due(self) -> RunResult:
        started = claimed_at = recorded_at = time.monotonic()
        while True:
            now = time.monotonic()
            # After its time a run claims less often, while a callback still delays its end.
            seconds_left = self.queue.run_seconds - (now - started)
            may_claim = seconds_left > -OVERTIME_SECONDS and not _shutting_down[0]
            is_check_due = now - claimed_at >= CHECK_SECONDS
            if may_claim and (is_check_due or (seconds_left > 0 and not self.is_exhausted)):
                self._claim()
                claimed_at = now
            self._start()
            is_idle = not self.threads and not self.waiting
            if self.threads:
                ended, self.threads = wait(self.threads, timeout=POLL_SECONDS)
                for future in ended:
                    future.result()  # Raises the thread's exception.
            elif not is_idle:
                time.sleep(POLL_SECONDS)  # Other runs contact the waiting hosts.
            now = time.monotonic()
            is_record_due = now - recorded_at >= RECORD_SECONDS or len(self.results) >= RECORD_ROWS
            if self.results and (not self.threads or is_record_due):
                self._record()
                recorded_at = now
            if is_idle and (self.is_exhausted or seconds_left <= 0 or _shutting_down[0]):
                return RunResult(self.processed, is_cut_short=not self.is_exhausted)

    def _claim(self) -> None:
        """Claim rows if there is room for half a batch or more."""
        hosts = _threads(self.queue.name, self.queue.threads)[1]
        full_hosts = {host for host in self.waiting if hosts.is_full(host)}
        # Rows that wait for a full host take no room.
        waiting = sum(len(rows) for host, rows in self.waiting.items() if host not in full_hosts)
        if (room := self.queue.batch - waiting) < self.queue.batch // 2:
            return
        items = self.queue.claim(room, full_hosts)
        for item in items:
            self.waiting.setdefault(item.callback_host, deque()).append(item)
        self.is_exhausted = len(items) < room and not full_hosts

    def _start(self) -> None:
        """Start as many threads as the limits and the waiting rows allow."""
        pool, hosts = _threads(self.queue.name, self.queue.threads)
        self.waiting = {host: rows for host, rows in self.waiting.items() if rows}
        for host, rows in self.waiting.items():
            for _ in range(min(len(rows), self.queue.threads - len(self.threads))):
                if not hosts.acquire(host):
                    break
                self.threads.add(pool.submit(self._work, rows, host))

    def _work(self, rows: deque[Item], host: str) -> None:
        try:
            self.results.extend(self.queue.attempt(_pop_each(rows)))
        finally:
            _threads(self.queue.name, self.queue.threads)[1].release(host)

    def _record(self) -> None:
        results = [self.results.popleft() for _ in range(len(self.results))]
        self.queue.record(results)
        self.processed += len(results)


def _pop_each(rows: deque[Item]) -> Iterator[Item]:
    """Pop rows one at a time, as other threads pop from the same deque."""
    with contextlib.suppress(IndexError):
        while True:
            yield rows.popleft()
