"""The search itself: which visible reviews match, newest first, and how many there are.

A hot path in raw SQL, as no ORM would look where we look: with 100,000 reviews a page of matches
for a rare word takes 0.3 ms where a scan takes 160.

**SQLite's indexes of texts** (FTS5) give the places of the matches (see `reviews.places`), newest
first; days are a range of places, and stars a part of each. No text is read: a needle within words
is looked up by the words that contain it (see `reviews.vocabulary`), any other as a phrase, since
the index of trigrams knows where in a text each of them stands.

**All other searches** (on PostgreSQL, for mentions alone, for needles without trigrams) look for
a page in two steps.

1. **The newest blocks.** Most needles are words that many reviews contain, so the page is full
   after a few dozen rows of the (date, ulid) index.
2. **The index of what is rare.** A needle that the blocks do not hold often enough is looked up by
   its trigrams (pg_trgm, and every candidate is compared), a mention by its own index. A needle
   without trigrams walks all reviews instead.
"""

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from reviews.connections import fetch, stream
from reviews.mentions import Roster
from reviews.models import Revision
from reviews.parameter_kinds import Position
from reviews.parameters import Search
from reviews.places import (
    DAY_SHIFT,
    KEY_MASK,
    ON_POSTGRESQL,
    ON_SQLITE,
    STARS_BITS,
    STARS_MASK,
    end_of,
    page_among,
    start_of,
)
from reviews.text import fold
from reviews.vocabulary import Words, is_inside_words, words_with

BLOCK = 500
LARGE_BLOCK = 10_000
# So many matches around one page lie on one day: to sort them takes longer than to walk.
LARGE_DAY = 2_000
# The share of the newest reviews with a needle from which on a walk to the cap costs the least.
COMMON = 0.25
WALK_MILLISECONDS = 5_000
STARS = (1, 2, 3, 4, 5)
ANY_STARS = 0
# What FTS5 tells apart: it takes the last two code points of the plane for the one before them.
TRIGRAM = 3
PHRASE = re.compile(r"[^\ufffd-\uffff]{3,}")
# The longer a phrase, the longer FTS5 takes; what so many characters leave is compared instead.
PHRASE_CHARACTERS = 24
# pg_trgm sees words alone, so a needle without three signs of a word in a row gives it nothing.
WORD = re.compile(r"[^\W_]{3}")


class Page(NamedTuple):
    """Published reviews, newest first."""

    fragments: list[bytes]
    revision: int | None  # Of all reviews, as the same statement saw it; None for an empty page.


class Count(NamedTuple):
    matched: int
    is_lower_bound: bool = False


class Criteria(NamedTuple):
    """What a visible review must satisfy: the filters of a search, folded and resolved."""

    ratings: tuple[int, ...] | None = None  # None for any.
    since: dt.date | None = None
    until: dt.date | None = None
    needle: str = ""
    mentions: tuple[tuple[str, str], ...] = ()  # (kind, subject); the review has all of them.

    @property
    def is_about_stars_and_days_alone(self) -> bool:
        return not self.needle and not self.mentions

    @property
    def contents(self) -> "Criteria":
        """The same without bounds: what the review says."""
        return Criteria(needle=self.needle, mentions=self.mentions)

    @property
    def has_bounds(self) -> bool:
        """Whether it asks for certain ratings or days, which an index knows."""
        return self.ratings is not None or self.since is not None or self.until is not None


def criteria(search: Search, roster: Roster | None) -> Criteria | None:
    """What `search` asks for, or None if nothing can match it.

    Only a search that names a technician or a service needs the roster.
    """
    ratings = None
    if search.rating is not None or search.min_rating is not None:
        asked = STARS if search.rating is None else (search.rating,)
        ratings = tuple(stars for stars in asked if stars >= (search.min_rating or 0))
        if ratings == STARS:
            ratings = None
    if search.since is not None and search.until is not None and search.since > search.until:
        return None
    mentions = tuple(_resolved(search, roster)) if roster is not None else ()
    if ratings == () or any(subject is None for _, subject in mentions):
        return None
    return Criteria(
        ratings=ratings,
        since=search.since,
        until=search.until,
        needle=fold(search.query),
        mentions=tuple((kind, subject) for kind, subject in mentions if subject is not None),
    )


def _resolved(search: Search, roster: Roster) -> Iterable[tuple[str, str | None]]:
    if search.mentions_technician:
        yield "technician", roster.resolve_technician(search.mentions_technician)
    if search.mentions_service:
        yield "service", roster.resolve_service(search.mentions_service)


# --- The questions --------------------------------------------------------------------------------


def find_words(needle: str) -> Words | None:
    """What the words of the reviews tell of the needle, if it is one for words."""
    if settings.USES_SQLITE and is_inside_words(needle):
        return words_with(needle, has_trigrams=_is_phrase(needle))
    return None


def find_page(wanted: Criteria, words: Words | None, after: Position | None, size: int) -> Page:
    """The newest `size` matches that follow the position, newest first."""
    if wanted.is_about_stars_and_days_alone:
        return _fetch(_in_order(_walk(wanted, after), size))
    if words is not None and words.found == ():
        return Page([], None)
    if _is_indexed(wanted.needle, words):
        page = _find_indexed(wanted, words, after, size)
        if page is not None:
            return page
    with _patience(wanted):
        return _find_page(wanted, after, size)


def _find_page(wanted: Criteria, after: Position | None, size: int) -> Page:
    page = _fetch(_by_ids(_newest_block(wanted, after, size, BLOCK)))
    if len(page.fragments) == size:
        return page
    # What the block holds tells how many of the large one are needed; half of them are worth a try.
    is_worth_a_try = 2 * size * BLOCK <= len(page.fragments) * LARGE_BLOCK
    rare = None if is_worth_a_try else _lookup(wanted, after)
    if rare is None:
        page = _fetch(_by_ids(_newest_block(wanted, after, size, LARGE_BLOCK)))
        if len(page.fragments) == size:
            return page
        rare = _lookup(wanted, after)
    if page.fragments and rare is None:
        return _fetch(_in_order(_walk(wanted, after), size))
    return _fetch(_by_ids(_sorted(rare or _scan(wanted, after), size)))


def _find_indexed(
    wanted: Criteria, words: Words | None, after: Position | None, size: int
) -> Page | None:
    """The page as SQLite's indexes of texts lead to it; None when one day has too many matches.

    FTS5 looks for no more matches than are taken.
    """
    # CROSS JOIN: the index first, however SQLite estimates.
    found = _indexed(wanted, words, f"CROSS JOIN reviews_review r ON r.id = {KEY}")
    if after is not None:
        found = _and(found, Part("t.rowid < %s", [end_of(after.date)]))
    newest = f"SELECT t.rowid, r.ulid, {COLUMNS} {found.sql} ORDER BY t.rowid DESC"
    with closing(stream(newest, found.parameters)) as matches:
        rows = page_among(islice(matches, LARGE_DAY + 1), after, size)
    if len(rows) > LARGE_DAY:
        return None
    rows.sort(key=_day_and_ulid, reverse=True)
    if after is not None:
        position = after.date.toordinal(), after.ulid
        rows = [row for row in rows if _day_and_ulid(row) < position]
    return Page([row[2] for row in rows[:size]], rows[0][3] if rows else None)


def _day_and_ulid(row: tuple[Any, ...]) -> tuple[int, str]:
    return row[0] >> DAY_SHIFT, row[1]


def find_rows(ids: list[int], after: Position | None, size: int) -> Page:
    """The newest `size` of the reviews with these ids that follow the position, newest first."""
    if not ids:
        return Page([], None)
    if settings.USES_SQLITE:
        # CROSS JOIN, which costs less than an IN that has to be sorted out first.
        listed = Part(
            "FROM json_each(%s) ids CROSS JOIN reviews_review r ON r.id = ids.value", [str(ids)]
        )
    else:
        listed = Part("FROM reviews_review r WHERE r.id = ANY(%s)", [ids])
    for condition in _after(after):
        listed = _and(listed, condition)
    return _fetch(_in_order(listed, size))


def find_places(contents: Criteria, words: Words | None) -> list[int] | None:
    """The places of reviews that say this, or None when they are more than `SEARCH_COUNT_CAP`.

    In any order; `contents` must be in an index.
    """
    if _is_indexed(contents.needle, words):
        place, source = "t.rowid", _indexed(contents, words)
    else:
        found = _lookup(contents)
        assert found is not None  # noqa: S101  (asked for above)
        place, source = PLACE, found
    # In one text, for a row takes longer to fetch than to find.
    listed = f"SELECT {LISTED} FROM (SELECT {place} AS place {source.sql} LIMIT %s) places"  # noqa: S608
    cap = settings.SEARCH_COUNT_CAP
    ((text,),) = fetch(listed, [*source.parameters, cap + 1])
    if not text:
        return []
    return None if text.count(",") == cap else list(map(int, text.split(",")))


def is_indexed(contents: Criteria) -> bool:
    """Whether an index knows the reviews that say this."""
    return bool(contents.mentions) or _has_trigrams(contents.needle)


def known_count(wanted: Criteria, words: Words | None) -> Count | None:
    """The count, if the words tell it."""
    if words is None or words.matched is None or wanted != Criteria(needle=wanted.needle):
        return None
    return counted(wanted, words.matched)


def count(wanted: Criteria, words: Words | None) -> Count:
    """How many reviews match. With a needle, more than `SEARCH_COUNT_CAP` are not counted."""
    if words is not None and words.found == ():
        return Count(0)
    is_indexed = _is_indexed(wanted.needle, words)
    source = _indexed(wanted, words) if is_indexed else _lookup(wanted) or _scan(wanted)
    if not wanted.needle:
        return Count(_number(f"SELECT count(*) {source.sql}", source.parameters))
    with _patience(wanted):
        if _is_common(wanted):
            walk = _walk(wanted)
            source = Part(f"{walk.sql} {NEWEST_FIRST}", walk.parameters)
        matched = _number(
            f"SELECT count(*) FROM (SELECT 1 {source.sql} LIMIT %s) matches",  # noqa: S608
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
    if settings.USES_SQLITE or not is_of_one_index:
        return False
    newest = _newest_block(wanted, None, BLOCK, BLOCK)
    matched = _number(f"SELECT count(*) FROM ({newest.sql}) newest", newest.parameters)  # noqa: S608
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
    """How many visible reviews each day has with each rating, and with any.

    Reading it costs what counting all reviews once costs, and then every count without text or
    mentions is a few steps of bisection.
    """

    def __init__(self) -> None:
        self._days: dict[int, list[dt.date]] = {stars: [] for stars in (ANY_STARS, *STARS)}
        self._until: dict[int, list[int]] = {stars: [0] for stars in (ANY_STARS, *STARS)}
        by_day = (
            "SELECT r.rating, r.date, count(*) FROM reviews_review r WHERE NOT r.hidden"
            " GROUP BY r.rating, r.date ORDER BY r.date"
        )
        for stars, date, number in fetch(by_day, []):
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
        """The count for criteria that name ratings and days alone."""
        matched = 0
        for stars in wanted.ratings or (ANY_STARS,):
            days, until = self._days[stars], self._until[stars]
            first = bisect_left(days, wanted.since) if wanted.since else 0
            last = bisect_right(days, wanted.until) if wanted.until else len(days)
            matched += until[last] - until[first]
        return Count(matched)


# --- Statements: constant texts; every value of a search goes in as a parameter -------------------


class Part(NamedTuple):
    """A piece of SQL and the values of its placeholders."""

    sql: str
    parameters: list[Any]


PLACE = ON_SQLITE if settings.USES_SQLITE else ON_POSTGRESQL
LISTED = "group_concat(place)" if settings.USES_SQLITE else "string_agg(place::text, ',')"
REVISION = f"coalesce((SELECT number FROM reviews_revision WHERE name = '{Revision.REVIEWS}'), 0)"  # noqa: S608
# In bytes, as they go out: SQLite's driver would decode a text only for us to encode it.
FRAGMENT = "CAST(r.fragment AS BLOB)" if settings.USES_SQLITE else "r.fragment"
COLUMNS = f"{FRAGMENT}, {REVISION}"
NEWEST_FIRST = "ORDER BY r.date DESC, r.ulid DESC"


def _walk(wanted: Criteria, after: Position | None = None, hint: str = "") -> Part:
    """All visible reviews inside the bounds, each compared with what is wanted."""
    conditions = [*_bounds(wanted, after), *_contents(wanted)]
    return _join(f"FROM reviews_review r {hint} WHERE", conditions)


def _scan(wanted: Criteria, after: Position | None = None) -> Part:
    """As `_walk`, in whatever order is fastest."""
    if not wanted.needle or wanted.has_bounds or not settings.USES_SQLITE:
        return _walk(wanted, after)
    # SQLite would read every text in the order of an index; table order takes a third of the time.
    return _walk(wanted, after, hint="NOT INDEXED")


def _newest_block(wanted: Criteria, after: Position | None, size: int, block: int) -> Part:
    """Matches among the newest reviews inside the bounds, however rare they are."""
    bounds = _join("FROM reviews_review r WHERE", _bounds(wanted, after))
    contents = _join("WHERE", _contents(wanted))
    # SQLite reads a limited subquery in its order and stops as soon as it has enough. Told the
    # order once more, it reads and sorts the whole block; PostgreSQL sees that nothing is to sort.
    again = "" if settings.USES_SQLITE else NEWEST_FIRST
    return Part(
        f"SELECT r.id FROM (SELECT r.id, r.date, r.ulid, r.text_folded {bounds.sql}"  # noqa: S608
        f" {NEWEST_FIRST} LIMIT %s) r {contents.sql} {again} LIMIT %s",
        [*bounds.parameters, block, *contents.parameters, size],
    )


def _lookup(wanted: Criteria, after: Position | None = None) -> Part | None:
    """Candidates out of the index of what is rare, compared; None when no index knows them."""
    bounds = _bounds(wanted, after)
    if settings.USES_SQLITE:
        if not wanted.mentions:
            return None
        # CROSS JOIN: SQLite begins with the table on the left, however it estimates.
        found = Part("m.kind = %s AND m.subject = %s", [*wanted.mentions[0]])
        return _join(
            "FROM reviews_mention m CROSS JOIN reviews_review r ON r.id = m.review_id WHERE",
            [found, *bounds, *_contents(wanted)],
        )
    # The planner knows how rare a mention is; LIKE is what the trigram index answers.
    if _has_trigrams(wanted.needle):
        like = Part("r.text_folded LIKE %s", [f"%{_escaped(wanted.needle)}%"])
        conditions = [like, *_mentions(wanted)]
    elif wanted.mentions:
        conditions = _contents(wanted)
    else:
        return None
    return _join("FROM reviews_review r WHERE", [*bounds, *conditions])


# What the `rowid` of either index, which is a place, says.
KEY = f"(t.rowid >> {STARS_BITS} & {KEY_MASK})"
STARS_OF_IT = f"(t.rowid & {STARS_MASK})"


def _indexed(wanted: Criteria, words: Words | None, joined: str = "") -> Part:
    """The matches as SQLite's indexes of texts have them: of visible reviews, and no others."""
    # One trigram is found as fast as a word.
    is_one_trigram = len(wanted.needle) == TRIGRAM and _is_phrase(wanted.needle)
    if words is not None and words.found and not is_one_trigram:
        index = "reviews_review_words"
        asked_for = " OR ".join([f'"{word}"' for word in words.found])
    else:
        index = "reviews_review_trigrams"
        quoted = wanted.needle[:PHRASE_CHARACTERS].replace('"', '""')
        asked_for = f'"{quoted}"'
    conditions = [Part(f"t.{index} MATCH %s", [asked_for])]
    if wanted.since is not None:
        conditions.append(Part("t.rowid > %s", [start_of(wanted.since)]))
    if wanted.until is not None:
        conditions.append(Part("t.rowid < %s", [end_of(wanted.until)]))
    if wanted.ratings is not None:
        asked = ", ".join(["%s"] * len(wanted.ratings))
        conditions.append(Part(f"{STARS_OF_IT} IN ({asked})", [*wanted.ratings]))
    for mention in wanted.mentions:
        mentioning = (
            "SELECT m.review_id FROM reviews_mention m WHERE m.kind = %s AND m.subject = %s"
        )
        conditions.append(Part(f"{KEY} IN ({mentioning})", [*mention]))
    if index == "reviews_review_trigrams" and len(wanted.needle) > PHRASE_CHARACTERS:
        text = f"SELECT r.text_folded FROM reviews_review r WHERE r.id = {KEY}"  # noqa: S608
        conditions.append(Part(f"instr(({text}), %s) > 0", [wanted.needle]))
    return _join(f"FROM {index} t {joined} WHERE", conditions)


def _in_order(source: Part, size: int) -> Part:
    """The first rows of a source that an index gives newest first."""
    return Part(
        f"SELECT {COLUMNS} {source.sql} {NEWEST_FIRST} LIMIT %s", [*source.parameters, size]
    )


def _sorted(source: Part, size: int) -> Part:
    """The ids of the newest in a source that has to be sorted."""
    if settings.USES_SQLITE:
        newest = f"SELECT r.id {source.sql} {NEWEST_FIRST} LIMIT %s"
    else:
        # Materialized, since PostgreSQL else hopes to meet them on a walk through all reviews.
        newest = (
            f"WITH r AS MATERIALIZED (SELECT r.id, r.date, r.ulid {source.sql})"  # noqa: S608
            f" SELECT r.id FROM r {NEWEST_FIRST} LIMIT %s"
        )
    return Part(newest, [*source.parameters, size])


def _by_ids(ids: Part) -> Part:
    """The rows of these ids: long texts are read after sorting, and for this page alone."""
    return Part(
        f"SELECT {COLUMNS} FROM reviews_review r WHERE r.id IN ({ids.sql}) {NEWEST_FIRST}",  # noqa: S608
        ids.parameters,
    )


def _bounds(wanted: Criteria, after: Position | None) -> list[Part]:
    """Conditions that the (date, ulid) and (rating, date, ulid) indexes answer."""
    parts = [Part("NOT r.hidden", [])]
    if wanted.ratings is not None:
        places = ", ".join(["%s"] * len(wanted.ratings))
        parts.append(Part(f"r.rating IN ({places})", [*wanted.ratings]))
    if wanted.since is not None:
        parts.append(Part("r.date >= %s", [wanted.since.isoformat()]))
    if wanted.until is not None:
        parts.append(Part("r.date <= %s", [wanted.until.isoformat()]))
    return [*parts, *_after(after)]


def _after(position: Position | None) -> list[Part]:
    if position is None:
        return []
    return [Part("(r.date, r.ulid) < (%s, %s)", [position.date.isoformat(), position.ulid])]


def _contents(wanted: Criteria) -> list[Part]:
    """Conditions on what the review says."""
    return [*_needle(wanted), *_mentions(wanted)]


def _needle(wanted: Criteria) -> list[Part]:
    if not wanted.needle:
        return []
    position = "instr" if settings.USES_SQLITE else "strpos"
    return [Part(f"{position}(r.text_folded, %s) > 0", [wanted.needle])]


def _mentions(wanted: Criteria) -> list[Part]:
    exists = (
        "EXISTS (SELECT 1 FROM reviews_mention m"
        " WHERE m.kind = %s AND m.subject = %s AND m.review_id = r.id)"
    )
    return [Part(exists, [*mention]) for mention in wanted.mentions]


def _and(source: Part, condition: Part) -> Part:
    return Part(f"{source.sql} AND {condition.sql}", [*source.parameters, *condition.parameters])


def _join(start: str, conditions: list[Part]) -> Part:
    sql = " AND ".join([part.sql for part in conditions])
    return Part(f"{start} {sql}", [value for part in conditions for value in part.parameters])


def _has_trigrams(needle: str) -> bool:
    """Whether the index of trigrams knows the texts that contain the needle."""
    if settings.USES_SQLITE:
        return _is_phrase(needle)
    return WORD.search(needle) is not None


def _is_indexed(needle: str, words: Words | None) -> bool:
    """Whether SQLite's indexes answer, without a look at the texts."""
    return _is_phrase(needle) or (words is not None and words.found is not None)


def _is_phrase(needle: str) -> bool:
    """Whether SQLite's index of trigrams does."""
    return PHRASE.fullmatch(needle) is not None and settings.USES_SQLITE


def _escaped(needle: str) -> str:
    """The needle as itself in a LIKE pattern."""
    return needle.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


# --- Running them ---------------------------------------------------------------------------------


@contextmanager
def _patience(wanted: Criteria) -> Iterator[None]:
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
