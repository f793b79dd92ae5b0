"""Files packed with gzip or inside an archive, unpacked into temporary files."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast

from review_exports.readers.archives import UNPACKED_MAX, Archive
from review_exports.records import file_refused

_CHUNK = 1 << 18
_IN_MEMORY = 1 << 23  # Bytes; a longer file goes to the disk.
_MAGIC = b"\x1f\x8b"
_TAR = (257, b"ustar")  # Where a tar archive has its mark.
_HIDDEN = re.compile(r"(?:^|[/\\])(?:\.|__MACOSX)")
# What the importer reads, by the ends of names.
_READABLE = (
    (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".ndjson", ".jsonld"),
    (".html", ".htm"),  # Beside others these are for people who look into the archive.
    (".txt",),
)


def is_gzip(file: BinaryIO) -> bool:
    file.seek(0)
    return file.read(len(_MAGIC)) == _MAGIC


def unpack_gzip(file: BinaryIO) -> BinaryIO:
    """Unpack at most 200 MiB into a file that the caller closes; raises `FileRefused`."""
    file.seek(0)
    return _kept(_gzip_chunks(file))


def unpack_entry(archive: Archive, name: str) -> BinaryIO:
    """Unpack an entry into a file that the caller closes; raises `FileRefused`."""
    return _kept(archive.chunks(name))


def readable_names(archive: Archive) -> list[str]:
    """The entries that may be exports; pages and plain texts only where there is nothing else."""
    # Others are hidden, or added by macOS.
    names = [name for name in archive.names if not _HIDDEN.search(name)]
    kinds = ([name for name in names if name.lower().endswith(ends)] for ends in _READABLE)
    return next(filter(None, kinds), [])


def _gzip_chunks(file: BinaryIO) -> Iterator[bytes]:
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


def _kept(chunks: Iterable[bytes]) -> BinaryIO:
    kept = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  (the caller closes it)
    try:
        for chunk in chunks:
            kept.write(chunk)
        kept.seek(0)
    except BaseException:
        kept.close()
        raise
    return cast("BinaryIO", kept)
