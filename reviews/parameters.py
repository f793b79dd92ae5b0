"""What a search may ask: one table, read by HTTP and MCP, described in OpenAPI and tool schemas.

A search is read from a query string (`parse_query_string`) or from JSON arguments
(`check_arguments`); whatever cannot be used is told at once, parameter by parameter.
"""

import datetime as dt
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlencode

from rest_framework.exceptions import APIException

from reviews.parameter_kinds import (
    UNREADABLE,
    Cursor,
    Day,
    LeastStars,
    Name,
    Parameter,
    Position,
    Refused,
    Text,
    WholeNumber,
    cursor_text,
)

Issue = dict[str, Any]

MAX_QUERY_CHARACTERS = 200
MAX_LIMIT = 100
DEFAULT_LIMIT = 20
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
    limit: int = DEFAULT_LIMIT
    cursor: Position | None = None


SEARCH: tuple[Parameter, ...] = (
    WholeNumber("rating", "Only reviews with exactly this many stars.", 5, 1, 5),
    LeastStars("min_rating", "Only reviews with at least this many stars.", 4, 1, 5),
    Day("since", "Only reviews on or after this day.", "2026-01-01"),
    Day("until", "Only reviews on or before this day.", "2026-06-30"),
    Text(
        "query",
        "Only reviews whose text contains exactly these characters, upper and lower case alike.",
        "on time",
        MAX_QUERY_CHARACTERS,
    ),
    Name(
        "mentions_technician",
        "Only reviews that mention this technician: an id, a full name or an alias; a first name "
        "alone counts when it is unique.",
        "Maren Holt",
    ),
    Name(
        "mentions_service",
        "Only reviews that mention this service: an id or a label.",
        "leak-detection",
    ),
    WholeNumber("limit", "How many reviews to return at most.", 20, 1, MAX_LIMIT, DEFAULT_LIMIT),
    Cursor(
        "cursor",
        "Where to go on: the next_cursor of an earlier answer to the same search.",
        cursor_text(Position(dt.date(2026, 1, 1), "01KDVG5B00QS8R2V6M3W0XPE4T")),
    ),
)


def parse_query_string(raw: bytes) -> Search:
    """The search that a query string asks for (the bytes after `?`, still encoded).

    Unknown parameters are ignored, whatever they hold. Raises `InvalidParameters`.
    """
    values: dict[str, Any] = {}
    issues: dict[str, Issue] = {}
    texts: dict[str, list[bytes]] = {}
    for pair in raw.split(b"&"):
        key, _, value = pair.partition(b"=")
        parameter = _BY_BYTES.get(key) or _BY_BYTES.get(_unquote(key))
        if parameter is not None:
            texts.setdefault(parameter.name, []).append(_unquote(value))
    for name, received in texts.items():
        try:
            if len(received) > 1:
                raise Refused("repeated", "must be given once")
            values[name] = _BY_NAME[name].read(_decoded(received[0]))
        except Refused as refused:
            shown = b"&".join(received).decode("utf-8", "replace")
            issues[name] = _issue(name, refused, shown)
    return Search(**_settled(values, issues, _NAMES))


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
                raise Refused("unknown", f"is not an argument; {use}")
            values[name] = parameter.check(value)
        except Refused as refused:
            issues[name] = _issue(name, refused, value)
    for name in required:
        if name not in issues and values.get(name) is None:
            missing = Refused("missing", "must be given")
            issues[name] = _issue(name, missing, arguments.get(name))
    return _settled(values, issues, known)


def parse_date(text: str, name: str = "date") -> dt.date:
    """The calendar day written as `YYYY-MM-DD`. Raises `InvalidParameters` at the path `name`."""
    try:
        return _DAY.read(text)
    except Refused as refused:
        raise InvalidParameters([_issue(name, refused, text)]) from None


def query_string(search: Search, cursor: str | None = None) -> str:
    """The shortest query string that asks for this search, or goes on with it at `cursor`."""
    values = {name: value for name in _NAMES if (value := getattr(search, name))}
    if search.limit == DEFAULT_LIMIT:
        del values["limit"]
    if cursor is None and search.cursor is not None:
        cursor = cursor_text(search.cursor)
    if cursor is not None:
        values["cursor"] = cursor
    return urlencode(values)


_BY_NAME: Mapping[str, Parameter] = {each.name: each for each in SEARCH}
_BY_BYTES: Mapping[bytes, Parameter] = {each.name.encode(): each for each in SEARCH}
_NAMES = tuple(_BY_NAME)
_DAY = Day("date", "", "")


def _settled(
    values: Mapping[str, Any], issues: Mapping[str, Issue], names: Iterable[str]
) -> dict[str, Any]:
    """The values that say something, if there are no issues."""
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
        raise Refused("invalid_text", UNREADABLE) from None
    if "\0" in text:
        raise Refused("invalid_text", UNREADABLE)
    return text


def _issue(name: str, refused: Refused, received: Any) -> Issue:
    shown = _clean(name)
    return {
        "code": refused.code,
        "path": [shown],
        "message": f"{shown} {refused.must}.",
        **refused.bounds,
        "received": _shortened(received),
    }


def _shortened(value: Any) -> Any:
    """What was received, as far as it helps to find it again."""
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
