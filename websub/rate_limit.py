"""Rate limits: a fixed window in Django's cache, unless the project names another limiter."""

import logging
import time
from typing import NamedTuple

from django.core.cache import cache
from django.http import HttpRequest

from websub import conf

logger = logging.getLogger(__name__)


class Decision(NamedTuple):
    """The answer of a rate limiter for one request; another limiter's has the same members."""

    allowed: bool
    reset_seconds: int
    counted: bool = True  # False when the cache failed; the hub then takes no request.

    def headers(self) -> dict[str, str]:
        """Further headers of the answer, as those of draft-ietf-httpapi-ratelimit-headers."""
        return {}


def check(scope: str, client: str) -> Decision | None:
    """Count one request by the project's limiter; None when there is no limit."""
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
    except Exception as error:  # noqa: BLE001  (each cache backend has errors of its own)
        logger.error("Rate limits cannot be counted, since the cache fails: %s", error)
        return Decision(True, 1, counted=False)


def remote_address(request: HttpRequest) -> str:
    """The address of the peer; behind a proxy set `WEBSUB_CLIENT_KEY` to your own function."""
    return str(request.META.get("REMOTE_ADDR", ""))
