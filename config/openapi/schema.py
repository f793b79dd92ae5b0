"""drf-spectacular's description with examples, and with the operations that no view describes."""

from functools import cache
from pathlib import Path
from typing import Any

import orjson
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample

from core.serializers import Schema

FOLDER = Path(__file__).parent


def render() -> bytes:
    """The bytes of the description; `{base_url}` stands for the public address."""
    generator: Any = SchemaGenerator  # Untyped.
    return orjson.dumps(generator().get_schema(public=True))


@cache
def _examples() -> Schema:
    return _read("examples.json")


def _read(name: str) -> Schema:
    content: Schema = orjson.loads((FOLDER / name).read_bytes())
    return content


class OperationSchema(AutoSchema):
    """Description of an operation, with an answer of the demo as its example."""

    def get_examples(self) -> list[OpenApiExample]:
        operation_id = self.get_operation_id()
        answer = _examples()["answers"].get(operation_id)
        found = [OpenApiExample("Demo", answer, status_codes=["200"])] if answer else []
        if operation_id == "searchReviews":
            cursor = _examples()["cursor"]
            found.append(OpenApiExample("Demo", cursor, parameter_only=("cursor", "query")))
        return found


def complete(result: Schema, **options: Any) -> Schema:
    """The description with headers as components, MCP and webhooks, and a word on security."""
    added = _read("operations.json")
    result["components"]["headers"] = _named_headers(result["paths"])
    for kind, components in added["components"].items():
        result["components"].setdefault(kind, {}).update(components)
    result["paths"] |= added["paths"]
    result["webhooks"] = added["webhooks"]
    result["info"]["summary"] = "The customer reviews of one business, read-only."
    result["security"] = []  # Public.
    return result


def _named_headers(paths: Schema) -> Schema:
    """The headers of all responses, which refer to them from then on."""
    headers: Schema = {}
    for operations in paths.values():
        for operation in operations.values():
            for response in operation["responses"].values():
                for name in response.get("headers", {}):
                    headers[name] = response["headers"][name]
                    response["headers"][name] = {"$ref": f"#/components/headers/{name}"}
    return headers
