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
from review_exports.records import file_refused

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
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# In such a file stands the name of what a new one with a password keeps in it.
_LOCKED = "EncryptedPackage".encode("utf-16-le")
# First bytes of files that are no text -> the suffix of the message.
_BINARY = {
    _OLD_OFFICE: "old_office",
    b"{\\rtf": "rtf",
    b"%PDF": "pdf",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF8": "picture",
    b"SQLite format 3": "database",
}


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
        raise file_refused("empty_file")
    if head.startswith(_OLD_OFFICE) and _holds(file, _LOCKED):
        raise file_refused("file_is_locked-workbook")
    for magic, kind in _BINARY.items():
        if head.startswith(magic):
            raise file_refused(f"file_is_binary-{kind}")
    for mark, name in _MARKS:
        if head.startswith(mark):
            return _proven(file, name)
    if _looks_like_utf16(head):
        raise file_refused("encoding_unknown-utf_16")
    return _utf8_or_windows(file)


def _proven(file: BinaryIO, name: str) -> Encoding:
    """The encoding that a mark promises, if the whole file keeps the promise."""
    is_text, is_cut_off, _ = _decoded(file, name)
    if is_text:
        return Encoding(name, is_cut_off=is_cut_off)
    raise file_refused("encoding_invalid", encoding=name.upper().removesuffix("-SIG"))


def _utf8_or_windows(file: BinaryIO) -> Encoding:
    is_text, is_cut_off, had_letters = _decoded(file, "utf-8")
    # A file cut off inside a character is UTF-8 only if it had whole ones before.
    if is_text and (had_letters or not is_cut_off):
        return Encoding("utf-8", is_cut_off=is_cut_off)
    if _holds(file, b"\0"):
        raise file_refused("file_is_binary")
    if _decoded(file, "cp1252")[0]:
        return Encoding("cp1252", is_guess=True)
    raise file_refused("encoding_unknown")


def _decoded(file: BinaryIO, name: str) -> tuple[bool, bool, bool]:
    """Whether a file can be decoded, ends inside a character, has letters beyond ASCII."""
    decoder = codecs.getincrementaldecoder(name)()
    beyond = False
    try:
        for chunk in chunks_of(file):
            beyond = not decoder.decode(chunk).isascii() or beyond
    except UnicodeDecodeError:
        return False, False, beyond
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return True, True, beyond
    return True, False, beyond


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
    raise file_refused("empty_file")


def lines(file: BinaryIO, encoding: Encoding) -> Iterator[str]:
    """The lines of the file, each read as it is asked for."""
    with open_text(file, encoding) as text:
        whole = iter(lambda: text.readline(LINE_MAX), "")
        for line in limited(whole, LINES_MAX, "lines"):
            if len(line) == LINE_MAX:
                raise too_many("characters in a line", LINE_MAX)
            yield line
