"""How often: a fixed-window budget for each client of a scope, counted over all processes.

The count is kept in the shared cache, so that it holds over all processes, and taken from there in
leases: a budget is cut into about twenty numbered shares, a process claims one with the cache's
`add` (atomic on every backend: one process alone gets a share) and spends it from memory. A limit
below forty is exact to the request over any number of processes; a larger one never admits more,
and costs the cache a call only every twentieth of the budget.
"""

import logging
import math
import threading
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)

SHARES = 20
MAX_BUDGETS = 20_000
CACHE_RETRY_SECONDS = 5.0  # A cache that hangs costs one request its timeout, not every request.
LOG_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Decision:
    """May this request pass, and what is left of the budget it was counted against."""

    scope: str
    allowed: bool
    limit: int
    period_seconds: int
    remaining: int
    reset_seconds: int
    counted: bool = True  # False: the cache could not be asked, and the request was let through.

    def headers(self) -> dict[str, str]:
        """The fields of draft-ietf-httpapi-ratelimit-headers."""
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.limit};w={self.period_seconds}',
            "RateLimit": f'"{self.scope}";r={self.remaining};t={self.reset_seconds}',
        }


@dataclass(slots=True)
class Window:
    """What this process holds of one client's budget in one window."""

    window: int
    tokens: int = 0
    next_share: int = 0


class RateLimiter:
    """Budgets of all clients as one process sees them; safe to use from any thread."""

    def __init__(self) -> None:
        self._budgets: dict[tuple[str, str], Window] = {}
        self._lock = threading.Lock()
        self._open_until = 0.0
        self._logged_at = -math.inf

    def hit(self, scope: str, client: str, limit: int, period_seconds: int) -> Decision:
        """Count one request of `client` against `limit` requests in each `period_seconds`.

        When the cache cannot be asked, the request passes: reading goes on without it.
        """
        now = time.time()
        window = int(now // period_seconds)
        reset_seconds = max(1, math.ceil((window + 1) * period_seconds - now))
        share_size = max(1, limit // SHARES)
        budget = self._budget(scope, client, window)

        def decide(*, allowed: bool, counted: bool = True) -> Decision:
            unclaimed = max(0, limit - budget.next_share * share_size)
            remaining = budget.tokens + unclaimed if counted else limit
            return Decision(
                scope, allowed, limit, period_seconds, remaining, reset_seconds, counted
            )

        with self._lock:
            if budget.tokens:
                budget.tokens -= 1
                return decide(allowed=True)
            share = budget.next_share

        # Outside the lock: one client's wait for the cache must not hold up the others.
        key = f"rate:{scope}:{client}:{period_seconds}:{window}"
        claimed = self._claim(key, share, math.ceil(limit / share_size), reset_seconds)
        if claimed is None:
            return decide(allowed=True, counted=False)

        with self._lock:
            budget.next_share = max(budget.next_share, claimed + 1)
            # The last share may be a small one; past it there is none, and the size is negative.
            budget.tokens += max(0, min(share_size, limit - claimed * share_size))
            allowed = budget.tokens > 0
            budget.tokens -= allowed
            return decide(allowed=allowed)

    def _budget(self, scope: str, client: str, window: int) -> Window:
        with self._lock:
            budget = self._budgets.get((scope, client))
            if budget is None or budget.window != window:
                self._make_room()
                budget = self._budgets[scope, client] = Window(window)
            return budget

    def _make_room(self) -> None:
        """Let a flood of addresses cost bounded memory.

        What the forgotten ones had left is lost to them until their window ends; nobody gets more
        than the limit by it.
        """
        if len(self._budgets) >= MAX_BUDGETS:
            for forgotten in list(self._budgets)[: MAX_BUDGETS // 2]:
                del self._budgets[forgotten]

    def _claim(self, key: str, share: int, shares: int, seconds: int) -> int | None:
        """Number of the share now ours; `shares` if all are taken, None if there is no telling."""
        if time.monotonic() < self._open_until:
            return None
        try:
            while share < shares:
                if cache.add(f"{key}:{share}", 1, timeout=seconds + 1):
                    return share
                keys = [f"{key}:{number}" for number in range(share, shares)]
                taken = cache.get_many(keys)
                if keys[0] not in taken:
                    # The database cache keeps its failures to itself: neither ours nor another's.
                    self._open_circuit("a count could not be written")
                    return None
                share += next((n for n, k in enumerate(keys) if k not in taken), len(keys))
        except Exception as error:  # noqa: BLE001  Each cache backend has errors of its own.
            self._open_circuit(repr(error))
            return None
        return shares

    def _open_circuit(self, cause: str) -> None:
        now = time.monotonic()
        self._open_until = now + CACHE_RETRY_SECONDS
        if now - self._logged_at >= LOG_SECONDS:
            self._logged_at = now
            logger.error("Rate limits are not applied, since the shared cache fails: %s", cause)


def try_again(seconds: int) -> str:
    """The remedy for whoever has spent a budget, as a sentence."""
    return f"Please try again in {seconds} second{'' if seconds == 1 else 's'}."


counter = RateLimiter()


def hit(scope: str, client: str) -> Decision | None:
    """Count one request of `client` against the limit of `scope`; None when there is no limit."""
    rate = settings.RATE_LIMITS.get(scope)
    return counter.hit(scope, client, *rate) if rate else None
