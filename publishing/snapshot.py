"""Read many rows as of one moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Every query inside sees the same committed state; nothing may be written."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # `atomic` may begin IMMEDIATE and wait for writers; a plain BEGIN reads beside them.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                # An error of the disk has ended the transaction already, and is the one to raise.
                if connection.connection.in_transaction:
                    cursor.execute("COMMIT")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
