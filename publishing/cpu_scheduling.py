"""Whether threads of this process that wake up interrupt the running one (sched(7)).

A request is read by one thread and answered by another. While requests queue for a processor, an
interruption answers none of them sooner: changing places took a sixth of the time of a 304. While
they do not, or long work runs beside them, whoever interrupts is answered sooner.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BUSY = 0.75  # Of one processor's time.
THREADS = Path("/proc/self/task")


class Interruptions:
    """Of all threads of this process: allowed at first. Does nothing where there is no `/proc`.

    Nor does it where somebody chose a policy for this process.
    """

    def __init__(self) -> None:
        self._are_allowed = True
        self._are_ours = (
            sys.platform == "linux"
            and THREADS.is_dir()
            and os.sched_getscheduler(0) == os.SCHED_OTHER
        )

    @contextmanager
    def by_load(self) -> Iterator[None]:
        """Allowed afterwards, unless the process was busy for as long as this took."""
        began, used = time.monotonic(), time.process_time()
        yield
        is_busy = time.process_time() - used >= BUSY * (time.monotonic() - began)
        self._let(allowed=not is_busy)

    def allow(self) -> None:
        """To be called before long work."""
        self._let(allowed=True)

    def _let(self, *, allowed: bool) -> None:
        if sys.platform != "linux" or not self._are_ours or allowed == self._are_allowed:
            return
        try:
            threads = list(THREADS.iterdir())
        except OSError:  # No file can be opened at the moment: the next call tries again.
            return
        self._are_allowed = allowed
        policy = os.SCHED_OTHER if allowed else os.SCHED_BATCH
        for thread in threads:
            with suppress(OSError):  # It has ended, or a sandbox keeps this for itself.
                os.sched_setscheduler(int(thread.name), policy, os.sched_param(0))
