"""The files that each process keeps its numbers in, and how those of all are added up.

They take their space before they are mapped: prometheus-client makes a file that is all holes, and
writing into a hole when the disk is full ends the process (SIGBUS), and reading with it.

A process locks its file for as long as it lives. Whichever starts next adds what those counted that
have ended to one file, so that files do not pile up.
"""

import fcntl
import logging
import os
import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from prometheus_client import Metric, values
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

SPACE = 128 * 1024  # Several times what our meters need.
MACHINE = socket.gethostname().replace("_", "-")  # Names of files are parted by underscores.
KINDS = ("counter", "histogram")


class OwnFile(MmapedDict):
    """Numbers of one process, in a file; in its memory alone where the disk has no room for one."""

    def __init__(self, filename: str, read_mode: bool = False) -> None:  # noqa: FBT001, FBT002  (theirs)
        with _folder_held(Path(filename).parent, fcntl.LOCK_SH):
            path = filename if read_mode else _with_space(Path(filename))
            super().__init__(path, read_mode)  # type: ignore[no-untyped-call]
            with suppress(OSError):
                fcntl.flock(self._f, fcntl.LOCK_SH)


class AllFiles(MultiProcessCollector):
    """The numbers of every process that has or had a file in a folder, added up."""

    def __init__(self, folder: Path) -> None:
        super().__init__(None, path=str(folder))  # type: ignore[no-untyped-call]
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        with _folder_held(self._folder, fcntl.LOCK_SH):
            files = list(self._folder.glob("*.db"))
            try:
                return _added_up(files)
            except Exception:  # noqa: BLE001  (whatever a torn file holds)
                return _added_up(filter(_is_whole, files))


def process() -> str:
    """Which process this is among all that share the folder; each container has its own pid 7."""
    return f"{MACHINE}-{os.getpid()}"


def install(folder: Path) -> None:
    """Before the first meter is made."""
    values.MmapedDict = OwnFile  # type: ignore[attr-defined]  # Its own import of the class.
    values.ValueClass = values.MultiProcessValue(process)  # type: ignore[no-untyped-call]
    # Nobody waits for that: what cannot be folded now can be at a later start.
    with suppress(OSError), _folder_held(folder, fcntl.LOCK_EX | fcntl.LOCK_NB) as is_held:
        if is_held:
            for kind in KINDS:
                _fold_ended(folder, kind)


@contextmanager
def _folder_held(folder: Path, how: int) -> Iterator[bool]:
    """Files are opened and read together, and folded by one alone; whether it can be held."""
    with ExitStack() as stack:
        try:
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            fcntl.flock(handle, how)
        except OSError:
            yield False
        else:
            yield True


def _fold_ended(folder: Path, kind: str) -> None:
    sums = folder / f"{kind}_ended.db"
    ended = [path for path in folder.glob(f"{kind}_*.db") if path != sums and not _is_in_use(path)]
    if not ended:
        return
    counted: Counter[str] = Counter()
    for path in filter(_is_whole, [*ended, *folder.glob(sums.name)]):
        for key, value, _, _ in MmapedDict.read_all_values_from_file(path):  # type: ignore[no-untyped-call]
            counted[key] += value
    new = sums.with_suffix(".new")
    new.unlink(missing_ok=True)
    file = MmapedDict(_with_space(new))  # type: ignore[no-untyped-call]
    for key, number in counted.items():
        file.write_value(key, number, 0.0)  # type: ignore[no-untyped-call]
    file.close()  # type: ignore[no-untyped-call]
    new.replace(sums)
    for path in ended:
        path.unlink()


def _is_in_use(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _is_whole(path: Path) -> bool:
    try:
        _added_up([path])
    except Exception as error:  # noqa: BLE001  (whatever a torn file holds)
        logger.warning(
            "%s cannot be read, so what it counted is missing (%s). The next restart removes it.",
            path,
            error,
        )
        return False
    return True


def _added_up(paths: Iterable[Path]) -> Iterable[Metric]:
    metrics: Iterable[Metric] = MultiProcessCollector.merge(map(str, paths))  # type: ignore[no-untyped-call]
    return metrics


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
