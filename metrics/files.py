"""The files that each process keeps its numbers in, and how those of all are added up.

They take their space before they are mapped: prometheus-client makes a file that is all holes, and
writing into a hole when the disk is full ends the process (SIGBUS), and reading with it.
"""

import logging
import os
import socket
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import Metric, values
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

SPACE = 128 * 1024  # Several times what our meters need.
MACHINE = socket.gethostname().replace("_", "-")  # Their names are parted by underscores.


class RoomyDict(MmapedDict):
    """Numbers of one process, in a file; in its memory alone where the disk has no room for one."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:  # noqa: FBT001, FBT002  (theirs)
        path = filename if read_mode else _with_space(Path(filename))
        super().__init__(path, read_mode)  # type: ignore[no-untyped-call]


def _with_space(path: Path) -> str:
    try:
        with path.open("xb") as file:
            file.write(bytes(SPACE))
    except FileExistsError:
        pass
    except OSError as error:
        path.unlink(missing_ok=True)
        logger.warning(
            "%s cannot be written (%s). Process %d counts for itself alone; restart it when the "
            "disk has room.",
            path,
            error.strerror,
            os.getpid(),
        )
        return f"/proc/self/fd/{os.memfd_create(path.name)}"
    return str(path)


class AllProcesses(MultiProcessCollector):
    """The numbers of every process that has a file in a folder, added up."""

    def __init__(self, folder: Path) -> None:
        super().__init__(None, path=str(folder))  # type: ignore[no-untyped-call]
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        files = [str(path) for path in self._folder.glob("*.db")]
        try:
            return _added_up(files)
        except Exception:  # noqa: BLE001  (whatever a torn file holds)
            return _added_up([path for path in files if _is_whole(path)])


def _added_up(paths: list[str]) -> Iterable[Metric]:
    metrics: Iterable[Metric] = MultiProcessCollector.merge(paths)  # type: ignore[no-untyped-call]
    return metrics


def _is_whole(path: str) -> bool:
    try:
        _added_up([path])
    except Exception as error:  # noqa: BLE001  (as above)
        logger.warning(
            "%s cannot be read, so what it counted is missing (%s). Remove it while web, worker "
            "and scheduler are stopped.",
            path,
            error,
        )
        return False
    return True


def process() -> str:
    """Which process this is among all that share the folder; each container has its own pid 7."""
    return f"{MACHINE}-{os.getpid()}"


def install() -> None:
    """Before the first meter is made."""
    values.MmapedDict = RoomyDict  # type: ignore[attr-defined]  # Its own import of the class.
    values.ValueClass = values.MultiProcessValue(process)  # type: ignore[no-untyped-call]
