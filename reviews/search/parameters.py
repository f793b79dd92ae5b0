"""Parameters of a search, in one table for HTTP, MCP, OpenAPI and tool schemas.

A search is read from a query string (`parse_query_string`) or from JSON arguments
(`check_arguments`); whatever cannot be used is told at once, parameter by parameter.
"""

import datetime as dt
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlencode

from rest_framework.exceptions import APIException

from reviews.search.fields import (
    NEWEST,
    SORTS,
    UNREADABLE,
    Choice,
    Cursor,
    Day,
    Instant,
    InvalidValue,
    Language,
    MinRating,
    MostStars,
    NameField,
    Parameter,
    Position,
    Sources,
    Text,
    WholeNumber,
    YesOrNo,
    cursor_text,
)

Issue = dict[str, Any]

MAX_QUERY_CHARACTERS = 200
MAX_LIMIT = 100
DEFAULT_LIMIT = 20
MAX_IGNORED = 20  # Unknown parameters that are named.
RECEIVED_CHARACTERS = 100  # More of a bad value than this is not repeated to its sender.


class InvalidParameters(APIException):
    """Parameters or arguments that cannot be used; `issues` lists every problem at once."""

    status_code = 400
    default_code = "invalid"

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("Some parameters cannot be used; see issues.")
        self.issues = list(issues)


class Search(NamedTuple):
    """A search as it was asked; what was left out or empty does not filter."""

    rating: int | None = None
    min_rating: int | None = None  # Whole stars: who asks for 4.5 is content with 5 alone.
    since: dt.date | None = None
    until: dt.date | None = None
    query: str = ""
    mentions_technician: str = ""
    mentions_service: str = ""
    max_rating: int | None = None  # Whole stars: 4.5 keeps 4.
    source: tuple[str, ...] = ()
    language: str = ""
    has_text: bool | None = None
    has_reply: bool | None = None
    changed_since: dt.datetime | None = None
    sort: str = NEWEST
    limit: int = DEFAULT_LIMIT
    cursor: Position | None = None
    ignored: tuple[str, ...] = ()  # Names of parameters that are not known.


SEARCH: tuple[Parameter, ...] = (
    WholeNumber("rating", "Only reviews with exactly this many stars.", 5, 1, 5),
    MinRating("min_rating", "Only reviews with at least this many stars.", 4, 1, 5),
    Day("since", "Only reviews on or after this day.", "2026-01-01"),
    Day("until", "Only reviews on or before this day.", "2026-06-30"),
    Text(
        "query",
        "Only reviews whose text contains exactly these characters, upper and lower case alike.",
        "on time",
        MAX_QUERY_CHARACTERS,
    ),
    NameField(
        "mentions_technician",
        "Only reviews that mention this technician: an id, a full name or an alias; a first name "
        "alone counts when it is unique.",
        "Maren Holt",
    ),
    NameField(
        "mentions_service",
        "Only reviews that mention this service: an id or a label.",
        "leak-detection",
    ),
    MostStars("max_rating", "Only reviews with at most this many stars.", 3, 1, 5),
    Sources(
        "source",
        "Only reviews from this source, like google; several are separated by commas.",
        "google,yelp",
    ),
    Language(
        "language",
        "Only reviews whose text is in this language: a primary tag of BCP 47, like en; und for "
        "those whose language could not be told.",
        "en",
    ),
    YesOrNo("has_text", "Only reviews with a text (true), or stars alone (false).", example=True),
    YesOrNo(
        "has_reply",
        "Only reviews that the business has answered (true), or has not (false).",
        example=False,
    ),
    Instant(
        "changed_since",
        "Only reviews that appeared here, or changed as published, at or after this moment "
        "(RFC 3339). The answer then lists in removed those that were hidden or deleted since.",
        "2026-01-01T00:00:00Z",
    ),
    Choice(
        "sort",
        "The order of the reviews: by date, or by stars and then the newest first.",
        "lowest",
        SORTS,
    ),
    WholeNumber("limit", "How many reviews to return at most.", 20, 1, MAX_LIMIT, DEFAULT_LIMIT),
    Cursor(
        "cursor",
        "Where to go on: the next_cursor of an earlier answer to the same search and sort.",
        cursor_text(Position(dt.date(2026, 1, 1), "01KDVG5B00QS8R2V6M3W0XPE4T")),
    ),
)


def parse_query_string(raw: bytes) -> Search:
    """The search that a query string asks for (the bytes after `?`, still encoded).

    Unknown parameters are named in `ignored`, whatever they hold. Raises `InvalidParameters`.
    """
    values: dict[str, Any] = {}
    issues: dict[str, Issue] = {}
    texts: dict[str, list[bytes]] = {}
    ignored: dict[str, None] = {}
    for pair in raw.split(b"&"):
        key, _, value = pair.partition(b"=")
        parameter = _BY_BYTES.get(key) or _BY_BYTES.get(_unquote(key))
        if parameter is not None:
            texts.setdefault(parameter.name, []).append(_unquote(value))
        elif key and len(ignored) < MAX_IGNORED:
            ignored[_clean(_unquote(key).decode("utf-8", "replace"))] = None
    for name, received in texts.items():
        try:
            if len(received) > 1:
                raise InvalidValue("repeated", "must be given once")
            values[name] = _BY_NAME[name].read(_decoded(received[0]))
        except InvalidValue as refused:
            shown = b"&".join(received).decode("utf-8", "replace")
            issues[name] = _issue(name, refused, shown)
    _check_order(values, issues)
    return Search(**_valid_values(values, issues, _NAMES), ignored=tuple(ignored))


def check_arguments(
    known: Mapping[str, Parameter],
    arguments: Mapping[str, Any],
    required: Collection[str] = (),
) -> dict[str, Any]:
    """The values of a JSON object of arguments, without those that are empty.

    Unlike a query string, arguments have types, and an unknown one is refused: whoever misspells
    a filter must not be told about all reviews. Raises `InvalidParameters`.
    """
    values, issues = {}, {}
    for name, value in arguments.items():
        parameter = known.get(name)
        try:
            if parameter is None:
                use = f"use {', '.join(known)}" if known else "there are none"
                raise InvalidValue("unknown", f"is not an argument; {use}")
            values[name] = parameter.check(value)
        except InvalidValue as refused:
            issues[name] = _issue(name, refused, value)
    _check_order(values, issues)
    for name in required:
        if name not in issues and values.get(name) is None:
            missing = InvalidValue("missing", "must be given")
            issues[name] = _issue(name, missing, arguments.get(name))
    return _valid_values(values, issues, known)


def _check_order(values: Mapping[str, Any], issues: dict[str, Issue]) -> None:
    """Refuse a cursor of another order than the one asked for."""
    cursor, sort = values.get("cursor"), values.get("sort", NEWEST)
    if isinstance(cursor, Position) and cursor.sort != sort and "sort" not in issues:
        must = f"belongs to the order {cursor.sort}; send it with sort={cursor.sort}"
        issues["cursor"] = _issue(
            "cursor", InvalidValue("invalid_cursor", must), cursor_text(cursor)
        )


def parse_date(text: str, name: str = "date") -> dt.date:
    """The calendar day written as `YYYY-MM-DD`. Raises `InvalidParameters` at the path `name`."""
    try:
        return _DAY.read(text)
    except InvalidValue as refused:
        raise InvalidParameters([_issue(name, refused, text)]) from None


def query_string(search: Search, cursor: str | None = None) -> str:
    """The shortest query string that asks for this search, or goes on with it at `cursor`."""
    values = {
        parameter.name: parameter.write(value)
        for parameter in SEARCH
        if (value := getattr(search, parameter.name)) != _DEFAULTS[parameter.name]
    }
    if cursor is not None:
        values["cursor"] = cursor
    return urlencode(values)


_BY_NAME: Mapping[str, Parameter] = {each.name: each for each in SEARCH}
_BY_BYTES: Mapping[bytes, Parameter] = {each.name.encode(): each for each in SEARCH}
_NAMES = tuple(_BY_NAME)
_DEFAULTS = Search()._asdict()
_DAY = Day("date", "", "")


def _valid_values(
    values: Mapping[str, Any], issues: Mapping[str, Issue], names: Iterable[str]
) -> dict[str, Any]:
    """Values that are set. Raises `InvalidParameters` if there are issues."""
    if issues:
        # In the table's order, so that the same mistakes give the same answer.
        order = {name: index for index, name in enumerate(names)}
        sorted_names = sorted(issues, key=lambda name: order.get(name, len(order)))
        raise InvalidParameters([issues[name] for name in sorted_names])
    return {name: value for name, value in values.items() if value is not None}


def _unquote(value: bytes) -> bytes:
    """Form decoding (WHATWG URL 5.1): `+` is a space, `%XX` a byte."""
    if b"+" in value:
        value = value.replace(b"+", b" ")
    return unquote_to_bytes(value) if b"%" in value else value


def _decoded(value: bytes) -> str:
    try:
        text = value.decode()  # Strict, where Django would put replacement characters.
    except UnicodeDecodeError:
        raise InvalidValue("invalid_text", UNREADABLE) from None
    if "\0" in text:
        raise InvalidValue("invalid_text", UNREADABLE)
    return text


def _issue(name: str, refused: InvalidValue, received: Any) -> Issue:
    shown = _clean(name)
    return {
        "code": refused.code,
        "path": [shown],
        "message": f"{shown} {refused.must}.",
        **refused.bounds,
        "received": _shortened(received),
    }


def _shortened(value: Any) -> Any:
    """Received value, shortened for a message."""
    if value is None or isinstance(value, bool | float):
        return value if not isinstance(value, float) or math.isfinite(value) else str(value)
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    if isinstance(value, int):
        return "a number of more than 15 digits"
    if isinstance(value, str):
        return _clean(value)
    return "a JSON object" if isinstance(value, Mapping) else "a JSON array"


def _clean(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()
    cut = text[:RECEIVED_CHARACTERS]
    return cut if cut == text else f"{cut}…"
