"""What a search may ask: one table, read by HTTP and MCP, described in OpenAPI and JSON Schema.

Each line of `SEARCH` knows its name, bounds and words. It reads a value from a query string
(`parse_query_string`) or from a JSON argument (`parse_arguments`), and describes itself
(`json_schema`). Hand-written, since a search spends more time in a form library than in its
query: this parser takes about 15 µs, a form 330 µs.
"""

import datetime as dt
import math
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, NoReturn
from urllib.parse import unquote_to_bytes, urlencode

from rest_framework.exceptions import APIException

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


class Position(NamedTuple):
    """Where a page ends: the review after which the next page goes on."""

    date: dt.date
    ulid: str


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


# --- One parameter --------------------------------------------------------------------------------


class _RefusedError(Exception):
    """One value cannot be used."""

    def __init__(self, code: str, must: str, **bounds: Any) -> None:
        super().__init__(must)
        self.code = code
        self.must = must
        self.bounds = bounds


@dataclass(frozen=True)
class Parameter:
    """A parameter by name; `read` takes its text in a query string, `check` its JSON value."""

    name: str
    description: str
    example: Any

    json_type: ClassVar[str] = "string"

    def read(self, text: str) -> Any:
        """The value that `text` means, or None for no filter; raises for a bad one."""
        raise NotImplementedError

    def check(self, value: Any) -> Any:
        """The value of a JSON argument; raises for a bad one."""
        if not isinstance(value, str):
            raise _RefusedError("invalid_type", "must be a text")
        if not _is_clean(value):
            raise _RefusedError("invalid_text", UNREADABLE)
        return self.read(value)

    def schema(self) -> dict[str, Any]:
        """Its JSON Schema (2020-12), without words."""
        return {"type": self.json_type}


UNREADABLE = "must be text in UTF-8 without NUL characters"
_UNCLEAN = re.compile("[\0\ud800-\udfff]")
_DIGITS = re.compile(r"[0-9]+")
_DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# A date and a ULID are 36 bytes: 48 characters of base64 without padding or spare bits.
_CURSOR = re.compile(r"[A-Za-z0-9_-]{48}")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


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
        raise _RefusedError(code, must, **bounds)

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
class LeastStars(_Bounded):
    """A number of stars, read as the fewest whole stars that satisfy it."""

    json_type = "number"
    kind = "a number"

    def read(self, text: str) -> int:
        found = _DECIMAL.fullmatch(text)
        if found is None:
            self._refuse("invalid_type")
        minus, whole, fraction = found.groups()
        if minus:
            return self._within(-1)
        # By its digits, since a float takes 4.9999999999999999 for 5.
        above = fraction is not None and fraction.strip("0") != ""
        return self._within(_bounded_int(whole), above=above) + above

    def check(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
            self._refuse("invalid_type")
        whole = math.floor(value)
        above = bool(value > whole)
        return self._within(whole, above=above) + above


@dataclass(frozen=True)
class Day(Parameter):
    def read(self, text: str) -> dt.date:
        if _DATE.fullmatch(text) is not None:
            try:
                return dt.date.fromisoformat(text)
            except ValueError:
                pass
        raise _RefusedError("invalid_date", "must be a calendar day written as YYYY-MM-DD")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date"}


@dataclass(frozen=True)
class Text(Parameter):
    max_length: int

    def read(self, text: str) -> str | None:
        if len(text) > self.max_length:
            must = f"must have at most {self.max_length} characters"
            raise _RefusedError("too_long", must, maximum=self.max_length)
        return text or None

    def schema(self) -> dict[str, Any]:
        return {"type": self.json_type, "maxLength": self.max_length}


@dataclass(frozen=True)
class Name(Parameter):
    """Whom or what a review mentions; which spellings mean the same is the roster's matter."""

    def read(self, text: str) -> str | None:
        return text.strip() or None


@dataclass(frozen=True)
class Cursor(Parameter):
    def read(self, text: str) -> Position:
        if _CURSOR.fullmatch(text) is not None:
            plain = urlsafe_b64decode(text).decode("latin-1")
            date, ulid = plain[:10], plain[10:]
            if _DATE.fullmatch(date) is not None and _ULID.fullmatch(ulid) is not None:
                try:
                    return Position(dt.date.fromisoformat(date), ulid)
                except ValueError:
                    pass
        must = "must be a next_cursor that an earlier answer gave, unchanged"
        raise _RefusedError("invalid_cursor", must)


def cursor_text(position: Position) -> str:
    """The cursor that continues after `position`; `Cursor` reads it back."""
    return urlsafe_b64encode(f"{position.date.isoformat()}{position.ulid}".encode()).decode()


def _bounded_int(digits: str) -> int:
    """The number, or one beyond every bound when it has more digits than any bound."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) < 10 else 10**9


def _is_finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


# --- The table ------------------------------------------------------------------------------------

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
                raise _RefusedError("repeated", "must be given once")  # noqa: TRY301
            values[name] = _BY_NAME[name].read(_decoded(received[0]))
        except _RefusedError as refused:
            shown = b"&".join(received).decode("utf-8", "replace")
            issues[name] = _issue(name, refused, shown)
    return Search(**_settled(values, issues, _NAMES))


def parse_arguments(arguments: Mapping[str, Any]) -> Search:
    """The search that a JSON object of arguments asks for. Raises `InvalidParameters`."""
    return Search(**check_arguments(_BY_NAME, arguments))


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
                raise _RefusedError("unknown", f"is not an argument; {use}")  # noqa: TRY301
            values[name] = parameter.check(value)
        except _RefusedError as refused:
            issues[name] = _issue(name, refused, value)
    for name in required:
        if name not in issues and values.get(name) is None:
            missing = _RefusedError("missing", "must be given")
            issues[name] = _issue(name, missing, arguments.get(name))
    return _settled(values, issues, known)


def parse_date(text: str, name: str = "date") -> dt.date:
    """The calendar day written as `YYYY-MM-DD`. Raises `InvalidParameters` at the path `name`."""
    try:
        return _DAY.read(text)
    except _RefusedError as refused:
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


def json_schema(
    parameters: Iterable[Parameter] = SEARCH, required: Sequence[str] = ()
) -> dict[str, Any]:
    """The JSON Schema of an object of these, optional but for `required`, nothing else allowed."""
    needed = {"required": list(required)} if required else {}
    return {
        "type": "object",
        "properties": {
            each.name: each.schema() | {"description": each.description, "examples": [each.example]}
            for each in parameters
        },
        **needed,
        "additionalProperties": False,
    }


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
        raise _RefusedError("invalid_text", UNREADABLE) from None
    if "\0" in text:
        raise _RefusedError("invalid_text", UNREADABLE)
    return text


def _issue(name: str, refused: _RefusedError, received: Any) -> Issue:
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
    return _clean(value) if isinstance(value, str) else f"a JSON {_json_kind(value)}"


def _json_kind(value: Any) -> str:
    return "object" if isinstance(value, Mapping) else "array"


def _clean(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()
    cut = text[:RECEIVED_CHARACTERS]
    return cut if cut == text else f"{cut}…"
