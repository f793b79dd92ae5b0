"""Encodings of files, and their bytes as lines of text.

The byte order mark decides; without one the file is UTF-8 if all of it is, else Windows-1252. Only
the content counts, never the name of the file.
"""

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from review_exports.limits import LINE_MAX, LINES_MAX, limited, too_many
from review_exports.records import FileRefused

_CHUNK = 1 << 16
_HEAD = 4096

_MARKS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_SAVE_AS = "Save it as CSV UTF-8 and import that."
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# In such a file stands the name of what a new one with a password keeps in it.
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_BINARY = (
    (_OLD_OFFICE, f"This is an old Excel or Word file. {_SAVE_AS}"),
    (b"{\\rtf", f"This is a text document (RTF). {_SAVE_AS}"),
    (b"%PDF", "This is a PDF. Export the reviews as CSV, Excel or JSON instead."),
    (b"7z\xbc\xaf\x27\x1c", "This is a 7-Zip archive. Unpack it and import what is inside."),
    (b"Rar!", "This is a RAR archive. Unpack it and import what is inside."),
    (b"\x89PNG", "This is a picture. Export the reviews as CSV, Excel or JSON instead."),
    (b"\xff\xd8\xff", "This is a picture. Export the reviews as CSV, Excel or JSON instead."),
    (b"GIF8", "This is a picture. Export the reviews as CSV, Excel or JSON instead."),
    (b"SQLite format 3", "This is a database. Export the reviews as CSV, Excel or JSON instead."),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to decode a file; `is_guess` where no mark and no UTF-8 said so."""

    name: str
    is_guess: bool = False
    is_cut_off: bool = False  # The file ends inside a character.


def is_zip(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(4) in _ZIP


def find_encoding(file: BinaryIO) -> Encoding:
    """The encoding of a text file; refuses what is empty, binary, or can only be guessed."""
    file.seek(0)
    head = file.read(_HEAD)
    if not head:
        raise _empty()
    if head.startswith(_OLD_OFFICE) and _holds(file, _LOCKED):
        raise FileRefused(
            "file_is_locked",
            "The workbook is locked with a password. Open it, remove the password (in Excel: File, "
            "Info, Protect Workbook, Encrypt with Password), save it and import it again.",
        )
    for magic, sentence in _BINARY:
        if head.startswith(magic):
            raise FileRefused("file_is_binary", sentence)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return _proven(file, name)
    if _looks_like_utf16(head):
        raise FileRefused(
            "encoding_unknown",
            "This looks like UTF-16 without a byte order mark, which cannot be told from other "
            "encodings for sure. Save the file as UTF-8 and import that.",
        )
    return _utf8_or_windows(file)


def _proven(file: BinaryIO, name: str) -> Encoding:
    """The encoding that a mark promises, if the whole file keeps the promise."""
    fault = _decoding_fault(file, name)
    if fault is None:
        return Encoding(name)
    if fault.is_at_end:
        return Encoding(name, is_cut_off=True)
    raise FileRefused(
        "encoding_invalid",
        f"The file begins with the mark of {name.upper().removesuffix('-SIG')}, but what follows "
        "is something else. Save it again as UTF-8 and import that.",
    )


def _utf8_or_windows(file: BinaryIO) -> Encoding:
    fault = _decoding_fault(file, "utf-8")
    if fault is None:
        return Encoding("utf-8")
    # A file cut off inside a character is UTF-8 only if it had whole ones before.
    if fault.is_at_end and fault.had_letters_beyond_ascii:
        return Encoding("utf-8", is_cut_off=True)
    if _holds(file, b"\0"):
        raise FileRefused(
            "file_is_binary",
            "This is not a text file. Export the reviews as CSV, Excel or JSON and import that.",
        )
    if _decoding_fault(file, "cp1252") is None:
        return Encoding("cp1252", is_guess=True)
    raise FileRefused(
        "encoding_unknown",
        "The file is neither UTF-8 nor Windows-1252. Save it as UTF-8 and import that.",
    )


@dataclass(frozen=True, slots=True)
class _Fault:
    is_at_end: bool
    had_letters_beyond_ascii: bool


def _decoding_fault(file: BinaryIO, name: str) -> _Fault | None:
    decoder = codecs.getincrementaldecoder(name)()
    beyond = False
    try:
        for chunk in chunks_of(file):
            beyond = not decoder.decode(chunk).isascii() or beyond
    except UnicodeDecodeError:
        return _Fault(is_at_end=False, had_letters_beyond_ascii=beyond)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return _Fault(is_at_end=True, had_letters_beyond_ascii=beyond)
    return None


def _looks_like_utf16(head: bytes) -> bool:
    """Whether every other byte is mostly zero, as in UTF-16 text of Western languages."""
    even, odd = head[0::2], head[1::2]
    return len(head) >= 4 and (
        (odd.count(0) > 0.6 * len(odd) and even.count(0) < 0.1 * len(even))
        or (even.count(0) > 0.6 * len(even) and odd.count(0) < 0.1 * len(odd))
    )


def chunks_of(file: BinaryIO) -> Iterator[bytes]:
    """The bytes of a file from its start."""
    file.seek(0)
    return iter(lambda: file.read(_CHUNK), b"")


def _holds(file: BinaryIO, wanted: bytes) -> bool:
    tail = b""
    for chunk in chunks_of(file):
        if wanted in tail + chunk:
            return True
        tail = chunk[1 - len(wanted) :] if len(wanted) > 1 else b""
    return False


def _empty() -> FileRefused:
    return FileRefused("empty_file", "The file is empty. Export the reviews again.")


class _Reader(io.RawIOBase):
    """A view of a file with a position of its own; closing it leaves the file open."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._file.seek(self._position)
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)


def open_text(file: BinaryIO, encoding: Encoding) -> io.TextIOWrapper:
    """The file as text with its line breaks as they are; any number of readers may be at work."""
    return io.TextIOWrapper(
        io.BufferedReader(_Reader(file), _CHUNK),
        encoding=encoding.name,
        errors="replace" if encoding.is_cut_off else "strict",
        newline="",
    )


def first_character(file: BinaryIO, encoding: Encoding) -> str:
    """The first character that is not white space; an empty file is refused."""
    with open_text(file, encoding) as text:
        while chunk := text.read(_HEAD):
            # A second byte order mark happens when files are joined.
            if stripped := chunk.strip(" \t\r\n\v\f\0\ufeff"):
                return stripped[0]
    raise _empty()


def lines(file: BinaryIO, encoding: Encoding) -> Iterator[str]:
    """The lines of the file, each read as it is asked for."""
    with open_text(file, encoding) as text:
        whole = iter(lambda: text.readline(LINE_MAX), "")
        for line in limited(whole, LINES_MAX, "lines"):
            if len(line) == LINE_MAX:
                raise too_many("characters in a line", LINE_MAX)
            yield line
