"""The shapes that are described, in JSON Schema (2020-12): every app's, and those of none."""

import feeds.schemas
import insights.schemas
import reviews.schemas
from reviews.schemas import STRING, Schema, Schemas, described, list_of, ref

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
    "description": (
        "Why a request was not served. Where its id could not be read, id is null, and left out in "
        "revision 2026-07-28."
    ),
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
