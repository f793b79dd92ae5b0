"""Database errors are explained with a remedy."""

import psycopg
import pytest
from django.db import DatabaseError, OperationalError, ProgrammingError, connection

from core.db.errors import (
    BROKEN,
    BUSY,
    FULL,
    NOT_MIGRATED,
    READ_ONLY,
    REFUSED,
    UNREACHABLE,
    hint_for,
)
from publishing.snapshot import read_snapshot
from reviews.models import Review


def raised(cls, words, sqlstate=None):
    error = cls(words)
    if sqlstate:
        error.__cause__ = psycopg.errors.lookup(sqlstate)(words)
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (raised(OperationalError, "no such table: reviews_review"), NOT_MIGRATED),
        (raised(OperationalError, "no such column: mood"), NOT_MIGRATED),
        (raised(ProgrammingError, "relation does not exist", "42P01"), NOT_MIGRATED),
        (raised(ProgrammingError, "column does not exist", "42703"), NOT_MIGRATED),
        (raised(OperationalError, "database or disk is full"), FULL),
        (raised(OperationalError, "could not extend file", "53100"), FULL),
        (raised(OperationalError, "disk I/O error"), BROKEN),
        (raised(OperationalError, "database is locked"), BUSY),
        (raised(OperationalError, "terminating connection", "57P01"), UNREACHABLE),
        (raised(OperationalError, "too many clients", "53300"), UNREACHABLE),
        (raised(ProgrammingError, 'invalid connection option "user2"'), UNREACHABLE),
        (raised(OperationalError, "no password", "28P01"), REFUSED),
        (
            raised(OperationalError, 'connection failed: FATAL: database "x" does not exist'),
            REFUSED,
        ),
        (raised(OperationalError, "connection failed: password authentication failed"), REFUSED),
        (raised(OperationalError, "attempt to write a readonly database"), READ_ONLY),
        (raised(OperationalError, "something else"), None),
        (raised(DatabaseError, "unique constraint", "23505"), None),
        (ValueError("no such table"), None),
    ],
    ids=str,
)
def test_database_error_has_remedy(error, sentence):
    assert hint_for(error) == sentence


@pytest.mark.django_db(transaction=True)
def test_messages_of_database_are_recognised():
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM table_of_tomorrow")

    assert hint_for(raised.value) == NOT_MIGRATED


@pytest.mark.skipif(connection.vendor != "sqlite", reason="It is SQLite that ends transactions")
@pytest.mark.django_db(transaction=True)
def test_error_within_snapshot_is_reported():
    def read_and_fail():
        with read_snapshot(), connection.cursor() as cursor:
            cursor.execute("ROLLBACK")  # As SQLite does itself.
            raise OperationalError("disk I/O error")

    with pytest.raises(OperationalError, match="disk I/O error"):
        read_and_fail()

    with read_snapshot():
        assert not Review.objects.exists()
