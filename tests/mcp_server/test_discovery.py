"""Server card, by which clients find the server (N)."""

import re

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


# --- Discovery ------------------------------------------------------------------------------------


def test_the_server_card_says_how_to_connect():
    response = Client().get("/mcp/server-card")
    assert response.headers["Content-Type"] == "application/mcp-server-card+json"
    assert response.json() == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "name": "example.reviews/reviews",
        "version": "1.0.0",
        "title": "Reviews",
        "description": "The customer reviews of one business and what they say, read-only.",
        "websiteUrl": "https://reviews.example",
        "remotes": [
            {
                "type": "streamable-http",
                "url": "https://reviews.example/mcp",
                "supportedProtocolVersions": [
                    "2026-07-28",
                    "2025-11-25",
                    "2025-06-18",
                    "2025-03-26",
                    "2024-11-05",
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("https://reviews.example.com", "com.example.reviews/reviews"),
        ("http://127.0.0.1:8000", "1.0.0.127/reviews"),
        ("http://[::1]:8000", "localhost/reviews"),
    ],
)
def test_the_card_keeps_to_its_schema_at_every_address(base_url, name, settings):
    settings.MCP_SERVER = {**settings.MCP_SERVER, "base_url": base_url}
    card = Client().get("/mcp/server-card").json()
    assert card["name"] == name
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", name)
    assert len(card["description"]) <= 100
    assert len(card["title"]) <= 100
    assert card["remotes"][0]["url"] == f"{base_url}/mcp"


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/mcp/.well-known/oauth-protected-resource",
        "/mcp/register",
        "/mcp/sse",
        "/authorize",
        "/register",
        "/token",
        "/oauth/token",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_there_is_nothing_to_authorize_at(path, method):
    response = Client().generic(method, path)  # C7
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/json"
    assert list(response.json()) == ["type", "title", "status", "detail"]
    assert response.json()["status"] == 404
    assert response.headers["Access-Control-Allow-Origin"] == "*"
