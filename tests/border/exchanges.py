"""Requests whose answers are recorded, and the values that differ from run to run."""

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
    *(Exchange(path, method="HEAD") for path in DOCUMENT_PATHS),
    *(Exchange(path, method="OPTIONS") for path in DOCUMENT_PATHS[:1]),
    *(Exchange(path, headers={"HTTP_ACCEPT_ENCODING": "gzip"}) for path in DOCUMENT_PATHS[:2]),
    *(Exchange(path, headers={"HTTP_IF_NONE_MATCH": "*"}) for path in DOCUMENT_PATHS),
    Exchange("/reviews.json", headers={"HTTP_IF_MODIFIED_SINCE": "Thu, 01 Jan 2032 00:00:00 GMT"}),
    Exchange("/reviews.json", "anything=1", headers={"HTTP_AUTHORIZATION": "Bearer x"}),
    Exchange("/api/reviews/since/2026-10-01"),
    Exchange("/api/reviews/since/2026-10-01", headers={"HTTP_IF_NONE_MATCH": "*"}),
    Exchange("/api/reviews/since/2999-01-01"),
    Exchange("/llms.txt"),
    Exchange("/robots.txt"),
    Exchange("/.well-known/security.txt"),
    Exchange("/.well-known/api-catalog"),
    Exchange("/.well-known/ai-catalog.json"),
    Exchange("/mcp/server-card"),
]

SEARCH = [
    search(""),
    search("limit=2"),
    search("rating=5&limit=2"),
    search("min_rating=4.5&limit=2"),
    search("max_rating=2&limit=2"),
    search("query=late&limit=3"),
    search("query=a&limit=1"),
    search("query=%25&limit=1"),
    search("mentions_technician=maren&limit=2"),
    search("mentions_technician=Nobody&limit=2"),
    search("mentions_service=leak-detection&limit=2"),
    search("since=2026-09-01&until=2026-10-15&limit=2"),
    search("since=2026-10-15&until=2026-09-01"),
    search("source=google,yelp&limit=2"),
    search("language=en&limit=1"),
    search("has_text=false&limit=2"),
    search("has_reply=true&limit=2"),
    search("sort=oldest&limit=2"),
    search("sort=lowest&limit=2"),
    search("colour=red&limit=1"),
    Exchange("/api/reviews/search", "limit=1", headers={"HTTP_ORIGIN": "https://page.example"}),
    Exchange("/api/reviews/search", method="OPTIONS"),
    Exchange("/api/reviews/search", "limit=2", method="HEAD"),
]

ERRORS = [
    search("limit=0&rating=6&since=x&query=%00&cursor=x&until=1&until=2&min_rating=nan"),
    search("sort=best&has_text=maybe&changed_since=yesterday"),
    search("query=" + "x" * 201),
    Exchange("/api/reviews/since/2026-02-30"),
    Exchange("/api/nothing"),
    Exchange("/nothing.json"),
    Exchange("/.well-known/nothing"),
    Exchange("/reviews.json/"),
    Exchange("/reviews.json", method="DELETE"),
    post("/reviews.json", {}),
    post("/api/reviews/search", {}),
    Exchange(HUB),
    Exchange("/mcp"),
]

HUB_REQUESTS = [
    hub(),
    hub(mode="subscribe", topic=TOPIC, callback="http://subscriber.example.org/"),
    hub(mode="subscribe", topic=TOPIC, callback="https://10.0.0.1/callback"),
    hub(mode="subscribe", topic=TOPIC, callback="https://hooks.localhost/callback"),
    hub(
        mode="subscribe", topic="https://other.example/", callback="https://127.0.0.1:8443/callback"
    ),
    hub(mode="publish", topic=TOPIC, callback="https://127.0.0.1:8443/callback"),
    hub(
        mode="subscribe", topic=TOPIC, callback="https://127.0.0.1:8443/callback", secret="s" * 200
    ),
    hub(
        mode="subscribe",
        topic=TOPIC,
        callback="https://127.0.0.1:8443/callback",
        lease_seconds="-1",
    ),
    hub(mode="subscribe", topic=TOPIC, callback="https://127.0.0.1:8443/callback", secret=""),
    hub(mode="unsubscribe", topic=TOPIC, callback="https://127.0.0.1:8443/other"),
    hub(JSON, mode="subscribe", topic=TOPIC, callback="https://127.0.0.1:8443/callback"),
]

INITIALIZE = rpc(
    "initialize",
    {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "border", "version": "1"},
    },
)
# With the session of the answer to INITIALIZE.
MCP_MESSAGES: list[Any] = [
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    rpc("ping"),
    rpc("tools/list"),
    rpc("resources/list"),
    rpc("resources/templates/list"),
    rpc("prompts/list"),
    rpc("prompts/get", {"name": "summarize_reviews"}),
    call("get_business"),
    call("search_reviews", rating=5, limit=1),
    call("search_reviews", rating="5", limit=1, since="", query=None),
    call("search_reviews", mentions_technician="Nobody"),
    call("search_reviews", colour="red"),
    call("get_aspect_sentiment", aspect="punctuality"),
    call("get_aspect_sentiment", aspect="colour"),
    call("get_technician", name="maren-holt"),
    call("get_service", service="leak-detection"),
    call("get_topics"),
    call("get_trend", since="2026-08-01"),
    call("get_faq"),
    call("get_summary"),
    call("get_review", id="nothing"),
    call("get_nothing"),
    rpc(
        "completion/complete",
        {
            "ref": {"type": "ref/prompt", "name": "summarize_reviews"},
            "argument": {"name": "aspect", "value": "p"},
        },
    ),
    rpc("nothing"),
    rpc("tools/list", {"cursor": "x"}),
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
    stateless("tools/list"),
    stateless("tools/call", "get_business", arguments={}),
    stateless("tools/call", "get_review", arguments={"id": ""}),
    post("/mcp", rpc("tools/list")),
    post("/mcp", b"{"),
    post("/mcp", rpc("ping"), "text/plain"),
    post("/mcp", rpc("ping"), HTTP_MCP_SESSION_ID="forged"),
    post("/mcp", INITIALIZE, HTTP_ACCEPT="text/event-stream"),
    Exchange(
        "/mcp",
        method="OPTIONS",
        headers={
            "HTTP_ORIGIN": "https://page.example",
            "HTTP_ACCESS_CONTROL_REQUEST_METHOD": "POST",
            "HTTP_ACCESS_CONTROL_REQUEST_HEADERS": "content-type, mcp-session-id, traceparent",
        },
    ),
    Exchange("/.well-known/oauth-protected-resource/mcp"),
    Exchange("/mcp/.well-known/openid-configuration"),
]

PAGES = [
    "/",
    "/reviews",
    "/reviews?rating=5",
    "/insights",
    "/developers",
    "/developers/mcp",
    "/status",
    "/nothing",
]
ADMIN_PAGES = [
    "",
    "reviews/review/",
    "reviews/review/add/",
    "reviews/business/",
    "reviews/importbatch/",
    "reviews/importbatch/add/",
    "reviews/technician/",
    "reviews/technician/add/",
    "reviews/service/",
    "reviews/servicearea/",
    "websub/subscription/",
    "websub/attempt/",
    "websub/verification/",
    "auth/user/",
    "auth/user/add/",
    "auth/group/",
    "password_change/",
    "nothing/",
]

COMMANDS: list[tuple[str, ...]] = [
    ("import_reviews", "{file}"),
    ("import_reviews", "{file}", "--accept", "--dry-run"),
    ("import_reviews", "{file}", "--accept", "--json"),
    ("import_reviews", "{file}"),
    ("import_reviews", "{file}", "--source", "yelp", "--dry-run", "--json"),
    ("import_reviews", "missing.csv"),
    (
        "add_review",
        "--rating",
        "5",
        "--text",
        "Quick and tidy.",
        "--author",
        "Ada L.",
        "--date",
        "2026-10-30",
        "--source",
        "google",
    ),
    ("add_review", "--rating", "9"),
    ("make_demo",),
    ("publish_documents",),
    ("refresh_insights",),
    ("sweep",),
    ("reencrypt_secrets",),
    ("mcp_registry",),
]
FILE = """id,author,rating,date,text,source,colour
g-1,Dana R.,5,2026-10-14,Maren was quick.,google,red
g-2,Ivo B.,4,2026-10-13,Good work.,google,blue
g-3,Lena O.,9,2026-10-12,Bad stars.,google,green
"""

# Random or secret by design; each stands for any value of its form.
VARYING = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]+'), r"\1TOKEN"),
    (re.compile(r"(mcp-session-id: )\S+"), r"\1SESSION"),
    (re.compile(r"(x-request-id: )[A-Za-z0-9]{12}\.[0-9]+"), r"\1OWN"),
    (re.compile(r"(https://reviews\.example/static/[\w./-]+?)\.[0-9a-f]{12}\."), r"\1.DIGEST."),
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{12}\."), r"\1.DIGEST."),
)
ULID = re.compile(r"\b01[0-9A-HJKMNP-TV-Z]{24}\b")
