"""Header fields of the protocol, and origins of web pages."""

import binascii
import re
from base64 import b64decode
from collections.abc import Collection, Mapping
from typing import NamedTuple

_VARIABLES = ("SESSION_ID", "PROTOCOL_VERSION", "METHOD", "NAME")


class Headers(NamedTuple):
    """Values of MCP's header fields, None if absent, without surrounding white space."""

    session: str | None = None
    version: str | None = None
    method: str | None = None
    name: str | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Headers":
        """Read the fields from CGI variables (RFC 3875 4.1.18)."""
        found = (environ.get(f"HTTP_MCP_{name}") for name in _VARIABLES)
        return cls(*(value if value is None else value.strip(" \t") for value in found))


def decode_value(value: str) -> str | None:
    """Decode a Base64 header value; other values are returned unchanged, malformed ones as None.

    Revision 2026-07-28, value encoding.
    """
    if not (value.startswith("=?base64?") and value.endswith("?=") and len(value) >= 11):
        return value
    try:
        return b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None


# --- Origin (RFC 6454) ----------------------------------------------------------------------------

ANY = "*"
_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {("http", "80"), ("https", "443")}


def parse_origin(text: str) -> str | None:
    """Normalise an origin; None for any other text, like `null` or a URL with a path."""
    found = _ORIGIN.fullmatch(text.strip().lower())
    if found is None:
        return None
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (
        f":{port}" if port and (scheme, port) not in _DEFAULT_PORTS else ""
    )


def parse_origins(text: str) -> frozenset[str]:
    """Parse origins separated by commas; `*` is kept. Raises ValueError."""
    given = [part.strip() for part in text.split(",") if part.strip()]
    parsed = [ANY if part == ANY else parse_origin(part) for part in given]
    wrong = [part for part, origin in zip(given, parsed, strict=True) if origin is None]
    if wrong:
        raise ValueError(f"{wrong[0]} is not an origin")
    return frozenset(origin for origin in parsed if origin is not None)


def is_allowed(origin: str, allowed: Collection[str]) -> bool:
    """Whether a page of this origin may use the server."""
    return ANY in allowed or parse_origin(origin) in allowed
