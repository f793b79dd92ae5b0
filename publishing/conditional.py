"""Negotiate codings and evaluate conditional requests (RFC 9110, 12.5.3 and 13)."""

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from django.utils.http import parse_etags, parse_http_date_safe

IDENTITY = "identity"
# Best first, for clients that rate several equally.
CODINGS = ("br", "zstd", "gzip")

# --- Cache of parsed header fields ----------------------------------------------------------------


# Bounds of the memory that a hostile client can fill; a server accepts fields of 400 kB.
MAX_CACHED = 512
MAX_CACHED_LENGTH = 1_000

More = TypeVarTuple("More")
Value = TypeVar("Value")


def cached_by_header(read: Callable[[str, *More], Value]) -> Callable[[str, *More], Value]:
    """Cache the results of a parser for recent header fields, except long ones."""
    known = lru_cache(maxsize=MAX_CACHED)(read)

    @wraps(read)
    def cached_value(field: str, *more: *More) -> Value:
        return (known if len(field) <= MAX_CACHED_LENGTH else read)(field, *more)

    return cached_value


# --- Accept-Encoding ------------------------------------------------------------------------------

# RFC 9110 12.4.2: at most three digits after the point.
ACCEPTED = re.compile(
    r"[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*"
    r"(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?",
    re.IGNORECASE,
)


def choose_coding(accept_encoding: str | None, offered: tuple[str, ...] = CODINGS) -> str:
    """Choose the coding for an `Accept-Encoding`.

    `offered` lists the best coding first, without identity. Identity is chosen if the client
    accepts none of them, even if it refuses identity too.
    """
    return _best(accept_encoding, offered) if accept_encoding else IDENTITY


@cached_by_header
def _best(accept_encoding: str, offered: tuple[str, ...]) -> str:
    accepted = _qualities(accept_encoding)
    anything = accepted.get("*", 0.0)
    best, best_quality = IDENTITY, accepted.get(IDENTITY, anything)
    # From the worst to the best, so that the best of equal quality is chosen.
    for coding in reversed(offered):
        quality = accepted.get(coding, anything)
        if quality > 0 and quality >= best_quality:
            best, best_quality = coding, quality
    return best


def _qualities(accept_encoding: str) -> dict[str, float]:
    accepted: dict[str, float] = {}
    for element in accept_encoding.split(","):
        if (found := ACCEPTED.fullmatch(element)) is not None:
            name = found[1].lower()
            # RFC 9110 8.4.1.3: x-gzip is another name of gzip.
            accepted["gzip" if name == "x-gzip" else name] = float(found[2] or 1)
    return accepted


# --- Validators -----------------------------------------------------------------------------------

entity_tags = cached_by_header(parse_etags)
unix_seconds = cached_by_header(parse_http_date_safe)


def is_not_modified(
    if_none_match: str | None, if_modified_since: str | None, etag: str, last_modified: int
) -> bool:
    """Whether the client holds the representation of this ETag and time (Unix seconds).

    `If-None-Match` is compared weakly (RFC 9110 13.1.2). `If-Modified-Since` is ignored beside it
    (13.1.3).
    """
    if if_none_match is not None:
        tags = entity_tags(if_none_match)
        return etag in tags or f"W/{etag}" in tags or tags == ["*"]
    if if_modified_since is None:
        return False
    held_since = unix_seconds(if_modified_since)
    return held_since is not None and held_since >= last_modified
