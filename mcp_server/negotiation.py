"""Media type and content coding of an answer (RFC 9110 12.5.1 and 12.5.3)."""

import gzip
import re

JSON = "application/json"
EVENT_STREAM = "text/event-stream"

_RANGES = {
    JSON: (JSON, "application/*", "*/*"),
    EVENT_STREAM: (EVENT_STREAM, "text/*", "*/*"),
}
_ZERO = re.compile(r"(?:^|;)\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)")


def answer_type(accept: str) -> str | None:
    """The media type for an Accept field: JSON if allowed, else an event stream, else None."""
    if "/" not in accept:
        return JSON
    return next((media_type for media_type in _RANGES if allows(accept, media_type)), None)


def allows(accept: str, media_type: str) -> bool:
    """Whether an Accept field allows the media type."""
    weights: dict[str, bool] = {}
    for part in accept.lower().split(","):
        media_range, _, parameters = part.partition(";")
        weights[media_range.strip()] = _ZERO.search(parameters) is None
    # The most specific range counts.
    return next((weights[each] for each in _RANGES[media_type] if each in weights), False)


def compress(body: bytes, accept_encoding: str) -> tuple[bytes, str]:
    """The body and its coding: gzip for a client that names it, else none."""
    for element in accept_encoding.lower().split(","):
        coding, _, parameters = element.partition(";")
        if coding.strip() == "gzip" and not _ZERO.search(parameters):
            return gzip.compress(body, compresslevel=6, mtime=0), "gzip"
    return body, ""
