"""Statements sent without Django's cursor: its rows, its errors, and nothing hidden from it."""

import pytest
from django.db import Error, connection, transaction
from django.test.utils import CaptureQueriesContext

from core.db.raw import fetch, iterate
from reviews.models import Review
from tests.factories import make_review

BY_TEXT = "SELECT id, text, rating, date FROM reviews_review WHERE text LIKE %s AND rating = %s"


def stream_all(sql, parameters):
    return list(iterate(sql, parameters))


FETCHES = pytest.mark.parametrize("fetch", [fetch, stream_all])


@pytest.mark.django_db
@FETCHES
def test_rows_are_those_of_a_cursor(fetch):
    make_review(text="100 % on time", rating=5)
    make_review(text="Late", rating=5)

    found = fetch(BY_TEXT, ["100 \\%%" if connection.vendor == "postgresql" else "100 %", 5])

    with connection.cursor() as cursor:
        cursor.execute("SELECT id, text, rating, date FROM reviews_review WHERE text LIKE '100%'")
        assert found == cursor.fetchall()
    assert len(found) == 1


@pytest.mark.django_db(transaction=True)
@FETCHES
def test_errors_are_those_of_django(fetch):
    with pytest.raises(Error, match="no_such_table"):
        fetch("SELECT 1 FROM no_such_table", [])


@pytest.mark.django_db(transaction=True)
def test_whoever_leaves_rows_ends_the_reading():
    for _ in range(9):
        make_review(text="On time", rating=5)
    rows = iterate(BY_TEXT, ["On time", 5])
    assert next(rows)[1] == "On time"
    rows.close()

    with connection.cursor() as cursor:  # Which SQLite refuses while somebody reads.
        cursor.execute("CREATE TABLE after_reading (id INTEGER)")
        cursor.execute("DROP TABLE after_reading")


@pytest.mark.django_db
@FETCHES
def test_what_is_not_committed_yet_is_seen_by_its_own_thread(fetch):
    with transaction.atomic():
        make_review(text="Just written", rating=4)
        assert len(fetch(BY_TEXT, ["Just%", 4])) == 1


@pytest.mark.django_db
@FETCHES
def test_whoever_watches_statements_sees_these_too(fetch):
    seen = []

    def watch(execute, sql, params, many, context):
        seen.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        fetch(BY_TEXT, ["x", 1])
    with CaptureQueriesContext(connection) as captured:
        fetch(BY_TEXT, ["x", 1])

    assert seen == [(BY_TEXT, ["x", 1])]
    assert len(captured) == 1


@pytest.mark.django_db(transaction=True)
@FETCHES
def test_a_closed_connection_is_opened_again(fetch):
    make_review()
    connection.close()

    assert fetch("SELECT count(*) FROM reviews_review", []) == [(Review.objects.count(),)]
