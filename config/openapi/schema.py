"""drf-spectacular's description with examples, and with the parts for which it has no setting."""

from typing import Any

import orjson
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_mocked_view
from drf_spectacular.utils import OpenApiExample, extend_schema

from core.serializers import Schema


def render() -> bytes:
    """The bytes of the description; `{base_url}` stands for the public address."""
    generator: Any = SchemaGenerator  # Untyped.
    return orjson.dumps(generator().get_schema(public=True))


class OperationSchema(AutoSchema):
    """Description of an operation, with an answer of the demo as its example."""

    def get_examples(self) -> list[OpenApiExample]:
        from config.openapi.examples import cursor, examples  # noqa: PLC0415  (Needs the apps.)

        operation_id = self.get_operation_id()
        answer = examples().get(operation_id)
        found = [OpenApiExample("Demo", answer, status_codes=["200"])] if answer else []
        if operation_id == "searchReviews":
            found.append(OpenApiExample("Demo", cursor(), parameter_only=("cursor", "query")))
        return found


def complete(result: Schema, generator: Any, **options: Any) -> Schema:
    """The description with headers and webhooks as components, and a word on security."""
    from config.openapi.operations import TOPIC_UPDATED_HEADERS  # noqa: PLC0415  (Needs the apps.)

    described = extend_schema(parameters=TOPIC_UPDATED_HEADERS, request=None, responses=None)
    view = build_mocked_view("POST", "/", described, generator.registry)
    operation = view.schema.get_operation("/", "/", "", "POST", generator.registry)
    # drf-spectacular describes webhooks without headers, and after it has listed the components.
    result["components"] = generator.registry.build({})
    for name, item in result["webhooks"].items():
        item["post"]["parameters"] = operation["parameters"]
        item["post"]["requestBody"]["required"] = True
        component = f"{name[0].upper()}{name[1:]}"
        result["components"].setdefault("pathItems", {})[component] = item
        result["webhooks"][name] = {"$ref": f"#/components/pathItems/{component}"}
    result["components"]["headers"] = _named_headers(result["paths"])
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
