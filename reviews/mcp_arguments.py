"""MCP arguments described by the parameters of the search, for tools and prompts.

Schemas use only the keywords that the converters of all clients keep: ranges and formats stand in
the descriptions as well, and unknown arguments are refused without the schema saying so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_server import Argument
from mcp_server.arguments import MAX_ISSUES, InvalidArguments, coerce
from reviews.schemas import Schema
from reviews.search.fields import Cursor, NameField, Parameter, Text
from reviews.search.parameters import InvalidParameters, check_arguments

# Converters refuse or drop `additionalProperties`, `format` and unions of types.
KEPT = ("enum", "minimum", "maximum", "maxLength", "default")
FORMATS = {
    "date": "A day written as YYYY-MM-DD.",
    "date-time": "A time written as YYYY-MM-DDThh:mm:ssZ.",
}


class ParameterArguments:
    """Arguments that are parameters of the search, or like them.

    `aliases` maps former names of arguments to their present ones.
    """

    def __init__(
        self,
        *parameters: Parameter,
        required: Sequence[str] = (),
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._known = {each.name: each for each in parameters}
        self._required = tuple(required)
        self._aliases = aliases or {}

    def listed(self) -> Sequence[Argument]:
        return [
            Argument(name, each.description, name in self._required)
            for name, each in self._known.items()
        ]

    def schema(self) -> Schema:
        """The JSON Schema, without examples of names."""
        needed = {"required": list(self._required)} if self._required else {}
        return {
            "type": "object",
            "properties": {name: _property(each) for name, each in self._known.items()},
            **needed,
        }

    def validate(self, given: Mapping[str, object]) -> dict[str, Any]:
        """The values, without empty ones. Raises `InvalidArguments`."""
        try:
            return check_arguments(self._known, self._typed(self._renamed(given)), self._required)
        except InvalidParameters as error:
            messages = [issue["message"] for issue in error.issues[:MAX_ISSUES]]
            raise InvalidArguments("\n".join(messages)) from None

    def _renamed(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """The arguments by their present names.

        A former name beside the present one stays as it is, and is refused as unknown.
        """
        return {
            new if (new := self._aliases.get(name, name)) not in given else name: value
            for name, value in given.items()
        }

    def _typed(self, given: Mapping[str, object]) -> dict[str, object]:
        """The arguments that are not empty, in the types of their schemas."""
        return {
            name: value if parameter is None else _typed(parameter, value)
            for name, value in given.items()
            if (parameter := self._known.get(name)) is None or not _is_empty(parameter, value)
        }


def _is_empty(parameter: Parameter, value: object) -> bool:
    if isinstance(value, str) and not isinstance(parameter, Text):
        value = value.strip()
    return value is None or value == ""


def _typed(parameter: Parameter, value: object) -> object:
    return value if isinstance(parameter, Text) else coerce(value, parameter.json_type)


def _property(parameter: Parameter) -> Schema:
    full = parameter.schema()
    schema = {
        "type": parameter.json_type,
        "description": " ".join([parameter.description, *_bounds(full)]),
        **{key: full[key] for key in KEPT if key in full},
    }
    if not isinstance(parameter, NameField | Cursor):
        schema["examples"] = [parameter.example]
    return schema


def _bounds(full: Schema) -> list[str]:
    """The range and format of a parameter in words."""
    words = []
    if "enum" in full:
        words.append(f"One of: {', '.join(map(str, full['enum']))}.")
    if "minimum" in full and "maximum" in full:
        words.append(f"From {full['minimum']} to {full['maximum']}.")
    if full.get("format") in FORMATS:
        words.append(FORMATS[full["format"]])
    if "maxLength" in full:
        words.append(f"At most {full['maxLength']} characters.")
    if "default" in full:
        words.append(f"{full['default']} where it is left out.")
    return words
