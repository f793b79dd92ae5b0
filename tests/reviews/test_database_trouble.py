"""An error of the database is told with its remedy, or as the fault of a question."""

import datetime as dt

import psycopg
import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
)

from core.db.errors import (
    BROKEN,
    BUSY,
    FULL,
    NOT_MIGRATED,
    READ_ONLY,
    REFUSED,
    UNREACHABLE,
    hint_for,
    is_query_too_complex,
)
from publishing.snapshot import read_snapshot
from reviews.models import Review
from tests.factories import make_review


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
def test_error_of_the_database_has_a_remedy(error, sentence):
    assert hint_for(error) == sentence


@pytest.mark.django_db(transaction=True)
def test_database_s_own_words_are_understood():
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM table_of_tomorrow")

    assert hint_for(raised.value) == NOT_MIGRATED


@pytest.mark.skipif(connection.vendor != "sqlite", reason="how SQLite says that a disk is full")
@pytest.mark.django_db(transaction=True)
def test_full_disk_of_sqlite_is_understood_and_passes():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OperationalError) as full:
            make_review(text="x" * 1_000_000)
        cursor.execute("PRAGMA max_page_count = 1073741823")

    assert hint_for(full.value) == FULL
    assert not Review.objects.exists()
    make_review()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="It is SQLite that ends transactions")
@pytest.mark.django_db(transaction=True)
def test_fault_that_ends_a_snapshot_is_told_itself():
    def read_and_fail():
        with read_snapshot(), connection.cursor() as cursor:
            cursor.execute("ROLLBACK")  # As SQLite does by itself.
            raise OperationalError("disk I/O error")

    with pytest.raises(OperationalError, match="disk I/O error"):
        read_and_fail()

    with read_snapshot():
        assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("error", "is_too_complex"),
    [
        (raised(OperationalError, "Expression tree is too large (maximum depth 1000)"), True),
        (raised(OperationalError, "too many SQL variables"), True),
        (raised(OperationalError, "stack depth limit exceeded", "54001"), True),
        (raised(DataError, "PostgreSQL text fields cannot contain NUL (0x00) bytes"), True),
        (raised(OperationalError, "database is locked"), False),
        (raised(ProgrammingError, "syntax error", "42601"), False),
        (raised(IntegrityError, "unique constraint", "23505"), False),
        (KeyError("date"), False),
    ],
    ids=str,
)
def test_a_question_can_be_too_long_or_hold_what_no_database_takes(error, is_too_complex):
    assert is_query_too_complex(error) is is_too_complex


def test_a_value_out_of_range_is_the_question_s_only_where_a_statement_is_made():
    with pytest.raises(ValueError, match="99999") as of_the_question:
        str(Review.objects.filter(date__year=99_999).query)
    with pytest.raises(ValueError, match="99999") as of_ours:
        dt.date(99_999, 1, 1)

    assert is_query_too_complex(of_the_question.value)
    assert not is_query_too_complex(of_ours.value)
