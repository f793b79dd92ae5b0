"""One import at a time: two would trip over each other's new reviews.

SQLite has one writer anyway.
"""

from django.db import connection, transaction

IMPORT_LOCK = 0x72657669657773  # "reviews"


def acquire_import_lock() -> None:
    """Wait for another import to end; none begins before this transaction ends."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])


def is_import_running() -> bool:
    """Whether somebody else's import has begun and not ended."""
    if connection.vendor != "postgresql":
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [IMPORT_LOCK])
        return not cursor.fetchone()[0]
