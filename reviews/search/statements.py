"""The statements that find reviews: constant texts; every value of a search goes in as a parameter.

`reviews.search.query` says which of them answer what, and why.
"""
# ruff: noqa: S608  (Every statement is put together from constants of this project.)

import datetime as dt
import re
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from reviews.models import Revision
from reviews.search.criteria import Criteria
from reviews.search.fields import OLDEST, Position
from reviews.search.packed_rowids import (
    KEY_MASK,
    ON_POSTGRESQL,
    ON_SQLITE,
    STARS_BITS,
    STARS_MASK,
    end_of,
    start_of,
)
from reviews.search.words import Words

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
OLDEST_FIRST = "ORDER BY r.date, r.ulid"
# Keeps SQLite from an index of this column alone: it cannot know that nearly all reviews are of one
# source, and would sort them. The index of all by day holds these columns as well.
PLAIN = "+" if settings.USES_SQLITE else ""


def walk(wanted: Criteria, after: Position | None = None, hint: str = "") -> Part:
    """All visible reviews inside the bounds, each compared with what is wanted."""
    conditions = [*_bounds(wanted, after), *_contents(wanted)]
    if wanted.is_of_one_index and wanted.has_attributes and settings.USES_SQLITE:
        hint = "INDEXED BY review_listed"  # SQLite would read the rows.
    return _join(f"FROM reviews_review r {hint} WHERE", conditions)


def scan(wanted: Criteria, after: Position | None = None) -> Part:
    """As `walk`, in whatever order is fastest."""
    if not wanted.needle or wanted.has_bounds or not settings.USES_SQLITE:
        return walk(wanted, after)
    # SQLite would read every text in the order of an index; table order takes a third of the time.
    return walk(wanted, after, hint="NOT INDEXED")


def first_block(
    wanted: Criteria, after: Position | None, size: int, block: int, *, oldest: bool = False
) -> Part:
    """Matches among the first reviews inside the bounds, however rare they are."""
    order = _order(oldest=oldest)
    bounds = _join("FROM reviews_review r WHERE", _bounds(wanted, after))
    contents = _join("WHERE", _contents(wanted))
    # SQLite reads a limited subquery in its order and stops as soon as it has enough. Told the
    # order once more, it reads and sorts the whole block; PostgreSQL sees that nothing is to sort.
    again = "" if settings.USES_SQLITE else order
    return Part(
        f"SELECT r.id FROM (SELECT r.id, r.date, r.ulid, r.text_folded {bounds.sql}"
        f" {order} LIMIT %s) r {contents.sql} {again} LIMIT %s",
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
    if attributes := _attributes(wanted):
        having = _join(f"SELECT 1 FROM reviews_review r WHERE r.id = {KEY} AND", attributes)
        conditions.append(Part(f"EXISTS ({having.sql})", having.parameters))
    for mention in wanted.mentions:
        mentioning = (
            "SELECT m.review_id FROM reviews_mention m WHERE m.kind = %s AND m.subject = %s"
        )
        conditions.append(Part(f"{KEY} IN ({mentioning})", [*mention]))
    if index == "reviews_review_trigrams" and len(wanted.needle) > PHRASE_CHARACTERS:
        text = f"SELECT r.text_folded FROM reviews_review r WHERE r.id = {KEY}"
        conditions.append(Part(f"instr(({text}), %s) > 0", [wanted.needle]))
    return _join(f"FROM {index} t {joined} WHERE", conditions)


def in_order(source: Part, size: int, *, oldest: bool = False) -> Part:
    """The first rows of a source that an index gives in this order."""
    order = _order(oldest=oldest)
    return Part(f"SELECT {COLUMNS} {source.sql} {order} LIMIT %s", [*source.parameters, size])


def first_of(source: Part, size: int, *, oldest: bool = False) -> Part:
    """The ids of the first in a source that has to be sorted."""
    order = _order(oldest=oldest)
    if settings.USES_SQLITE:
        first = f"SELECT r.id {source.sql} {order} LIMIT %s"
    else:
        # Materialized, since PostgreSQL else hopes to meet them on a walk through all reviews.
        first = (
            f"WITH r AS MATERIALIZED (SELECT r.id, r.date, r.ulid {source.sql})"
            f" SELECT r.id FROM r {order} LIMIT %s"
        )
    return Part(first, [*source.parameters, size])


def by_ids(ids: Part, *, oldest: bool = False) -> Part:
    """The rows of these ids: long texts are read after sorting, and for this page alone."""
    return Part(
        f"SELECT {COLUMNS} FROM reviews_review r WHERE r.id IN ({ids.sql}) {_order(oldest=oldest)}",
        ids.parameters,
    )


def _order(*, oldest: bool) -> str:
    return OLDEST_FIRST if oldest else NEWEST_FIRST


def _bounds(wanted: Criteria, after: Position | None) -> list[Part]:
    """Conditions that the indexes of all reviews by day, and of each rating by day, answer."""
    attributes = _attributes(wanted)
    parts = [Part("NOT r.hidden", []), *attributes]
    if wanted.ratings is not None:
        places = ", ".join(["%s"] * len(wanted.ratings))
        # The index of each rating holds no other attributes.
        column = f"{PLAIN}r.rating" if attributes else "r.rating"
        parts.append(Part(f"{column} IN ({places})", [*wanted.ratings]))
    if wanted.since is not None:
        parts.append(Part("r.date >= %s", [wanted.since.isoformat()]))
    if wanted.until is not None:
        parts.append(Part("r.date <= %s", [wanted.until.isoformat()]))
    return [*parts, *following(after)]


def _attributes(wanted: Criteria) -> list[Part]:
    """Conditions on columns that the index of all reviews by day holds beside the day."""
    parts = []
    if wanted.sources:
        places = ", ".join(["%s"] * len(wanted.sources))
        parts.append(Part(f"{PLAIN}r.source IN ({places})", [*wanted.sources]))
    if wanted.language:
        parts.append(Part(f"{PLAIN}r.language = %s", [wanted.language]))
    if wanted.has_text is not None:
        # Without a text there is no language; null is one that has not been told yet.
        sign = "<>" if wanted.has_text else "="
        parts.append(Part(f"coalesce(r.language, 'und') {sign} ''", []))
    if wanted.has_reply is not None:
        is_there = "IS NOT NULL" if wanted.has_reply else "IS NULL"
        parts.append(Part(f"r.reply_date {is_there}", []))
    if wanted.changed_since is not None:
        parts.append(Part(f"{PLAIN}r.modified_at >= %s", [_moment(wanted.changed_since)]))
    return parts


def _moment(instant: dt.datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(instant)


def following(position: Position | None) -> list[Part]:
    if position is None:
        return []
    sign = ">" if position.sort == OLDEST else "<"
    return [Part(f"(r.date, r.ulid) {sign} (%s, %s)", [position.date.isoformat(), position.ulid])]


def removed_since(instant: dt.datetime) -> Part:
    """The ids of reviews that were hidden or deleted at or after this moment, and are not back.

    In any order, some perhaps twice: to have SQLite sort them makes it read all reviews.
    """
    moment = _moment(instant)
    return Part(
        "SELECT r.ulid FROM reviews_review r WHERE r.hidden AND r.hidden_at >= %s"
        " UNION ALL SELECT d.ulid FROM reviews_deletedreview d WHERE d.deleted_at >= %s"
        " AND NOT EXISTS (SELECT 1 FROM reviews_review r WHERE r.ulid = d.ulid AND NOT r.hidden)",
        [moment, moment],
    )


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
