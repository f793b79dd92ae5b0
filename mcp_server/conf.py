"""Settings of the server and their defaults; see README.md."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.module_loading import import_string

from mcp_server.headers import ANY, parse_origin, parse_origins

DEFAULTS: Mapping[str, Any] = {
    "MCP_SERVER": {},
    "MCP_RATE_LIMITER": "",
    "MCP_PERMISSION": "",
    "MCP_OAUTH": {},
    "MCP_ALLOWED_ORIGINS": "",
    "MCP_SESSION_SECONDS": 2_592_000,  # Some clients never recover from an expired session.
    "MCP_REQUIRE_SESSION": True,
    "MCP_MAX_BODY_BYTES": 256 * 1024,
    "MCP_CACHE_SECONDS": 60,
    "MCP_COMPRESSOR": "mcp_server.negotiation.compress",
}

SERVER_MEMBERS = frozenset(
    {"name", "title", "version", "description", "instructions", "base_url", "guide_url"}
)

_DOTTED_PATH = re.compile(r"\w+(?:\.\w+)+")


def get(name: str) -> Any:
    return getattr(settings, name, DEFAULTS[name])


def imported(name: str) -> Any:
    """Import the object whose dotted path a setting holds. Raises ImportError."""
    return import_string(get(name))


def server(member: str) -> str:
    """Return a member of `MCP_SERVER`, empty if it is not set."""
    given = get("MCP_SERVER")
    name = given.get("name", "mcp-server")
    return str({"name": name, "title": name, "version": "0", **given}.get(member, ""))


def base_url(request: HttpRequest) -> str:
    """Return the public address of the site without a trailing slash."""
    return (server("base_url") or f"{request.scheme}://{request.get_host()}").rstrip("/")


def instructions(base_url: str) -> str:
    """Return the instructions that clients may give to their model."""
    found = get("MCP_SERVER").get("instructions", "")
    if isinstance(found, str) and _DOTTED_PATH.fullmatch(found):
        found = import_string(found)
    return str(found(base_url)) if callable(found) else str(found)


def optional(name: str) -> Callable[[HttpRequest], Any] | None:
    """Import the callable that a setting names, None if it is empty. Raises ImportError."""
    return imported(name) if get(name) else None


def address(base_url: str) -> str:
    """Return the URL to which clients connect."""
    return base_url + reverse("mcp_server:endpoint")


def origins(base_url: str) -> frozenset[str]:
    """Return the origins whose pages may use the server, including the site's own.

    The origin `*` allows any.
    """
    own = parse_origin(base_url)
    named = parse_origins(get("MCP_ALLOWED_ORIGINS"))
    return named if own is None or ANY in named else named | {own}
