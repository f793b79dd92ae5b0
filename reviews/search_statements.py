"""The statements that find reviews: constant texts; every value of a search goes in as a parameter.

`reviews.search` says which of them answer what, and why.
"""
# ruff: noqa: S608  (Every statement is put together from constants of this project.)

import re
from typing import Any, NamedTuple

from django.conf import settings

from reviews.criteria import Criteria
from reviews.models import Revision
from reviews.parameter_kinds import Position
from reviews.places import (
    KEY_MASK,
    ON_POSTGRESQL,
    ON_SQLITE,
    STARS_BITS,
    STARS_MASK,
    end_of,
    start_of,
)
from reviews.vocabulary import Words

# What FTS5 tells apart: it takes the last two code points of the plane for the one before them.
TRIGRAM = 3
PHRASE = re.compile(r"[^\ufffd-\uffff]{3,}")
# The longer a phrase, the longer FTS5 takes; what so many characters leave is compared instead.
PHRASE_CHARACTERS = 24
# pg_trgm sees words alone, so a needle without three signs of a word in a row gives it nothing.
WORD = re.compile(r"[^\W_]{3}")


class Part(NamedTuple):
    """A piece of SQL and the values of its placeholders."""

    sql: str
    parameters: list[Any]


PLACE = ON_SQLITE if settings.USES_SQLITE else ON_POSTGRESQL
LISTED = "group_concat(place)" if settings.USES_SQLITE else "string_agg(place::text, ',')"
REVISION = f"coalesce((SELECT number FROM reviews_revision WHERE name = '{Revision.REVIEWS}'), 0)"
# In bytes, as they go out: SQLite's driver would decode a text only for us to encode it.
FRAGMENT = "CAST(r.fragment AS BLOB)" if settings.USES_SQLITE else "r.fragment"
COLUMNS = f"{FRAGMENT}, {REVISION}"
NEWEST_FIRST = "ORDER BY r.date DESC, r.ulid DESC"


def walk(wanted: Criteria, after: Position | None = None, hint: str = "") -> Part:
    """All visible reviews inside the bounds, each compared with what is wanted."""
    conditions = [*_bounds(wanted, after), *_contents(wanted)]
    return _join(f"FROM reviews_review r {hint} WHERE", conditions)


def scan(wanted: Criteria, after: Position | None = None) -> Part:
    """As `walk`, in whatever order is fastest."""
    if not wanted.needle or wanted.has_bounds or not settings.USES_SQLITE:
        return walk(wanted, after)
    # SQLite would read every text in the order of an index; table order takes a third of the time.
    return walk(wanted, after, hint="NOT INDEXED")


def newest_block(wanted: Criteria, after: Position | None, size: int, block: int) -> Part:
    """Matches among the newest reviews inside the bounds, however rare they are."""
    bounds = _join("FROM reviews_review r WHERE", _bounds(wanted, after))
    contents = _join("WHERE", _contents(wanted))
    # SQLite reads a limited subquery in its order and stops as soon as it has enough. Told the
    # order once more, it reads and sorts the whole block; PostgreSQL sees that nothing is to sort.
    again = "" if settings.USES_SQLITE else NEWEST_FIRST
    return Part(
        f"SELECT r.id FROM (SELECT r.id, r.date, r.ulid, r.text_folded {bounds.sql}"
        f" {NEWEST_FIRST} LIMIT %s) r {contents.sql} {again} LIMIT %s",
        [*bounds.parameters, block, *contents.parameters, size],
    )


def lookup(wanted: Criteria, after: Position | None = None) -> Part | None:
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
    if has_trigrams(wanted.needle):
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


def indexed(wanted: Criteria, words: Words | None, joined: str = "") -> Part:
    """The matches as SQLite's indexes of texts have them: of visible reviews, and no others."""
    # One trigram is found as fast as a word.
    is_one_trigram = len(wanted.needle) == TRIGRAM and is_phrase(wanted.needle)
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
        text = f"SELECT r.text_folded FROM reviews_review r WHERE r.id = {KEY}"
        conditions.append(Part(f"instr(({text}), %s) > 0", [wanted.needle]))
    return _join(f"FROM {index} t {joined} WHERE", conditions)


def in_order(source: Part, size: int) -> Part:
    """The first rows of a source that an index gives newest first."""
    return Part(
        f"SELECT {COLUMNS} {source.sql} {NEWEST_FIRST} LIMIT %s", [*source.parameters, size]
    )


def newest_of(source: Part, size: int) -> Part:
    """The ids of the newest in a source that has to be sorted."""
    if settings.USES_SQLITE:
        newest = f"SELECT r.id {source.sql} {NEWEST_FIRST} LIMIT %s"
    else:
        # Materialized, since PostgreSQL else hopes to meet them on a walk through all reviews.
        newest = (
            f"WITH r AS MATERIALIZED (SELECT r.id, r.date, r.ulid {source.sql})"
            f" SELECT r.id FROM r {NEWEST_FIRST} LIMIT %s"
        )
    return Part(newest, [*source.parameters, size])


def by_ids(ids: Part) -> Part:
    """The rows of these ids: long texts are read after sorting, and for this page alone."""
    return Part(
        f"SELECT {COLUMNS} FROM reviews_review r WHERE r.id IN ({ids.sql}) {NEWEST_FIRST}",
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
    return [*parts, *following(after)]


def following(position: Position | None) -> list[Part]:
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


def narrowed(source: Part, condition: Part) -> Part:
    return Part(f"{source.sql} AND {condition.sql}", [*source.parameters, *condition.parameters])


def _join(start: str, conditions: list[Part]) -> Part:
    sql = " AND ".join([part.sql for part in conditions])
    return Part(f"{start} {sql}", [value for part in conditions for value in part.parameters])


def has_trigrams(needle: str) -> bool:
    """Whether the index of trigrams knows the texts that contain the needle."""
    if settings.USES_SQLITE:
        return is_phrase(needle)
    return WORD.search(needle) is not None


def is_needle_indexed(needle: str, words: Words | None) -> bool:
    """Whether SQLite's indexes answer, without a look at the texts."""
    return is_phrase(needle) or (words is not None and words.found is not None)


def is_phrase(needle: str) -> bool:
    """Whether SQLite's index of trigrams does."""
    return PHRASE.fullmatch(needle) is not None and settings.USES_SQLITE


def _escaped(needle: str) -> str:
    """The needle as itself in a LIKE pattern."""
    return needle.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
