"""Maintenance of PostgreSQL's index of texts."""

from django.db import connection


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
