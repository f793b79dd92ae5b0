"""Pure: the header fields of a request that the protocol reads."""

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import NamedTuple

from publishing.header_cache import cached_by_header

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
_RANGES = {
    JSON: (JSON, "application/*", "*/*"),
    EVENT_STREAM: (EVENT_STREAM, "text/*", "*/*"),
}
_NOTHING = re.compile(r"(?:^|;)\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)")


class Headers(NamedTuple):
    """Their values without the white space around them; None where a field is not there."""

    session: str | None = None
    version: str | None = None
    method: str | None = None
    name: str | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Headers":
        """From the variables that stand for them (RFC 3875 4.1.18)."""

        def value(name: str) -> str | None:
            found = environ.get(name)
            return None if found is None else found.strip(" \t")

        return cls(
            session=value("HTTP_MCP_SESSION_ID"),
            version=value("HTTP_MCP_PROTOCOL_VERSION"),
            method=value("HTTP_MCP_METHOD"),
            name=value("HTTP_MCP_NAME"),
        )


@cached_by_header
def answer_type(accept: str) -> str | None:
    """The media type to answer an Accept field with (RFC 9110 12.5.1).

    JSON where it is allowed, else an event stream, else None. Leniently: a field that names no
    media type allows JSON, and parameters do not matter.
    """
    weights: dict[str, bool] = {}
    for part in accept.lower().split(","):
        media_range, _, parameters = part.partition(";")
        if "/" in media_range:
            weights[media_range.strip()] = _NOTHING.search(parameters) is None
    if not weights:
        return JSON
    for media_type, ranges in _RANGES.items():
        # The most specific range counts.
        if next((weights[each] for each in ranges if each in weights), False):
            return media_type
    return None


def plain(value: str) -> str | None:
    """A mirrored value without its Base64 wrapping (revision 2026-07-28, value encoding).

    None when it is wrapped and cannot be read.
    """
    if not (value.startswith("=?base64?") and value.endswith("?=") and len(value) >= 11):
        return value
    try:
        return b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None
