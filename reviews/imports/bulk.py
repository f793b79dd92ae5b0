"""Rows written in the thousands, by as few statements as each database takes them in."""
# ruff: noqa: S608  (Every statement is put together from constants of this project.)

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.db import connection, models
from django.db.backends.utils import CursorWrapper

# So many written rows, and that share of a table, make autovacuum look at it again as well.
FEW, CHANGED_SHARE = 50, 0.1


def reserve_ids(model: type[models.Model], count: int) -> Iterable[int]:
    """Ids that nobody else gets, so that mentions need not wait for their reviews' ids."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = (
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            )
            cursor.execute(sequence, [table, count])
            return [number for (number,) in cursor.fetchall()]
        # The transaction is IMMEDIATE: this connection is the only writer until it ends.
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = (cursor.fetchone() or (0,))[0]
        return range(last + 1, last + 1 + count)


def insert(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Add rows with values of these columns."""
    if not rows:
        return
    quote = connection.ops.quote_name
    into = f"{quote(model._meta.db_table)} ({', '.join(map(quote, columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            _copy(cursor, into, rows)
        else:
            # Many rows to a statement, for each opens what its triggers may write to: a third of
            # the time.
            row_marks = f"({', '.join(['%s'] * len(columns))})"
            size = cast("int", connection.features.max_query_params) // len(columns)
            whole = len(rows) - len(rows) % size
            cursor.executemany(
                f"INSERT INTO {into} VALUES {', '.join([row_marks] * size)}",
                [
                    [*itertools.chain.from_iterable(rows[start : start + size])]
                    for start in range(0, whole, size)
                ],
            )
            cursor.executemany(f"INSERT INTO {into} VALUES {row_marks}", rows[whole:])


def update_reviews(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Give reviews new values of these columns; the last value of each row is an id."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # By way of a table of their own: one statement for all takes half the time.
            names = ", ".join((*columns, "id"))
            # One per choice of columns, which a transaction may have several of.
            staged = f"staged_{len(columns)}"
            cursor.execute(
                f"CREATE TEMPORARY TABLE IF NOT EXISTS {staged} ON COMMIT DROP"
                f" AS SELECT {names} FROM reviews_review LIMIT 0"
            )
            _copy(cursor, f"{staged} ({names})", rows)
            cursor.execute(f"ANALYZE {staged}")
            assignments = ", ".join(f"{column} = {staged}.{column}" for column in columns)
            cursor.execute(
                f"UPDATE reviews_review SET {assignments} FROM {staged}"
                f" WHERE reviews_review.id = {staged}.id"
            )
            cursor.execute(f"TRUNCATE {staged}")
        else:
            assignments = ", ".join(f"{column} = %s" for column in columns)
            cursor.executemany(f"UPDATE reviews_review SET {assignments} WHERE id = %s", rows)


def analyze_table(model: type[models.Model], columns: Sequence[str], written: int) -> None:
    """Let PostgreSQL plan by what these columns hold now, when a tenth of the table was written.

    Autovacuum does so within minutes, where it is on; until then the newest reviews with a common
    word took twelve times as long at 1,000,000 reviews.
    """
    if connection.vendor != "postgresql":
        return
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        # For nobody but the owner; others are warned, and nothing happens.
        cursor.execute(
            "SELECT greatest(reltuples, 0) FROM pg_class"
            " WHERE oid = to_regclass(%s) AND pg_has_role(relowner, 'USAGE')",
            [table],
        )
        if (known := cursor.fetchone()) and written >= FEW + CHANGED_SHARE * known[0]:
            cursor.execute(f"ANALYZE {table} ({', '.join(columns)})")


def _copy(cursor: CursorWrapper, into: str, rows: Iterable[Sequence[Any]]) -> None:
    with cursor.copy(f"COPY {into} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
