"""Finished answers to searches, kept in this process for as long as the reviews stay as they are.

An answer joins the published fragments of its reviews, and its ETag is a hash of its bytes: every
process and every machine with the same reviews gives the same one.
"""

import datetime as dt
import hashlib
from collections.abc import Sequence
from functools import lru_cache

import orjson

from publishing.snapshot import read_snapshot
from reviews.current import cached_by_revision, current_revision
from reviews.search.fields import HIGHEST, LOWEST, Position, cursor_text
from reviews.search.parameters import Search, query_string
from reviews.search.query import Result, find, find_removed

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
    return _answer(search, current_revision())


@cached_by_revision
@lru_cache(maxsize=CACHED_ANSWERS)
def _answer(search: Search, _revision: int) -> SearchAnswer:
    with read_snapshot():
        removed = None
        if search.changed_since is not None:
            removed = find_removed(search.changed_since) if search.cursor is None else []
        found = find(search)
    return _written(search, found, removed)


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
