"""Limits of what runs at a time: threads per host, processes per machine; and warm shutdown."""

import contextlib
import fcntl
import logging
import mmap
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from websub import conf
from websub.formatting import log_once

logger = logging.getLogger(__name__)

MAX_CONCURRENT = 4  # Threads of one queue at one host.

_shutting_down = mmap.mmap(-1, 1)  # Anonymous and shared: a worker's child processes see it too.


def request_shutdown() -> None:
    """Tell the runs of this worker to end soon; other workers take up what is due."""
    _shutting_down[0] = 1


def is_shutting_down() -> bool:
    """Whether a run should claim no more rows."""
    return _shutting_down[0] == 1


class HostLimiter:
    """Limits how many threads of a queue contact one host, over all runs of this process.

    Safe to use from any thread.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._active: Counter[str] = Counter()

    def acquire(self, host: str) -> bool:
        """Whether one more thread may contact the host; then it counts as active there."""
        with self._lock:
            may = self._active[host] < self._most
            if may:
                self._active[host] += 1
            return may

    def release(self, host: str) -> None:
        with self._lock:
            self._active -= Counter({host: 1})  # Keeps no zeros.

    def full_hosts(self) -> frozenset[str]:
        """Hosts that no further thread may contact for now."""
        with self._lock:
            return frozenset(h for h, count in self._active.items() if count >= self._most)


# --- One process of a machine ---------------------------------------------------------------------


@contextlib.contextmanager
def single_process_lock(name: str) -> Iterator[bool]:
    """Whether this run got the lock; no other run on this machine has it meanwhile.

    It is a lock of the file system, which ends with its process, however that ends.
    """
    with contextlib.ExitStack() as held:
        try:
            path = Path(conf.get("STATE_DIR")) / f"{name}.lock"
            file = held.enter_context(path.open("w"))
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = True
        except BlockingIOError:
            is_ours = False
        except OSError as error:
            # Without the lock each process of the machine runs the queue: more threads wait, and
            # nothing is done twice.
            log_once(
                logger,
                f"STATE_DIR takes no lock ({error}). Let this user write there, and have it on a "
                "file system that knows locks.",
            )
            is_ours = True
        yield is_ours
