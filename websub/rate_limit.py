"""Rate limits: a fixed window in Django's cache, unless the project names another limiter."""

import logging
import time
from dataclasses import dataclass

from django.core.cache import cache
from django.http import HttpRequest

from websub import conf

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer of a rate limiter for one request; another limiter's has the same members.

    The hub reads `allowed`, `counted`, `reset_seconds` and `headers()`, which may be empty.
    """

    scope: str
    limit: int
    period_seconds: int
    count: int
    reset_seconds: int
    counted: bool = True  # False when the cache failed; the hub then takes no request.

    @property
    def allowed(self) -> bool:
        return self.count <= self.limit

    def headers(self) -> dict[str, str]:
        """The fields of draft-ietf-httpapi-ratelimit-headers."""
        remaining = max(0, self.limit - self.count)
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.limit};w={self.period_seconds}',
            "RateLimit": f'"{self.scope}";r={remaining};t={self.reset_seconds}',
        }


def check(scope: str, client: str) -> Decision | None:
    """Count one request by the project's limiter; None when there is no limit.

    The scope is "hub" for requests per client, or "verify" for verifications per callback host and
    per address of one.
    """
    decision: Decision | None = conf.imported("WEBSUB_RATE_LIMITER")(scope, client)
    return decision


def hit(scope: str, client: str) -> Decision | None:
    """Count one request against `WEBSUB_RATE_LIMITS` in Django's cache."""
    rate = conf.get("WEBSUB_RATE_LIMITS").get(scope)
    if not rate:
        return None
    limit, period_seconds = rate
    now = time.time()
    window = int(now // period_seconds)
    reset_seconds = max(1, int((window + 1) * period_seconds - now))
    key = f"websub:{scope}:{client}:{window}"
    try:
        cache.add(key, 0, timeout=period_seconds + 1)
        count, is_counted = cache.incr(key), True
    except Exception as error:  # noqa: BLE001  (each cache backend has errors of its own)
        logger.error("Rate limits cannot be counted, since the cache fails: %s", error)
        count, is_counted = 1, False
    return Decision(scope, limit, period_seconds, count, reset_seconds, counted=is_counted)


def remote_address(request: HttpRequest) -> str:
    """The address of the peer; behind a proxy set `WEBSUB_CLIENT_KEY` to your own function."""
    return str(request.META.get("REMOTE_ADDR", ""))
