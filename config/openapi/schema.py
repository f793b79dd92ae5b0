"""Generate the OpenAPI description, with examples and operations without a DRF view."""

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
    """Return the description, with `{base_url}` in place of the public address."""
    generator: Any = SchemaGenerator  # Untyped.
    return orjson.dumps(generator().get_schema(public=True))


@cache
def _examples() -> Schema:
    return _read("examples.json")


def _read(name: str) -> Schema:
    content: Schema = orjson.loads((FOLDER / name).read_bytes())
    return content


class OperationSchema(AutoSchema):
    """Description of an operation, with a response of the demo as its example."""

    def get_examples(self) -> list[OpenApiExample]:
        operation_id = self.get_operation_id()
        answer = _examples()["answers"].get(operation_id)
        found = [OpenApiExample("Demo", answer, status_codes=["200"])] if answer else []
        if operation_id == "searchReviews":
            cursor = _examples()["cursor"]
            found.append(OpenApiExample("Demo", cursor, parameter_only=("cursor", "query")))
        return found


def complete(result: Schema, **options: Any) -> Schema:
    """Complete the description with header components, MCP, webhooks and security."""
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
    """Move the headers of all responses to components, and return these."""
    headers: Schema = {}
    for operations in paths.values():
        for operation in operations.values():
            for response in operation["responses"].values():
                for name in response.get("headers", {}):
                    headers[name] = response["headers"][name]
                    response["headers"][name] = {"$ref": f"#/components/headers/{name}"}
    return headers
