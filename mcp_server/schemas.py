"""JSON Schema of Python types, and conversion of JSON values to them."""

import dataclasses
import datetime as dt
import math
import re
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from uuid import UUID

from mcp_server.jsonrpc import Json, RpcError, decode, truncate

T = TypeVar("T")

MAX_ISSUES = 20
INTEGERS = range(-(2**63), 2**63)  # Databases store 64-bit integers.

_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UNCLEAN = re.compile("[\0\ud800-\udfff]")
_BOOLEANS = {"true": True, "false": False}
_UNIONS = {Union, types.UnionType}
_SEQUENCES: Mapping[Any, Callable[[list[Any]], Any]] = {
    **dict.fromkeys((list, Sequence, Collection, Iterable), list),
    **{kind: kind for kind in (tuple, set, frozenset)},
}
_JSON_TYPES: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


class Converter(NamedTuple):
    """Schema of a type, and function that converts a JSON value."""

    schema: Json
    read: Callable[[Any, str, list[str]], Any]


class Member(NamedTuple):
    """A parameter of a function, or a member of an object."""

    name: str
    description: str
    converter: Converter
    is_required: bool
    is_nullable: bool
    default: object

    def schema(self) -> Json:
        described = {"description": self.description} if self.description else {}
        value = self.default.value if isinstance(self.default, Enum) else self.default
        default = {"default": value} if isinstance(value, str | int | float) else {}
        return {**described, **self.converter.schema, **default}


Members = Mapping[str, Member]


def hints_of(owner: Any) -> dict[str, Any]:
    """Return the type hints of a function or class, including annotations. Raises `TypeError`."""
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise TypeError(f"has a type hint that cannot be read when it runs: {error}") from None


def converter(hint: Any, within: tuple[Any, ...] = ()) -> Converter:
    """Return the converter of a type. Raises `TypeError` if JSON cannot represent the type."""
    hint, _ = _unwrap(hint)
    origin, arguments = get_origin(hint) or hint, get_args(hint)
    if hint in within:
        raise TypeError(f"has a type that contains itself: {_name(hint)}")
    kinds = [each for each in arguments if origin is not Literal and each is not ...]
    inner = [converter(each, (*within, hint)) for each in kinds]
    if origin in _UNIONS:
        found = _union(inner)
    elif origin is Literal:
        found = _choice({value: value for value in arguments})
    elif isinstance(origin, type) and issubclass(origin, Enum):
        found = _choice({member.value: member for member in origin})
    elif origin in _SEQUENCES and len(inner) < 2:
        found = _sequence(_SEQUENCES[origin], *inner)
    elif origin in {dict, Mapping} and inner[:1] in ([], [_SCALARS[str]]):
        found = _mapping(*inner[1:])
    elif dataclasses.is_dataclass(origin) or is_typeddict(origin):
        found = _object(origin, (*within, hint))
    elif hint in _SCALARS:
        found = _SCALARS[hint]
    else:
        raise TypeError(f"has a type without a form in JSON: {_name(hint)}")
    return found


def member(
    name: str, hint: Any, default: object, *, is_required: bool, within: tuple[Any, ...] = ()
) -> Member:
    """Return a parameter or member of this type. Raises `TypeError`."""
    kind, description = _unwrap(hint)
    kinds = get_args(kind) if get_origin(kind) in _UNIONS else (kind,)
    if not within:  # Some clients refuse unions, and `read_members` drops null arguments.
        kind = Union[tuple(each for each in kinds if each is not type(None))]  # noqa: UP007
    try:
        known = converter(kind, within)
    except TypeError as error:
        raise TypeError(f"{name} {error}") from None
    return Member(name, description, known, is_required, type(None) in kinds, default)


def object_schema(members: Members) -> Json:
    required = [each.name for each in members.values() if each.is_required]
    return {
        "type": "object",
        "properties": {each.name: each.schema() for each in members.values()},
        **({"required": required} if required else {}),
    }


def read_members(
    members: Members, given: Mapping[str, Any], path: str, issues: list[str]
) -> dict[str, Any]:
    """Convert the given members, and add a sentence to `issues` for each invalid one."""
    values = {}
    for name, value in given.items():
        known = members.get(name)
        if known is None:
            use = f"use {', '.join(members)}" if members else "there are none"
            kind = "a member" if path else "an argument"
            issues.append(f"{path}{truncate(name)} is not {kind}; {use}.")
        elif value is not None and value != "":
            values[name] = known.converter.read(value, path + name, issues)
        elif known.is_required and known.is_nullable:
            values[name] = None
    issues.extend(
        f"{path}{name} must be given."
        for name, known in members.items()
        if known.is_required and name not in values
    )
    return values


def coerce(value: object, json_type: str) -> object:
    """Convert a text to a number or boolean of `json_type`. Other values are returned unchanged."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if json_type == "boolean":
        return _BOOLEANS.get(text.lower(), value)
    if json_type in {"integer", "number"} and (found := _DECIMAL.fullmatch(text)):
        return float(text) if found[1] else int(text)
    return text


def _unwrap(hint: Any) -> tuple[Any, str]:
    """Return the type inside annotations and aliases, and its description."""
    description = ""
    while True:
        if get_origin(hint) is Annotated:
            hint, *notes = get_args(hint)
            description = description or next((each for each in notes if isinstance(each, str)), "")
        elif get_origin(hint) in {Required, NotRequired}:
            (hint,) = get_args(hint)
        elif isinstance(hint, NewType):
            hint = hint.__supertype__
        elif hasattr(hint, "__value__"):  # The statement `type` of Python 3.12.
            hint = hint.__value__
        else:
            return hint, description


def _name(hint: Any) -> str:
    return hint.__qualname__ if isinstance(hint, type) else str(hint)


# --- Scalars --------------------------------------------------------------------------------------


def _scalar(
    json_type: str, words: str, parse: Callable[[Any], Any], *kinds: type, **keywords: str
) -> Converter:
    """Return a converter of values of `kinds`, which `parse` refuses by a ValueError."""

    def read(value: Any, path: str, issues: list[str]) -> Any:
        value = value if parse is _text else coerce(value, json_type)
        with suppress(ValueError, ArithmeticError):
            if type(value) in kinds:  # Not `isinstance`: in Python a boolean is an integer.
                return parse(value)
        issues.append(f"{path} must be {words}.")
        return None

    return Converter({"type": json_type, **keywords}, read)


def _require(value: T, is_valid: object) -> T:
    if not is_valid:
        raise ValueError
    return value


def _text(value: str) -> str:
    return _require(value, not _UNCLEAN.search(value))


def _integer(value: float) -> int:
    return _require(int(value), value == int(value) and int(value) in INTEGERS)


def _number(value: float) -> float:
    return _require(value, math.isfinite(value))


def _decimal(value: object) -> Decimal:
    return Decimal(_require(str(value), _DECIMAL.fullmatch(str(value))))


def _day(text: str) -> dt.date:
    return dt.date.fromisoformat(_require(text, _DAY.fullmatch(text)))


def _instant(text: str) -> dt.datetime:
    found = dt.datetime.fromisoformat(text)
    return _require(found, found.tzinfo).astimezone(dt.UTC)


def _read_anything(value: Any, path: str, issues: list[str]) -> Any:
    parts = [value]
    for each in parts:
        if isinstance(each, dict | list):
            parts.extend([*each, *each.values()] if isinstance(each, dict) else each)
        elif isinstance(each, str | float):
            _SCALARS[type(each)].read(each, path, issues)
    return value


_ANYTHING = Converter({}, _read_anything)
_SCALARS: Mapping[Any, Converter] = {
    Any: _ANYTHING,
    object: _ANYTHING,
    str: _scalar("string", "a text in UTF-8 without NUL characters", _text, str),
    bool: _scalar("boolean", "true or false", bool, bool),
    int: _scalar("integer", "a whole number", _integer, int, float),
    float: _scalar("number", "a number", _number, int, float),
    Decimal: _scalar(
        *("string", "a decimal number such as 12.50", _decimal, str, int, float),
        pattern=r"^-?[0-9]+(\.[0-9]+)?$",
    ),
    type(None): _scalar("null", "null", lambda value: value, type(None)),
    UUID: _scalar("string", "a UUID", UUID, str, format="uuid"),
    dt.date: _scalar("string", "a calendar day written as YYYY-MM-DD", _day, str, format="date"),
    dt.datetime: _scalar(
        "string", "a time written as YYYY-MM-DDThh:mm:ssZ", _instant, str, format="date-time"
    ),
}


# --- Choices, unions and containers ---------------------------------------------------------------


def _choice(choices: Mapping[Any, Any]) -> Converter:
    """Return a converter of an enumeration. `choices` maps JSON values to Python values."""
    kinds = {_JSON_TYPES.get(type(choice), "") for choice in choices}
    if not kinds or not kinds <= {"string", "integer", "boolean", "null"}:
        raise TypeError(f"has choices without a form in JSON: {list(choices)}")
    json_type = {"type": kinds.pop()} if len(kinds) == 1 else {}

    def read(value: Any, path: str, issues: list[str]) -> Any:
        value = coerce(value, json_type.get("type", ""))
        for choice, found in choices.items():
            if type(choice) is type(value) and choice == value:
                return found
        issues.append(f"{path} must be one of {', '.join(map(str, choices))}.")
        return None

    return Converter({**json_type, "enum": list(choices)}, read)


def _union(converters: Sequence[Converter]) -> Converter:
    def read(value: Any, path: str, issues: list[str]) -> Any:
        json_type, faults = _JSON_TYPES.get(type(value)), []
        for each in sorted(converters, key=lambda each: each.schema.get("type") != json_type):
            found_issues: list[str] = []
            found = each.read(value, path, found_issues)
            if not found_issues:
                return found
            faults.append(found_issues)
        issues.extend(faults[0])
        return None

    return Converter({"anyOf": [each.schema for each in converters]}, read)


def _container(
    kind: type, words: str, read: Callable[[Any, str, list[str]], Any], **keywords: Any
) -> Converter:
    """Return a converter of a list or object, which may be given as JSON text."""

    def read_container(value: Any, path: str, issues: list[str]) -> Any:
        if isinstance(value, str):
            with suppress(RpcError, ValueError):
                value = decode(value.encode())
        if isinstance(value, kind):
            return read(value, path, issues)
        issues.append(f"{path} must be {words}.")
        return None

    kept = {name: value for name, value in keywords.items() if value}
    return Converter({"type": _JSON_TYPES[kind], **kept}, read_container)


def _sequence(make: Callable[[list[Any]], Any], item: Converter = _ANYTHING) -> Converter:
    def read(values: list[Any], path: str, issues: list[str]) -> Any:
        found = []
        for index, value in enumerate(values):
            found.append(item.read(value, f"{path}[{index}]", issues))
            if len(issues) >= MAX_ISSUES:
                return None
        return make(found)

    return _container(list, "a list", read, items=item.schema)


def _mapping(item: Converter = _ANYTHING) -> Converter:
    def read(given: Json, path: str, issues: list[str]) -> Json:
        _read_anything(list(given), path, issues)
        return {
            name: item.read(value, f"{path}.{truncate(name)}", issues)
            for name, value in given.items()
        }

    return _container(dict, "an object", read, additionalProperties=item.schema)


def _object(kind: Any, within: tuple[Any, ...]) -> Converter:
    """Return the converter of a dataclass or `TypedDict`."""
    absent, hints = dataclasses.MISSING, hints_of(kind)
    defaults: dict[str, tuple[Any, bool]]
    if is_typeddict(kind):
        defaults = {name: (None, name in kind.__required_keys__) for name in hints}
    else:
        defaults = {
            each.name: (each.default, each.default is absent and each.default_factory is absent)
            for each in dataclasses.fields(kind)
            if each.init
        }
    members = {
        name: member(name, hints[name], default, is_required=is_required, within=within)
        for name, (default, is_required) in defaults.items()
    }

    def read(given: Json, path: str, issues: list[str]) -> Any:
        faults: list[str] = []
        values = read_members(members, given, f"{path}.", faults)
        issues.extend(faults)
        try:
            return None if faults else kind(**values)
        except ValueError as error:  # Raised by `__post_init__`.
            issues.append(f"{path} cannot be used: {error}")

    schema = object_schema(members)
    return _container(dict, "an object", read, **{**schema, "type": None})
