"""Statements sent without Django's cursor: its rows, its errors, and nothing hidden from it."""

import pytest
from django.db import Error, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from reviews.connections import close_old_connections, fetch
from reviews.models import Review
from tests.factories import make_review

BY_TEXT = "SELECT id, text, rating, date FROM reviews_review WHERE text LIKE %s AND rating = %s"


@pytest.mark.django_db
def test_rows_are_those_of_a_cursor():
    make_review(text="100 % on time", rating=5)
    make_review(text="Late", rating=5)

    found = fetch(BY_TEXT, ["100 \\%%" if connection.vendor == "postgresql" else "100 %", 5])

    with connection.cursor() as cursor:
        cursor.execute("SELECT id, text, rating, date FROM reviews_review WHERE text LIKE '100%'")
        assert found == cursor.fetchall()
    assert len(found) == 1


@pytest.mark.django_db(transaction=True)
def test_errors_are_those_of_django():
    with pytest.raises(Error, match="no_such_table"):
        fetch("SELECT 1 FROM no_such_table", [])


@pytest.mark.django_db
def test_what_is_not_committed_yet_is_seen_by_its_own_thread():
    with transaction.atomic():
        make_review(text="Just written", rating=4)
        assert len(fetch(BY_TEXT, ["Just%", 4])) == 1


@pytest.mark.django_db
def test_whoever_watches_statements_sees_these_too():
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
def test_a_closed_connection_is_opened_again():
    make_review()
    connection.close()

    assert fetch("SELECT count(*) FROM reviews_review", []) == [(Review.objects.count(),)]


@pytest.mark.django_db(transaction=True, databases="__all__")
def test_each_connection_is_given_up_when_its_time_has_come(monkeypatch):
    given_up = []
    for each in connections.all():
        each.ensure_connection()
        monkeypatch.setattr(each, "close_at", 0)
        monkeypatch.setattr(each, "close", lambda alias=each.alias: given_up.append(alias))

    close_old_connections()

    assert given_up == list(connections)
