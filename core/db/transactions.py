"""Query timeouts, large transactions, and the lock of imports."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from django.db import DatabaseError, connection, transaction

# Seconds until a connection to a silent server is closed. Commands have no timeout.
REQUEST_TIMEOUT = 10.0  # A request occupies one of a web process's few threads.
TASK_TIMEOUT = 300.0  # Storing the largest documents takes a while.

query_timeout: ContextVar[float | None] = ContextVar("query_timeout", default=None)


@contextmanager
def large_change() -> Iterator[None]:
    """Run a transaction, and free its disk space if it fails.

    SQLite does not shrink its write-ahead log after a failed transaction. The disk would stay full
    until all processes end.
    """
    # Move the pages of the log to the database while there is space for them.
    _checkpoint("PASSIVE")
    try:
        with transaction.atomic():
            yield
    except DatabaseError:
        _checkpoint("TRUNCATE")
        raise


def _checkpoint(mode: str) -> None:
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute(f"PRAGMA wal_checkpoint({mode})")


# --- The lock of imports on PostgreSQL; SQLite has one writer at a time ---------------------------

IMPORT_LOCK = 0x72657669657773  # "reviews"


def acquire_import_lock() -> None:
    """Serialise imports, which could otherwise create the same review twice."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK])


def is_import_running() -> bool:
    """Whether another connection holds the lock of imports."""
    if connection.vendor != "postgresql":
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [IMPORT_LOCK])
        return not cursor.fetchone()[0]
