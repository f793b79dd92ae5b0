"""Arguments of tools and prompts: JSON Schema and validation."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from mcp_server.jsonrpc import Json
from mcp_server.schemas import MAX_ISSUES, hints_of, member, object_schema, read_members

_UNNAMED = {
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
}


class Argument(NamedTuple):
    name: str
    description: str
    required: bool = False


class InvalidArguments(Exception):
    """Arguments that failed validation; the message has a line for each issue."""


class Arguments(Protocol):
    """Declared arguments of a tool or prompt."""

    def listed(self) -> Sequence[Argument]:
        """Return the arguments in order."""

    def schema(self) -> Json:
        """Return the JSON Schema of an object with the arguments."""

    def validate(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Return the keyword arguments for the function. Raises `InvalidArguments`."""


class SignatureArguments:
    """Arguments by the signature of a function; README.md lists the supported types.

    `Annotated[str, "..."]` adds a description. A parameter without a default is required.
    """

    def __init__(self, function: Callable[..., object], excluded: str | None) -> None:
        hints = hints_of(function)
        self._members = {}
        for name, parameter in inspect.signature(function).parameters.items():
            if name == excluded:
                continue
            if parameter.kind in _UNNAMED:
                raise TypeError(f"{name} is a parameter that cannot be given by its name")
            is_required = parameter.default is parameter.empty
            default = None if is_required else parameter.default
            hint = hints.get(name, str if default is None else type(default))
            self._members[name] = member(name, hint, default, is_required=is_required)

    def listed(self) -> Sequence[Argument]:
        return [
            Argument(each.name, each.description, each.is_required)
            for each in self._members.values()
        ]

    def schema(self) -> Json:
        return object_schema(self._members)

    def validate(self, given: Mapping[str, object]) -> dict[str, Any]:
        issues: list[str] = []
        values = read_members(self._members, given, "", issues)
        if issues:
            raise InvalidArguments("\n".join(issues[:MAX_ISSUES]))
        return values
