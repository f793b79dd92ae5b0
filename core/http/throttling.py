"""Throttle requests by the client's address, against its budget."""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

from core.http.rate_limit import Decision, hit

# --- Who asks -------------------------------------------------------------------------------------

Client = HttpRequest | Mapping[str, Any]  # A request, or its WSGI environment.


def client_address(client: Client) -> str | None:
    """The address of the client, or None when none can be read.

    A forwarding header counts only as far as our own proxies wrote it: with `TRUSTED_PROXY_COUNT`
    n, the n-th entry from the right. Fewer entries than that never passed our proxies. Without a
    proxy of ours the header is not read.
    """
    environ: Mapping[str, Any] = client if isinstance(client, Mapping) else client.META
    sender = _parsed(environ.get("REMOTE_ADDR", ""))
    trusted: int = settings.TRUSTED_PROXY_COUNT
    if trusted:
        entries = _forwarded(environ)
        if len(entries) >= trusted:
            sender = _parsed(entries[-trusted]) or sender
    return str(sender) if sender else None


def client_key(client: Client) -> str:
    """Owner of a budget: an IPv4 address, or the /64 that an IPv6 customer is given."""
    address = client_address(client) or "unknown"
    return str(ip_network((address, 64), strict=False)) if ":" in address else address


def client_network(client: Client) -> str | None:
    """The owner of a budget as an address: of a /64 the first one."""
    return client_key(client).partition("/")[0] if client_address(client) else None


def _forwarded(environ: Mapping[str, Any]) -> list[str]:
    """Addresses that proxies have noted, the nearest proxy's last."""
    if settings.FORWARDED_HEADER == "X-Forwarded-For":
        entries: str = environ.get("HTTP_X_FORWARDED_FOR", "")
        return entries.split(",")
    # A name without a hyphen has one spelling. `X_Forwarded_For` becomes the same key as
    # `X-Forwarded-For` in a WSGI environment, and replaces what the proxy wrote, unless the proxy
    # drops names with underscores.
    return [_for(entry) for entry in environ.get("HTTP_FORWARDED", "").split(",")]


def _for(entry: str) -> str:
    """The node of one entry of `Forwarded` (RFC 7239 4)."""
    pairs = (pair.partition("=") for pair in entry.split(";"))
    found = (value for name, _, value in pairs if name.strip().lower() == "for")
    return next(found, "").strip().strip('"')


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it: bare, with a port, in brackets, IPv4 mapped into IPv6."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


# --- How often ------------------------------------------------------------------------------------


class ClientThrottle(BaseThrottle):
    """Limits views that name a `throttle_scope`; leaves its decision on the request for headers."""

    decision: Decision | None = None

    def allow_request(self, request: Any, view: Any) -> bool:
        scope = getattr(view, "throttle_scope", None)
        # Without a limit nobody needs to know who asks.
        if not scope or not settings.RATE_LIMITS.get(scope) or request.method == "OPTIONS":
            return True
        http_request: Any = getattr(request, "_request", request)
        self.decision = hit(scope, client_key(http_request))
        http_request.rate_limit = self.decision
        return self.decision is None or self.decision.allowed

    def wait(self) -> float | None:
        return self.decision.reset_seconds if self.decision else None
