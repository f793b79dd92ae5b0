"""Pure: zip archives, read with guards against bombs. Names inside are never used as paths."""

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from reviews.importing.records import FileRefused

ENTRIES_MAX = 2_000
UNPACKED_MAX = 200 * 1024 * 1024
_CHUNK = 1 << 18
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
    """The entries of a zip; reading more than 200 MiB out of it in all is refused.

    Sizes are measured while reading: what the archive says about itself is not believed.
    """

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        try:
            self._zip = zipfile.ZipFile(file)
            self.names = [entry.filename for entry in self._zip.infolist() if not entry.is_dir()]
        except _FAULTS:
            raise _invalid() from None
        if len(self._zip.infolist()) > ENTRIES_MAX:
            raise FileRefused(
                "zip_too_large",
                f"The archive has more than {ENTRIES_MAX:,} entries. Make one with the review "
                "files only.",
            )
        self._unpacked = 0

    def chunks(self, name: str) -> Iterator[bytes]:
        try:
            with self._zip.open(name) as entry:
                while chunk := entry.read(_CHUNK):
                    self._unpacked += len(chunk)
                    if self._unpacked > UNPACKED_MAX:
                        raise FileRefused(
                            "zip_too_large",
                            f"The archive unpacks to more than {UNPACKED_MAX >> 20} MiB. Make one "
                            "with the review files only.",
                        )
                    yield chunk
        except (*_FAULTS, KeyError):
            raise _invalid() from None

    def read(self, name: str) -> bytes:
        return b"".join(self.chunks(name))


def _invalid() -> FileRefused:
    return FileRefused(
        "zip_invalid",
        "The archive is damaged, cut off or locked with a password. Download it again, or unpack "
        "it and import the files one by one.",
    )
