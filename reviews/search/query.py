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
from functools import lru_cache
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
BY_DAY = frozenset({NEWEST, OLDEST})
# SQLite has no statistics to plan by. `review_listed` holds the days and all that filters compare,
# so it is read in order and a text only when the rest matches. Table order reads texts fastest.
# Django 5.2 writes the condition of an index as NOT hidden and Django 6.1 as hidden = 0; an index
# keeps the form under which it was made.
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


Statement = tuple[str, list[Any]]  # SQL, and the values of its placeholders.


class Source(NamedTuple):
    """The visible reviews that satisfy all conditions, and how SQLite reads them."""

    conditions: Sequence[Condition]
    hint: str

    def statement(self) -> Statement:
        """The `FROM` and `WHERE` of a statement."""
        sql = " AND ".join([visible_condition(), *(condition.sql for condition in self.conditions)])
        values = [value for condition in self.conditions for value in condition.values]
        return f"FROM reviews_review r {self.hint} WHERE {sql}", values


def find(search: Search, roster: Callable[[], Roster]) -> Result:
    """The page and the count of a search. Only a search for mentions loads the roster.

    Run it inside a snapshot on SQLite, for its text index is counted by a statement of its own.
    """
    filters = _filters(search, roster)
    if filters is None:
        return Result()
    cap, in_index = settings.SEARCH_COUNT_CAP, None
    for_page = for_count = Source(filters, BY_DATE)
    if search.query:
        phrase = text_index.fold_for_search(search.query)
        compared = [*filters, text_index.contains(phrase)]
        is_by_date = search.sort in BY_DAY
        for_page = Source(compared, BY_DATE if is_by_date else ANY_ORDER)
        for_count = Source(compared, ANY_ORDER)
        if text_index.is_in_fts(phrase):
            in_index = text_index.count_in_fts(phrase, cap + 1)
            looked_up = Source([*filters, text_index.matches_fts(phrase)], ANY_ORDER)
            for_page = looked_up if in_index <= (COMMON if is_by_date else cap) else for_page
            for_count = looked_up if in_index <= cap else for_count
    if in_index == 0:
        return Result()
    is_counted = in_index is not None and not filters
    counting = _counting(for_count, cap + 1 if search.query else None)
    fragments, matched = _page(
        search, for_page, ("SELECT %s", [in_index]) if is_counted else counting
    )
    is_beyond = bool(search.query) and matched > cap
    return Result(fragments, cap if is_beyond else matched, is_beyond)


def find_removed(since: dt.datetime) -> list[str]:
    """The ids of reviews hidden or deleted since this moment, in order."""
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
        add("r.has_reply" if search.has_reply else "NOT r.has_reply")
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


@lru_cache(maxsize=1)
def visible_condition() -> str:
    """Condition of the visible reviews, in the words of SQLite's index `review_listed`.

    Only then does SQLite take the index, and count without reading the reviews.
    """
    if not settings.USES_SQLITE:
        return "NOT r.hidden"
    ((sql,),) = _fetch("SELECT sql FROM sqlite_master WHERE name = 'review_listed'", [])
    return str(sql).rpartition(" WHERE ")[2]


def _page(search: Search, source: Source, counting: Statement) -> tuple[list[str], int]:
    """The fragments of a page, and the number of matches.

    Matches are counted only when the page does not hold all of them.
    """
    if search.cursor is not None:
        source = source._replace(conditions=[*source.conditions, _after(search.cursor)])
    matching, values = source.statement()
    order = f"ORDER BY {ORDERS[search.sort]}"
    columns = "r.fragment" if settings.USES_SQLITE else "r.fragment, r.rating, r.date, r.ulid"
    if source.hint == BY_DATE and search.sort in BY_DAY:
        page = f"SELECT {columns} {matching} {order} LIMIT %s"
    else:  # Keys first: to sort whole rows takes longer.
        keys = f"SELECT r.id {matching} {order} LIMIT %s"
        page = f"SELECT {columns} FROM reviews_review r WHERE r.id IN ({keys}) {order}"
    values = [*values, search.limit + 1]
    whole = search.limit if search.cursor is None else -1  # A page of so many holds all matches.
    if settings.USES_SQLITE:
        rows = _fetch(page, values)
    else:  # One statement sees one moment, and takes less than a transaction of several.
        rows = _fetch(
            f"WITH page AS MATERIALIZED ({page}) SELECT r.fragment,"
            f" CASE WHEN (SELECT count(*) FROM page) > %s THEN ({counting[0]}) END"
            f" FROM page r {order}",
            [*values, whole, *counting[1]],
        )
    fragments = [row[0] for row in rows]
    if len(rows) <= whole:
        return fragments, len(rows)
    if settings.USES_SQLITE or not rows:
        return fragments, _fetch(*counting)[0][0]
    return fragments, rows[0][1]


def _counting(source: Source, limit: int | None) -> Statement:
    """Statement of the number of matches; no more than `limit` are counted."""
    matching, values = source.statement()
    if limit is None:
        return f"SELECT count(*) {matching}", values
    return f"SELECT count(*) FROM (SELECT 1 {matching} LIMIT %s) matching", [*values, limit]


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
