"""MCP arguments described by serializers, for tools and prompts.

Schemas use only the keywords that the converters of all clients keep: ranges and formats stand in
the descriptions as well, and unknown arguments are refused without the schema saying so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.serializers import Schema, json_schema
from mcp_server import Argument
from mcp_server.arguments import MAX_ISSUES, InvalidArguments, coerce
from reviews.search.fields import CursorField, NameField, TextField
from reviews.search.parameters import InvalidParameters, ParametersSerializer

# Converters refuse or drop `additionalProperties`, `format` and unions of types.
KEPT = ("enum", "minimum", "maximum", "maxLength", "default")
FORMATS = {
    "date": "A day written as YYYY-MM-DD.",
    "date-time": "A time written as YYYY-MM-DDThh:mm:ssZ.",
}


class NoArguments(ParametersSerializer):
    """The arguments of a tool that takes none."""


class SerializerArguments:
    """Arguments that are the fields of a serializer; each is a `ParameterField`.

    `aliases` maps former names of arguments to their present ones.
    """

    def __init__(
        self,
        serializer: type[ParametersSerializer] = NoArguments,
        *,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._serializer = serializer
        self._fields: Mapping[str, Any] = dict(serializer().fields)
        self._described: Schema = json_schema(serializer)["properties"]
        self._aliases = aliases or {}

    def listed(self) -> Sequence[Argument]:
        return [
            Argument(name, str(field.help_text), field.required)
            for name, field in self._fields.items()
        ]

    def schema(self) -> Schema:
        """The JSON Schema, without examples of names."""
        required = [name for name, field in self._fields.items() if field.required]
        return {
            "type": "object",
            "properties": {
                name: _property(field, self._described[name])
                for name, field in self._fields.items()
            },
            **({"required": required} if required else {}),
        }

    def validate(self, given: Mapping[str, object]) -> dict[str, Any]:
        """The values, without empty ones. Raises `InvalidArguments`."""
        try:
            return self._serializer.read(self._typed(self._renamed(given)))
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
            name: value if field is None else _typed(field, self._described[name], value)
            for name, value in given.items()
            if (field := self._fields.get(name)) is None or not _is_empty(field, value)
        }


def _is_verbatim(field: Any) -> bool:
    """Whether white space is part of the value."""
    return isinstance(field, TextField) and not field.trim_whitespace


def _is_empty(field: Any, value: object) -> bool:
    if isinstance(value, str) and not _is_verbatim(field):
        value = value.strip()
    return value is None or value == ""


def _typed(field: Any, described: Schema, value: object) -> object:
    return value if _is_verbatim(field) else coerce(value, described["type"])


def _property(field: Any, described: Schema) -> Schema:
    schema = {
        "type": described["type"],
        "description": " ".join([described["description"], *_bounds(described)]),
        **{key: described[key] for key in KEPT if key in described},
    }
    if field.example is not None and not isinstance(field, NameField | CursorField):
        schema["examples"] = [field.example]
    return schema


def _bounds(described: Schema) -> list[str]:
    """The range and format of an argument in words."""
    words = []
    if "enum" in described:
        words.append(f"One of: {', '.join(map(str, described['enum']))}.")
    if "minimum" in described and "maximum" in described:
        words.append(f"From {described['minimum']} to {described['maximum']}.")
    if described.get("format") in FORMATS:
        words.append(FORMATS[described["format"]])
    if "maxLength" in described:
        words.append(f"At most {described['maxLength']} characters.")
    if "default" in described:
        words.append(f"{described['default']} where it is left out.")
    return words
