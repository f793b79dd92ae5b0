"""Rate limits: a fixed window in Django's cache, replaceable by the project's own limiter."""

import logging
import time
from typing import NamedTuple

from django.core.cache import cache
from django.http import HttpRequest

from websub import conf

logger = logging.getLogger(__name__)


class Decision(NamedTuple):
    """Decision of a rate limiter about one request; other limiters return the same members."""

    allowed: bool
    reset_seconds: int
    counted: bool = True  # False if the cache failed; the hub then accepts no request.

    def headers(self) -> dict[str, str]:
        """Return response headers, such as draft-ietf-httpapi-ratelimit-headers defines."""
        return {}


def check(scope: str, client: str) -> Decision | None:
    """Count one request with the configured limiter; return None if there is no limit."""
    decision: Decision | None = conf.imported("WEBSUB_RATE_LIMITER")(scope, client)
    return decision


def hit(scope: str, client: str) -> Decision | None:
    """Count one request against `WEBSUB_RATE_LIMITS` in Django's cache."""
    if not (rate := conf.get("WEBSUB_RATE_LIMITS").get(scope)):
        return None
    limit, seconds = rate
    window, passed = divmod(time.time(), seconds)
    key = f"websub:{scope}:{client}:{window:.0f}"
    try:
        cache.add(key, 0, timeout=seconds + 1)
        return Decision(cache.incr(key) <= limit, max(1, int(seconds - passed)))
    except Exception as error:  # noqa: BLE001  (each cache backend has its own errors)
        logger.error("Rate limits cannot be counted, since the cache fails: %s", error)
        return Decision(True, 1, counted=False)


def remote_address(request: HttpRequest) -> str:
    """Return the peer's address; behind a proxy set `WEBSUB_CLIENT_KEY` to another function."""
    return str(request.META.get("REMOTE_ADDR", ""))
