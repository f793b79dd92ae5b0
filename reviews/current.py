"""Cache the roster, rating and choices of the reviews until the reviews change.

Each process keys its caches by the revision of the reviews, which it reads at most every
`VERSION_POLL_MS`. A cached value was read at that revision or a later one.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from django.conf import settings

from reviews.models import Revision
from reviews.roster import load_roster
from reviews.selectors import aggregate_rating, choices, source_names

T = TypeVar("T")
# The revision and the monotonic time before it was read.
_read: tuple[int, float] | None = None
_caches: list[Any] = []


def current_revision() -> int:
    """Revision of the reviews, at most `VERSION_POLL_MS` old; safe to call from any thread."""
    global _read  # noqa: PLW0603  (One per process.)
    read, now = _read, time.monotonic()
    if read is None or (now - read[1]) * 1_000 > settings.VERSION_POLL_MS:
        _read = read = (Revision.objects.current(Revision.REVIEWS), now)
    return read[0]


def cached_by_revision(cached: T) -> T:
    """Register an `lru_cache` keyed by the revision, for `clear_caches`."""
    _caches.append(cached)
    return cached


def _once_per_revision(read: Callable[[], T]) -> Callable[[], T]:
    """Cache the result of a function until the reviews change."""
    read_at = cached_by_revision(lru_cache(maxsize=1)(lambda _revision: read()))
    return lambda: read_at(current_revision())


current_roster = _once_per_revision(load_roster)
current_rating = _once_per_revision(aggregate_rating)
current_choices = _once_per_revision(choices)
current_source_names = _once_per_revision(source_names)


def clear_caches() -> None:
    global _read  # noqa: PLW0603  (One per process.)
    _read = None
    for cached in _caches:
        cached.cache_clear()
