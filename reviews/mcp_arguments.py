"""MCP arguments described by serializers, and names of technicians and services in them.

Schemas use only keywords that the converters of all clients keep. Descriptions therefore repeat
ranges and formats, and unknown arguments are refused although the schema does not say so.
"""

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from core.serializers import Schema, json_schema
from mcp_server import Argument, ToolError
from mcp_server.arguments import InvalidArguments
from mcp_server.jsonrpc import quote_for_message
from mcp_server.schemas import MAX_ISSUES, coerce
from review_analysis.text import fold
from reviews.current import current_roster
from reviews.search.fields import CursorField, NameField, TextField
from reviews.search.parameters import InvalidParameters, ParametersSerializer

# Converters refuse or drop `additionalProperties`, `format` and unions of types.
KEPT = ("enum", "minimum", "maximum", "maxLength", "default")
FORMATS = {
    "date": "A day written as YYYY-MM-DD.",
    "date-time": "A time written as YYYY-MM-DDThh:mm:ssZ.",
}
MAX_LISTED = 50  # Valid names that a refusal lists.
COMPARED_CHARACTERS = 60  # Comparing takes quadratic time.

Row = dict[str, Any]


# --- Schemas and values ---------------------------------------------------------------------------


class SerializerArguments:
    """Arguments described by a serializer of `ParameterField`s.

    `aliases` maps former names of arguments to their current ones.
    """

    def __init__(
        self,
        serializer: type[ParametersSerializer] = ParametersSerializer,
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
        """JSON Schema of the arguments, without examples of names."""
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
        """Values of the arguments that are not empty. Raises `InvalidArguments`."""
        try:
            return self._serializer.read(dict(self._typed(given)))
        except InvalidParameters as error:
            messages = [issue["message"] for issue in error.issues[:MAX_ISSUES]]
            raise InvalidArguments("\n".join(messages)) from None

    def _typed(self, given: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """Arguments that are not empty, by their current names and in their types.

        If both a former and the current name are given, the former is refused as unknown.
        """
        for name, value in given.items():
            current = self._aliases.get(name, name)
            name = name if current in given else current  # noqa: PLW2901
            field = self._fields.get(name)
            is_verbatim = isinstance(field, TextField) and not field.trim_whitespace
            bare = value.strip() if isinstance(value, str) and not is_verbatim else value
            if field is None or bare not in (None, ""):
                is_read = field is not None and not is_verbatim
                yield name, coerce(value, self._described[name]["type"]) if is_read else value


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
    """Describe the range and format of an argument."""
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
        words.append(f"{described['default']} by default.")
    return words


# --- Technicians and services of the roster -------------------------------------------------------


def technician_slug(name: str) -> str:
    """Find a technician by id, name, alias or unique first name. Raises `ToolError`."""
    roster = current_roster()
    slug = roster.resolve_person(name)
    if slug is not None:
        return slug
    people, wanted = roster.people, normalize(name)
    alike = [each.name for each in people if wanted in map(normalize, each.names)]
    if len(alike) > 1:
        raise ToolError(f"{quote_for_message(name)} matches several people: {join_names(alike)}.")
    rows = [{"id": each.slug, "name": each.name} for each in people]
    raise _unknown("technician", rows, name)


def service_slug(name: str) -> str:
    """Find a service by id or label. Raises `ToolError`."""
    roster = current_roster()
    slug = roster.resolve_service(name)
    if slug is not None:
        return slug
    rows = [{"id": each.slug, "label": each.label} for each in roster.services]
    raise _unknown("service", rows, name)


def refuse_unknown(filters: Mapping[str, Any]) -> None:
    """Refuse unknown and ambiguous names in the filters of a search. Raises `ToolError`."""
    if name := filters.get("mentions_technician"):
        technician_slug(name)
    if name := filters.get("mentions_service"):
        service_slug(name)


def closest(rows: Sequence[Row], name: str) -> str:
    """Names of rows as a list, the most similar to `name` first."""
    wanted = normalize(name[:COMPARED_CHARACTERS])

    def likeness(row: Row) -> float:
        """Similarity of a row's name or id; at least 1 if it begins with the wanted name."""
        names = (normalize(row["id"]), normalize(row.get("name") or row["label"]))
        return max(SequenceMatcher(None, wanted, n).ratio() + n.startswith(wanted) for n in names)

    ordered = sorted(rows, key=likeness, reverse=True)
    return join_names([row.get("name") or f"{row['id']} ({row['label']})" for row in ordered])


def join_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return f"{', '.join(names[:MAX_LISTED])}{more}"


def normalize(name: str) -> str:
    return " ".join(fold(name).replace("_", " ").replace("-", " ").split())


def _unknown(kind: str, rows: Sequence[Row], name: str) -> ToolError:
    known = f"There are: {closest(rows, name)}" if rows else "There are none"
    return ToolError(f"There is no {kind} {quote_for_message(name)}. {known}.")
