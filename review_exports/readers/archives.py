"""Archives and packed files, with limits against decompression bombs.

Names of entries are never used as paths. Entries are unpacked into temporary files.
"""

import gzip
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from review_exports.records import file_refused

ENTRIES_MAX = 2_000
UNPACKED_MAX = 200 * 1024 * 1024
_CHUNK = 1 << 18
_IN_MEMORY = 1 << 23  # Bytes that are kept in memory; a longer file goes to disk.
_MAGIC = b"\x1f\x8b"
_TAR = (257, b"ustar")  # Offset and magic number of a tar archive.
_HIDDEN = re.compile(r"(?:^|[/\\])(?:\.|__MACOSX)")
# Suffixes of readable files; each group counts only if no earlier group has files.
_READABLE = (
    (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".ndjson", ".jsonld"),
    (".html", ".htm"),
    (".txt",),
)
_HAS_PASSWORD = 1  # Bit in the flags of an entry (APPNOTE 4.4.4).
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # An entry with a password.
    NotImplementedError,  # An unknown compression method.
    ValueError,
    IndexError,
    OverflowError,
)


class Archive:
    """Entries of a zip file, of which at most 200 MiB are unpacked.

    An entry that is read again counts once. Sizes are measured while reading, since an archive may
    declare wrong ones.
    """

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        try:
            self._zip = zipfile.ZipFile(file)
            entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
            # If two entries have one name, the last one is read.
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
    """Refuse documents that are zip files technically, like those of LibreOffice."""
    for name, kind in _DOCUMENTS.items():
        if name in archive.names:
            raise file_refused("file_is_binary-document", kind=kind)


def is_gzip(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(len(_MAGIC)) == _MAGIC


def readable_names(archive: Archive) -> list[str]:
    """Return the entries that may be exports; pages and plain texts only if alone."""
    # Hidden entries and those of macOS are left out.
    names = [name for name in archive.names if not _HIDDEN.search(name)]
    kinds = ([name for name in names if name.lower().endswith(ends)] for ends in _READABLE)
    return next(filter(None, kinds), [])


def gzip_chunks(file: BinaryIO) -> Iterator[bytes]:
    """Yield the unpacked content of a gzip file, at most 200 MiB."""
    file.seek(0)
    unpacked = 0
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as inner:
            while chunk := inner.read(_CHUNK):
                if not unpacked and chunk[_TAR[0] :].startswith(_TAR[1]):
                    raise file_refused("file_is_binary-tar")
                unpacked += len(chunk)
                if unpacked > UNPACKED_MAX:
                    raise file_refused("gzip_too_large", most=UNPACKED_MAX >> 20)
                yield chunk
    except (OSError, EOFError, zlib.error):
        raise file_refused("gzip_invalid") from None


def unpack(chunks: Iterable[bytes]) -> BinaryIO:
    """Unpack into a temporary file that the caller closes; raises `FileRefused`."""
    kept = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  (the caller closes it)
    try:
        for chunk in chunks:
            kept.write(chunk)
        kept.seek(0)
    except BaseException:
        kept.close()
        raise
    return cast("BinaryIO", kept)
