"""Timeouts of queries, transactions larger than the disk may hold, and the lock of imports."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from django.db import DatabaseError, connection, transaction

# After them the connection is given up: a server that is frozen, or behind a network that drops
# packets, neither answers nor refuses. A query without a timeout, as by a command, waits for ever.
REQUEST_TIMEOUT = 10.0  # While a client waits, and with it one of a web process's few threads.
TASK_TIMEOUT = 300.0  # Storing the largest documents takes a while; nobody waits for it.

query_timeout: ContextVar[float | None] = ContextVar("query_timeout", default=None)


@contextmanager
def large_change() -> Iterator[None]:
    """One transaction, which gives back the room that it took when it fails.

    SQLite keeps the room that its log of changes took, also for a change that failed: the disk
    would stay full, for messages, counters and other programs, until all processes have ended.
    """
    # Pages of the write-ahead log move to the database's file while there is room for them.
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


# --- The lock by which imports follow each other on PostgreSQL; SQLite has one writer anyway ------

IMPORT_LOCK = 0x72657669657773  # "reviews"


def acquire_import_lock() -> None:
    """Let no two transactions import at a time, which could create the same new review."""
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
