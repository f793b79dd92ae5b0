"""The operation of the MCP server, described as a whole: its methods are inside the body."""

from typing import Any

from config.openapi.responses import LIMITS, Described, content, headers, refusal
from reviews.schemas import STRING, ref


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


def _error(description: str, *names: str, example: Any = None) -> Described:
    return refusal(description, *names, shape="JsonRpcError", example=example)


MCP: Described = {
    "operationId": "mcp",
    "tags": ["mcp"],
    "summary": "Model Context Protocol over streamable HTTP",
    "description": (
        "Read-only tools over the same data. Send Content-Type: application/json and Accept: "
        "application/json, text/event-stream. Revisions 2025-06-18 and 2025-11-25 begin with "
        "initialize, whose answer carries Mcp-Session-Id; revision 2026-07-28 has no sessions: "
        "each request names its revision in _meta and mirrors its method in headers. Where Accept "
        "allows text/event-stream and not JSON, the answer comes as one event."
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
        "content": content(
            ref("JsonRpcRequest"),
            {"initialize": INITIALIZE, "tools/call, with Mcp-Session-Id": TOOLS_CALL},
        ),
    },
    "responses": {
        "200": {
            "description": "The answer to a request.",
            "headers": headers("Mcp-Session-Id", *LIMITS, "X-Request-Id"),
            "content": content(ref("JsonRpcResponse"), {"ping": PING_RESULT}),
        },
        "202": {"description": "A notification was accepted; no body."},
        "400": _error("A message or header that cannot be read.", example=UNREADABLE),
        "403": _error("A page of this origin may not use this server."),
        "404": _error("A session that is unknown or has ended, or an unknown method."),
        "406": _error("Accept rules out application/json and text/event-stream."),
        "413": _error("A body that is too long."),
        "415": _error("A body that is not application/json."),
        "429": _error("Too many requests from your address.", "Retry-After", *LIMITS),
        "503": _error("The data cannot be read at the moment.", "Retry-After"),
    },
}
