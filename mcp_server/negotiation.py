"""Media type and content coding of an answer (RFC 9110 12.5.1 and 12.5.3).

gzip is always there; brotli and zstandard where the packages of these names are installed.
"""

import gzip
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
IDENTITY = "identity"

_RANGES = {
    JSON: (JSON, "application/*", "*/*"),
    EVENT_STREAM: (EVENT_STREAM, "text/*", "*/*"),
}
_ZERO = re.compile(r"(?:^|;)\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)")
# RFC 9110 12.4.2: at most three digits after the point.
_CODING = re.compile(
    r"[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*"
    r"(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?",
    re.IGNORECASE,
)


def answer_type(accept: str) -> str | None:
    """The media type for an Accept field: JSON if allowed, else an event stream, else None.

    Leniently: a field that names no media type allows JSON, and parameters do not matter.
    """
    weights: dict[str, bool] = {}
    for part in accept.lower().split(","):
        media_range, _, parameters = part.partition(";")
        if "/" in media_range:
            weights[media_range.strip()] = _ZERO.search(parameters) is None
    if not weights:
        return JSON
    for media_type, ranges in _RANGES.items():
        # The most specific range counts.
        if next((weights[each] for each in ranges if each in weights), False):
            return media_type
    return None


def _brotli(body: bytes) -> bytes:
    import brotli  # noqa: PLC0415  (not everywhere)

    compressed: bytes = brotli.compress(body, quality=5)
    return compressed


def _zstandard(body: bytes) -> bytes:
    import zstandard  # noqa: PLC0415  (not everywhere)

    return zstandard.ZstdCompressor(level=3).compress(body)


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)


# Best first: of codings that a client likes equally well it gets the smallest.
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    **({"br": _brotli} if find_spec("brotli") else {}),
    **({"zstd": _zstandard} if find_spec("zstandard") else {}),
    "gzip": _gzip,
}


def choose_coding(accept_encoding: str) -> str:
    """The coding for an Accept-Encoding field; identity where it names none of ours."""
    qualities: dict[str, float] = {}
    for element in accept_encoding.split(","):
        if (found := _CODING.fullmatch(element)) is not None:
            name = found[1].lower()
            # RFC 9110 8.4.1.3: x-gzip is another name of gzip.
            qualities["gzip" if name == "x-gzip" else name] = float(found[2] or 1)
    others = qualities.get("*", 0.0)
    best, best_quality = IDENTITY, qualities.get(IDENTITY, others)
    # From the last: an equal quality goes to a better coding, and identity yields to all.
    for coding in reversed(tuple(ENCODERS)):
        quality = qualities.get(coding, others)
        if quality > 0 and quality >= best_quality:
            best, best_quality = coding, quality
    return best
