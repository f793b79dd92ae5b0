"""Folded texts, and the trigram index that finds them.

Every review stores its text folded (`Review.text_folded`), so that both databases compare alike.
SQLite keeps an FTS5 table of trigrams, by triggers: of visible texts alone, with the key of the
review as `rowid`. PostgreSQL keeps a `pg_trgm` index. A phrase of fewer than three characters is in
neither, so the reviews are compared one by one.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from review_analysis.text import fold

# Quotes and dashes of phones and word processors, by those of a keyboard.
_TYPED = str.maketrans(
    {
        **dict.fromkeys(
            "\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201a\u201b\u2032\u2039\u203a", "'"
        ),
        **dict.fromkeys("\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u301d\u301e\u301f", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63", "-"),
        "\uff07": "'",
        "\uff02": '"',
        "\uff0d": "-",
    }
)
_SPACES = re.compile(r"\s+")
# FTS5 takes U+FFFE and U+FFFF for U+FFFD.
_PHRASE = re.compile(r"[^\ufffd-\uffff]{3,}")
_MATCHING = "SELECT rowid FROM reviews_text_trigrams WHERE reviews_text_trigrams MATCH %s"


def fold_for_search(text: str) -> str:
    """Fold case, and write quotes, dashes and white space as a keyboard does.

    A run of white space is one space.
    """
    return _SPACES.sub(" ", fold(text).translate(_TYPED))


class Condition(NamedTuple):
    """A condition on a review `r` in SQL, and the values of its placeholders."""

    sql: str
    values: Sequence[Any] = ()


def contains(phrase: str) -> Condition:
    """The folded text contains the folded phrase.

    PostgreSQL answers it from its index where that is faster; SQLite compares each text.
    """
    escaped = phrase.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return Condition(r"r.text_folded LIKE %s ESCAPE '\'", [f"%{escaped}%"])


def is_in_fts(phrase: str) -> bool:
    """Whether SQLite's index knows the texts that contain this folded phrase."""
    return settings.USES_SQLITE and _PHRASE.fullmatch(phrase) is not None


def matches_fts(phrase: str) -> Condition:
    """SQLite's index has the folded phrase for the review."""
    return Condition(f"r.id IN ({_MATCHING})", [_quoted(phrase)])


def count_in_fts(phrase: str, limit: int) -> int:
    """Number of visible reviews that SQLite's index has for the folded phrase, at most `limit`."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM ({_MATCHING} LIMIT %s)",  # noqa: S608  (A constant.)
            [_quoted(phrase), limit],
        )
        return int(cursor.fetchone()[0])


def index_pending_texts() -> None:
    """Index the texts that PostgreSQL has only collected: each search would read through them."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        # Only the owner of an index may do so.
        cursor.execute(
            "SELECT gin_clean_pending_list(oid) FROM pg_class"
            " WHERE oid = to_regclass('review_text_trigrams') AND pg_has_role(relowner, 'USAGE')"
        )


def _quoted(phrase: str) -> str:
    """The phrase as a string of FTS5's query language."""
    escaped = phrase.replace('"', '""')
    return f'"{escaped}"'
