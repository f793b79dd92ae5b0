"""Negotiation of media type and content coding (RFC 9110 12.5.1 and 12.5.3)."""

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
    """Choose a media type by an Accept field: JSON, an event stream, or None."""
    if "/" not in accept:
        return JSON
    return next((media_type for media_type in _RANGES if allows(accept, media_type)), None)


def allows(accept: str, media_type: str) -> bool:
    """Whether an Accept field allows the media type. The most specific range decides."""
    is_allowed: dict[str, bool] = {}
    for part in accept.lower().split(","):
        media_range, _, parameters = part.partition(";")
        is_allowed[media_range.strip()] = _ZERO.search(parameters) is None
    return next((is_allowed[each] for each in _RANGES[media_type] if each in is_allowed), False)


def compress(body: bytes, accept_encoding: str) -> tuple[bytes, str]:
    """Return the body and its coding: gzip if the client accepts it, else none."""
    for element in accept_encoding.lower().split(","):
        coding, _, parameters = element.partition(";")
        if coding.strip() == "gzip" and not _ZERO.search(parameters):
            return gzip.compress(body, compresslevel=6, mtime=0), "gzip"
    return body, ""
