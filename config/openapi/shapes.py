"""The shapes that are described, in JSON Schema (2020-12): every app's, and those of none."""

import feeds.schemas
import insights.schemas
import reviews.schemas
from reviews.schemas import STRING, Schema, Schemas, described, list_of, nullable, ref

PROBLEM: Schema = {
    "type": "object",
    "description": "What went wrong (RFC 9457), served as application/json.",
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": STRING,
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": STRING | described("What was wrong, and what to do about it."),
        "request_id": STRING | described("On a 5xx: the id under which it has been logged."),
    },
    "required": ["type", "title", "status", "detail"],
}

VALIDATION_PROBLEM: Schema = {
    "type": "object",
    "description": "Parameters that cannot be used, all of them at once.",
    "properties": {
        **{name: PROBLEM["properties"][name] for name in PROBLEM["required"]},
        "issues": list_of(ref("Issue"), "Every parameter that cannot be used.", minItems=1),
    },
    "required": [*PROBLEM["required"], "issues"],
}

# JSON-RPC 2.0; the members of `params` and `result` are those of the Model Context Protocol.
RPC_ID: Schema = {
    "description": "The id of the request.",
    "oneOf": [STRING, {"type": "integer"}],
}
RPC: Schema = {"type": "string", "const": "2.0"}

JSON_RPC_REQUEST: Schema = {
    "type": "object",
    "description": "A request, or without an id a notification.",
    "properties": {
        "jsonrpc": RPC,
        "id": ref("JsonRpcId"),
        "method": STRING | described("Like initialize, tools/list or tools/call."),
        "params": {"type": "object"},
    },
    "required": ["jsonrpc", "method"],
}
JSON_RPC_RESULT: Schema = {
    "type": "object",
    "description": "The answer to a request.",
    "properties": {"jsonrpc": RPC, "id": ref("JsonRpcId"), "result": {"type": "object"}},
    "required": ["jsonrpc", "id", "result"],
}
JSON_RPC_ERROR_OBJECT: Schema = {
    "type": "object",
    "description": "The code and the sentence of an error; data depends on the code.",
    "properties": {"code": {"type": "integer"}, "message": STRING, "data": {}},
    "required": ["code", "message"],
}
JSON_RPC_ERROR: Schema = {
    "type": "object",
    "description": (
        "Why a request was not served. Where its id could not be read, id is null, and left out in "
        "revision 2026-07-28."
    ),
    "properties": {
        "jsonrpc": RPC,
        "id": nullable("JsonRpcId"),
        "error": ref("JsonRpcErrorObject"),
    },
    "required": ["jsonrpc", "error"],
}

SCHEMAS: Schemas = {
    **reviews.schemas.SCHEMAS,
    **insights.schemas.SCHEMAS,
    **feeds.schemas.SCHEMAS,
    "TopicContent": {
        "description": "The topic's document.",
        "oneOf": [ref("ReviewsDataset"), ref("JsonFeed")],
    },
    "Problem": PROBLEM,
    "ValidationProblem": VALIDATION_PROBLEM,
    "JsonRpcId": RPC_ID,
    "JsonRpcRequest": JSON_RPC_REQUEST,
    "JsonRpcResponse": {"oneOf": [ref("JsonRpcResult"), ref("JsonRpcError")]},
    "JsonRpcResult": JSON_RPC_RESULT,
    "JsonRpcError": JSON_RPC_ERROR,
    "JsonRpcErrorObject": JSON_RPC_ERROR_OBJECT,
}
