"""Requests whose responses are recorded, and the values that vary between runs."""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
HUB = "/api/websub/hub"
TOPIC = "https://reviews.example/feed.xml"


@dataclass(frozen=True)
class Exchange:
    path: str
    query: str = ""
    method: str = "GET"
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


def post(path: str, body: Any, content_type: str = JSON, **headers: str) -> Exchange:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Exchange(path, "", "POST", raw, {"CONTENT_TYPE": content_type, **headers})


def search(query: str) -> Exchange:
    return Exchange("/api/reviews/search", query)


def hub(content_type: str = FORM, **fields: str) -> Exchange:
    named = {f"hub.{name}": value for name, value in fields.items()}
    return post(HUB, urlencode(named).encode(), content_type)


def rpc(method: str, params: Any = None, request_id: Any = 1) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    return message if params is None else {**message, "params": params}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return rpc("tools/call", {"name": tool, "arguments": arguments})


DOCUMENT_PATHS = (
    "/reviews.json",
    "/insights.json",
    "/api/feed.json",
    "/feed.xml",
    "/.well-known/openapi.json",
)
DOCUMENTS = [
    *(Exchange(path) for path in DOCUMENT_PATHS),
    *(
        Exchange(path, method=method)
        for path in DOCUMENT_PATHS[:1]
        for method in ("HEAD", "OPTIONS")
    ),
    Exchange("/reviews.json", headers={"HTTP_ACCEPT_ENCODING": "gzip"}),
    *(Exchange(path, headers={"HTTP_IF_NONE_MATCH": "*"}) for path in DOCUMENT_PATHS[:1]),
    Exchange("/api/reviews/since/2026-10-01"),
    Exchange("/llms.txt"),
    Exchange("/.well-known/api-catalog"),
]

SEARCH = [
    search("limit=2"),
    search("query=late&max_rating=2&limit=2"),
    search("mentions_technician=maren&since=2026-09-01&limit=2"),
    search("colour=red&sort=oldest&limit=1"),
    search("limit=0&rating=6&since=x&query=%00&cursor=x&until=1&until=2&min_rating=nan"),
    Exchange("/api/nothing"),
    Exchange("/reviews.json", method="DELETE"),
]


HUB_REQUESTS = [
    hub(),
    hub(mode="subscribe", topic=TOPIC, callback="https://10.0.0.1/callback"),
    hub(mode="publish", topic=TOPIC, callback="https://127.0.0.1:8443/callback"),
    hub(mode="subscribe", topic=TOPIC, callback="https://127.0.0.1:8443/callback", secret="s"),
    hub(mode="unsubscribe", topic=TOPIC, callback="https://127.0.0.1:8443/other"),
]

INITIALIZE = rpc(
    "initialize",
    {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "border", "version": "1"},
    },
)
# Uses the session of the response to INITIALIZE.
MCP_MESSAGES: list[Any] = [
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    rpc("tools/list"),
    rpc("resources/list"),
    rpc("prompts/list"),
    call("search_reviews", rating=5, limit=1),
    call("search_reviews", mentions_technician="Nobody"),
    call("get_aspect_sentiment", aspect="punctuality"),
    call("get_review", id="nothing"),
    rpc("nothing"),
]
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "border", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def stateless(method: str, name: str = "", **params: Any) -> Exchange:
    mirrored = {"HTTP_MCP_PROTOCOL_VERSION": "2026-07-28", "HTTP_MCP_METHOD": method}
    if name:
        mirrored["HTTP_MCP_NAME"] = name
        params["name"] = name
    return post("/mcp", rpc(method, {**params, "_meta": META}), **mirrored)


MCP_STATELESS = [
    stateless("server/discover"),
    stateless("tools/call", "get_business", arguments={}),
    post("/mcp", b"{"),
    post("/mcp", rpc("ping"), HTTP_MCP_SESSION_ID="forged"),
]


# Values that are random or secret by design, matched by their form.
VARYING = (
    (re.compile(r"(mcp-session-id: )\S+"), r"\1SESSION"),
    (re.compile(r"(x-request-id: )[A-Za-z0-9]{12}\.[0-9]+"), r"\1OWN"),
    (re.compile(r"(https://reviews\.example/static/[\w./-]+?)\.[0-9a-f]{12}\."), r"\1.DIGEST."),
)
