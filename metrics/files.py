"""The files that numbers are kept in take their space before they are mapped.

prometheus-client makes a file that is all holes and maps it. Writing into a hole when the disk is
full ends the process (SIGBUS), and reading with it.
"""

import logging
import os
from pathlib import Path

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

logger = logging.getLogger(__name__)

SPACE = 128 * 1024  # Several times what our meters need.


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


def install() -> None:
    """Before the first meter is read or written."""
    values.MmapedDict = RoomyDict  # type: ignore[attr-defined]  # Its own import of the class.
