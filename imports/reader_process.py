"""Reading of files in a separate process with limited memory and time.

Files are not trusted, and a small one may unpack to gigabytes. So `python -m review_exports` reads
them, with an empty environment, and prints JSON Lines. If the process reaches a limit, the file is
refused. Short texts may be read in this process, since starting a process takes longer than reading
them.
"""

import json
import logging
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO, Any, BinaryIO

from django.conf import settings

from imports.records import Record
from review_exports import wire
from review_exports.options import ReadOptions
from review_exports.records import FileRefused, ReadWarning, RowError, Skipped
from review_exports.shapes import Shape

logger = logging.getLogger(__name__)

MEGABYTE = 1 << 20
LINE_MAX = 64 * MEGABYTE
SHORT_TEXT_MAX = 64 * 1024
SHORT_TEXT_MARKS = 1_000
_PIPE_SIZE = 1 << 16
# Extra columns -> fields of `Record`.
_STORED_NAMES = {"technician": "named_technicians", "service": "named_services"}
_IN_PARTS = "Import it in parts, or export it as CSV."


class ReadTimeout(FileRefused):
    """The reader exceeded its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "file_takes_too_long",
            f"Reading this file takes longer than {seconds:g} seconds, the limit that "
            f"IMPORT_READ_TIMEOUT sets. {_IN_PARTS}",
        )


class ReaderFailed(FileRefused):
    """The reader was killed or failed; a retry may succeed."""

    def __init__(self, how: str) -> None:
        super().__init__(
            "reader_failed",
            f"The process that reads the file {how}. Try again; if it happens again, import the "
            "file in parts, or export it as CSV.",
        )


class ReadFile:
    """A recognised file whose rows another process reads; it can be iterated once.

    `facts` and `shape` are available at once, `warnings` are complete after the iteration.
    Iterating raises `ConfirmationRequired` if the shape is not confirmed. The process ends when the
    file is closed or garbage-collected.
    """

    def __init__(self, lines: "_ReaderProcess | _InProcessReader") -> None:
        self._lines = lines
        facts = _checked(lines.receive(), None)
        self.shape = Shape.from_json(facts["shape"])
        self.facts = facts | {"shape": self.shape, "first_rows": [*map(tuple, facts["first_rows"])]}
        self.columns: list[str] = facts["columns"]
        self.provided_fields: frozenset[str] = frozenset(
            _STORED_NAMES.get(name, name) for name in facts["provided_fields"]
        )
        self.preceding_warnings: list[ReadWarning] = []  # Warnings of the caller, shown first.
        self._warnings: list[ReadWarning] = []

    @property
    def warnings(self) -> list[ReadWarning]:
        return [*self.preceding_warnings, *self._warnings]

    def __iter__(self) -> Iterator[Record | RowError | Skipped]:
        while (line := _checked(self._lines.receive(), self.shape))["type"] != "end":
            yield wire.outcome_from(line, Record.of)
        self._warnings = [ReadWarning(**one) for one in line["warnings"]]
        self.close()

    def close(self) -> None:
        self._lines.end()


def is_short_text(file: BinaryIO) -> bool:
    """Whether a file is a short text of at most 64 KB; rewinds the file.

    Such a file is safe to read in this process: it cannot be unpacked or refer to other files, and
    a limit on its delimiters bounds memory and time. Workbooks, archives, HTML, XML and text with
    null characters, such as UTF-16, are excluded.
    """
    file.seek(0)
    content = file.read(SHORT_TEXT_MAX + 1)
    file.seek(0)
    is_packed = content.startswith((b"PK", b"\x1f\x8b")) or b"\0" in content
    is_marked_up = content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    marks = sum(content.count(mark) for mark in (b"\n", b"\r", b",", b";", b"\t", b"|", b":"))
    is_short = len(content) <= SHORT_TEXT_MAX and marks <= SHORT_TEXT_MARKS
    return is_short and not is_packed and not is_marked_up


def read(
    file: BinaryIO,
    options: ReadOptions,
    *,
    file_name: str,
    seconds: float | None = None,
    in_process_if_short: bool = False,
) -> ReadFile:
    """Recognise a file like `review_exports.read`, in a separate process.

    `seconds` limits the total time of waiting for the reader; the default is `IMPORT_READ_TIMEOUT`.
    With `in_process_if_short` this process reads a short text itself. Raises `FileRefused`,
    including `ReadTimeout` and `ReaderFailed`; so does iterating.
    """
    seconds = seconds or settings.IMPORT_READ_TIMEOUT
    lines: _ReaderProcess | _InProcessReader
    if in_process_if_short and is_short_text(file):
        lines = _InProcessReader(file, options, file_name)
    else:
        lines = _ReaderProcess(file, options, file_name, seconds)
    try:
        return ReadFile(lines)
    except BaseException:
        lines.end()
        raise


class _InProcessReader:
    """Lines from a reader in this process."""

    def __init__(self, file: BinaryIO, options: ReadOptions, file_name: str) -> None:
        self._lines = wire.lines_of(file, options, file_name=file_name)

    def receive(self) -> wire.Line:
        """Return the next line, encoded and decoded as from a process."""
        line: wire.Line = json.loads(wire.encode(next(self._lines)))
        return line

    def end(self) -> None:
        self._lines.close()


class _ReaderProcess:
    """Lines from the pipe of a reader process."""

    def __init__(
        self, file: BinaryIO, options: ReadOptions, file_name: str, seconds: float
    ) -> None:
        self._seconds = self._left = seconds
        self._held = bytearray()
        with TemporaryFile() as sent, _real_file(file) as content:
            sent.write(wire.encode(wire.options_as_json(options)).encode())
            sent.flush()
            sent.seek(0)
            self._popen = subprocess.Popen(  # noqa: S603  (Constants, numbers and a name.)
                [
                    *(sys.executable, "-m", "review_exports", "-"),
                    f"--options=/dev/fd/{sent.fileno()}",
                    f"--file-name={file_name}",
                    f"--memory-limit={settings.IMPORT_MEMORY_LIMIT}",
                    f"--cpu-seconds={2 * int(seconds) + 1}",
                ],
                stdin=content,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[sent.fileno()],
                # No secrets, and the same packages as in this process.
                env={
                    "PYTHONPATH": os.pathsep.join(sys.path),
                    "PYTHONDONTWRITEBYTECODE": "1",
                    # Parse all of a workbook by `defusedxml`.
                    "OPENPYXL_LXML": "False",
                },
                start_new_session=True,
            )
        self.end = weakref.finalize(self, _end, self._popen)

    def receive(self) -> wire.Line:
        """Return the next line; raises `FileRefused` after the time limit or a failure."""
        while (end := self._held.find(b"\n", max(0, len(self._held) - _PIPE_SIZE))) < 0:
            if len(self._held) > LINE_MAX:
                raise self._failure("sent more than a row can hold")
            if not (received := self._receive_bytes()):
                raise self._ended_early()
            self._held += received
        try:
            line: wire.Line = json.loads(self._held[:end])
        except ValueError:
            raise self._failure("sent what cannot be read") from None
        del self._held[: end + 1]
        return line

    def _receive_bytes(self) -> bytes:
        pipe: IO[bytes] | None = self._popen.stdout
        assert pipe is not None  # noqa: S101  (For the types.)
        started = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            is_ready = self._left > 0 and selector.select(self._left)
        # Only the time of waiting counts, not the caller's work between two lines.
        self._left -= time.monotonic() - started
        if not is_ready:
            self.end()
            raise ReadTimeout(self._seconds)
        return os.read(pipe.fileno(), _PIPE_SIZE)

    def _ended_early(self) -> FileRefused:
        status = self._popen.wait()
        if status == -signal.SIGXCPU:
            return ReadTimeout(self._seconds)
        if status < 0:
            return self._failure(f"was killed (signal {-status}), as when memory runs out")
        return self._failure(f"ended with status {status}")

    def _failure(self, how: str) -> ReaderFailed:
        self.end()
        return ReaderFailed(how)


def _checked(line: wire.Line, shape: Shape | None) -> wire.Line:
    """Return a line unless it reports a failure; then raise `FileRefused`."""
    if line["type"] == "refused":
        raise wire.refusal_from(line, shape)
    if line["type"] == "failed":
        if line["reason"] == wire.MEMORY:
            most = settings.IMPORT_MEMORY_LIMIT // MEGABYTE
            raise FileRefused(
                "file_needs_too_much_memory",
                f"Reading this file takes more than {most:,} MB of memory, the limit that "
                f"IMPORT_MEMORY_LIMIT sets. {_IN_PARTS}",
            )
        logger.error("A file could not be read: %s", line["reason"])
        raise ReaderFailed("met a fault of the program")
    return line


def _real_file(file: BinaryIO) -> IO[Any]:
    """Return a file with a descriptor, at its start, that the caller closes."""
    try:
        number = os.dup(file.fileno())
    except (OSError, AttributeError):
        copy = TemporaryFile()  # noqa: SIM115
        file.seek(0)
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        return copy
    os.lseek(number, 0, os.SEEK_SET)
    return os.fdopen(number, "rb")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process if it is still running, and close its pipe."""
    process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()
