"""Pure: which web pages may ask, told by the Origin field that browsers send (RFC 6454)."""

import re
from collections.abc import Collection

ANY = "*"
_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
_DEFAULT_PORTS = {("http", "80"), ("https", "443")}


def parse_origin(text: str) -> str | None:
    """The origin in its one spelling; None for what is none (`null`, a path, a user name)."""
    found = _ORIGIN.fullmatch(text.strip().lower())
    if found is None:
        return None
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + (
        f":{port}" if port and (scheme, port) not in _DEFAULT_PORTS else ""
    )


def parse_origins(text: str) -> frozenset[str]:
    """The origins of a setting, separated by commas; `*` stands for any. Raises ValueError."""
    given = [part.strip() for part in text.split(",") if part.strip()]
    parsed = [ANY if part == ANY else parse_origin(part) for part in given]
    wrong = [part for part, origin in zip(given, parsed, strict=True) if origin is None]
    if wrong:
        raise ValueError(f"{wrong[0]} is not an origin")
    return frozenset(origin for origin in parsed if origin is not None)


def is_allowed(origin: str, allowed: Collection[str]) -> bool:
    """Whether a page of this origin may ask; compared exactly, after parsing."""
    return ANY in allowed or parse_origin(origin) in allowed
