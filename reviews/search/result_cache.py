"""Finished answers to searches, kept in this process for as long as the reviews stay as they are.

An answer joins the published fragments of its reviews, and its ETag is a hash of its bytes: every
process and every machine with the same reviews gives the same one. The caches are keyed by the
revision of the reviews, which is read at most every `VERSION_POLL_MS`; what they hold was read at
that revision or a later one.
"""

import datetime as dt
import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any, TypeVar

import orjson
from django.conf import settings

from publishing.snapshot import read_snapshot
from reviews.models import Revision
from reviews.roster import load_roster
from reviews.search.fields import HIGHEST, LOWEST, Position, cursor_text
from reviews.search.parameters import Search, query_string
from reviews.search.query import Result, find, find_removed
from reviews.selectors import aggregate_rating, choices, source_names

T = TypeVar("T")
CACHED_ANSWERS = 500  # Of 20 reviews an answer has about 15 kB.


class SearchAnswer:
    """The result as JSON text, with its strong ETag and the query string of its next page."""

    def __init__(self, body: bytes, next_page: str | None) -> None:
        self.body = body
        self.next_page = next_page
        self.etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'

    def naming(self, ignored: Sequence[str]) -> "SearchAnswer":
        """The same with the names of parameters that were ignored."""
        body = b'%b,"ignored_parameters":%b}' % (self.body[:-1], orjson.dumps(ignored))
        return SearchAnswer(body, self.next_page)


def search_reviews(search: Search) -> SearchAnswer:
    """The answer to `search`, as of one moment that is at most `VERSION_POLL_MS` past."""
    if search.ignored:
        return search_reviews(search._replace(ignored=())).naming(search.ignored)
    return _answer(search, _current_revision())


# The revision and the monotonic time before it was read.
_read: tuple[int, float] | None = None


def _current_revision() -> int:
    """The revision of the reviews, read within the last `VERSION_POLL_MS`; any thread may ask."""
    global _read  # noqa: PLW0603  (One of a process.)
    read, now = _read, time.monotonic()
    if read is None or (now - read[1]) * 1_000 > settings.VERSION_POLL_MS:
        _read = read = (Revision.objects.current(Revision.REVIEWS), now)
    return read[0]


@lru_cache(maxsize=CACHED_ANSWERS)
def _answer(search: Search, _revision: int) -> SearchAnswer:
    # PostgreSQL answers page and count by one statement, and a transaction takes as long as that.
    has_one = search.changed_since is None and not settings.USES_SQLITE
    with nullcontext() if has_one else read_snapshot():
        removed = None
        if search.changed_since is not None:
            removed = find_removed(search.changed_since) if search.cursor is None else []
        found = find(search, current_roster)
    return _written(search, found, removed)


_caches: list[Any] = [_answer]


def _once_per_revision(read: Callable[[], T]) -> Callable[[], T]:
    """The function, called again only when the reviews have changed."""
    read_at = lru_cache(maxsize=1)(lambda _revision: read())
    _caches.append(read_at)
    return lambda: read_at(_current_revision())


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


def _written(search: Search, found: Result, removed: list[str] | None) -> SearchAnswer:
    shown = found.fragments[: search.limit]
    has_more = len(found.fragments) > search.limit
    cursor = cursor_text(_position(shown[-1], search.sort)) if has_more else None
    following = b"null" if cursor is None else b'"%b"' % cursor.encode()
    more = b',"matched_is_lower_bound":true' if found.is_lower_bound else b""
    if removed is not None:
        more += b',"removed":%b' % orjson.dumps(removed)
    body = b'{"matched":%d,"returned":%d,"reviews":[%b],"next_cursor":%b%b}' % (
        found.matched,
        len(shown),
        ",".join(shown).encode(),
        following,
        more,
    )
    return SearchAnswer(body, None if cursor is None else query_string(search, cursor))


def _position(fragment: str, sort: str) -> Position:
    review = orjson.loads(fragment)
    stars = review["rating"] if sort in {HIGHEST, LOWEST} else 0
    return Position(dt.date.fromisoformat(review["date"]), review["id"], sort, stars)
