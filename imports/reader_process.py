"""Reading of a file in a process of its own, with limits on memory and time.

The file is not trusted, and a small one may unpack to gigabytes. So `python -m review_exports`
reads it, with the options and no environment; the JSON Lines that it prints are decoded as data. A
process that reaches a limit is ended, and the file refused with the limit and the remedy. A short
text may be read without one, where a request waits: to start a process takes longer than to read
it.
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
# Extra columns of a file -> the fields that are stored of them.
_STORED_NAMES = {"technician": "named_technicians", "service": "named_services"}
_IN_PARTS = "Import it in parts, or export it as CSV."


class ReadTimeout(FileRefused):
    """The reader took longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            "file_takes_too_long",
            f"Reading this file takes longer than {seconds:g} seconds, the limit that "
            f"IMPORT_READ_TIMEOUT sets. {_IN_PARTS}",
        )


class ReaderFailed(FileRefused):
    """The reader ended without a result: killed, or by a fault of its own. A retry may succeed."""

    def __init__(self, how: str) -> None:
        super().__init__(
            "reader_failed",
            f"The process that reads the file {how}. Try again; if it happens again, import the "
            "file in parts, or export it as CSV.",
        )


class ReadFile:
    """A recognised file whose rows another process reads.

    The facts of the file and its shape are known at once. Iterating gives the rows, once, and
    raises `ConfirmationRequired` where the shape is not confirmed; `warnings` are complete
    afterwards. Ends the process when it is closed or forgotten.
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
        self.preceding_warnings: list[ReadWarning] = []  # Of the caller, shown before the reader's.
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
    """Tell whether a file is short JSON or delimited text (64 KB); leaves it at its start.

    Such a file is safe to read in this process: nothing in it unpacks, names another file or brings
    a parser of its own, and the number of its lines, cells and members bounds memory and time: a
    table of many rows and columns takes minutes. Workbooks, archives, packed files
    and documents of HTML or XML are none, nor is text with null characters, like UTF-16.
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
    """Recognise a file as `review_exports.read` does, in a process of its own.

    `seconds` is how long the reader may be waited for in all; None: `IMPORT_READ_TIMEOUT`. With
    `in_process_if_short` a short text is read in this process. Raises `FileRefused`, and of its kinds
    `ReadTimeout` and `ReaderFailed`; so does iterating.
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
    """The lines about a file that this process reads."""

    def __init__(self, file: BinaryIO, options: ReadOptions, file_name: str) -> None:
        self._lines = wire.lines_of(file, options, file_name=file_name)

    def receive(self) -> wire.Line:
        """The next line, as from a process."""
        line: wire.Line = json.loads(wire.encode(next(self._lines)))
        return line

    def end(self) -> None:
        self._lines.close()


class _ReaderProcess:
    """The process that reads, and the pipe with its lines."""

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
                # No secret of ours, and the packages where this process finds them.
                env={
                    "PYTHONPATH": os.pathsep.join(sys.path),
                    "PYTHONDONTWRITEBYTECODE": "1",
                    # So that `defusedxml` guards each part of a workbook.
                    "OPENPYXL_LXML": "False",
                },
                start_new_session=True,
            )
        self.end = weakref.finalize(self, _end, self._popen)

    def receive(self) -> wire.Line:
        """The next line, waited for as long as the reader may take; raises `FileRefused`."""
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
        # The caller's own work between two messages does not count.
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
    """A line that tells of no failure; raises `FileRefused` for others."""
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
    """The file as one that another process can read from its start; the caller closes it."""
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
    """Kill a process that has not ended, and close its pipe."""
    process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()
