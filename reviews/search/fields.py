"""Serializer fields of parameters, strict about notations, and the cursor of a search.

A field reads the text in a query string and the value of a JSON argument alike. The keys of its
messages are the codes of issues; a message is the end of a sentence that begins with the name.
"""

import contextlib
import datetime as dt
import math
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from decimal import Decimal
from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from reviews.ulids import ULID_PATTERN

MOST_SOURCES = 20
UNREADABLE = re.compile("[\0\ud800-\udfff]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Repeated(str):
    """The values of a parameter that was given more than once, joined."""

    __slots__ = ()


class ParameterField(serializers.Field[Any, Any, Any, Any]):
    """A parameter that may be left out, with an example of its values.

    A text has to match the whole `pattern`; a JSON argument may be of one of `json_types` as well.
    """

    pattern = re.compile(".*", re.DOTALL)
    json_types: tuple[type, ...] = ()
    refused_as = "invalid_type"  # The code of an issue about a text in another notation.
    default_error_messages = {
        "invalid_type": "must be a text",
        "invalid_text": "must be text in UTF-8 without NUL characters",
        "repeated": "must be given once",
        "required": "must be given",
    }

    def __init__(self, *, example: Any = None, required: bool = False, **options: Any) -> None:
        self.example = example
        super().__init__(required=required, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, Repeated):
            self.fail("repeated")
        if isinstance(data, str) and UNREADABLE.search(data):
            self.fail("invalid_text")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> Any:
        # By `type`: in JSON, unlike Python, true is no number.
        if not isinstance(data, str) and type(data) not in self.json_types:
            self.fail("invalid_type")
        if not isinstance(data, str) or self.pattern.fullmatch(data):
            with contextlib.suppress(ValueError, OverflowError):
                return self.read(data)
        return self.fail(self.refused_as)

    def read(self, data: Any) -> Any:
        """The value of data in the right notation; raises ValueError for what is no value."""
        return super().to_internal_value(data)


# --- Numbers and choices --------------------------------------------------------------------------


class BoundedField(ParameterField):
    """A number within bounds, which every message names."""

    kind: str
    json_types = (int, float)

    def __init__(self, *, min_value: int, max_value: int, **options: Any) -> None:
        must = f"must be {self.kind} from {min_value} to {max_value}"
        messages = dict.fromkeys(("invalid_type", "min_value", "max_value"), must)
        super().__init__(
            min_value=min_value, max_value=max_value, error_messages=messages, **options
        )
        self._beyond = max_value + 1


class WholeNumberField(BoundedField, serializers.IntegerField):
    """A whole number: ASCII digits, or a JSON number without a fraction."""

    kind = "a whole number"
    pattern = re.compile(r"[0-9]+")

    def read(self, data: Any) -> int:
        if isinstance(data, str):  # Python reads no whole number of thousands of digits.
            return int(min(Decimal(data), Decimal(self._beyond)))
        # JSON Schema validation 6.1.1: 5.0 is an integer too.
        if isinstance(data, float) and not data.is_integer():
            raise ValueError
        return int(data)


@extend_schema_field({"type": "number"})
class StarsField(BoundedField, serializers.DecimalField):
    """A number of stars, by its digits, since a float takes 4.9999999999999999 for 5."""

    kind = "a number"
    pattern = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=None, decimal_places=None, coerce_to_string=False, **options)

    def read(self, data: Any) -> Decimal:
        if isinstance(data, float) and not math.isfinite(data):
            raise ValueError
        return Decimal(data)


class YesOrNoField(ParameterField, serializers.BooleanField):
    pattern = re.compile("true|false")
    json_types = (bool,)
    default_error_messages = {"invalid_type": "must be true or false"}


class OrderField(ParameterField, serializers.ChoiceField):
    """One of several names; the first where it is left out."""

    def __init__(self, choices: tuple[str, ...], **options: Any) -> None:
        must = {"invalid_choice": f"must be {', '.join(choices[:-1])} or {choices[-1]}"}
        super().__init__(choices=choices, default=choices[0], error_messages=must, **options)


# --- Days and instants ----------------------------------------------------------------------------


class DayField(ParameterField, serializers.DateField):
    pattern = _DATE
    refused_as = "invalid_date"
    default_error_messages = {"invalid_date": "must be a calendar day written as YYYY-MM-DD"}

    def read(self, data: str) -> dt.date:
        return dt.date.fromisoformat(data)


class InstantField(ParameterField, serializers.DateTimeField):
    """A moment with its offset (RFC 3339), as a time in UTC."""

    # RFC 3339 5.6, with what a query string makes of a plus sign, and without the seconds and the
    # colon that generated clients leave out.
    pattern = re.compile(
        rf"({_DATE.pattern}[T ](?:[01][0-9]|2[0-3]):[0-9]{{2}})((?::[0-9]{{2}}(?:\.[0-9]+)?)?"
        r"(?:Z|[+ -][0-9]{2}:?[0-5][0-9]))",
        re.IGNORECASE,
    )
    refused_as = "invalid_date"
    default_error_messages = {
        "invalid_date": "must be a moment written as YYYY-MM-DDThh:mm:ssZ (RFC 3339)"
    }

    def read(self, data: str) -> dt.datetime:
        # The space between day and time stays; another one stands for a plus sign.
        written = data[:11] + data[11:].replace(" ", "+")
        return dt.datetime.fromisoformat(written.upper()).astimezone(dt.UTC)

    def to_representation(self, value: dt.datetime) -> str:
        return value.isoformat().replace("+00:00", "Z")


# --- Texts ----------------------------------------------------------------------------------------


class TextField(ParameterField, serializers.CharField):
    """Words to look for, as they stand; an empty text is no filter."""

    default_error_messages = {"max_length": "must have at most {max_length} characters"}

    def __init__(self, *, trim_whitespace: bool = False, **options: Any) -> None:
        super().__init__(allow_blank=True, trim_whitespace=trim_whitespace, **options)


class NameField(TextField):
    """Name of a mentioned person, service or area; the roster compares spellings."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=True, **options)


@extend_schema_field({"type": "string"})
class SourcesField(ParameterField):
    """Slugs of sources, separated by commas; each once and in order, so that equals are equal."""

    pattern = re.compile(
        r"[a-z0-9]+(?:-[a-z0-9]+)*(?:,[a-z0-9]+(?:-[a-z0-9]+)*)*", re.IGNORECASE | re.ASCII
    )
    default_error_messages = {
        "invalid_type": "must be a source like google, or several separated by commas",
        "too_long": f"must name at most {MOST_SOURCES} sources",
    }
    max_length = MOST_SOURCES

    def read(self, data: str) -> tuple[str, ...]:
        found = tuple(sorted(set(data.lower().split(","))))
        if len(found) > MOST_SOURCES:
            self.fail("too_long")
        return found

    def to_representation(self, value: tuple[str, ...]) -> str:
        return ",".join(value)


@extend_schema_field({"type": "string"})
class LanguageField(ParameterField):
    pattern = re.compile("[a-z]{2,3}", re.IGNORECASE | re.ASCII)
    default_error_messages = {
        "invalid_type": "must be a language of two or three letters like en, without a region"
    }

    def read(self, data: str) -> str:
        return data.lower()

    def to_representation(self, value: str) -> str:
        return value


# --- The cursor -----------------------------------------------------------------------------------


NEWEST, OLDEST, HIGHEST, LOWEST = SORTS = ("newest", "oldest", "highest", "lowest")
# How a cursor names the order it belongs to; the usual one goes without.
_MARKS = {NEWEST: "", OLDEST: "old", HIGHEST: "hi", LOWEST: "lo"}
_SORTS = {mark: sort for sort, mark in _MARKS.items()}
_POSITION = re.compile(rf"({_DATE.pattern})({ULID_PATTERN})(?:|(old)|(hi|lo)([1-5]))")


class Position(NamedTuple):
    """The review after which the next page goes on, in the order of the pages.

    `stars` is the review's rating where the order is by rating, else 0.
    """

    date: dt.date
    ulid: str
    sort: str = NEWEST
    stars: int = 0


@extend_schema_field({"type": "string", "minLength": 1})
class CursorField(ParameterField):
    """Where to go on, in the order that the parameter `sort` beside it names."""

    # A date and a ULID are 36 bytes: 48 characters of base64 without padding or spare bits. Any
    # order but the usual one adds three.
    pattern = re.compile(r"[A-Za-z0-9_-]{48}(?:[A-Za-z0-9_-]{4})?")
    refused_as = "invalid_cursor"
    default_error_messages = {
        "invalid_cursor": "must be a next_cursor that an earlier answer gave, unchanged",
        "other_order": "belongs to the order {sort}; send it with sort={sort}",
    }

    def read(self, data: str) -> Position:
        found = _POSITION.fullmatch(urlsafe_b64decode(data).decode("latin-1"))
        if found is None:
            raise ValueError
        day, ulid, oldest, by_stars, stars = found.groups("")
        return Position(
            dt.date.fromisoformat(day), ulid, _SORTS[oldest or by_stars], int(stars or 0)
        )

    def to_representation(self, value: Position) -> str:
        return cursor_text(value)


def cursor_text(position: Position) -> str:
    """The cursor that continues after `position`; `CursorField` reads it back."""
    order = f"{_MARKS[position.sort]}{position.stars or ''}"
    return urlsafe_b64encode(f"{position.date.isoformat()}{position.ulid}{order}".encode()).decode()
