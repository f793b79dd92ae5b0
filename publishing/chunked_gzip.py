"""Pure: gzip in pieces, so that an edit compresses the piece that it is in and no other.

Of 100,000 reviews the compression was two thirds of publishing. Where a piece ends depends on the
bytes around its end alone, so an edit moves no end but those beside it.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

LEVEL = 6
SHORTEST = 1024 * 1024  # Each piece forgets what was before it: 1 % more bytes than in one.
END = b'0"'  # Some ids and dates end so: it stands every few kilobytes, and anything would do.

# RFC 1952 2.3: no name, no time, written on Unix.
HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"
LAST_BLOCK = b"\x03\x00"  # RFC 1951 3.2.6: final, and empty.


class ChunkedGzip:
    """Compresses the versions of one document, and remembers the pieces of the last."""

    def __init__(self) -> None:
        self._known: Mapping[bytes, bytes] = {}

    def compress(self, body: bytes) -> bytes:
        """One gzip stream, which depends on `body` alone; pieces are compressed side by side."""
        pieces = [(hashlib.sha256(piece).digest(), piece) for piece in split_chunks(body)]
        deflated = dict(self._known)
        unknown = {name: piece for name, piece in pieces if name not in deflated}
        with ThreadPoolExecutor() as pool:  # Outside the GIL.
            deflated.update(zip(unknown, pool.map(deflate, unknown.values()), strict=True))
        self._known = {name: deflated[name] for name, _ in pieces}
        stream = [deflated[name] for name, _ in pieces]
        trailer = struct.pack("<LL", zlib.crc32(body), len(body) % 2**32)
        return b"".join([HEADER, *stream, LAST_BLOCK, trailer])


def split_chunks(body: bytes) -> Iterator[memoryview]:
    """The body in pieces of some more than `SHORTEST` bytes; the last may have fewer."""
    view = memoryview(body)
    start = 0
    while (end := body.find(END, start + SHORTEST)) >= 0:
        yield view[start:end]
        start = end
    yield view[start:]


def deflate(piece: memoryview) -> bytes:
    """The piece as blocks that end at a byte and refer to nothing before them (RFC 1951)."""
    compressor = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    return compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)
