"""Serializer fields that parse parameters strictly, and the cursor of a search.

A field parses texts of a query string and values of JSON arguments. Keys of error messages are the
codes of issues. A message continues a sentence that begins with the parameter's name.
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

MAX_SOURCES = 20
UNREADABLE = re.compile("[\0\ud800-\udfff]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Repeated(str):
    """Joined values of a parameter that was given more than once."""

    __slots__ = ()


class ParameterField(serializers.Field[Any, Any, Any, Any]):
    """An optional parameter with an example.

    A text must match `pattern` as a whole. A JSON argument may also have one of `json_types`.
    """

    pattern = re.compile(".*", re.DOTALL)
    json_types: tuple[type, ...] = ()
    mismatch_code = "invalid_type"  # Code of the issue about a text that does not match.
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
        # Not `isinstance`: True would be an int.
        if not isinstance(data, str) and type(data) not in self.json_types:
            self.fail("invalid_type")
        if not isinstance(data, str) or self.pattern.fullmatch(data):
            with contextlib.suppress(ValueError, OverflowError):
                return self.read(data)
        return self.fail(self.mismatch_code)

    def read(self, data: Any) -> Any:
        """Parse data of the right notation. Raises `ValueError` and `OverflowError`."""
        return super().to_internal_value(data)


# --- Numbers and choices --------------------------------------------------------------------------


class BoundedField(ParameterField):
    """A number within bounds."""

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
    """A whole number in ASCII digits, or a JSON number without a fraction."""

    kind = "a whole number"
    pattern = re.compile(r"[0-9]+")

    def read(self, data: Any) -> int:
        if isinstance(data, str):  # `int` refuses thousands of digits.
            return int(min(Decimal(data), Decimal(self._beyond)))
        # JSON Schema validation 6.1.1: 5.0 is an integer too.
        if isinstance(data, float) and not data.is_integer():
            raise ValueError
        return int(data)


@extend_schema_field({"type": "number"})
class StarsField(BoundedField, serializers.DecimalField):
    """A number of stars, as a decimal because the float 4.9999999999999999 equals 5."""

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
    """One of several names; the first is the default."""

    def __init__(self, choices: tuple[str, ...], **options: Any) -> None:
        must = {"invalid_choice": f"must be {', '.join(choices[:-1])} or {choices[-1]}"}
        super().__init__(choices=choices, default=choices[0], error_messages=must, **options)


# --- Days and instants ----------------------------------------------------------------------------


class DayField(ParameterField, serializers.DateField):
    pattern = _DATE
    mismatch_code = "invalid_date"
    default_error_messages = {"invalid_date": "must be a calendar day written as YYYY-MM-DD"}

    def read(self, data: str) -> dt.date:
        return dt.date.fromisoformat(data)


class InstantField(ParameterField, serializers.DateTimeField):
    """A time with its offset (RFC 3339), converted to UTC."""

    # RFC 3339 5.6. In a query string a plus sign is decoded as a space, and generated clients omit
    # the seconds and the colon of the offset.
    pattern = re.compile(
        rf"({_DATE.pattern}[T ](?:[01][0-9]|2[0-3]):[0-9]{{2}})((?::[0-9]{{2}}(?:\.[0-9]+)?)?"
        r"(?:Z|[+ -][0-9]{2}:?[0-5][0-9]))",
        re.IGNORECASE,
    )
    mismatch_code = "invalid_date"
    default_error_messages = {
        "invalid_date": "must be a moment written as YYYY-MM-DDThh:mm:ssZ (RFC 3339)"
    }

    def read(self, data: str) -> dt.datetime:
        # A space after the day and time was a plus sign.
        written = data[:11] + data[11:].replace(" ", "+")
        return dt.datetime.fromisoformat(written.upper()).astimezone(dt.UTC)

    def to_representation(self, value: dt.datetime) -> str:
        return value.isoformat().replace("+00:00", "Z")


# --- Texts ----------------------------------------------------------------------------------------


class TextField(ParameterField, serializers.CharField):
    """Text to search for literally; an empty text does not filter."""

    default_error_messages = {"max_length": "must have at most {max_length} characters"}

    def __init__(self, *, trim_whitespace: bool = False, **options: Any) -> None:
        super().__init__(allow_blank=True, trim_whitespace=trim_whitespace, **options)


class NameField(TextField):
    """Name of a mentioned person, service or area."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=True, **options)


@extend_schema_field({"type": "string"})
class SourcesField(ParameterField):
    """Comma-separated slugs of sources, sorted and without duplicates."""

    pattern = re.compile(
        r"[a-z0-9]+(?:-[a-z0-9]+)*(?:,[a-z0-9]+(?:-[a-z0-9]+)*)*", re.IGNORECASE | re.ASCII
    )
    default_error_messages = {
        "invalid_type": "must be a source like google, or several separated by commas",
        "too_long": f"must name at most {MAX_SOURCES} sources",
    }
    max_length = MAX_SOURCES

    def read(self, data: str) -> tuple[str, ...]:
        found = tuple(sorted(set(data.lower().split(","))))
        if len(found) > MAX_SOURCES:
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
# Marks of the orders in a cursor; the default order has none.
_MARKS = {NEWEST: "", OLDEST: "old", HIGHEST: "hi", LOWEST: "lo"}
_SORTS = {mark: sort for sort, mark in _MARKS.items()}
_POSITION = re.compile(rf"({_DATE.pattern})({ULID_PATTERN})(?:|(old)|(hi|lo)([1-5]))")


class Position(NamedTuple):
    """The last review of a page and the order of the pages.

    `stars` is the review's rating if the order is by rating, else 0.
    """

    date: dt.date
    ulid: str
    sort: str = NEWEST
    stars: int = 0


@extend_schema_field({"type": "string", "minLength": 1})
class CursorField(ParameterField):
    """Position after which the next page begins."""

    # A date and a ULID are 36 bytes, 48 characters of base64 without padding. Any order but the
    # default adds three bytes.
    pattern = re.compile(r"[A-Za-z0-9_-]{48}(?:[A-Za-z0-9_-]{4})?")
    mismatch_code = "invalid_cursor"
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
    """Encode a position as a cursor, which `CursorField` decodes."""
    order = f"{_MARKS[position.sort]}{position.stars or ''}"
    return urlsafe_b64encode(f"{position.date.isoformat()}{position.ulid}{order}".encode()).decode()
