"""A fixed-window rate limit per client and scope, counted in the shared cache.

Each window has a key of its own, so that its count begins at zero. The caches of the settings
increment atomically: a limit is exact over all processes.
"""

import logging
import math
import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)

CACHE_RETRY_SECONDS = 5.0  # A cache that hangs costs one request its timeout, not every request.
LOG_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a request may pass, and the budget that remains to its client."""

    scope: str
    allowed: bool
    limit: int
    period_seconds: int
    remaining: int
    reset_seconds: int
    counted: bool = True  # False: the cache failed, and the request was let through.

    def headers(self) -> dict[str, str]:
        """The fields of draft-ietf-httpapi-ratelimit-headers."""
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.limit};w={self.period_seconds}',
            "RateLimit": f'"{self.scope}";r={self.remaining};t={self.reset_seconds}',
        }


class RateLimiter:
    """Rate limits as one process applies them; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_until = -math.inf
        self._logged_at = -math.inf

    def hit(self, scope: str, client: str, limit: int, period_seconds: int) -> Decision:
        """Count one request of `client` against `limit` requests in each `period_seconds`.

        The request passes when the cache fails: reading goes on without it.
        """
        now = time.time()
        window = int(now // period_seconds)
        reset_seconds = max(1, math.ceil((window + 1) * period_seconds - now))
        key = f"rate:{scope}:{client}:{period_seconds}:{window}"
        count = self._increment(key, reset_seconds + 1)
        if count is None:
            return Decision(scope, True, limit, period_seconds, limit, reset_seconds, counted=False)
        if count == limit + 1:  # Once in each window, whatever the number of processes.
            reached = "Limit of %s requests in %s s for %s is reached by %s"
            logger.warning(reached, limit, period_seconds, scope, client)
        remaining = max(0, limit - count)
        return Decision(scope, count <= limit, limit, period_seconds, remaining, reset_seconds)

    def _increment(self, key: str, timeout: int) -> int | None:
        """Count of the window with this request; None while the cache fails."""
        if time.monotonic() < self._open_until:
            return None
        try:
            return _incremented(key, timeout)
        except Exception as error:  # noqa: BLE001  Each cache backend has errors of its own.
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
    """Count of `key` after one more. Raises what the cache raises."""
    try:
        return cache.incr(key)
    except ValueError:  # The first request of the window.
        if cache.add(key, 1, timeout=timeout):
            return 1
    # Another process was first; or the database cache, which swallows its errors, cannot write.
    return cache.incr(key)


def try_again(seconds: int) -> str:
    """The sentence of a refusal that says when to come back."""
    return f"Please try again in {seconds} second{'' if seconds == 1 else 's'}."


limiter = RateLimiter()


def hit(scope: str, client: str) -> Decision | None:
    """Count one request of `client` against the limit of `scope`; None when there is no limit."""
    rate = settings.RATE_LIMITS.get(scope)
    return limiter.hit(scope, client, *rate) if rate else None
