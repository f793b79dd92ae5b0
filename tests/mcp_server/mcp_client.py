"""Requests to the MCP server, with and without sessions."""

import json
from typing import Any, NamedTuple

from django.test import Client
from hypothesis import strategies as st

ALLOW = "POST, DELETE, OPTIONS"
PAGE = "https://app.example"
PATH = "/mcp"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

REF = {"type": "ref/resource", "uri": "https://reviews.example/reviews/{id}"}
# A call of every method that exists with and without sessions.
CALLS = {
    "tools/list": {},
    "tools/call": {"name": "get_summary", "arguments": {}},
    "resources/list": {},
    "resources/templates/list": {},
    "resources/read": {"uri": "https://reviews.example/insights.json"},
    "prompts/list": {},
    "prompts/get": {"name": "summarize_reviews", "arguments": {}},
    "completion/complete": {"ref": REF, "argument": {"name": "id", "value": ""}},
}
ANY_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


class Reply(NamedTuple):
    status: int
    headers: Any
    body: Any

    @property
    def result(self) -> Any:
        assert "result" in self.body, self.body
        return self.body["result"]

    @property
    def error(self) -> Any:
        assert "error" in self.body, self.body
        return self.body["error"]

    @property
    def code(self) -> int:
        return self.error["code"]


def send(body: Any, *, path: str = PATH, method: str = "POST", **headers: str) -> Reply:
    """Send bytes unchanged and other values as JSON. Header names have `_` for `-`."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"content-type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    content_type = fields.pop("content-type")
    client = Client(raise_request_exception=False)
    # Set in the WSGI environment, since Django's client sends no type with an empty body.
    response = client.generic(method, path, raw, headers=fields, CONTENT_TYPE=content_type)
    content = b"".join(response)
    return Reply(response.status_code, response.headers, json.loads(content) if content else None)


def request(method: str, params: Any = None, request_id: Any = 1) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def initialize_params(revision: str = "2025-06-18") -> dict[str, Any]:
    client = {"name": "tests", "version": "1"}
    return {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}


def initialize(revision: str = "2025-06-18", **headers: str) -> Reply:
    return send(request("initialize", initialize_params(revision)), **headers)


def document(path: str) -> Any:
    """Read the published document at this path over HTTP."""
    return json.loads(b"".join(Client().get(path)))


class Session:
    """A client of a handshake revision."""

    def __init__(self, revision: str = "2025-06-18") -> None:
        self.id = initialize(revision).headers["Mcp-Session-Id"]

    def send(self, body: Any, **headers: str) -> Reply:
        return send(body, **({"mcp_session_id": self.id} | headers))

    def ask(self, method: str, params: Any = None) -> Reply:
        return self.send(request(method, params))

    def call(self, tool: str, arguments: Any = None) -> Any:
        params = {"name": tool} if arguments is None else {"name": tool, "arguments": arguments}
        return self.ask("tools/call", params).result


def stateless_headers(body: dict[str, Any]) -> dict[str, str]:
    """Return the headers of a stateless client for a body."""
    params = body["params"]
    headers = {"mcp_protocol_version": MODERN, "mcp_method": body["method"]}
    name = params.get("name", params.get("uri"))
    return headers | ({"mcp_name": name} if isinstance(name, str) else {})


def send_stateless(method: str, params: Any = None, **headers: Any) -> Reply:
    """Send a request of the stateless revision. Headers with None are left out."""
    body = request(method, {**(params or {}), "_meta": META})
    fields = stateless_headers(body) | headers
    return send(body, **{name: value for name, value in fields.items() if value is not None})


def text_of(result):
    (block,) = result["content"]
    assert block["type"] == "text"
    return block["text"]


def refusal(result):
    assert result["isError"] is True
    assert "structuredContent" not in result
    return text_of(result)


def preflight(**headers):
    return Client().options(
        "/mcp",
        headers={
            "Origin": PAGE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type, mcp-session-id, mcp-method",
            **headers,
        },
    )
