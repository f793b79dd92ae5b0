"""Read from a consistent snapshot of the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Let all queries inside see the same committed state; do not write inside."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # `atomic` may begin IMMEDIATE, and would wait for writers.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                # A disk error ends the transaction; COMMIT would hide it.
                if connection.connection.in_transaction:
                    cursor.execute("COMMIT")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
