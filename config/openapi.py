"""The description of the interface, OpenAPI 3.1.0, as published at `/.well-known/openapi.json`.

drf-spectacular finds the operations in the URLs; what they mean stands here, and the shapes stand
beside the code that makes them. Nothing of it depends on the rows: it is written once, by
`manage.py openapi`, to a file that is published with `{base_url}` replaced.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from drf_spectacular.generators import SchemaGenerator

import feeds.schemas
import insights.schemas
import reviews.schemas
from config.env import BASE_DIR
from config.examples import examples
from reviews.parameters import SEARCH
from reviews.schemas import DATE, STRING, Schema, Schemas, described, list_of, ref

FILE = BASE_DIR / "publishing" / "openapi.json"

Described = dict[str, Any]

INFO: Described = {
    "title": "Reviews",
    "version": "1.0.0",
    "summary": "The customer reviews of one business, read-only.",
    "description": (
        "Everything here is public and read-only: no key, no account; an Authorization header is "
        "ignored. Each resource has one representation, whatever Accept says. Send the ETag of "
        "your copy in If-None-Match: while nothing has changed the answer is 304. Errors are "
        "problems with the members of RFC 9457. The same reviews as an Atom feed: "
        "{base_url}/feed.xml. To be told instead of asking, subscribe at the WebSub hub, "
        "{base_url}/api/websub/hub; what it then sends is described under webhooks."
    ),
    "license": {"name": "MIT License", "identifier": "MIT"},
}

TAGS = [
    {"name": "reviews", "description": "The reviews: all of them, by search, since a day."},
    {"name": "insights", "description": "What the reviews say."},
    {"name": "feeds", "description": "The newest reviews."},
    {
        "name": "mcp",
        "description": "The same data for assistants, over the Model Context Protocol.",
    },
]

# --- Shapes that belong to no app -----------------------------------------------------------------

PROBLEM: Schema = {
    "type": "object",
    "description": "What went wrong (RFC 9457), served as application/json.",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": STRING,
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": STRING | described("What was wrong, and what to do about it."),
        "issues": list_of(ref("Issue"), "On a 400: every parameter that cannot be used."),
        "request_id": STRING | described("On a 5xx: the id under which it has been logged."),
    },
    "required": ["type", "title", "status", "detail"],
}

# JSON-RPC 2.0; the members of `params` and `result` are those of the Model Context Protocol.
RPC_ID: Schema = {"type": ["string", "integer"]}
RPC: Schema = {"const": "2.0"}

JSON_RPC_REQUEST: Schema = {
    "type": "object",
    "description": "A request, or without an id a notification.",
    "properties": {
        "jsonrpc": RPC,
        "id": RPC_ID,
        "method": STRING | described("Like initialize, tools/list or tools/call."),
        "params": {"type": "object"},
    },
    "required": ["jsonrpc", "method"],
}
JSON_RPC_RESULT: Schema = {
    "type": "object",
    "description": "The answer to a request.",
    "properties": {"jsonrpc": RPC, "id": RPC_ID, "result": {"type": "object"}},
    "required": ["jsonrpc", "id", "result"],
}
JSON_RPC_ERROR: Schema = {
    "type": "object",
    "description": "Why a request was not served; id is null when it could not be read.",
    "properties": {
        "jsonrpc": RPC,
        "id": {"type": ["string", "integer", "null"]},
        "error": {
            "type": "object",
            "properties": {"code": {"type": "integer"}, "message": STRING, "data": {}},
            "required": ["code", "message"],
        },
    },
    "required": ["jsonrpc", "error"],
}

SCHEMAS: Schemas = {
    **reviews.schemas.SCHEMAS,
    **insights.schemas.SCHEMAS,
    **feeds.schemas.SCHEMAS,
    "Problem": PROBLEM,
    "JsonRpcRequest": JSON_RPC_REQUEST,
    "JsonRpcResponse": {"oneOf": [ref("JsonRpcResult"), ref("JsonRpcError")]},
    "JsonRpcResult": JSON_RPC_RESULT,
    "JsonRpcError": JSON_RPC_ERROR,
}

# --- Headers, parameters, responses ---------------------------------------------------------------


def _header(description: str, example: Any, schema: Schema = STRING) -> Described:
    return {"description": description, "schema": schema, "example": example}


HEADERS: Mapping[str, Described] = {
    "ETag": _header(
        "Strong validator of these bytes in this content coding; send it as If-None-Match.",
        '"8b1a9953c4611296a827abf8c47804d7"',
    ),
    "Last-Modified": _header("When these bytes last changed.", "Sat, 14 Mar 2026 09:30:00 GMT"),
    "Cache-Control": _header(
        "How long a copy is good.", "public, max-age=60, stale-while-revalidate=300"
    ),
    "Link": _header(
        "RFC 8288: the description of the interface (service-desc); of a WebSub topic its hub and "
        "its own address (self); of a page of search results the next one (next).",
        '<{base_url}/.well-known/openapi.json>; rel="service-desc"',
    ),
    "RateLimit": _header(
        "Requests left (r) and seconds until the count begins again (t). Absent without a limit.",
        '"search";r=599;t=42',
    ),
    "RateLimit-Policy": _header(
        "Requests (q) in so many seconds (w), for each client address.", '"search";q=600;w=60'
    ),
    "Retry-After": _header("Seconds to wait.", 42, {"type": "integer", "minimum": 1}),
    "X-Request-Id": _header("The request's id: your own, if you sent a plain one.", "a1b2c3"),
    "Mcp-Session-Id": _header(
        "On the answer to initialize: the session; send it with every later request.",
        "eyJpc3N1ZWQiOjE3NzM0ODA2MDB9.c2lnbmVk",
    ),
}

IF_NONE_MATCH: Described = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "ETags of the copies at hand, or *.",
    "schema": STRING,
}
IF_MODIFIED_SINCE: Described = {
    "name": "If-Modified-Since",
    "in": "header",
    "required": False,
    "description": "Last-Modified of the copy at hand; ignored beside If-None-Match.",
    "schema": STRING,
}
CONDITIONAL = [IF_NONE_MATCH, IF_MODIFIED_SINCE]

VALIDATORS = ("ETag", "Last-Modified")
CACHING = ("Cache-Control", "Link", "X-Request-Id")
LIMITS = ("RateLimit-Policy", "RateLimit")


def _headers(*names: str) -> Described:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _content(schema: Schema, examples: Mapping[str, Any] | None = None) -> Described:
    media: Described = {"schema": schema}
    if examples:
        media["examples"] = {name: {"value": value} for name, value in examples.items()}
    return {"application/json": media}


def _problem(description: str, *headers: str, example: Any = None) -> Described:
    return {
        "description": description,
        "headers": _headers(*headers, "X-Request-Id"),
        "content": _content(ref("Problem"), {"problem": example} if example else None),
    }


UNAVAILABLE = _problem("The data cannot be read at the moment.", "Retry-After")
TOO_MANY = _problem(
    "Too many requests from your address.",
    "Retry-After",
    *LIMITS,
    example={
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "Too many requests from your address. Please try again in 42 seconds.",
    },
)


def _read(
    operation_id: str,
    tag: str,
    summary: str,
    description: str,
    result: Schema,
    *,
    parameters: list[Described],
    validators: tuple[str, ...] = VALIDATORS,
    refusal: Described | None = None,
) -> Described:
    """A GET that can be revalidated; with `refusal` one that has parameters and a rate limit."""
    limits = LIMITS if refusal else ()
    headers = _headers(*validators, *CACHING, *limits)
    example = {"demo": examples()[operation_id]}
    refusals = {"400": refusal, "429": TOO_MANY} if refusal else {}
    return {
        "operationId": operation_id,
        "tags": [tag],
        "summary": summary,
        "description": description,
        "parameters": parameters,
        "responses": {
            "200": {
                "description": summary,
                "headers": headers,
                "content": _content(result, example),
            },
            "304": {"description": "Your copy is still good; no body.", "headers": headers},
            **refusals,
            "503": UNAVAILABLE,
        },
    }


def _bad(detail: str, issue: Described) -> Described:
    return _problem(
        detail,
        *LIMITS,
        example={
            "type": "about:blank",
            "title": "Bad Request",
            "status": 400,
            "detail": "Some parameters cannot be used; see issues.",
            "issues": [issue],
        },
    )


SEARCH_PARAMETERS: list[Described] = [
    {
        "name": parameter.name,
        "in": "query",
        "required": False,
        "description": parameter.description,
        "schema": parameter.schema(),
        "example": parameter.example,
    }
    for parameter in SEARCH
]
DATE_PARAMETER: Described = {
    "name": "date",
    "in": "path",
    "required": True,
    "description": "The first day of interest; a day in the future gives an empty list.",
    "schema": DATE,
    "example": "2026-01-01",
}


def reads() -> dict[str, Described]:
    """The operations of the REST interface by id, in the order in which they are described."""
    operations = [
        _read(
            "getReviews",
            "reviews",
            "The business, its aggregate rating and all reviews",
            "One document with everything. Also a WebSub topic.",
            ref("ReviewsDataset"),
            parameters=CONDITIONAL,
        ),
        _read(
            "getInsights",
            "insights",
            "What the reviews say",
            "Aspects, technicians, services, problems, areas, topics and the trend, with the "
            "reviews that each figure was made from.",
            ref("InsightsDataset"),
            parameters=CONDITIONAL,
        ),
        _read(
            "getFeed",
            "feeds",
            "The 50 newest reviews as JSON Feed 1.1",
            "For feed readers. Also a WebSub topic.",
            ref("JsonFeed"),
            parameters=CONDITIONAL,
        ),
        _read(
            "searchReviews",
            "reviews",
            "The reviews that match all filters",
            "Filters combine with AND; without any, all reviews match. Unknown parameters are "
            "ignored; a parameter given twice is refused. Newest first.",
            ref("SearchResult"),
            parameters=[*SEARCH_PARAMETERS, IF_NONE_MATCH],
            validators=("ETag",),
            refusal=_bad(
                "Parameters that cannot be used, all of them at once.",
                {
                    "code": "too_big",
                    "path": ["limit"],
                    "message": "limit must be a whole number from 1 to 100.",
                    "maximum": 100,
                    "inclusive": True,
                    "received": "500",
                },
            ),
        ),
        _read(
            "getReviewsSince",
            "reviews",
            "All reviews on or after a day",
            "To keep a copy up to date.",
            ref("SinceResult"),
            parameters=[DATE_PARAMETER, *CONDITIONAL],
            refusal=_bad(
                "A date that is none.",
                {
                    "code": "invalid_date",
                    "path": ["date"],
                    "message": "date must be a calendar day written as YYYY-MM-DD.",
                    "received": "2026-02-30",
                },
            ),
        ),
    ]
    return {operation["operationId"]: operation for operation in operations}


# --- MCP ------------------------------------------------------------------------------------------


def _mcp_header(name: str, description: str) -> Described:
    return {
        "name": name,
        "in": "header",
        "required": False,
        "description": description,
        "schema": STRING,
    }


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
PING_RESULT = {"jsonrpc": "2.0", "id": 3, "result": {}}
UNREADABLE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32700, "message": "The body is not JSON."},
}


def _rpc_error(description: str, *headers: str, example: Any = None) -> Described:
    return {
        "description": description,
        "headers": _headers(*headers, "X-Request-Id"),
        "content": _content(ref("JsonRpcError"), {"error": example} if example else None),
    }


MCP: Described = {
    "operationId": "mcp",
    "tags": ["mcp"],
    "summary": "Model Context Protocol over streamable HTTP",
    "description": (
        "Read-only tools over the same data. Send Content-Type: application/json and Accept: "
        "application/json, text/event-stream. Revisions 2025-06-18 and 2025-11-25 begin with "
        "initialize, whose answer carries Mcp-Session-Id; revision 2026-07-28 has no sessions: "
        "each request names its revision in _meta and mirrors its method in headers."
    ),
    "parameters": [
        _mcp_header("Mcp-Session-Id", "The session; on every request after initialize."),
        _mcp_header("MCP-Protocol-Version", "The revision that the session or request speaks."),
        _mcp_header("Mcp-Method", "Revision 2026-07-28: the method, as in the body."),
        _mcp_header(
            "Mcp-Name", "Revision 2026-07-28: the tool, prompt or resource, as in the body."
        ),
    ],
    "requestBody": {
        "required": True,
        "content": _content(
            ref("JsonRpcRequest"), {"initialize": INITIALIZE, "tools/call": TOOLS_CALL}
        ),
    },
    "responses": {
        "200": {
            "description": "The answer to a request.",
            "headers": _headers("Mcp-Session-Id", *LIMITS, "X-Request-Id"),
            "content": _content(ref("JsonRpcResponse"), {"ping": PING_RESULT}),
        },
        "202": {"description": "A notification was accepted; no body."},
        "400": _rpc_error("A message or header that cannot be read.", example=UNREADABLE),
        "404": _rpc_error("A session that is unknown or has ended, or an unknown method."),
        "429": _rpc_error("Too many requests from your address.", "Retry-After", *LIMITS),
    },
}

# --- The hub's push -------------------------------------------------------------------------------

WEBHOOKS: Described = {
    "topicUpdated": {
        "post": {
            "operationId": "topicUpdated",
            "tags": ["feeds"],
            "summary": "A topic has new content",
            "description": (
                "WebSub: the hub posts the whole new document to every verified callback of the "
                "topic. Three deliveries in a row without a 2xx answer end the subscription."
            ),
            "parameters": [
                {
                    "name": "Link",
                    "in": "header",
                    "required": True,
                    "description": "The hub (rel=hub) and the topic (rel=self).",
                    "schema": STRING,
                    "example": (
                        '<{base_url}/api/websub/hub>; rel="hub", '
                        '<{base_url}/reviews.json>; rel="self"'
                    ),
                },
                {
                    "name": "X-Hub-Signature",
                    "in": "header",
                    "required": False,
                    "description": "HMAC of the body, if the subscription has a secret.",
                    "schema": {"type": "string", "pattern": "^sha(1|256|384|512)=[0-9a-f]+$"},
                },
            ],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {
                        "schema": {"oneOf": [ref("ReviewsDataset"), ref("JsonFeed")]}
                    },
                    "application/atom+xml": {
                        "schema": STRING | described("The Atom feed (RFC 4287).")
                    },
                },
            },
            "responses": {
                "2XX": {"description": "Acknowledged; the body is not read."},
                "410": {"description": "Ends the subscription at once."},
                "default": {"description": "A miss: the delivery is tried again later."},
            },
        }
    }
}

# --- All of it ------------------------------------------------------------------------------------


def document() -> Described:
    """The whole description; `{base_url}` stands for the public address."""
    generator: Any = SchemaGenerator  # Untyped.
    found = generator().get_schema(public=True)["paths"]
    places = {
        operation["operationId"]: (path, method)
        for path, operations in found.items()
        for method, operation in operations.items()
    }
    operations = reads()
    if places.keys() != operations.keys():
        undescribed = sorted(places.keys() ^ operations.keys())
        raise LookupError(f"Found in the URLs or described here, not both: {undescribed}")
    paths: Described = {}
    for operation_id, operation in operations.items():
        path, method = places[operation_id]
        paths[path] = {method: operation}
    paths["/mcp"] = {"post": MCP}
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "{base_url}"}],
        "tags": TAGS,
        "security": [],
        "paths": paths,
        "webhooks": WEBHOOKS,
        "components": {"schemas": dict(SCHEMAS), "headers": dict(HEADERS)},
    }


def render() -> bytes:
    """The bytes of the file."""
    return orjson.dumps(document())
