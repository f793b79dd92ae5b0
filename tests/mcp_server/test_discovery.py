"""The server card, by which clients find the server (N)."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


# --- Discovery ------------------------------------------------------------------------------------


def test_server_card_describes_connection():
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
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/mcp/register",
        "/token",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_server_has_no_authorization_metadata(path, method):
    response = Client().generic(method, path)  # C7
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/json"
    assert list(response.json()) == ["type", "title", "status", "detail"]
    assert response.json()["status"] == 404
    assert response.headers["Access-Control-Allow-Origin"] == "*"
