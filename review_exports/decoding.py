"""Encodings of files, and decoding into lines of text.

The byte order mark decides. Without one, a file is UTF-8 if all of it decodes as UTF-8, and
Windows-1252 otherwise. The name of the file plays no role.
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
# The stream of such a file that holds a workbook locked with a password.
_LOCKED = "EncryptedPackage".encode("utf-16-le")
# First bytes of binary files -> suffix of the message.
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
    """The encoding of a file."""

    name: str
    is_guess: bool = False  # There is no byte order mark, and the file is not UTF-8.
    is_cut_off: bool = False  # The file ends inside a character.


def is_zip(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(4) in _ZIP


def find_encoding(file: BinaryIO) -> Encoding:
    """Detect the encoding of a text file; refuse an empty, binary or undecodable one."""
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
    """Return the encoding of a mark, if the whole file decodes in it."""
    is_text, is_cut_off, _ = _decoded(file, name)
    if is_text:
        return Encoding(name, is_cut_off=is_cut_off)
    raise file_refused("encoding_invalid", encoding=name.upper().removesuffix("-SIG"))


def _utf8_or_windows(file: BinaryIO) -> Encoding:
    is_text, is_cut_off, had_letters = _decoded(file, "utf-8")
    # A file cut off inside a character is UTF-8 only if it has whole ones before.
    if is_text and (had_letters or not is_cut_off):
        return Encoding("utf-8", is_cut_off=is_cut_off)
    if _holds(file, b"\0"):
        raise file_refused("file_is_binary")
    if _decoded(file, "cp1252")[0]:
        return Encoding("cp1252", is_guess=True)
    raise file_refused("encoding_unknown")


def _decoded(file: BinaryIO, name: str) -> tuple[bool, bool, bool]:
    """Whether a file decodes, ends inside a character, and has letters beyond ASCII."""
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
    """Yield the bytes of a file from its start."""
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
    """View of a file with its own position; closing it leaves the file open."""

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
    """Open the file as text with unchanged line breaks; several readers may be open at once."""
    return io.TextIOWrapper(
        io.BufferedReader(_Reader(file), _CHUNK),
        encoding=encoding.name,
        errors="replace" if encoding.is_cut_off else "strict",
        newline="",
    )


def first_character(file: BinaryIO, encoding: Encoding) -> str:
    """Return the first character that is not white space; refuse an empty file."""
    with open_text(file, encoding) as text:
        while chunk := text.read(_HEAD):
            # Joined files may have a second byte order mark.
            if stripped := chunk.strip(" \t\r\n\v\f\0\ufeff"):
                return stripped[0]
    raise file_refused("empty_file")


def lines(file: BinaryIO, encoding: Encoding) -> Iterator[str]:
    """Yield the lines of the file lazily."""
    with open_text(file, encoding) as text:
        whole = iter(lambda: text.readline(LINE_MAX), "")
        for line in limited(whole, LINES_MAX, "lines"):
            if len(line) == LINE_MAX:
                raise too_many("characters in a line", LINE_MAX)
            yield line
