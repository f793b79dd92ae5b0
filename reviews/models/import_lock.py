"""The lock by which imports follow each other on PostgreSQL; SQLite has one writer anyway."""

from django.db import connection, transaction

IMPORT_LOCK = 0x72657669657773  # "reviews"


def acquire_import_lock() -> None:
    """Wait until no other import is at work, and let none begin before the transaction ends.

    Two could create the same new review.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])


def is_import_running() -> bool:
    """Whether another connection has an import at work."""
    if connection.vendor != "postgresql":
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [IMPORT_LOCK])
        return not cursor.fetchone()[0]
