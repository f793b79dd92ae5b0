"""Limit the rate of requests per client and scope, in fixed windows counted in the shared cache.

Each window has its own key, so that its count begins at zero. The caches of the settings increment
atomically, so that a limit is exact over all processes.
"""

import logging
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

logger = logging.getLogger(__name__)

CACHE_RETRY_SECONDS = 5.0  # Between attempts after a failure, each of which may wait for a timeout.
LOG_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Decision:
    """Result of counting one request: whether it is allowed, and what remains of the limit."""

    scope: str
    allowed: bool
    limit: int
    period_seconds: int
    remaining: int
    reset_seconds: int
    counted: bool = True  # False if the cache failed, so that the request was allowed.

    def headers(self) -> dict[str, str]:
        """Header fields of draft-ietf-httpapi-ratelimit-headers."""
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.limit};w={self.period_seconds}',
            "RateLimit": f'"{self.scope}";r={self.remaining};t={self.reset_seconds}',
        }


class RateLimiter:
    """Rate limiter of one process; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_until = -math.inf
        self._logged_at = -math.inf

    def hit(self, scope: str, client: str, limit: int, period_seconds: int) -> Decision:
        """Count one request of `client` against `limit` requests in each `period_seconds`.

        All requests are allowed while the cache fails.
        """
        now = time.time()
        window = int(now // period_seconds)
        reset_seconds = max(1, math.ceil((window + 1) * period_seconds - now))
        key = f"rate:{scope}:{client}:{period_seconds}:{window}"
        count = self._increment(key, reset_seconds + 1)
        if count is None:
            return Decision(scope, True, limit, period_seconds, limit, reset_seconds, counted=False)
        if count == limit + 1:  # Once per window over all processes.
            reached = "Limit of %s requests in %s s for %s is reached by %s"
            logger.warning(reached, limit, period_seconds, scope, client)
        remaining = max(0, limit - count)
        return Decision(scope, count <= limit, limit, period_seconds, remaining, reset_seconds)

    def _increment(self, key: str, timeout: int) -> int | None:
        """Count of requests in the window; None while the cache fails."""
        if time.monotonic() < self._open_until:
            return None
        try:
            return _incremented(key, timeout)
        except Exception as error:  # noqa: BLE001  Each cache backend raises its own errors.
            self._open_circuit(repr(error))
            return None

    def _open_circuit(self, cause: str) -> None:
        now = time.monotonic()
        with self._lock:
            self._open_until = now + CACHE_RETRY_SECONDS
            is_quiet = now - self._logged_at < LOG_SECONDS
            if not is_quiet:
                self._logged_at = now
        if not is_quiet:
            logger.error("Rate limits are not applied, since the shared cache fails: %s", cause)


def _incremented(key: str, timeout: int) -> int:
    """Increment `key`, and return its count. Raises the cache's errors."""
    try:
        return cache.incr(key)
    except ValueError:  # The first request of the window.
        if cache.add(key, 1, timeout=timeout):
            return 1
    # Another process added the key, or the database cache cannot write and hides its error.
    return cache.incr(key)


def try_again(seconds: int) -> str:
    """Sentence that says when to try again."""
    return f"Please try again in {seconds} second{'' if seconds == 1 else 's'}."


limiter = RateLimiter()


def hit(scope: str, client: str) -> Decision | None:
    """Count one request of `client` against the limit of `scope`; None if there is no limit."""
    rate = settings.RATE_LIMITS.get(scope)
    return limiter.hit(scope, client, *rate) if rate else None


# --- Django REST framework ------------------------------------------------------------------------


class ClientThrottle(BaseThrottle):
    """Throttle of views with a `throttle_scope`; keeps its decision on the request for headers."""

    decision: Decision | None = None

    def allow_request(self, request: Any, view: Any) -> bool:
        scope = getattr(view, "throttle_scope", None)
        if not scope or not settings.RATE_LIMITS.get(scope) or request.method == "OPTIONS":
            return True
        http_request: Any = getattr(request, "_request", request)
        self.decision = hit(scope, client_key(http_request))
        http_request.rate_limit = self.decision
        return self.decision is None or self.decision.allowed

    def wait(self) -> float | None:
        return self.decision.reset_seconds if self.decision else None


# --- Clients --------------------------------------------------------------------------------------

Client = HttpRequest | Mapping[str, Any]  # A request, or its WSGI environment.


def client_address(client: Client) -> str | None:
    """Address of the client, or None if it is unknown.

    Only entries by our own proxies in the forwarding header count: with `TRUSTED_PROXY_COUNT` n the
    client is the n-th entry from the right. A request with fewer entries did not pass our proxies.
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
    """Key of a client's limit: an IPv4 address, or an IPv6 network of /64."""
    address = client_address(client) or "unknown"
    return str(ip_network((address, 64), strict=False)) if ":" in address else address


def client_network(client: Client) -> str | None:
    """Key of a client's limit as an address, which is the first one of a /64."""
    return client_key(client).partition("/")[0] if client_address(client) else None


def _forwarded(environ: Mapping[str, Any]) -> list[str]:
    """Entries of the forwarding header; the last one is by the nearest proxy."""
    if settings.FORWARDED_HEADER == "X-Forwarded-For":
        entries: str = environ.get("HTTP_X_FORWARDED_FOR", "")
        return entries.split(",")
    # Unlike this name, `X-Forwarded-For` can be forged as `X_Forwarded_For`, which has the same key
    # in a WSGI environment, unless the proxy drops names with underscores.
    return [_for(entry) for entry in environ.get("HTTP_FORWARDED", "").split(",")]


def _for(entry: str) -> str:
    """Node of one entry of `Forwarded` (RFC 7239 4)."""
    pairs = (pair.partition("=") for pair in entry.split(";"))
    found = (value for name, _, value in pairs if name.strip().lower() == "for")
    return next(found, "").strip().strip('"')


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address that may have a port or brackets; IPv4-mapped IPv6 becomes IPv4."""
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
