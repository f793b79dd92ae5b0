"""Requests that no view of Django REST framework serves: MCP, and the webhook of the hub."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiRequest,
    OpenApiResponse,
    OpenApiWebhook,
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.views import APIView

from core.http.openapi import (
    REQUEST_ID,
    Statuses,
    rate_limit_headers,
    refusal,
    request_header,
    response_header,
    retry_after,
)
from core.serializers import ConstantField
from feeds.serializers import JsonFeedSerializer
from reviews.api.serializers import ReviewsDatasetSerializer

# --- JSON-RPC 2.0; the members of `params` and `result` are those of MCP --------------------------


@extend_schema_field(
    {"description": "The id of the request.", "oneOf": [{"type": "string"}, {"type": "integer"}]},
    component_name="JsonRpcId",
)
class JsonRpcIdField(serializers.Field[Any, Any, Any, Any]):
    pass


class JsonRpcRequestSerializer(serializers.Serializer[Any]):
    """A request, or without an id a notification."""

    jsonrpc = ConstantField("2.0")
    id = JsonRpcIdField(required=False)
    method = serializers.CharField(help_text="Like initialize, tools/list or tools/call.")
    params = serializers.DictField(required=False)


class JsonRpcResultSerializer(serializers.Serializer[Any]):
    """The answer to a request."""

    jsonrpc = ConstantField("2.0")
    id = JsonRpcIdField()
    result = serializers.DictField()


class JsonRpcErrorObjectSerializer(serializers.Serializer[Any]):
    """The code and the sentence of an error; data depends on the code."""

    code = serializers.IntegerField()
    message = serializers.CharField()
    data = serializers.JSONField(required=False)  # type: ignore[assignment]  # A field's name.


class JsonRpcErrorSerializer(serializers.Serializer[Any]):
    """Why a request was not served.

    Where its id could not be read, id is null, and left out in revision 2026-07-28.
    """

    jsonrpc = ConstantField("2.0")
    id = JsonRpcIdField(required=False, allow_null=True)
    error = JsonRpcErrorObjectSerializer()


JSON_RPC_RESPONSE = PolymorphicProxySerializer(
    "JsonRpcResponse",
    serializers=[JsonRpcResultSerializer, JsonRpcErrorSerializer],
    resource_type_field_name=None,
)

# --- MCP ------------------------------------------------------------------------------------------

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "example", "version": "1.0"},
    },
}
TOOLS_CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "search_reviews", "arguments": {"rating": 5, "limit": 3}},
}
UNREADABLE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32700, "message": "The body is not JSON."},
}
ANSWERED: Statuses = [200]


def _error(description: str, example: Any = None) -> OpenApiResponse:
    return refusal(description, example, JsonRpcErrorSerializer)


class McpOperation(APIView):
    """Description of `mcp_server.views`, whose methods stand inside the body."""

    @extend_schema(
        operation_id="mcp",
        tags=["mcp"],
        summary="Model Context Protocol over streamable HTTP",
        description=(
            "Read-only tools over the same data. Send Content-Type: application/json and Accept: "
            "application/json, text/event-stream. Revisions 2025-06-18 and 2025-11-25 begin with "
            "initialize, whose answer carries Mcp-Session-Id; revision 2026-07-28 has no "
            "sessions: each request names its revision in _meta and mirrors its method in "
            "headers. Where Accept allows text/event-stream and not JSON, the answer comes as one "
            "event."
        ),
        parameters=[
            request_header("Mcp-Session-Id", "The session; on every request after initialize."),
            request_header(
                "MCP-Protocol-Version", "The revision that the session or request speaks."
            ),
            request_header("Mcp-Method", "Revision 2026-07-28: the method, as in the body."),
            request_header(
                "Mcp-Name", "Revision 2026-07-28: the tool, prompt or resource, as in the body."
            ),
            response_header(
                "Mcp-Session-Id",
                "On the answer to initialize: the session; send it with every later request.",
                "eyJpc3N1ZWQiOjE3NzM0ODA2MDB9.c2lnbmVk",
                ANSWERED,
            ),
            *rate_limit_headers([200, 429]),
            retry_after([429, 503]),
            REQUEST_ID,
        ],
        request={
            "application/json": OpenApiRequest(
                JsonRpcRequestSerializer,
                examples=[
                    OpenApiExample("Initialize", INITIALIZE),
                    OpenApiExample("Call a tool", TOOLS_CALL),
                ],
            )
        },
        responses={
            "200": OpenApiResponse(
                JSON_RPC_RESPONSE,
                "The answer to a request.",
                [OpenApiExample("Ping", {"jsonrpc": "2.0", "id": 3, "result": {}})],
            ),
            "202": OpenApiResponse(description="A notification was accepted; no body."),
            "400": _error("A message or header that cannot be read.", UNREADABLE),
            "403": _error("A page of this origin may not use this server."),
            "404": _error("A session that is unknown or has ended, or an unknown method."),
            "406": _error("Accept rules out application/json and text/event-stream."),
            "413": _error("A body that is too long."),
            "415": _error("A body that is not application/json."),
            "429": _error("Too many requests from your address."),
            "503": _error("The data cannot be read at the moment."),
        },
    )
    def post(self, request: Request) -> None:
        """Take one message; described here, and served by `mcp_server.views.endpoint`."""


def add_mcp(endpoints: Sequence[Any]) -> list[Any]:
    """The endpoints with that of the MCP server."""
    return [*endpoints, ("/mcp", "^mcp$", "POST", McpOperation.as_view())]


# --- The hub --------------------------------------------------------------------------------------

TOPIC_UPDATED = OpenApiWebhook(
    "topicUpdated",
    extend_schema(
        operation_id="topicUpdated",
        tags=["webhooks"],
        summary="A topic has new content",
        description=(
            "WebSub: the hub posts the whole new document to every verified callback of the "
            "topic. Three deliveries in a row without a 2xx answer end the subscription."
        ),
        request={
            "application/json": PolymorphicProxySerializer(
                "TopicContent",
                serializers=[ReviewsDatasetSerializer, JsonFeedSerializer],
                resource_type_field_name=None,
            ),
            "application/atom+xml": {
                "type": "string",
                "description": "The Atom feed (RFC 4287).",
            },
        },
        responses={
            "200": OpenApiResponse(
                description="Acknowledged, as by any 2xx; the body is not read."
            ),
            "410": OpenApiResponse(description="Ends the subscription at once."),
            "500": OpenApiResponse(
                description="A failure, as is any other answer: the delivery is tried again later."
            ),
        },
    ),
)
TOPIC_UPDATED_HEADERS = [
    OpenApiParameter(
        "Link",
        str,
        OpenApiParameter.HEADER,
        required=True,
        description="The hub (rel=hub) and the topic (rel=self).",
        examples=[
            OpenApiExample(
                "Example",
                '<{base_url}/api/websub/hub>; rel="hub", <{base_url}/reviews.json>; rel="self"',
            )
        ],
    ),
    OpenApiParameter(
        "X-Hub-Signature",
        str,
        OpenApiParameter.HEADER,
        description="HMAC of the body, if the subscription has a secret.",
        pattern="^sha(1|256|384|512)=[0-9a-f]+$",
    ),
]
