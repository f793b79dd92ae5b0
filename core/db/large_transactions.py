"""A change that may be larger than the disk has room for.

SQLite keeps the room that its log of changes took, also for a change that failed: the disk would
stay full, for messages, counters and whoever else is on it, until all processes have ended.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, connection, transaction


@contextmanager
def large_change() -> Iterator[None]:
    """One transaction, which gives back the room that it took when it fails."""
    # What the log has to write to the database's file goes there while there is room for it.
    _move_log("PASSIVE")
    try:
        with transaction.atomic():
            yield
    except DatabaseError:
        _move_log("TRUNCATE")
        raise


def _move_log(how: str) -> None:
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute(f"PRAGMA wal_checkpoint({how})")
