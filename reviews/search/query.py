"""A search in the database: its filters, its order, its page and its count.

A phrase that SQLite's text index knows is counted there first. If many reviews have it, reviews are
compared in their order until the page is full; otherwise the matches are sorted. PostgreSQL plans
the same by its statistics.
"""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q

from reviews.models import DeletedReview, Review
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST, Position
from reviews.search.filters import ReviewFilter, Reviews
from reviews.search.parameters import Search
from reviews.search.text_index import contains, count_in_fts, is_in_fts, matches_fts, without_index
from reviews.text_folding import fold_for_search

COMMON = 500  # From so many matches on, the page is found sooner by comparing reviews in order.
ORDERS = {
    NEWEST: ("-date", "-ulid"),
    OLDEST: ("date", "ulid"),
    HIGHEST: ("-rating", "-date", "-ulid"),
    LOWEST: ("rating", "-date", "-ulid"),
}
BY_DAY = frozenset({NEWEST, OLDEST})


class Result(NamedTuple):
    """A page of published reviews, and the number of matches.

    The page has one review more than the limit when another page follows.
    """

    fragments: Sequence[str] = ()
    matched: int = 0
    is_lower_bound: bool = False


def find(search: Search) -> Result:
    """The page and the count of a search. Run it inside a snapshot: it makes several queries."""
    filtered = ReviewFilter.apply(Review.objects.visible(), search)
    if not search.query:
        page = _page(search, filtered, is_sorted=search.sort not in BY_DAY)
        return _result(search, page, filtered)
    phrase, cap = fold_for_search(search.query), settings.SEARCH_COUNT_CAP
    in_index = count_in_fts(phrase, cap + 1) if is_in_fts(phrase) else None
    if in_index == 0:
        return Result()
    compared = filtered.filter(contains(phrase))
    looked_up = compared
    if in_index is not None:
        looked_up = without_index(filtered.filter(matches_fts(phrase)))
    # Of many matches the page is found sooner by comparing reviews in their order.
    is_common = in_index is None or in_index > (COMMON if search.sort in BY_DAY else cap)
    is_sorted = search.sort not in BY_DAY or not is_common
    page = _page(search, compared if is_common else looked_up, is_sorted=is_sorted)
    counted = without_index(compared.all()) if in_index is None or in_index > cap else looked_up
    result = _result(search, page, counted[: cap + 1])
    is_beyond = result.matched > cap
    return result._replace(matched=min(result.matched, cap), is_lower_bound=is_beyond)


def find_removed(since: dt.datetime) -> list[str]:
    """The ids of reviews hidden or deleted since this moment, in order."""
    hidden = Review.objects.filter(hidden=True, hidden_at__gte=since)
    deleted = DeletedReview.objects.filter(deleted_at__gte=since).values_list("ulid", flat=True)
    back = Review.objects.visible().filter(ulid__in=deleted)  # With their ids.
    removed = {*hidden.values_list("ulid", flat=True), *deleted}
    return sorted(removed.difference(back.values_list("ulid", flat=True)))


def _page(search: Search, reviews: Reviews, *, is_sorted: bool) -> list[str]:
    """The fragments of a page. `is_sorted`: no index has the reviews in their order."""
    if search.cursor is not None:
        reviews = reviews.filter(_after(search.cursor))
    order = ORDERS[search.sort]
    if is_sorted:  # Keys first: to sort whole rows takes longer.
        keys = reviews.order_by(*order).values("pk")[: search.limit + 1]
        reviews = Review.objects.filter(pk__in=keys)
    fragments = reviews.order_by(*order).values_list("fragment", flat=True)
    return list(fragments[: search.limit + 1])


def _result(search: Search, page: list[str], matching: Reviews) -> Result:
    """The page with the number of matches, counted only when it does not hold all of them."""
    is_whole = search.cursor is None and len(page) <= search.limit
    return Result(page, len(page) if is_whole else matching.count())


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
