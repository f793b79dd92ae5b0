"""This thread's database connections, in fewer steps than Django takes to them.

Django looks a connection up for every question, and asks asyncio each time whether it may. That
and its cursors were a quarter of the CPU of a tool call (`python -m tools.benchmarks.run mcp`).
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from threading import local
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections


class _ThreadLocal(local):
    def __init__(self) -> None:
        self.default = connections[DEFAULT_DB_ALIAS]


_local = _ThreadLocal()
_MARK = "?" if settings.USES_SQLITE else "%s"


def fetch(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """All rows of a statement, with `%s` for each of its parameters.

    What fails raises Django's exceptions. Whoever logs or wraps Django's statements meets this one.
    """
    database = _local.default
    rows: list[tuple[Any, ...]]
    if database.queries_logged or database.execute_wrappers:
        with database.cursor() as cursor:
            cursor.execute(sql, parameters)
            rows = cursor.fetchall()
        return rows
    database.close_if_health_check_failed()
    database.ensure_connection()
    with database.wrap_database_errors:
        rows = database.connection.execute(sql.replace("%s", _MARK), parameters).fetchall()
    return rows


def iterate(sql: str, parameters: Sequence[Any]) -> Generator[tuple[Any, ...], None, None]:
    """The rows as `fetch` has them, one by one: SQLite looks for no more than are taken.

    Whoever does not take them all closes it, which ends the reading.
    """
    database = _local.default
    if database.queries_logged or database.execute_wrappers:
        with database.cursor() as cursor:
            cursor.execute(sql, parameters)
            yield from cursor
        return
    database.close_if_health_check_failed()
    database.ensure_connection()
    with (
        database.wrap_database_errors,
        closing(database.connection.execute(sql.replace("%s", _MARK), parameters)) as rows,
    ):
        yield from rows
