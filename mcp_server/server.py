"""The server of this installation, and the documents that describe it to programs."""

from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse

from mcp_server import conf, stateless
from mcp_server.jsonrpc import Json

CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
CARD_TYPE = "application/mcp-server-card+json"


def address(base_url: str) -> str:
    """The URL to which clients connect."""
    return base_url + reverse("mcp_server:endpoint")


def card(base_url: str) -> Json:
    """The server card (SEP-2127, an extension): how to connect, and nothing else."""
    members: dict[str, Any] = {
        "$schema": CARD_SCHEMA,
        "name": _reverse_name(base_url),
        "version": conf.server("version"),
        "title": conf.server("title"),
        "description": conf.server("description"),
        "websiteUrl": base_url,
        "remotes": [
            {
                "type": "streamable-http",
                "url": address(base_url),
                "supportedProtocolVersions": list(stateless.SUPPORTED),
            }
        ],
    }
    return members


def _reverse_name(base_url: str) -> str:
    """The server's name below its host, as `com.example.reviews/reviews`."""
    return f"{'.'.join(reversed(_host(base_url).split('.')))}/{conf.server('name')}"


def _host(base_url: str) -> str:
    """The host as a name; an IPv6 address has characters that names may not have."""
    host = urlsplit(base_url).hostname or ""
    return host if host and ":" not in host else "localhost"
