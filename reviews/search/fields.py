"""The kinds of parameter that there are, each with its bounds and its words.

A kind reads a value from the text in a query string or from a JSON argument, and describes itself.
Hand-written, since a search spends more time in a form library than in its query: this takes about
15 µs, a form 330 µs.
"""

import datetime as dt
import math
import re
from abc import ABC, abstractmethod
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, NoReturn

from reviews.ulids import is_ulid


class InvalidValue(Exception):
    """One value cannot be used; says what it `must` be."""

    def __init__(self, code: str, must: str, **bounds: Any) -> None:
        super().__init__(must)
        self.code = code
        self.must = must
        self.bounds = bounds


@dataclass(frozen=True)
class Parameter(ABC):
    """A parameter by name; `read` takes its text in a query string, `check` its JSON value."""

    name: str
    description: str
    example: Any

    json_type: ClassVar[str] = "string"

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value that `text` means, or None for no filter; raises for a bad one."""

    def check(self, value: Any) -> Any:
        """The value of a JSON argument; raises for a bad one."""
        if not isinstance(value, str):
            raise InvalidValue("invalid_type", "must be a text")
        if not _is_clean(value):
            raise InvalidValue("invalid_text", UNREADABLE)
        return self.read(value)

    def write(self, value: Any) -> str:
        """The text in a query string from which `read` gives this value."""
        return str(value)

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema (2020-12), without words."""
        return {"type": self.json_type}


MOST_SOURCES = 20
UNREADABLE = "must be text in UTF-8 without NUL characters"
_UNCLEAN = re.compile("[\0\ud800-\udfff]")
_DIGITS = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SLUGS = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:,[a-z0-9]+(?:-[a-z0-9]+)*)*")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
# RFC 3339 5.6, with what a query string makes of a plus sign, and without the seconds and the colon
# that generated clients leave out.
_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2})(:[0-9]{2}(?:\.[0-9]+)?)?"
    r"(?:[Zz]|([+ -])([0-9]{2}):?([0-5][0-9]))"
)
# A date and a ULID are 36 bytes: 48 characters of base64 without padding or spare bits. Any order
# but the usual one adds three.
_CURSOR = re.compile(r"[A-Za-z0-9_-]{48}(?:[A-Za-z0-9_-]{4})?")
_ORDER = re.compile(r"(?:(old)|(?:hi|lo)([1-5]))?")


def _is_clean(text: str) -> bool:
    """Whether a database can be asked for this text."""
    return _UNCLEAN.search(text) is None


@dataclass(frozen=True)
class _Bounded(Parameter):
    minimum: int
    maximum: int

    kind: ClassVar[str]

    def _within(self, value: int, *, above: bool = False) -> int:
        """`value` if it is inside the bounds; `above` says that the real value is a bit more."""
        if value < self.minimum:
            self._refuse("too_small", minimum=self.minimum, inclusive=True)
        if value > self.maximum or (above and value == self.maximum):
            self._refuse("too_big", maximum=self.maximum, inclusive=True)
        return value

    def _refuse(self, code: str, **bounds: Any) -> NoReturn:
        must = f"must be {self.kind} from {self.minimum} to {self.maximum}"
        raise InvalidValue(code, must, **bounds)

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type, "minimum": self.minimum, "maximum": self.maximum}


@dataclass(frozen=True)
class WholeNumber(_Bounded):
    default: int | None = None

    json_type = "integer"
    kind = "a whole number"

    def read(self, text: str) -> int:
        if _DIGITS.fullmatch(text) is None:
            self._refuse("invalid_type")
        return self._within(_bounded_int(text))

    def check(self, value: Any) -> int:
        # JSON Schema validation 6.1.1: 5.0 is an integer too. In JSON, unlike Python, true is not.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self._refuse("invalid_type")
        return self._within(value)

    def schema(self) -> dict[str, Any]:
        schema = super().schema()
        return schema if self.default is None else schema | {"default": self.default}


@dataclass(frozen=True)
class MinRating(_Bounded):
    """A number of stars, read as the fewest whole stars that satisfy it."""

    json_type = "number"
    kind = "a number"

    def _whole(self, whole: int, *, above: bool) -> int:
        return whole + above

    def read(self, text: str) -> int:
        found = _DECIMAL.fullmatch(text)
        if found is None:
            self._refuse("invalid_type")
        minus, whole, fraction = found.groups()
        if minus:
            return self._within(-1)
        # By its digits, since a float takes 4.9999999999999999 for 5.
        above = fraction is not None and fraction.strip("0") != ""
        return self._whole(self._within(_bounded_int(whole), above=above), above=above)

    def check(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
            self._refuse("invalid_type")
        whole = math.floor(value)
        above = bool(value > whole)
        return self._whole(self._within(whole, above=above), above=above)


@dataclass(frozen=True)
class MostStars(MinRating):
    """A number of stars, read as the most whole stars that satisfy it."""

    def _whole(self, whole: int, *, above: bool) -> int:
        return whole


@dataclass(frozen=True)
class Day(Parameter):
    def read(self, text: str) -> dt.date:
        if _DATE.fullmatch(text) is not None:
            try:
                return dt.date.fromisoformat(text)
            except ValueError:
                pass
        raise InvalidValue("invalid_date", "must be a calendar day written as YYYY-MM-DD")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date"}


@dataclass(frozen=True)
class Text(Parameter):
    max_length: int

    def read(self, text: str) -> str | None:
        if len(text) > self.max_length:
            must = f"must have at most {self.max_length} characters"
            raise InvalidValue("too_long", must, maximum=self.max_length)
        return text or None

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type, "maxLength": self.max_length}


@dataclass(frozen=True)
class NameField(Parameter):
    """Name of a mentioned person, service or area; the roster compares spellings."""

    def read(self, text: str) -> str | None:
        return text.strip() or None


@dataclass(frozen=True)
class Sources(Parameter):
    """Slugs of sources, separated by commas; each once and in order, so that equals are equal."""

    def read(self, text: str) -> tuple[str, ...]:
        slugs = text.lower()
        if _SLUGS.fullmatch(slugs) is None:
            must = "must be a source like google, or several separated by commas"
            raise InvalidValue("invalid_type", must)
        found = tuple(sorted(set(slugs.split(","))))
        if len(found) > MOST_SOURCES:
            must = f"must name at most {MOST_SOURCES} sources"
            raise InvalidValue("too_long", must, maximum=MOST_SOURCES)
        return found

    def write(self, value: tuple[str, ...]) -> str:
        return ",".join(value)


@dataclass(frozen=True)
class Language(Parameter):
    def read(self, text: str) -> str:
        tag = text.lower()
        if _LANGUAGE.fullmatch(tag) is None:
            must = "must be a language of two or three letters like en, without a region"
            raise InvalidValue("invalid_type", must)
        return tag


@dataclass(frozen=True)
class YesOrNo(Parameter):
    json_type = "boolean"

    def read(self, text: str) -> bool:
        if text not in {"true", "false"}:
            self._refuse()
        return text == "true"

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            self._refuse()
        return value

    def write(self, value: bool) -> str:  # noqa: FBT001  (The value itself.)
        return "true" if value else "false"

    def _refuse(self) -> NoReturn:
        raise InvalidValue("invalid_type", "must be true or false")


@dataclass(frozen=True)
class Choice(Parameter):
    choices: tuple[str, ...]

    def read(self, text: str) -> str:
        if text not in self.choices:
            must = f"must be {', '.join(self.choices[:-1])} or {self.choices[-1]}"
            raise InvalidValue("invalid_type", must)
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type, "enum": [*self.choices], "default": self.choices[0]}


@dataclass(frozen=True)
class Instant(Parameter):
    """A moment with its offset (RFC 3339), as a time in UTC."""

    def read(self, text: str) -> dt.datetime:
        found = _INSTANT.fullmatch(text)
        if found is not None:
            day, time, seconds, sign, hours, minutes = found.groups()
            zone = f"{'-' if sign == '-' else '+'}{hours}:{minutes}" if sign else "+00:00"
            try:
                local = f"{day}T{time}{(seconds or ':00')[:10]}{zone}"
                return dt.datetime.fromisoformat(local).astimezone(dt.UTC)
            except (ValueError, OverflowError):
                pass
        raise InvalidValue(
            "invalid_date", "must be a moment written as YYYY-MM-DDThh:mm:ssZ (RFC 3339)"
        )

    def write(self, value: dt.datetime) -> str:
        return value.isoformat().replace("+00:00", "Z")

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type, "format": "date-time"}


NEWEST, OLDEST, HIGHEST, LOWEST = SORTS = ("newest", "oldest", "highest", "lowest")
# How a cursor names the order it belongs to; the usual one goes without.
_MARKS = {NEWEST: "", OLDEST: "old", HIGHEST: "hi", LOWEST: "lo"}


class Position(NamedTuple):
    """The review after which the next page goes on, in the order of the pages.

    `stars` is the review's rating where the order is by rating, else 0.
    """

    date: dt.date
    ulid: str
    sort: str = NEWEST
    stars: int = 0


@dataclass(frozen=True)
class Cursor(Parameter):
    def read(self, text: str) -> Position:
        if _CURSOR.fullmatch(text) is not None:
            plain = urlsafe_b64decode(text).decode("latin-1")
            date, ulid, mark = plain[:10], plain[10:36], plain[36:]
            order = _ORDER.fullmatch(mark)
            if _DATE.fullmatch(date) is not None and is_ulid(ulid) and order is not None:
                sort = next(sort for sort, its in _MARKS.items() if its == mark.rstrip("12345"))
                try:
                    return Position(dt.date.fromisoformat(date), ulid, sort, int(order[2] or 0))
                except ValueError:
                    pass
        must = "must be a next_cursor that an earlier answer gave, unchanged"
        raise InvalidValue("invalid_cursor", must)

    def write(self, value: Position) -> str:
        return cursor_text(value)

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type, "minLength": 1}


def cursor_text(position: Position) -> str:
    """The cursor that continues after `position`; `Cursor` reads it back."""
    order = f"{_MARKS[position.sort]}{position.stars or ''}"
    return urlsafe_b64encode(f"{position.date.isoformat()}{position.ulid}{order}".encode()).decode()


def _bounded_int(digits: str) -> int:
    """The number, or one beyond every bound when it has more digits than any bound."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) < 10 else 10**9


def _is_finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)
