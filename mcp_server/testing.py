"""MCP client for tests, based on Django's test client.

def test_search_finds_a_note():
    result = Client().call_tool("search_notes", {"words": "bread"})
    assert result.structured == {"notes": []}
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import test
from django.urls import reverse

from mcp_server.context import LOG_LEVEL_KEY
from mcp_server.jsonrpc import Json
from mcp_server.methods import MODERN
from mcp_server.stateless import CAPABILITIES_KEY, NAMED_BY, VERSION_KEY

CLIENT = {"name": "mcp_server.testing", "version": "1"}


class RequestFailed(Exception):
    """A request without a result: HTTP status, JSON-RPC error (empty if none) and headers."""

    def __init__(self, status: int, error: Json, headers: Mapping[str, str]) -> None:
        super().__init__(f"{status}: {error.get('message', '')}")
        self.status = status
        self.error = error
        self.headers = headers


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Result of a tool: text, structured content or None, and the preceding messages."""

    text: str
    structured: Any
    is_error: bool
    notifications: list[Json] = field(default_factory=list)


class Client:
    """MCP client. Only a `revision` with sessions requires `initialize`."""

    def __init__(
        self,
        django_client: test.Client | None = None,
        *,
        revision: str = MODERN,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.django_client = django_client or test.Client()
        self.revision = revision
        self.headers = dict(headers or {})
        self.notifications: list[Json] = []

    def initialize(self) -> Json:
        """Open a session if the revision has them, and return the description of the server."""
        if self.revision == MODERN:
            return self.request("server/discover")
        params = {"protocolVersion": self.revision, "capabilities": {}, "clientInfo": CLIENT}
        return self.request("initialize", params)

    def list_tools(self) -> dict[str, Json]:
        """Return the tools by name."""
        return {each["name"]: each for each in self.request("tools/list")["tools"]}

    def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        log_level: str = "",
    ) -> ToolResult:
        """Call a tool. A refusal is a result with `is_error`."""
        meta = {"progressToken": 1} | ({LOG_LEVEL_KEY: log_level} if log_level else {})
        params = {"name": name, "arguments": dict(arguments or {}), "_meta": meta}
        found = self.request("tools/call", params)
        text = "".join(block["text"] for block in found["content"])
        structured = found.get("structuredContent")
        return ToolResult(text, structured, found["isError"], self.notifications)

    def read_resource(self, uri: str) -> str:
        """Return the text of a resource. `uri` may be a path of the site."""
        uri = f"http://testserver{uri}" if uri.startswith("/") else uri
        contents = self.request("resources/read", {"uri": uri})["contents"]
        return "".join(each["text"] for each in contents)

    def get_prompt(self, name: str, arguments: Mapping[str, Any] | None = None) -> str:
        params = {"name": name, "arguments": dict(arguments or {})}
        messages = self.request("prompts/get", params)["messages"]
        return "".join(each["content"]["text"] for each in messages)

    def request(self, method: str, params: Json | None = None) -> Json:
        """Send a request and return its result. Raises `RequestFailed`."""
        sent, headers = dict(params or {}), {"Accept": "application/json, text/event-stream"}
        if self.revision == MODERN:
            meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}, **sent.get("_meta", {})}
            sent["_meta"] = meta
            headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
            if method in NAMED_BY:
                headers["Mcp-Name"] = sent[NAMED_BY[method]]
        response = self.django_client.post(
            reverse("mcp_server:endpoint"),
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": sent}),
            content_type="application/json",
            headers={**headers, **self.headers},
        )
        if session := response.headers.get("Mcp-Session-Id"):
            self.headers["Mcp-Session-Id"] = session
        *self.notifications, answer = _messages(response)
        if "result" not in answer:
            raise RequestFailed(response.status_code, answer.get("error", {}), response.headers)
        result: Json = answer["result"]
        return result


def _messages(response: Any) -> list[Json]:
    """Return the messages of a response; the answer is the last one."""
    body = b"".join(response).decode()
    if response.headers.get("Content-Type") == "text/event-stream":
        data = [line for line in body.splitlines() if line.startswith("data: ")]
        return [json.loads(line.removeprefix("data: ")) for line in data]
    try:
        return [json.loads(body)]
    except ValueError:
        return [{}]  # A middleware has answered.
