"""Successful calls of every tool, over HTTP."""

import json
from typing import Any
from urllib.request import urlopen

from mcp_server.registry import registry


def document(port: int, path: str) -> Any:
    with urlopen(f"http://127.0.0.1:{port}{path}") as response:
        return json.load(response)


def valid_calls(port: int) -> dict[str, dict[str, Any]]:
    """Arguments for every tool, with names of the installation."""
    newest = document(port, "/api/reviews/search?limit=1")["reviews"][0]
    insights = document(port, "/insights.json")
    entities = insights["entities"]
    arguments = {
        "search_reviews": {"min_rating": 4, "limit": 3},
        "get_review": {"id": newest["id"]},
        "get_aspect_sentiment": {"aspect": insights["aspects"][0]["id"]},
        "get_technician": {"name": entities["technicians"][0]["name"]},
        "get_service": {"service": entities["services"][0]["id"]},
        "get_trend": {"since": "2026-01-01"},
    }
    return {name: arguments.get(name, {}) for name in registry.tools}
