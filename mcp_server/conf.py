"""Settings of the server, each with its default.

`MCP_SERVER` holds what the server says of itself, all of it optional:

    MCP_SERVER = {
        "name": "notes",              # In the server card and in `serverInfo`.
        "title": "Notes",
        "version": "1.0.0",
        "description": "The notes of our team.",
        "instructions": "...",        # A text, or the dotted path of a callable that takes the
                                      # site's address and returns one.
        "base_url": "https://notes.example.com",  # By default the address of the request.
        "guide_url": "https://notes.example.com/assistants",  # How to connect, for people.
    }
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from mcp_server.headers import ANY, parse_origin, parse_origins

RateLimiter = Callable[[HttpRequest], float | None]

_DOTTED_PATH = re.compile(r"\w+(?:\.\w+)+")


class Settings:
    """The settings as they are now, read from Django's at each use."""

    @property
    def server(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = getattr(settings, "MCP_SERVER", {})
        return found

    @property
    def name(self) -> str:
        """The name of the server: letters, digits, `.`, `_` and `-`."""
        return str(self.server.get("name", "mcp-server"))

    @property
    def title(self) -> str:
        return str(self.server.get("title", self.name))

    @property
    def version(self) -> str:
        return str(self.server.get("version", "0"))

    @property
    def description(self) -> str:
        return str(self.server.get("description", ""))

    @property
    def guide_url(self) -> str:
        return str(self.server.get("guide_url", ""))

    def base_url(self, request: HttpRequest) -> str:
        """The public address of the site, without a slash at its end."""
        given = self.server.get("base_url")
        return str(given or f"{request.scheme}://{request.get_host()}").rstrip("/")

    def instructions(self, base_url: str) -> str:
        """Instructions for the model, which clients may show to it."""
        found = self.server.get("instructions", "")
        if isinstance(found, str) and _DOTTED_PATH.fullmatch(found):
            found = import_string(found)
        return str(found(base_url)) if callable(found) else str(found)

    @property
    def session_seconds(self) -> int:
        """Life of a session. Long, since several clients never recover from one that has ended."""
        return int(getattr(settings, "MCP_SESSION_SECONDS", 2_592_000))

    @property
    def require_session(self) -> bool:
        """Whether clients of revisions with sessions must repeat their session id."""
        return bool(getattr(settings, "MCP_REQUIRE_SESSION", True))

    @property
    def max_body_bytes(self) -> int:
        return int(getattr(settings, "MCP_MAX_BODY_BYTES", 256 * 1024))

    @property
    def cache_seconds(self) -> int:
        """How long clients may keep lists and resources, and caches the server card."""
        return int(getattr(settings, "MCP_CACHE_SECONDS", 60))

    @property
    def rate_limiter(self) -> RateLimiter | None:
        """The callable of `MCP_RATE_LIMITER`, a dotted path; None without a limit.

        It takes a request and returns None, or the seconds to wait if there were too many.
        """
        path: str | None = getattr(settings, "MCP_RATE_LIMITER", None)
        limiter: RateLimiter | None = import_string(path) if path else None
        return limiter

    def origins(self, base_url: str) -> frozenset[str]:
        """Origins of web pages that may use the server; `*` stands for any.

        By default those of the site alone. `MCP_ORIGINS` is a set of them, else
        `MCP_ALLOWED_ORIGINS` a text with commas.
        """
        given: frozenset[str] | None = getattr(settings, "MCP_ORIGINS", None)
        if given is not None:
            return given
        own = parse_origin(base_url)
        named = parse_origins(getattr(settings, "MCP_ALLOWED_ORIGINS", ""))
        return named if own is None or ANY in named else named | {own}


conf = Settings()
