"""How each assistant is connected to the MCP server, in one table."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_server.methods import MODERN
from mcp_server.stateless import CAPABILITIES_KEY, VERSION_KEY

NAME = "reviews"  # What the server is called in an assistant; each can choose another.


@dataclass(frozen=True, slots=True)
class Assistant:
    anchor: str
    title: str
    steps: tuple[str, ...]
    line: str  # To be copied as it stands.
    is_remote: bool = False  # It asks from its maker's machines, not from its user's.


def assistants(base_url: str) -> tuple[Assistant, ...]:
    """Every assistant, with lines for the installation at `base_url`."""
    address = f"{base_url}/mcp"
    plain = {"url": address}
    typed = {"type": "http", "url": address}
    return (
        Assistant(
            "claude",
            "Claude",
            (
                "On claude.ai or in the desktop app, open Customize, then Connectors.",
                "Choose +, then Add custom connector. Call it Reviews and paste this address.",
                "Leave the advanced settings (OAuth client id and secret) blank, and choose Add.",
            ),
            address,
            is_remote=True,
        ),
        Assistant(
            "claude-code",
            "Claude Code",
            ("In a terminal. Type /mcp in a session to see the tools.",),
            shlex.join(["claude", "mcp", "add", "--transport", "http", NAME, address]),
        ),
        Assistant(
            "chatgpt",
            "ChatGPT",
            (
                "On the web, open Settings, Apps & Connectors, Advanced settings.",
                "Switch on Developer mode; in a workspace, its administrator allows it first.",
                "Back in Apps & Connectors choose Create, paste this address as the server's URL.",
                "As authentication choose No authentication.",
                "In a chat, switch the connector on from the + menu.",
            ),
            address,
            is_remote=True,
        ),
        Assistant(
            "cursor",
            "Cursor",
            ("In ~/.cursor/mcp.json for all projects, or .cursor/mcp.json for one.",),
            _text({"mcpServers": {NAME: plain}}),
        ),
        Assistant(
            "vs-code",
            "VS Code",
            ("In .vscode/mcp.json; or run MCP: Add Server, choose HTTP and paste the address.",),
            _text({"servers": {NAME: typed}}),
        ),
        Assistant(
            "project",
            "A project, for any assistant",
            ("In .mcp.json at the top of a repository, for everybody who works in it.",),
            _text({"mcpServers": {NAME: typed}}),
        ),
    )


def by_hand(base_url: str) -> str:
    """A command that calls a tool in one request, without a session."""
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}}
    params = {"name": "search_reviews", "arguments": {"rating": 5, "limit": 3}, "_meta": meta}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {
        "Content-Type": "application/json",
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": "search_reviews",
    }
    words = ["curl", f"{base_url}/mcp"]
    for name, value in headers.items():
        words += ["-H", f"{name}: {value}"]
    return shlex.join([*words, "-d", json.dumps(body)])


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2)
