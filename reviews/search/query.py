"""The search itself: which visible reviews match, in order of date, and how many there are.

The order by stars is that of one rating after the other (`reviews.search.result_cache`).

A hot path in raw SQL (`reviews.search.statements`), as no ORM would look where we look: with
100,000 reviews a page of matches for a rare word takes 0.1 ms where a scan takes 60.

**SQLite's indexes of texts** (FTS5) give the places of the matches (see
`reviews.search.packed_rowids`), newest first; days are a range of places, and stars a part of each.
No text is read: a needle within words is looked up by the words that contain it (see
`reviews.search.words`), any other as a phrase, since the index of trigrams knows where in a text
each of them stands.

**All other searches** (on PostgreSQL, for mentions alone, for needles without trigrams) look for
a page in two steps.

1. **The newest blocks.** Most needles are words that many reviews contain, so the page is full
   after a few dozen rows of the (date, ulid) index.
2. **The index of what is rare.** A needle that the blocks do not hold often enough is looked up by
   its trigrams (pg_trgm, and every candidate is compared), a mention by its own index. A needle
   without trigrams walks all reviews instead.
"""
# ruff: noqa: S608  (Every statement is put together from constants of this project.)

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from core.db.raw import fetch, iterate
from reviews.search.criteria import Criteria
from reviews.search.fields import Position
from reviews.search.packed_rowids import DAY_SHIFT, end_of, page_among, start_of
from reviews.search.statements import (
    COLUMNS,
    KEY,
    LISTED,
    NEWEST_FIRST,
    PLACE,
    REVISION,
    Part,
    by_ids,
    first_block,
    first_of,
    following,
    has_trigrams,
    in_order,
    indexed,
    is_needle_indexed,
    is_phrase,
    lookup,
    narrowed,
    removed_since,
    scan,
    walk,
)
from reviews.search.words import Words, is_inside_words, words_with
from reviews.stars import STARS

BLOCK = 500
LARGE_BLOCK = 10_000
# So many matches around one page lie on one day: to sort them takes longer than to walk.
LARGE_DAY = 2_000
# The share of the newest reviews with a needle from which on a walk to the cap costs the least.
COMMON = 0.25
WALK_MILLISECONDS = 5_000
ANY_STARS = 0


class Page(NamedTuple):
    """Published reviews, newest first."""

    fragments: list[bytes]
    revision: int | None  # Of all reviews, as the same statement saw it; None for an empty page.


class Count(NamedTuple):
    matched: int
    is_lower_bound: bool = False


def find_words(needle: str) -> Words | None:
    """What the words of the reviews tell of the needle, if it is one for words."""
    if settings.USES_SQLITE and is_inside_words(needle):
        return words_with(needle, has_trigrams=is_phrase(needle))
    return None


def find_page(
    wanted: Criteria,
    words: Words | None,
    after: Position | None,
    size: int,
    *,
    oldest: bool = False,
) -> Page:
    """The first `size` matches that follow the position, newest first or oldest first."""
    if wanted.is_of_one_index:
        return _fetch(in_order(walk(wanted, after), size, oldest=oldest))
    if words is not None and words.found == ():
        return Page([], None)
    if is_needle_indexed(wanted.needle, words):
        page = _find_indexed(wanted, words, after, size, oldest=oldest)
        if page is not None:
            return page
    with _statement_timeout(wanted):
        return _find_page(wanted, after, size, oldest=oldest)


def _find_page(wanted: Criteria, after: Position | None, size: int, *, oldest: bool) -> Page:
    block = partial(first_block, wanted, after, size, oldest=oldest)
    page = _fetch(by_ids(block(BLOCK), oldest=oldest))
    if len(page.fragments) == size:
        return page
    # What the block holds tells how many of the large one are needed; half of them are worth a try.
    is_worth_a_try = 2 * size * BLOCK <= len(page.fragments) * LARGE_BLOCK
    rare = None if is_worth_a_try else lookup(wanted, after)
    if rare is None:
        page = _fetch(by_ids(block(LARGE_BLOCK), oldest=oldest))
        if len(page.fragments) == size:
            return page
        rare = lookup(wanted, after)
    if page.fragments and rare is None:
        return _fetch(in_order(walk(wanted, after), size, oldest=oldest))
    first = first_of(rare or scan(wanted, after), size, oldest=oldest)
    return _fetch(by_ids(first, oldest=oldest))


def _find_indexed(
    wanted: Criteria, words: Words | None, after: Position | None, size: int, *, oldest: bool
) -> Page | None:
    """The page as SQLite's indexes of texts lead to it; None when one day has too many matches.

    FTS5 looks for no more matches than are taken.
    """
    # CROSS JOIN: the index first, however SQLite estimates.
    found = indexed(wanted, words, f"CROSS JOIN reviews_review r ON r.id = {KEY}")
    if after is not None and oldest:
        found = narrowed(found, Part("t.rowid > %s", [start_of(after.date)]))
    elif after is not None:
        found = narrowed(found, Part("t.rowid < %s", [end_of(after.date)]))
    by_day = "ORDER BY t.rowid" if oldest else "ORDER BY t.rowid DESC"
    in_turn = f"SELECT t.rowid, r.ulid, {COLUMNS} {found.sql} {by_day}"
    with closing(iterate(in_turn, found.parameters)) as matches:
        rows = page_among(islice(matches, LARGE_DAY + 1), after, size)
    if len(rows) > LARGE_DAY:
        return None
    rows.sort(key=_day_and_ulid, reverse=not oldest)
    if after is not None:
        position = after.date.toordinal(), after.ulid
        rows = [
            row
            for row in rows
            if (position < _day_and_ulid(row) if oldest else _day_and_ulid(row) < position)
        ]
    return Page([row[2] for row in rows[:size]], rows[0][3] if rows else None)


def _day_and_ulid(row: tuple[Any, ...]) -> tuple[int, str]:
    return row[0] >> DAY_SHIFT, row[1]


def find_rows(ids: list[int], after: Position | None, size: int, *, oldest: bool = False) -> Page:
    """The first `size` of the reviews with these ids that follow the position, in order."""
    if not ids:
        return Page([], None)
    if settings.USES_SQLITE:
        # CROSS JOIN, which costs less than an IN that has to be sorted out first.
        listed = Part(
            "FROM json_each(%s) ids CROSS JOIN reviews_review r ON r.id = ids.value", [str(ids)]
        )
    else:
        listed = Part("FROM reviews_review r WHERE r.id = ANY(%s)", [ids])
    for condition in following(after):
        listed = narrowed(listed, condition)
    return _fetch(in_order(listed, size, oldest=oldest))


def find_removed(instant: dt.datetime) -> list[str]:
    """The ids of reviews that were hidden or deleted at or after this moment, in order."""
    return sorted({ulid for (ulid,) in fetch(*removed_since(instant))})


def find_places(contents: Criteria, words: Words | None) -> list[int] | None:
    """The places of reviews that say this, or None when they are more than `SEARCH_COUNT_CAP`.

    In any order; `contents` must be in an index.
    """
    if is_needle_indexed(contents.needle, words):
        place, source = "t.rowid", indexed(contents, words)
    else:
        found = lookup(contents)
        assert found is not None  # noqa: S101  (asked for above)
        place, source = PLACE, found
    # In one text, for a row takes longer to fetch than to find.
    listed = f"SELECT {LISTED} FROM (SELECT {place} AS place {source.sql} LIMIT %s) places"
    cap = settings.SEARCH_COUNT_CAP
    ((text,),) = fetch(listed, [*source.parameters, cap + 1])
    if not text:
        return []
    return None if text.count(",") == cap else list(map(int, text.split(",")))


def is_indexed(contents: Criteria) -> bool:
    """Whether an index knows the reviews that say this."""
    return bool(contents.mentions) or has_trigrams(contents.needle)


def known_count(wanted: Criteria, words: Words | None) -> Count | None:
    """The count, if the words tell it."""
    if words is None or words.matched is None or wanted != Criteria(needle=wanted.needle):
        return None
    return counted(wanted, words.matched)


def count(wanted: Criteria, words: Words | None) -> Count:
    """How many reviews match. With a needle, more than `SEARCH_COUNT_CAP` are not counted."""
    if words is not None and words.found == ():
        return Count(0)
    if is_needle_indexed(wanted.needle, words):
        source = indexed(wanted, words)
    else:
        source = lookup(wanted) or scan(wanted)
    if not wanted.needle:
        return Count(_number(f"SELECT count(*) {source.sql}", source.parameters))
    with _statement_timeout(wanted):
        if _is_common(wanted):
            walked = walk(wanted)
            source = Part(f"{walked.sql} {NEWEST_FIRST}", walked.parameters)
        matched = _number(
            f"SELECT count(*) FROM (SELECT 1 {source.sql} LIMIT %s) matches",
            [*source.parameters, settings.SEARCH_COUNT_CAP + 1],
        )
    return counted(wanted, matched)


def _is_common(wanted: Criteria) -> bool:
    """Whether PostgreSQL counts up to the cap soonest on a walk from the newest review inside the
    bounds.

    It would read all reviews for a needle that most of them have, whatever the bounds. One index
    must know these: reviews of two ratings it meets on a walk through those of all.
    """
    is_of_one_index = wanted.has_bounds and len(wanted.ratings or ()) <= 1 and not wanted.mentions
    if settings.USES_SQLITE or not is_of_one_index or wanted.has_attributes:
        return False
    newest = first_block(wanted, None, BLOCK, BLOCK)
    matched = _number(f"SELECT count(*) FROM ({newest.sql}) newest", newest.parameters)
    return matched > COMMON * BLOCK


def counted(wanted: Criteria, matched: int) -> Count:
    """The count to publish when this many matches were found."""
    cap = settings.SEARCH_COUNT_CAP
    is_beyond = bool(wanted.needle) and matched > cap
    return Count(cap, is_lower_bound=True) if is_beyond else Count(matched)


def revision() -> int:
    """The revision of the reviews that a query sees now."""
    return _number(f"SELECT {REVISION}", [])


class Histogram:
    """How many visible reviews of these attributes each day has with each rating, and with any.

    Reading it costs what counting all reviews once costs, and then every count without text or
    mentions is a few steps of bisection.
    """

    def __init__(self, wanted: Criteria) -> None:
        self._days: dict[int, list[dt.date]] = {stars: [] for stars in (ANY_STARS, *STARS)}
        self._until: dict[int, list[int]] = {stars: [0] for stars in (ANY_STARS, *STARS)}
        source = walk(wanted.attributes)
        by_day = (
            f"SELECT r.rating, r.date, count(*) {source.sql}"
            " GROUP BY r.rating, r.date ORDER BY r.date"
        )
        for stars, date, number in fetch(by_day, source.parameters):
            self._add(stars, date, number)
            self._add(ANY_STARS, date, number)

    def _add(self, stars: int, date: dt.date, number: int) -> None:
        days, until = self._days[stars], self._until[stars]
        if days and days[-1] == date:
            until[-1] += number
        else:
            days.append(date)
            until.append(until[-1] + number)

    def count(self, wanted: Criteria) -> Count:
        """The count for criteria that name ratings and days besides these attributes."""
        matched = 0
        for stars in wanted.ratings or (ANY_STARS,):
            days, until = self._days[stars], self._until[stars]
            first = bisect_left(days, wanted.since) if wanted.since else 0
            last = bisect_right(days, wanted.until) if wanted.until else len(days)
            matched += until[last] - until[first]
        return Count(matched)


# --- Running them ---------------------------------------------------------------------------------


@contextmanager
def _statement_timeout(wanted: Criteria) -> Iterator[None]:
    """Let PostgreSQL give up a walk through very many texts, rather than the other readers.

    Whoever asked is told to try again. What an index knows needs no bound, and no transaction.
    """
    if settings.USES_SQLITE or is_indexed(wanted):
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = %s", [WALK_MILLISECONDS])
        yield


def _fetch(source: Part) -> Page:
    rows = fetch(*source)
    fragments = [fragment for fragment, _ in rows]
    if not settings.USES_SQLITE:
        fragments = [fragment.encode() for fragment in fragments]
    return Page(fragments, rows[0][1] if rows else None)


def _number(sql: str, parameters: list[Any]) -> int:
    ((number,),) = fetch(sql, parameters)
    return int(number)
