"""Which coding to send, and whether the client already has it (RFC 9110, 12.5.3 and 13).

The front, Django's views and the listing by date all decide here, so that they cannot disagree.
Whatever a header contains, the answer is a decision and never an error: rubbish is ignored.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

IDENTITY = "identity"
# Best first: what a client likes equally well is sent as small as possible.
CODINGS = ("br", "zstd", "gzip")

# --- Cache of parsed header fields ----------------------------------------------------------------


# Both bounds keep a hostile client from filling the memory; a server takes fields of 400 kB.
MAX_CACHED = 512
LONGEST = 1_000

More = TypeVarTuple("More")
Value = TypeVar("Value")


def cached_by_header(read: Callable[[str, *More], Value]) -> Callable[[str, *More], Value]:
    """`read` with a memory for the fields that were read last; a long one is read every time."""
    known = lru_cache(maxsize=MAX_CACHED)(read)

    @wraps(read)
    def cached_value(field: str, *more: *More) -> Value:
        return (known if len(field) <= LONGEST else read)(field, *more)

    return cached_value


# --- Accept-Encoding ------------------------------------------------------------------------------

# RFC 9110 12.4.2: at most three digits after the point.
ACCEPTED = re.compile(
    r"[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*"
    r"(?:;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?",
    re.IGNORECASE,
)


def choose_coding(accept_encoding: str | None, offered: tuple[str, ...] = CODINGS) -> str:
    """The coding to send to a client that sent this `Accept-Encoding`.

    `offered` is best first and leaves out identity, which is sent to a client that names nothing
    and also to one that accepts nothing at all: never a coding that it refused with `q=0`.
    """
    return _best(accept_encoding, offered) if accept_encoding else IDENTITY


@cached_by_header
def _best(accept_encoding: str, offered: tuple[str, ...]) -> str:
    accepted = _qualities(accept_encoding)
    anything = accepted.get("*", 0.0)
    best, best_quality = IDENTITY, accepted.get(IDENTITY, anything)
    # From the least liked: an equal quality goes to a better coding, and identity yields to all.
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


def is_not_modified(
    if_none_match: str | None, if_modified_since: str | None, etag: str, last_modified: int
) -> bool:
    """True when the client holds the representation with this strong ETag and time (Unix seconds).

    RFC 9110 13.1.3: `If-Modified-Since` counts only when there is no `If-None-Match`.
    """
    if if_none_match is not None:
        return etag in entity_tags(if_none_match)
    if if_modified_since is None:
        return False
    held_since = unix_seconds(if_modified_since)
    return held_since is not None and held_since >= last_modified


class EveryTag(frozenset[str]):
    """Set of ETags that `If-None-Match: *` stands for."""

    def __contains__(self, tag: object) -> bool:
        return True


ENTITY_TAG = re.compile(r'[ \t,]*(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|\Z)')


@cached_by_header
def entity_tags(if_none_match: str) -> frozenset[str]:
    """The opaque tags of the list, without `W/`: the comparison is the weak one (RFC 9110 13.1.2).

    A list that breaks the syntax holds nothing, so that its sender gets the whole answer.
    """
    if if_none_match.strip(" \t") == "*":
        return EveryTag()
    tags = list(_scan(if_none_match))
    return frozenset() if None in tags else frozenset(filter(None, tags))


def _scan(text: str) -> Iterator[str | None]:
    text = text.rstrip(" \t,")
    position = 0
    while position < len(text):
        found = ENTITY_TAG.match(text, position)
        if found is None:
            yield None
            return
        yield found[1]
        position = found.end()


# --- Dates ----------------------------------------------------------------------------------------

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_LONG_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
# RFC 9110 5.6.7: one format to write, three to read.
HTTP_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_DAY}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT",
        rf"{_LONG_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT",
        rf"{_DAY} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})",
    )
)


@cached_by_header
def unix_seconds(http_date: str) -> int | None:
    """The instant of an HTTP date in any of its three formats; None for anything else."""
    text = http_date.strip(" \t")
    for pattern in HTTP_DATES:
        if (found := pattern.fullmatch(text)) is not None:
            year = int(found["year"])
            if len(found["year"]) == 2:
                year = _full_year(year)
            try:
                at = dt.datetime(
                    year,
                    _MONTHS.index(found["month"]) + 1,
                    int(found["day"]),
                    int(found["hour"]),
                    int(found["minute"]),
                    59 if found["second"] == "60" else int(found["second"]),  # A leap second.
                    tzinfo=dt.UTC,
                )
            except ValueError:
                return None
            return int(at.timestamp())
    return None


def _full_year(two_digits: int) -> int:
    """RFC 9110 5.6.7: a year that would lie more than 50 years ahead is one of the past."""
    this_year = dt.datetime.now(dt.UTC).year
    year = this_year - this_year % 100 + two_digits
    return year - 100 if year > this_year + 50 else year
