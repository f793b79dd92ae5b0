"""Arguments of tools and prompts: their JSON Schema, and the check of the values.

By default they come from the type hints of the function. A project that describes its parameters
elsewhere passes an object with the methods of `Arguments`.

Clients send null or an empty text for an argument that they leave out, and digits as a text for a
number. Both are accepted. Unknown arguments are refused, so that a misspelt filter is noticed.
"""

import datetime as dt
import inspect
import re
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from mcp_server.jsonrpc import Json, truncate

MAX_ISSUES = 20

_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_UNCLEAN = re.compile("[\0\ud800-\udfff]")
_BOOLEANS = {"true": True, "false": False}


class Argument(NamedTuple):
    name: str
    description: str
    required: bool = False


class InvalidArguments(Exception):
    """Arguments that cannot be used; the message has a line for each problem."""


class Arguments(Protocol):
    """Declared arguments of a tool or prompt."""

    def listed(self) -> Sequence[Argument]:
        """The arguments in their order."""

    def schema(self) -> Json:
        """The JSON Schema of an object of arguments."""

    def validate(self, given: Mapping[str, object]) -> dict[str, Any]:
        """The keyword arguments for the function.

        Raises `InvalidArguments`, `ToolError` or `PromptError`.
        """


def coerce(value: object, json_type: str) -> object:
    """A text as the number or boolean that `json_type` asks for; anything else unchanged."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if json_type == "boolean":
        return _BOOLEANS.get(text.lower(), value)
    if json_type in {"integer", "number"} and (found := _DECIMAL.fullmatch(text)):
        return float(text) if found[1] else int(text)
    return text


# --- Type hints -----------------------------------------------------------------------------------


class _InvalidValue(Exception):
    """A value that cannot be used; the message is the end of a sentence about the argument."""


@dataclass(frozen=True, slots=True)
class _Hinted:
    """One parameter of a function, as its type hint and default declare it."""

    name: str
    type: Any
    description: str
    default: Any  # `inspect.Parameter.empty` where it is required.

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    def schema(self) -> Json:
        schema: Json = {"description": self.description} if self.description else {}
        if get_origin(self.type) is Literal:
            schema |= {"type": "string", "enum": list(get_args(self.type))}
        else:
            schema |= _KINDS[self.type][0]
        if not self.is_required and isinstance(self.default, str | int | float):
            schema["default"] = self.default
        return schema

    def read(self, value: object) -> Any:
        """The value for the function."""
        if self.type is str and isinstance(value, str) and _UNCLEAN.search(value):
            raise _InvalidValue("must be text in UTF-8 without NUL characters")
        if get_origin(self.type) is not Literal:
            return _converted(value, self.type)
        value = coerce(value, "string")
        if value not in (choices := get_args(self.type)):
            raise _InvalidValue(f"must be one of {', '.join(choices)}")
        return value


def _converted(value: object, kind: Any) -> Any:
    """The value as one of the types of `_KINDS`."""
    json_type, words = _KINDS[kind][0]["type"], _KINDS[kind][1]
    if kind is not str:
        value = coerce(value, json_type)
    if kind is dt.date and isinstance(value, str) and _DAY.fullmatch(value):
        with suppress(ValueError):
            return dt.date.fromisoformat(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)  # JSON Schema validation 6.1.1: 5.0 is an integer too.
    accepted = int | float if kind is float else kind
    if isinstance(value, accepted) and isinstance(value, bool) is (kind is bool):
        return value
    raise _InvalidValue(words)


# The schema of each type, and the rule for its values.
_KINDS: Mapping[Any, tuple[Json, str]] = {
    str: ({"type": "string"}, "must be a text"),
    int: ({"type": "integer"}, "must be a whole number"),
    float: ({"type": "number"}, "must be a number"),
    bool: ({"type": "boolean"}, "must be true or false"),
    dt.date: (
        {"type": "string", "format": "date"},
        "must be a calendar day written as YYYY-MM-DD",
    ),
}


class SignatureArguments:
    """Arguments from type hints: str, int, float, bool, date, Literal, each perhaps `| None`.

    `Annotated[str, "..."]` gives a description. A parameter without a default is required.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        hints = hints_of(function, include_extras=True)
        self._known = {
            name: _hinted(name, hints.get(name, str), parameter.default)
            for name, parameter in inspect.signature(function).parameters.items()
        }

    def listed(self) -> Sequence[Argument]:
        return [
            Argument(each.name, each.description, each.is_required) for each in self._known.values()
        ]

    def schema(self) -> Json:
        required = [each.name for each in self._known.values() if each.is_required]
        return {
            "type": "object",
            "properties": {name: each.schema() for name, each in self._known.items()},
            **({"required": required} if required else {}),
        }

    def validate(self, given: Mapping[str, object]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        issues = []
        for name, value in given.items():
            known = self._known.get(name)
            if known is None:
                use = f"use {', '.join(self._known)}" if self._known else "there are none"
                issues.append(f"{truncate(name)} is not an argument; {use}.")
            elif value is not None and value != "":
                try:
                    values[name] = known.read(value)
                except _InvalidValue as error:
                    issues.append(f"{name} {error}.")
        if not issues:
            issues = [
                f"{each.name} must be given."
                for each in self._known.values()
                if each.is_required and each.name not in values
            ]
        if issues:
            raise InvalidArguments("\n".join(issues[:MAX_ISSUES]))
        return values


def _hinted(name: str, hint: Any, default: Any) -> _Hinted:
    description = ""
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
        description = next((note for note in notes if isinstance(note, str)), "")
    if get_origin(hint) in {Union, types.UnionType}:
        kinds = [each for each in get_args(hint) if each is not type(None)]
        hint = kinds[0] if len(kinds) == 1 else hint
    if hint not in _KINDS and get_origin(hint) is not Literal:
        raise TypeError(f"{name} has a type that no argument can have: {hint!r}")
    return _Hinted(name, hint, description, default)
