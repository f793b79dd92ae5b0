"""Counters and histograms of all processes, in prometheus-client's multiprocess mode.

A process locks its files while it lives, so that the next start can remove the files of ended
processes. A counter then begins at zero, as Prometheus expects after a restart.
"""

import fcntl
import logging
import os
import socket
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

from metrics import FOLDER

logger = logging.getLogger(__name__)

FILE_BYTES = 128 * 1024  # Several times what the meters need.
MIN_AGE_SECONDS = 60.0  # A younger file may not be locked yet.
MACHINE = socket.gethostname().replace("_", "-")  # Underscores separate parts of file names.


class ProcessFile(MmapedDict):
    """Values of one process in a file, or only in memory if the disk is full.

    Allocates the space of the file before mapping it. prometheus-client would create a sparse file,
    and writing to that on a full disk ends the process (SIGBUS).
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:  # noqa: FBT001, FBT002  (theirs)
        try:
            with Path(filename).open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
        except OSError as error:
            logger.warning(
                "%s cannot be written (%s). Process %d counts for itself alone; restart it when "
                "the disk has room.",
                filename,
                error.strerror,
                os.getpid(),
            )
            Path(filename).unlink(missing_ok=True)
            filename = f"/proc/self/fd/{os.memfd_create(Path(filename).name)}"
        super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]
        with suppress(OSError):
            fcntl.flock(self._f, fcntl.LOCK_SH)


def remove_files_of_ended_processes() -> None:
    """Remove files that no process has locked."""
    for path in FOLDER.glob("*.db"):
        with suppress(OSError), path.open("rb") as file:
            if time.time() - path.stat().st_mtime > MIN_AGE_SECONDS:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


# Before the first meter is created.
values.MmapedDict = ProcessFile  # type: ignore[attr-defined]  # Its own import of the class.
# With the machine, since containers number their processes from 1.
values.ValueClass = values.MultiProcessValue(lambda: f"{MACHINE}-{os.getpid()}")  # type: ignore[no-untyped-call]
remove_files_of_ended_processes()

# --- Meters ---------------------------------------------------------------------------------------

SHORT = (0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)
LONG = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900)

# Not registered, since the files hold their values.
_counter = partial(Counter, registry=None)
_histogram = partial(Histogram, registry=None)

requests = _counter(
    "reviews_requests",
    "Requests answered; a 304 is status 304.",
    ["resource", "method", "status"],
)
request_seconds = _histogram(
    "reviews_request_seconds", "Time until an answer was ready.", ["resource"], buckets=SHORT
)
documents_published = _counter(
    "reviews_documents_published", "New versions of published documents.", ["path"]
)
_work = "Time that a worker's tasks took: imports, analysis, publishing, verifying, delivering."
task_seconds = _histogram("reviews_task_seconds", _work, ["task"], buckets=LONG)
_failed = "Tasks that ended with an internal error."
task_failures = _counter("reviews_task_failures", _failed, ["task"])
_tried = "Attempts to deliver a document to a subscriber."
deliveries = _counter("reviews_deliveries", _tried, ["result"])
delivery_seconds = _histogram(
    "reviews_delivery_seconds", "Time that an attempt took.", ["result"], buckets=SHORT
)


def collect_processes() -> CollectorRegistry:
    """Add up the meters of all processes with the same STATE_DIR."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(FOLDER))  # type: ignore[no-untyped-call]
    return registry
