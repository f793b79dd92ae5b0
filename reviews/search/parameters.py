"""Parameters of a search: one serializer for HTTP, MCP, OpenAPI and the schemas of tools."""

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from rest_framework import serializers
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError

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
    Repeated,
    SourcesField,
    StarsField,
    TextField,
    WholeNumberField,
    YesOrNoField,
    cursor_text,
)

Issue = dict[str, Any]
# Values by the names of the fields of `SearchSerializer`.
Search = Mapping[str, Any]

MAX_QUERY_CHARACTERS = 200
MAX_LIMIT = 100
DEFAULT_LIMIT = 20
MAX_IGNORED = 20  # Unknown parameters that the answer names.
RECEIVED_CHARACTERS = 100  # Characters of a wrong value that an issue repeats.
SURROGATE = re.compile("[\ud800-\udfff]")
# Codes of issues that differ from those of Django REST framework.
CODES = {
    "min_value": "too_small",
    "max_value": "too_big",
    "max_length": "too_long",
    "invalid_choice": "invalid_type",
    "other_order": "invalid_cursor",
    "required": "missing",
}


class InvalidParameters(APIException):
    """Raised for invalid parameters or arguments, with all `issues` at once."""

    status_code = 400
    default_detail = "Some parameters cannot be used; see issues."
    default_code = "invalid"

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__()
        self.issues = list(issues)


class ParametersSerializer(serializers.Serializer[Any]):
    """Serializer of `ParameterField`s that refuses unknown parameters.

    A misspelled filter would otherwise match all reviews.
    """

    @property
    def fields(self) -> Any:
        """Fields of the class, shared by all requests: copying them would be the largest cost."""
        return _bound_fields(type(self))

    def to_internal_value(self, data: Any) -> Any:
        errors: dict[str, Any] = {}
        values: Any = {}
        try:
            values = super().to_internal_value(data)
        except ValidationError as error:
            errors = dict(error.detail)  # type: ignore[arg-type]  # By the names of fields.
        known = self.fields
        use = f"use {', '.join(known)}" if known else "there are none"
        for name in (name for name in data if name not in known):
            errors[name] = [ErrorDetail(f"is not an argument; {use}", "unknown")]
        if errors:
            raise ValidationError(errors)
        return values

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Validate parameters, and add defaults. Raises `InvalidParameters`."""
        serializer = cls(data=data)
        if not serializer.is_valid():
            raise InvalidParameters(serializer.issues())
        return dict(serializer.validated_data)

    def issues(self) -> list[Issue]:
        """Issues of invalid parameters, in the order of the fields."""
        errors: Mapping[str, Any] = self.errors
        return [self._issue(name, each[0]) for name, each in errors.items()]

    def _issue(self, name: str, refused: ErrorDetail) -> Issue:
        shown = _clean(name)
        code = CODES.get(refused.code or "", refused.code or "invalid_type")
        return {
            "code": code,
            "path": [shown],
            "message": f"{shown} {refused}.",
            **_bounds(code, self.fields.get(name)),
            "received": _shortened(self.initial_data.get(name)),
        }


@cache
def _bound_fields(serializer: type[ParametersSerializer]) -> Any:
    return super(ParametersSerializer, serializer()).fields


def _bounds(code: str, field: Any) -> dict[str, Any]:
    """Limit that a value exceeds, as members of its issue."""
    if code == "too_small":
        return {"minimum": field.min_value, "inclusive": True}
    if code == "too_big":
        return {"maximum": field.max_value, "inclusive": True}
    return {"maximum": field.max_length} if code == "too_long" else {}


class SearchSerializer(ParametersSerializer):
    """Parameters of a search. One review of the demo matches all examples at once."""

    rating = WholeNumberField(
        help_text="Only reviews with exactly this many stars.", min_value=1, max_value=5, example=5
    )
    min_rating = StarsField(
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
        "und for texts of unknown language.",
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

    def validate_cursor(self, position: Position) -> Position:
        wanted = self.initial_data.get("sort", NEWEST)
        if position.sort != wanted and wanted in SORTS:
            self.fields["cursor"].fail("other_order", sort=position.sort)
        return position

    def validate_min_rating(self, stars: Decimal) -> int:
        return math.ceil(stars)

    def validate_max_rating(self, stars: Decimal) -> int:
        return math.floor(stars)


class DaySerializer(ParametersSerializer):
    """Parameter of the reviews since a day."""

    date = DayField(required=True)


FIELDS: Mapping[str, Any] = dict(SearchSerializer().fields)


def read_query_string(raw: bytes) -> tuple[Search, tuple[str, ...]]:
    """Parse an encoded query string, and collect the names of unknown parameters.

    Raises `InvalidParameters`.
    """
    given: dict[str, str] = {}
    ignored: dict[str, None] = {}
    # Bytes that are not UTF-8 become surrogates, which the fields refuse.
    query = raw.decode(errors="surrogateescape")
    for name, value in parse_qsl(query, keep_blank_values=True, errors="surrogateescape"):
        if name in FIELDS:
            given[name] = Repeated(f"{given[name]}&{value}") if name in given else value
        elif name and len(ignored) < MAX_IGNORED:
            ignored[_clean(name)] = None
    return SearchSerializer.read(given), tuple(ignored)


def query_string(search: Search, cursor: str) -> str:
    """Shortest query string that continues a search at `cursor`."""
    values = {
        name: FIELDS[name].to_representation(value)
        for name, value in search.items()
        if value not in ("", FIELDS[name].default)
    }
    values["cursor"] = cursor
    return urlencode(
        {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in values.items()
        }
    )


def _shortened(value: Any) -> Any:
    """Shorten a received value for an issue."""
    if value is None or isinstance(value, bool | float):
        return value if not isinstance(value, float) or math.isfinite(value) else str(value)
    if isinstance(value, int):
        return value if abs(value) < 2**53 else "a number of more than 15 digits"
    if isinstance(value, str):
        return _clean(value)
    return "a JSON object" if isinstance(value, Mapping) else "a JSON array"


def _clean(text: str) -> str:
    """Shorten a text, and replace bytes that were not UTF-8."""
    shown = SURROGATE.sub("\ufffd", text)
    cut = shown[:RECEIVED_CHARACTERS]
    return cut if cut == shown else f"{cut}…"
