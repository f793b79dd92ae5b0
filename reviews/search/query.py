"""The search of the visible reviews: filters, order, page, count, and answers kept until a change.

An answer joins the published JSON of its reviews, and its ETag is a hash of its bytes: every
process and every machine with the same reviews gives the same one.
"""

import datetime as dt
import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import orjson
from django.conf import settings
from django.db.models import Q

from publishing.snapshot import read_snapshot
from reviews.current import cached_by_revision, current_revision
from reviews.models import DeletedReview, Review
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST, Position, cursor_text
from reviews.search.filters import ReviewFilter
from reviews.search.parameters import Search, query_string

CACHED_ANSWERS = 500  # Of 20 reviews an answer has about 15 kB.
ORDERS = {
    NEWEST: ("-date", "-ulid"),
    OLDEST: ("date", "ulid"),
    HIGHEST: ("-rating", "-date", "-ulid"),
    LOWEST: ("rating", "-date", "-ulid"),
}
BY_STARS = frozenset({HIGHEST, LOWEST})


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
    return _answer(tuple(search.items()), current_revision())


@cached_by_revision
@lru_cache(maxsize=CACHED_ANSWERS)
def _answer(values: tuple[tuple[str, Any], ...], _revision: int) -> SearchAnswer:
    search = dict(values)
    limit, removed = search["limit"], None
    with read_snapshot():
        if "changed_since" in search:
            removed = [] if "cursor" in search else find_removed(search["changed_since"])
        found = find(search)
    shown = found.page[:limit]
    cursor = following = None
    if len(found.page) > limit:
        cursor = cursor_text(_position(shown[-1], search["sort"]))
        following = query_string(search, cursor)
    rest = {
        "next_cursor": cursor,
        **({"matched_is_lower_bound": True} if found.is_lower_bound else {}),
        **({} if removed is None else {"removed": removed}),
    }
    body = b'{"matched":%d,"returned":%d,"reviews":[%b],%b' % (
        found.matched,
        len(shown),
        ",".join(shown).encode(),
        orjson.dumps(rest)[1:],
    )
    return SearchAnswer(body, following)


class Result(NamedTuple):
    """A page of published reviews, and the number of matches.

    The page has one review more than the limit when another page follows.
    """

    page: Sequence[str]
    matched: int
    is_lower_bound: bool = False


def find(search: Search) -> Result:
    """The page and the count of a search. Run it inside a snapshot: it makes several queries."""
    matching = following = ReviewFilter.apply(Review.objects.visible(), search)
    if "cursor" in search:
        following = matching.filter(_after(search["cursor"]))
    order, most = ORDERS[search["sort"]], search["limit"] + 1
    if search["sort"] in BY_STARS:  # Keys first: to sort whole rows takes longer.
        following = Review.objects.filter(pk__in=following.order_by(*order).values("pk")[:most])
    page = list(following.order_by(*order).values_list("fragment", flat=True)[:most])
    cap = settings.SEARCH_COUNT_CAP if search.get("query") else None
    is_whole = "cursor" not in search and len(page) <= search["limit"]
    matched = len(page) if is_whole else matching[: cap and cap + 1].count()
    if cap is None or matched <= cap:
        return Result(page, matched)
    return Result(page, cap, is_lower_bound=True)


def find_removed(since: dt.datetime) -> list[str]:
    """The ids of reviews hidden or deleted since this moment, in order."""
    hidden = Review.objects.filter(hidden=True, hidden_at__gte=since)
    deleted = DeletedReview.objects.filter(deleted_at__gte=since).values_list("ulid", flat=True)
    back = Review.objects.visible().filter(ulid__in=deleted)  # With their ids.
    removed = {*hidden.values_list("ulid", flat=True), *deleted}
    return sorted(removed.difference(back.values_list("ulid", flat=True)))


def _position(published: str, sort: str) -> Position:
    review = orjson.loads(published)
    stars = review["rating"] if sort in BY_STARS else 0
    return Position(dt.date.fromisoformat(review["date"]), review["id"], sort, stars)


def _after(position: Position) -> Q:
    """Condition on the reviews that follow the position in its order."""
    date, ulid = position.date, position.ulid
    if position.sort == OLDEST:
        return Q(date__gte=date) & (Q(date__gt=date) | Q(ulid__gt=ulid))
    older = Q(date__lte=date) & (Q(date__lt=date) | Q(ulid__lt=ulid))
    if position.sort == NEWEST:
        return older
    beyond = "lt" if position.sort == HIGHEST else "gt"
    return Q(**{f"rating__{beyond}": position.stars}) | Q(rating=position.stars) & older
