"""Roster, rating and choices of the reviews, read again only when they have changed.

Caches of this process, keyed by the revision of the reviews, which is read at most every
`VERSION_POLL_MS`; what they hold was read at that revision or a later one.
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
    """The revision of the reviews, read within the last `VERSION_POLL_MS`; any thread may ask."""
    global _read  # noqa: PLW0603  (One of a process.)
    read, now = _read, time.monotonic()
    if read is None or (now - read[1]) * 1_000 > settings.VERSION_POLL_MS:
        _read = read = (Revision.objects.current(Revision.REVIEWS), now)
    return read[0]


def cached_by_revision(cached: T) -> T:
    """A cache of functions of the revision, which `forget` clears."""
    _caches.append(cached)
    return cached


def _once_per_revision(read: Callable[[], T]) -> Callable[[], T]:
    """The function, called again only when the reviews have changed."""
    read_at = cached_by_revision(lru_cache(maxsize=1)(lambda _revision: read()))
    return lambda: read_at(current_revision())


current_roster = _once_per_revision(load_roster)
current_rating = _once_per_revision(aggregate_rating)
current_choices = _once_per_revision(choices)
current_source_names = _once_per_revision(source_names)


def forget() -> None:
    """Drop everything that is cached."""
    global _read  # noqa: PLW0603  (One of a process.)
    _read = None
    for cached in _caches:
        cached.cache_clear()
