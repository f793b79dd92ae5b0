"""Serializers and fields for descriptions of published JSON, and their JSON Schemas."""

from functools import partial
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.hooks import postprocess_schema_enum_id_removal
from drf_spectacular.plumbing import ComponentRegistry, build_mocked_view
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers

Schema = dict[str, Any]


class RecordSerializer(serializers.Serializer[Any]):
    """An object without undeclared members."""


class RecordExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describe records with `additionalProperties: false`."""

    target_class = RecordSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> Schema:
        schema: Schema = auto_schema._map_serializer(  # noqa: SLF001  (As its manual shows.)
            self.target, direction, bypass_extensions=True
        )
        return schema | {"additionalProperties": False}


@extend_schema_field({"type": "number"})
class NumberField(serializers.FloatField):
    """A number described without a format."""


class ConstantField(serializers.ChoiceField):
    """A constant."""

    def __init__(self, value: Any, **options: Any) -> None:
        super().__init__(choices=[value], **options)


CountField = partial(serializers.IntegerField, min_value=0)
SlugField = partial(serializers.RegexField, "^[a-z0-9]+(-[a-z0-9]+)*$")


@extend_schema_field({"type": "string", "format": "uri-reference"})
class UriReferenceField(serializers.CharField):
    """A URI or a relative reference (RFC 3986 4.1)."""


class RefusalSerializer(serializers.Serializer[Any]):
    """Members of all problems."""

    type = UriReferenceField()
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField(help_text="What was wrong, and what to do about it.")


class ProblemSerializer(RefusalSerializer):
    """Description of an error (RFC 9457), served as application/json."""

    request_id = serializers.CharField(
        required=False, help_text="On a 5xx: the id under which it has been logged."
    )


def json_schema(serializer: type[serializers.BaseSerializer[Any]]) -> Schema:
    """Return the JSON Schema (2020-12) of a serializer, as drf-spectacular generates it.

    References are inlined, since not all MCP clients follow them.
    """
    components = ComponentRegistry()
    view = build_mocked_view("GET", "/", extend_schema(), components)
    found = view.schema.resolve_serializer(serializer, "response")
    known = components.build({}).get("schemas", {})
    schema = {"type": "object", "properties": {}} if found.name is None else known[found.name]
    described: Schema = _inlined(schema, known)
    postprocess_schema_enum_id_removal(described, None)  # type: ignore[no-untyped-call]
    return described


def _inlined(schema: Any, known: Schema) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inlined(known[schema["$ref"].rpartition("/")[2]], known)
        return {key: _inlined(value, known) for key, value in schema.items()}
    return [_inlined(item, known) for item in schema] if isinstance(schema, list) else schema
