"""Zip archives, read with guards against bombs; names inside are never used as paths."""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from review_exports.records import file_refused

ENTRIES_MAX = 2_000
UNPACKED_MAX = 200 * 1024 * 1024
_CHUNK = 1 << 18
_HAS_PASSWORD = 1  # A bit among the flags of an entry (APPNOTE 4.4.4).
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # An entry with a password.
    NotImplementedError,  # A way of packing that Python does not know.
    ValueError,
    IndexError,
    OverflowError,
)


class Archive:
    """The entries of a zip; unpacking more than 200 MiB out of it in all is refused.

    An entry may be read again and counts once. Sizes are measured while reading: what the archive
    says about itself is not believed.
    """

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        try:
            self._zip = zipfile.ZipFile(file)
            entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
            # Of two entries by one name the last is read.
            self.names = list(dict.fromkeys(entry.filename for entry in entries))
        except _FAULTS:
            raise file_refused("zip_invalid") from None
        if len(self._zip.infolist()) > ENTRIES_MAX:
            raise file_refused("zip_too_large", most=ENTRIES_MAX)
        self._unpacked: dict[str, int] = {}
        self._locked = {
            entry.filename for entry in self._zip.infolist() if entry.flag_bits & _HAS_PASSWORD
        }

    def chunks(self, name: str) -> Iterator[bytes]:
        unpacked = 0
        if name in self._locked:
            raise file_refused("file_is_locked-archive")
        try:
            with self._zip.open(name) as entry:
                while chunk := entry.read(_CHUNK):
                    unpacked += len(chunk)
                    self._unpacked[name] = max(unpacked, self._unpacked.get(name, 0))
                    if sum(self._unpacked.values()) > UNPACKED_MAX:
                        raise file_refused("zip_too_large-unpacked", most=UNPACKED_MAX >> 20)
                    yield chunk
        except (*_FAULTS, KeyError):
            raise file_refused("zip_invalid") from None


_DOCUMENTS = {
    "content.xml": "document of LibreOffice",
    "Index/Document.iwa": "document of Apple Numbers or Pages",
    "xl/workbook.bin": "binary Excel workbook",
    "word/document.xml": "Word document",
}


def refuse_documents(archive: Archive) -> None:
    """Refuse documents that are archives only inside, like those of LibreOffice."""
    for name, kind in _DOCUMENTS.items():
        if name in archive.names:
            raise file_refused("file_is_binary-document", kind=kind)
