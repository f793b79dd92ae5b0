"""One SQL query for every search: its filters, its order, its page and its count.

Written as SQL, since Django's ORM takes longer to build these queries than the databases to answer
them: 1 ms instead of 0.05 (`docs/decisions/0030-one-text-index.md`).

A phrase that SQLite's text index knows is counted there first. If many reviews have it, reviews are
compared in their order until the page is full; otherwise the matches are sorted. PostgreSQL plans
the same by its statistics.
"""
# ruff: noqa: S608  (Every statement is put together from constants; values are parameters.)

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from review_analysis.name_matching import Roster
from reviews.search import text_index
from reviews.search.fields import HIGHEST, LOWEST, NEWEST, OLDEST, Position
from reviews.search.parameters import Search
from reviews.search.text_index import Condition

COMMON = 500  # From so many matches on, the page is found sooner by comparing reviews in order.
ORDERS = {
    NEWEST: "r.date DESC, r.ulid DESC",
    OLDEST: "r.date, r.ulid",
    HIGHEST: "r.rating DESC, r.date DESC, r.ulid DESC",
    LOWEST: "r.rating, r.date DESC, r.ulid DESC",
}
# SQLite has no statistics to plan by. `review_listed` holds the days and all that filters compare,
# so it is read in order and a text only when the rest matches. Table order reads texts fastest.
# SQLite takes a partial index only for its own condition, which Django 5.2 writes as NOT hidden and
# Django 6.1 as hidden = 0. An index keeps the form under which it was made.
VISIBLE = "NOT r.hidden AND r.hidden = 0" if settings.USES_SQLITE else "NOT r.hidden"
HIDDEN = "r.hidden AND r.hidden = 1" if settings.USES_SQLITE else "r.hidden"
BY_DATE = "INDEXED BY review_listed" if settings.USES_SQLITE else ""
ANY_ORDER = "NOT INDEXED" if settings.USES_SQLITE else ""


class Result(NamedTuple):
    """A page of published reviews, and the number of matches.

    The page has one review more than the limit when another page follows.
    """

    fragments: Sequence[str] = ()
    matched: int = 0
    is_lower_bound: bool = False


class Source(NamedTuple):
    """The visible reviews that satisfy all conditions, and how SQLite reads them."""

    conditions: Sequence[Condition]
    hint: str

    def statement(self) -> tuple[str, list[Any]]:
        """The `FROM` and `WHERE` of a statement, and the values of its placeholders."""
        sql = " AND ".join([VISIBLE, *(condition.sql for condition in self.conditions)])
        values = [value for condition in self.conditions for value in condition.values]
        return f"FROM reviews_review r {self.hint} WHERE {sql}", values


def find(search: Search, roster: Callable[[], Roster]) -> Result:
    """The page and the count of a search. Only a search for mentions loads the roster.

    Run it inside a snapshot, for page and count are statements of their own.
    """
    filters = _filters(search, roster)
    if filters is None:
        return Result()
    cap, in_index = settings.SEARCH_COUNT_CAP, None
    for_page = for_count = Source(filters, BY_DATE)
    if search.query:
        phrase = text_index.fold_for_search(search.query)
        compared = [*filters, text_index.contains(phrase)]
        is_by_date = search.sort in {NEWEST, OLDEST}
        for_page = Source(compared, BY_DATE if is_by_date else ANY_ORDER)
        for_count = Source(compared, ANY_ORDER)
        if text_index.is_in_fts(phrase):
            in_index = text_index.count_in_fts(phrase, cap + 1)
            looked_up = Source([*filters, text_index.matches_fts(phrase)], ANY_ORDER)
            for_page = looked_up if in_index <= (COMMON if is_by_date else cap) else for_page
            for_count = looked_up if in_index <= cap else for_count
    if in_index == 0:
        return Result()
    fragments = _page(search, for_page)
    if search.cursor is None and len(fragments) <= search.limit:
        matched = len(fragments)
    elif in_index is not None and not filters:
        matched = in_index
    else:
        matched = _count(for_count, limit=cap + 1 if search.query else None)
    is_beyond = bool(search.query) and matched > cap
    return Result(fragments, cap if is_beyond else matched, is_beyond)


def find_removed(since: dt.datetime) -> list[str]:
    """The ids of reviews that were hidden or deleted at or after this moment, in order."""
    moment = _adapted(since)
    rows = _fetch(
        f"SELECT r.ulid FROM reviews_review r WHERE {HIDDEN} AND r.hidden_at >= %s"
        " UNION ALL SELECT d.ulid FROM reviews_deletedreview d WHERE d.deleted_at >= %s"
        # It may have come back with its id.
        " AND NOT EXISTS (SELECT 1 FROM reviews_review r WHERE r.ulid = d.ulid AND NOT r.hidden)",
        [moment, moment],
    )
    # Sorted here: to sort them SQLite would read all reviews.
    return sorted({ulid for (ulid,) in rows})


def _filters(search: Search, roster: Callable[[], Roster]) -> list[Condition] | None:
    """The filters of a search but its query; None when it names an unknown mention."""
    filters: list[Condition] = []

    def add(sql: str, *values: Any) -> None:
        filters.append(Condition(sql, values))

    for name, sql in COMPARISONS.items():
        if (value := getattr(search, name)) not in {None, ""}:
            add(sql, _adapted(value))
    if search.source:
        marks = ", ".join(["%s"] * len(search.source))
        add(f"r.source IN ({marks})", *search.source)
    if search.has_text is not None:
        # By the language, which the index holds: none without a text, null before it was detected.
        sign = "<>" if search.has_text else "="
        add(f"coalesce(r.language, 'und') {sign} ''")
    if search.has_reply is not None:
        add("r.reply_date IS NOT NULL" if search.has_reply else "r.reply_date IS NULL")
    for kind, slug in _mentions(search, roster):
        if slug is None:
            return None
        add(
            "r.id IN (SELECT m.review_id FROM reviews_mention m"
            " WHERE m.kind = %s AND m.subject = %s)",
            *(kind, slug),
        )
    return filters


COMPARISONS = {
    "rating": "r.rating = %s",
    "min_rating": "r.rating >= %s",
    "max_rating": "r.rating <= %s",
    "since": "r.date >= %s",
    "until": "r.date <= %s",
    "language": "r.language = %s",
    "changed_since": "r.modified_at >= %s",
}


def _mentions(search: Search, roster: Callable[[], Roster]) -> Sequence[tuple[str, str | None]]:
    """The kind and slug of each mention; the slug of an unknown name is None."""
    mentions = []
    if search.mentions_technician:
        slug = roster().resolve_technician(search.mentions_technician)
        mentions.append(("technician", slug))
    if search.mentions_service:
        mentions.append(("service", roster().resolve_service(search.mentions_service)))
    return mentions


def _page(search: Search, source: Source) -> list[str]:
    if search.cursor is not None:
        source = source._replace(conditions=[*source.conditions, _after(search.cursor)])
    matching, values = source.statement()
    order = ORDERS[search.sort]
    # Keys first: to sort whole rows takes longer.
    rows = _fetch(
        "SELECT r.fragment FROM reviews_review r WHERE r.id IN"
        f" (SELECT r.id {matching} ORDER BY {order} LIMIT %s) ORDER BY {order}",
        [*values, search.limit + 1],
    )
    return [fragment for (fragment,) in rows]


def _count(source: Source, limit: int | None) -> int:
    """Number of matches; no more than `limit` are counted."""
    matching, values = source.statement()
    if limit is None:
        rows = _fetch(f"SELECT count(*) {matching}", values)
    else:
        rows = _fetch(
            f"SELECT count(*) FROM (SELECT 1 {matching} LIMIT %s) matching", [*values, limit]
        )
    return int(rows[0][0])


def _after(position: Position) -> Condition:
    """Condition on the reviews that follow the position in its order."""
    values = (position.date.isoformat(), position.ulid)
    if position.sort == OLDEST:
        return Condition("(r.date, r.ulid) > (%s, %s)", values)
    if position.sort == NEWEST:
        return Condition("(r.date, r.ulid) < (%s, %s)", values)
    beyond = "<" if position.sort == HIGHEST else ">"
    return Condition(
        f"(r.rating {beyond} %s OR (r.rating = %s AND (r.date, r.ulid) < (%s, %s)))",
        (position.stars, position.stars, *values),
    )


def _adapted(value: Any) -> Any:
    """The value as both databases take it."""
    if isinstance(value, dt.datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value.isoformat() if isinstance(value, dt.date) else value


def _fetch(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
