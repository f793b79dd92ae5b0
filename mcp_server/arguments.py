"""Arguments of tools and prompts: their values and their schemas.

Clients send null or an empty text for what they leave out, and digits as a text for a number.
Schemas are of the few words that the converters of all makers keep: ranges and formats stand in the
descriptions as well, and what is unknown is refused without the schema saying so.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mcp_server.registry import ToolError
from reviews.schemas import Schema
from reviews.search.fields import Cursor, NameField, Parameter, Text
from reviews.search.parameters import InvalidParameters, check_arguments

MAX_ISSUES = 20

# Converters refuse or drop `additionalProperties`, `format` and unions of types.
KEPT = ("enum", "minimum", "maximum", "maxLength", "default")
FORMATS = {
    "date": "A day written as YYYY-MM-DD.",
    "date-time": "A time written as YYYY-MM-DDThh:mm:ssZ.",
}
_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?")
_BOOLEANS = {"true": True, "false": False}


# --- Reading --------------------------------------------------------------------------------------


def check(
    known: Mapping[str, Parameter],
    arguments: Mapping[str, object],
    required: Collection[str] = (),
) -> dict[str, Any]:
    """The values of the arguments, without those that are empty.

    Raises `ToolError` with a line for each issue.
    """
    try:
        return check_arguments(known, _given(known, arguments), required)
    except InvalidParameters as error:
        messages = [issue["message"] for issue in error.issues[:MAX_ISSUES]]
        raise ToolError("\n".join(messages)) from None


def renamed(arguments: Mapping[str, object], aliases: Mapping[str, str]) -> Mapping[str, object]:
    """The arguments by their present names.

    A former name beside the present one stays as it is, and is refused as unknown.
    """
    return {
        new if (new := aliases.get(name, name)) not in arguments else name: value
        for name, value in arguments.items()
    }


def _given(known: Mapping[str, Parameter], arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments that are not empty, in the types of their schemas."""
    return {
        name: value if parameter is None else _typed(parameter, value)
        for name, value in arguments.items()
        if (parameter := known.get(name)) is None or not _is_empty(parameter, value)
    }


def _is_empty(parameter: Parameter, value: object) -> bool:
    if isinstance(value, str) and not isinstance(parameter, Text):
        value = value.strip()
    return value is None or value == ""


def _typed(parameter: Parameter, value: object) -> object:
    """A text as the number or boolean of the schema; anything else unchanged."""
    if not isinstance(value, str) or isinstance(parameter, Text):
        return value
    text = value.strip()
    if parameter.json_type == "boolean":
        return _BOOLEANS.get(text.lower(), value)
    if parameter.json_type in {"integer", "number"} and (found := _DECIMAL.fullmatch(text)):
        return float(text) if found[1] else int(text)
    return text


# --- Describing -----------------------------------------------------------------------------------


def input_schema(parameters: Sequence[Parameter], required: Sequence[str] = ()) -> Schema:
    """The JSON Schema of the arguments, without examples of names."""
    needed = {"required": list(required)} if required else {}
    return {
        "type": "object",
        "properties": {each.name: _property(each) for each in parameters},
        **needed,
    }


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
