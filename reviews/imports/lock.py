"""A lock that allows one import at a time: two could create the same new review.

SQLite has one writer anyway.
"""

from django.db import connection, transaction

IMPORT_LOCK = 0x72657669657773  # "reviews"


def acquire_import_lock() -> None:
    """Wait for the lock, and hold it until the transaction ends."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])


def is_import_running() -> bool:
    """Whether another connection holds the lock."""
    if connection.vendor != "postgresql":
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [IMPORT_LOCK])
        return not cursor.fetchone()[0]
