"""The trigram index of folded texts, and the condition that a text contains a phrase.

Every review stores its text folded (`Review.text_folded`), so that both databases compare alike.
SQLite keeps an FTS5 table of trigrams, by triggers: of visible texts alone, with the key of the
review as `rowid`. PostgreSQL keeps a `pg_trgm` index. A phrase of fewer than three characters is in
neither, so the reviews are compared one by one.
"""

import re
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.sql.datastructures import BaseTable

# FTS5 takes U+FFFE and U+FFFF for U+FFFD.
_PHRASE = re.compile(r"[^\ufffd-\uffff]{3,}")
_MATCHING = "SELECT rowid FROM reviews_text_trigrams WHERE reviews_text_trigrams MATCH %s"


class UnindexedTable(BaseTable):
    """The table of reviews, which SQLite reads by its key alone."""

    def as_sql(self, *args: Any) -> Any:
        sql, parameters = super().as_sql(*args)
        return f"{sql} NOT INDEXED", parameters


def without_index(reviews: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    """The same reviews; SQLite would else read the index of days for each text that matches."""
    if settings.USES_SQLITE:
        query = reviews.query
        alias = query.get_initial_alias()
        query.alias_map[alias] = UnindexedTable(query.get_meta().db_table, alias)
    return reviews


def contains(phrase: str) -> Q:
    """The folded text contains the folded phrase.

    PostgreSQL answers it from its index where that is faster; SQLite compares each text.
    """
    return Q(text_folded__contains=phrase)


def is_in_fts(phrase: str) -> bool:
    """Whether SQLite's index knows the texts that contain this folded phrase."""
    return settings.USES_SQLITE and _PHRASE.fullmatch(phrase) is not None


def matches_fts(phrase: str) -> Q:
    """SQLite's index has the folded phrase for the review."""
    return Q(pk__in=RawSQL(_MATCHING, [_quoted(phrase)]))  # noqa: S611  (A constant.)


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
