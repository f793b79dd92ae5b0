"""Index many texts together, where databases would index them one by one, or late.

**SQLite.** A row that a trigger indexes takes five times as long as one among many that come in
the order of places and whose words are counted first. So whoever writes many reviews sets them
aside and indexes them at the end. Both belong to the transaction of the writing: until it commits,
nobody sees either. What is indexed, and how, is as the triggers have it (migration 0002); a test
compares the two.

**PostgreSQL** collects texts until they fill 4 MB, or until autovacuum passes, and every search
reads what is collected: at 1,000,000 reviews that was a fifth of the time for a common word, and
nearly all of it for a rare one. So they are indexed at the end as well; nothing is set aside.
"""
# ruff: noqa: S608  (Every statement is put together from constants of this project.)

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

from django.db import connection
from django.db.backends.utils import CursorWrapper

from reviews.search.packed_rowids import ON_SQLITE

INDEXES = ("reviews_review_trigrams", "reviews_review_words")
INDEX_ON_POSTGRESQL = "review_text_trigrams"
INDEX_OF_WORDS = "reviews_word_trigrams"  # Which triggers of the list of words keep.
# Shares of all reviews. So many that leave the indexes have them filled from nothing, and so many
# that enter them gathered in one piece; only nearly all that enter have them filled from nothing.
MANY, NEARLY_ALL = 0.2, 0.9
# What each character of ASCII becomes: a blank where a word ends in the list of words. Looking for
# most characters in vain, as in a dict of these few alone, takes longer.
_BLANKS = "".join(" " if chr(code) in "\n.,!?\"'():;-/" else chr(code) for code in range(128))
_INDEXED = "r.text_folded <> '' AND NOT r.hidden"
_ARRIVING = f"{_INDEXED} AND r.id IN (SELECT id FROM reviews_set_aside)"
_LEAVING = (
    f"{_INDEXED} AND r.id IN (SELECT value FROM json_each(%s))"
    " AND r.id NOT IN (SELECT id FROM reviews_set_aside)"
)


def defer_indexing(ids: Iterable[int], *, left: int = 0) -> int:
    """Take these reviews, stored or yet to come, out of the indexes of texts and let triggers pass
    them over; `index_deferred` must follow in the same transaction.

    The answer counts those that were taken out, on top of the `left` ones before. Where that is a
    large share of all, all are set aside: to take a text out takes longer than to index it.
    """
    if connection.vendor != "sqlite":
        return left
    keys = json.dumps(list(ids))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM reviews_review r WHERE {_LEAVING}", [keys])
        if leaving := cursor.fetchone()[0]:
            left += leaving
            # Without deletions as many as there are; to count them takes long where they are many.
            cursor.execute("SELECT max(id) - min(id) + 1 FROM reviews_review")
            if left > MANY * cursor.fetchone()[0]:
                _set_all_aside(cursor)
            else:
                _take_out(cursor, keys)
        cursor.execute(
            "INSERT OR IGNORE INTO reviews_set_aside SELECT value FROM json_each(%s)", [keys]
        )
    return left


def _take_out(cursor: CursorWrapper, keys: str) -> None:
    for index in INDEXES:
        cursor.execute(
            f"INSERT INTO {index} ({index}, rowid, text_folded)"
            f" SELECT 'delete', {ON_SQLITE}, r.text_folded FROM reviews_review r"
            f" WHERE {_LEAVING} ORDER BY 2",
            [keys],
        )
    cursor.execute(f"SELECT r.text_folded FROM reviews_review r WHERE {_LEAVING}", [keys])
    _count_words(cursor, -1)


def _set_all_aside(cursor: CursorWrapper) -> None:
    for index in INDEXES:
        cursor.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
    cursor.execute("UPDATE reviews_word SET reviews = 0")
    cursor.execute("INSERT OR IGNORE INTO reviews_set_aside SELECT id FROM reviews_review")


def index_deferred() -> None:
    """Index what was set aside, or collected, and is there, in one go.

    Writing leaves an index in pieces, and a search looks into each: after a large load each is
    gathered in one. Filled from nothing by 100,000 reviews an index is in one piece at once.
    """
    if connection.vendor != "sqlite":
        _index_collected()
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM reviews_review), (SELECT count(*) FROM reviews_set_aside)"
        )
        reviews, aside = cursor.fetchone()
        if aside > NEARLY_ALL * reviews:
            _set_all_aside(cursor)
        for index in INDEXES:
            cursor.execute(
                f"INSERT INTO {index} (rowid, text_folded)"
                f" SELECT {ON_SQLITE}, r.text_folded FROM reviews_review r"
                f" WHERE {_ARRIVING} ORDER BY 1"
            )
        cursor.execute(f"SELECT r.text_folded FROM reviews_review r WHERE {_ARRIVING}")
        _count_words(cursor, 1)
        cursor.execute("DELETE FROM reviews_word WHERE reviews = 0")
        cursor.execute("DELETE FROM reviews_set_aside")
        if cursor.rowcount >= MANY * reviews:
            for index in (*INDEXES, INDEX_OF_WORDS):
                cursor.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")


def _index_collected() -> None:
    with connection.cursor() as cursor:
        # PostgreSQL lets nobody but the owner do so.
        cursor.execute(
            "SELECT gin_clean_pending_list(oid) FROM pg_class"
            f" WHERE oid = to_regclass('{INDEX_ON_POSTGRESQL}') AND pg_has_role(relowner, 'USAGE')"
        )


@contextmanager
def deferred_indexing(ids: Iterable[int]) -> Iterator[None]:
    """Change or delete these reviews inside, in one transaction; they are indexed afterwards."""
    defer_indexing(ids)
    yield
    index_deferred()


def _count_words(cursor: CursorWrapper, sign: int) -> None:
    """Let the list of words count the texts that the cursor gives, or count them no more."""
    counts: Counter[str] = Counter()
    while texts := cursor.fetchmany(1_000):
        words = ({*text.translate(_BLANKS).split(" ")} for (text,) in texts)
        counts.update(chain.from_iterable(words))
    del counts[""]
    cursor.executemany(
        "INSERT INTO reviews_word (word, reviews) VALUES (%s, %s)"
        " ON CONFLICT (word) DO UPDATE SET reviews = reviews + excluded.reviews",
        [(word, sign * reviews) for word, reviews in counts.items()],
    )
