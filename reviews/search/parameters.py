"""Parameters of a search: one serializer for HTTP, MCP, OpenAPI and the schemas of tools.

A search is read from a query string (`parse_query_string`) or from JSON arguments
(`check_arguments`). Both call the fields of the serializer one by one, since an instance of it
copies every field: 0.2 ms more than a whole search may take.
"""

import datetime as dt
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError

from reviews.search.fields import (
    NEWEST,
    SORTS,
    CursorField,
    DayField,
    InstantField,
    LanguageField,
    NameField,
    OrderField,
    Position,
    SourcesField,
    StarsField,
    TextField,
    WholeNumberField,
    YesOrNoField,
    cursor_text,
)

Issue = dict[str, Any]

MAX_QUERY_CHARACTERS = 200
MAX_LIMIT = 100
DEFAULT_LIMIT = 20
MAX_IGNORED = 20  # Unknown parameters that are named.
RECEIVED_CHARACTERS = 100  # More of a bad value than this is not repeated to its sender.
UNREADABLE = "must be text in UTF-8 without NUL characters"
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
# Codes of issues, where those of Django and Django REST framework are others.
CODES = {
    "min_value": "too_small",
    "max_value": "too_big",
    "max_length": "too_long",
    "invalid_choice": "invalid_type",
}


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


class SearchSerializer(serializers.Serializer[Any]):
    """Parameters of a search, all optional. One review of the demo matches all examples at once."""

    rating = WholeNumberField(
        help_text="Only reviews with exactly this many stars.", min_value=1, max_value=5, example=5
    )
    min_rating = StarsField(
        rounded=math.ceil,
        help_text="Only reviews with at least this many stars.",
        min_value=1,
        max_value=5,
        example=4,
    )
    since = DayField(help_text="Only reviews on or after this day.", example="2026-01-01")
    until = DayField(help_text="Only reviews on or before this day.", example="2026-06-30")
    query = TextField(
        help_text="Only reviews whose text contains exactly these characters, upper and lower case "
        "alike.",
        max_length=MAX_QUERY_CHARACTERS,
        example="heating",
    )
    mentions_technician = NameField(
        help_text="Only reviews that mention this technician: an id, a full name or an alias; a "
        "first name alone counts when it is unique.",
        example="Maren Holt",
    )
    mentions_service = NameField(
        help_text="Only reviews that mention this service: an id or a label.",
        example="furnace-tune-up",
    )
    max_rating = StarsField(
        rounded=math.floor,
        help_text="Only reviews with at most this many stars.",
        min_value=1,
        max_value=5,
        example=5,
    )
    source = SourcesField(  # type: ignore[assignment]  # A field's name.
        help_text="Only reviews from this source, like google; several are separated by commas.",
        example="google,yelp",
    )
    language = LanguageField(
        help_text="Only reviews whose text is in this language: a primary tag of BCP 47, like en; "
        "und for those whose language could not be told.",
        example="en",
    )
    has_text = YesOrNoField(
        help_text="Only reviews with a text (true), or stars alone (false).", example=True
    )
    has_reply = YesOrNoField(
        help_text="Only reviews that the business has answered (true), or has not (false).",
        example=False,
    )
    changed_since = InstantField(
        help_text="Only reviews that appeared here, or changed as published, at or after this "
        "moment (RFC 3339). The answer then lists in removed those that were hidden or deleted "
        "since.",
        example="2026-01-01T00:00:00Z",
    )
    sort = OrderField(
        SORTS,
        help_text="The order of the reviews: by date, or by stars and then the newest first.",
        example="newest",
    )
    limit = WholeNumberField(
        help_text="How many reviews to return at most.",
        min_value=1,
        max_value=MAX_LIMIT,
        default=DEFAULT_LIMIT,
        example=20,
    )
    cursor = CursorField(
        help_text="Where to go on: the next_cursor of an earlier answer to the same search and "
        "sort.",
        example=cursor_text(Position(dt.date(2026, 1, 1), "01KDVG5B00QS8R2V6M3W0XPE4T")),
    )


FIELDS: Mapping[str, Any] = dict(SearchSerializer().fields)


def parse_query_string(raw: bytes) -> Search:
    """The search that a query string asks for (the bytes after `?`, still encoded).

    Unknown parameters are named in `ignored`, whatever they hold. Raises `InvalidParameters`.
    """
    values: dict[str, Any] = {}
    issues: dict[str, Issue] = {}
    texts: dict[str, list[str]] = {}
    ignored: dict[str, None] = {}
    # Bytes that are not UTF-8 become surrogates, which are refused; Django would replace them.
    query = raw.decode(errors="surrogateescape")
    for name, value in parse_qsl(query, keep_blank_values=True, errors="surrogateescape"):
        if name in FIELDS:
            texts.setdefault(name, []).append(value)
        elif name and len(ignored) < MAX_IGNORED:
            ignored[_clean(_readable(name))] = None
    for name, received in texts.items():
        text = "&".join(received)
        if len(received) > 1:
            issues[name] = _issue(name, "repeated", "must be given once", _readable(text))
        elif _UNREADABLE.search(text):
            issues[name] = _issue(name, "invalid_text", UNREADABLE, _readable(text))
        else:
            _read(name, FIELDS[name], text, values, issues)
    _check_order(values, issues)
    return Search(**_valid_values(values, issues, FIELDS), ignored=tuple(ignored))


def check_arguments(
    fields: Mapping[str, serializers.Field[Any, Any, Any, Any]], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """The values of a JSON object of arguments, without those that are left out.

    Unlike a query string, arguments have types, and an unknown one is refused: a client that
    misspells a filter must not be told about all reviews. Raises `InvalidParameters`.
    """
    values: dict[str, Any] = {}
    issues: dict[str, Issue] = {}
    for name, value in arguments.items():
        field = fields.get(name)
        if field is None:
            use = f"use {', '.join(fields)}" if fields else "there are none"
            issues[name] = _issue(name, "unknown", f"is not an argument; {use}", value)
        elif isinstance(value, str) and _UNREADABLE.search(value):
            issues[name] = _issue(name, "invalid_text", UNREADABLE, value)
        elif value is not None:
            _read(name, field, value, values, issues)
    _check_order(values, issues)
    for name, field in fields.items():
        if field.required and name not in issues and values.get(name) is None:
            issues[name] = _issue(name, "missing", "must be given", arguments.get(name))
    return _valid_values(values, issues, fields)


def _read(
    name: str,
    field: Any,
    received: Any,
    values: dict[str, Any],
    issues: dict[str, Issue],
) -> None:
    """Put the value that the field reads into `values`, or the issue with it into `issues`."""
    try:
        values[name] = field.run_validation(received)
    except ValidationError as error:
        refused: Any = error.detail
        code = CODES.get(refused[0].code, refused[0].code)
        issues[name] = _issue(name, code, refused[0], received, **_bounds(code, field))


def _bounds(code: str, field: Any) -> dict[str, Any]:
    """The limit that a value exceeds."""
    if code == "too_small":
        return {"minimum": field.min_value, "inclusive": True}
    if code == "too_big":
        return {"maximum": field.max_value, "inclusive": True}
    return {"maximum": field.max_length} if code == "too_long" else {}


def _check_order(values: Mapping[str, Any], issues: dict[str, Issue]) -> None:
    """Refuse a cursor of another order than the one asked for."""
    cursor, sort = values.get("cursor"), values.get("sort", NEWEST)
    if isinstance(cursor, Position) and cursor.sort != sort and "sort" not in issues:
        must = f"belongs to the order {cursor.sort}; send it with sort={cursor.sort}"
        issues["cursor"] = _issue("cursor", "invalid_cursor", must, cursor_text(cursor))


def parse_date(text: str, name: str = "date") -> dt.date:
    """The calendar day written as `YYYY-MM-DD`. Raises `InvalidParameters` at the path `name`."""
    values: dict[str, Any] = {}
    issues: dict[str, Issue] = {}
    _read(name, _DAY, text, values, issues)
    day: dt.date = _valid_values(values, issues, [name])[name]
    return day


def query_string(search: Search, cursor: str | None = None) -> str:
    """The shortest query string that asks for this search, or goes on with it at `cursor`."""
    values = {
        name: field.to_representation(value)
        for name, field in FIELDS.items()
        if (value := getattr(search, name)) != _DEFAULTS[name]
    }
    if cursor is not None:
        values["cursor"] = cursor
    return urlencode(
        {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in values.items()
        }
    )


_DEFAULTS = Search()._asdict()
_DAY = DayField()


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


def _readable(text: str) -> str:
    """The text with a replacement character for what is not UTF-8."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def _issue(name: str, code: str, must: str, received: Any, **bounds: Any) -> Issue:
    shown = _clean(name)
    return {
        "code": code,
        "path": [shown],
        "message": f"{shown} {must}.",
        **bounds,
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
