"""A PostgreSQL that neither answers nor refuses connections."""

import socket
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection, transaction

from config.env import database
from core.db import errors as database_errors
from core.db.postgres import base
from core.db.transactions import query_timeout
from reviews.models import Review
from tests.config.test_bad_operations import web
from tests.factories import make_review
from tests.threads import run_in_thread


@contextmanager
def frozen_server():
    """Start a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"postgres://somebody:open-sesame@127.0.0.1:{server.getsockname()[1]}/reviews"


@pytest.fixture(autouse=True)
def _restored_timeouts():
    before = query_timeout.get()
    yield
    query_timeout.set(before)
    connection.close()  # As after a request. Abandoned sockets are closed.


@pytest.fixture
def breaker(monkeypatch):
    fresh = base.CircuitBreaker()
    monkeypatch.setattr(base, "breaker", fresh)
    return fresh


def connect_to(url, monkeypatch):
    """Try to connect as the settings would, and return the error."""
    monkeypatch.setenv("DATABASE_URL", url)
    values = {**connection.settings_dict, "OPTIONS": {"connect_timeout": 2}}
    values |= database("DATABASE_URL", default="")
    wrapper = base.DatabaseWrapper(values, "silent")
    with pytest.raises(OperationalError) as error:
        wrapper.ensure_connection()
    return error.value


@pytest.mark.slow
@pytest.mark.django_db
def test_circuit_breaker_opens_after_one_attempt(breaker, monkeypatch):
    with frozen_server() as url:
        first = connect_to(url, monkeypatch)
        began = time.monotonic()
        errors = [connect_to(url, monkeypatch) for _ in range(20)]

    assert time.monotonic() - began < base.CONNECT_SECONDS
    assert {database_errors.hint_for(each) for each in (first, *errors)} == {
        database_errors.UNREACHABLE
    }


def test_open_circuit_breaker_allows_one_attempt_at_a_time(breaker, monkeypatch):
    now = 100.0
    monkeypatch.setattr(base, "time", SimpleNamespace(monotonic=lambda: now))
    assert breaker.allows_attempt()

    breaker.open()
    assert not breaker.allows_attempt()

    now += base.OPEN_SECONDS
    assert [breaker.allows_attempt() for _ in range(3)] == [True, False, False]

    breaker.close()
    assert breaker.allows_attempt()


@pytest.mark.slow
def test_web_server_names_silent_database(tmp_path):
    with frozen_server() as url, web(tmp_path, DATABASE_URL=url) as server:
        paths = ("/readyz", "/api/reviews/search", "/reviews.json")
        ready, search, document = map(server.get, paths)

    assert (ready.status_code, search.status_code, document.status_code) == (503, 503, 503)
    assert ready.json()["detail"] == f"database: unreachable. {database_errors.UNREACHABLE}"
    assert "Traceback" not in server.log.read_text()
    assert "open-sesame" not in server.log.read_text()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="how PostgreSQL is waited for")
@pytest.mark.django_db(transaction=True)
class TestTimeout:
    def test_unanswered_query_ends_with_its_connection(self, breaker):
        query_timeout.set(0.2)
        with pytest.raises(OperationalError) as error, connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(60)")

        assert database_errors.hint_for(error.value) == database_errors.UNREACHABLE
        assert not connection.is_usable()
        assert not breaker.allows_attempt()

    def test_lock_timeout_reports_busy_server(self, breaker):
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(1)")
        connection.close()
        query_timeout.set(2.0)
        try:
            with pytest.raises(OperationalError) as error, connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(1)")
        finally:
            other.close()

        assert database_errors.hint_for(error.value) == database_errors.BUSY
        assert connection.is_usable()
        assert breaker.allows_attempt()

    def test_transaction_ends_with_its_connection(self, breaker):
        def begin_and_wait():
            with transaction.atomic(), connection.cursor() as cursor:
                make_review()
                cursor.execute("SELECT pg_sleep(60)")

        query_timeout.set(1.0)
        with pytest.raises(OperationalError):
            begin_and_wait()

        connection.close()
        breaker.close()
        assert not Review.objects.exists()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server to restart")
@pytest.mark.django_db(transaction=True)
def test_search_survives_closed_connection(client):
    make_review()
    assert client.get("/api/reviews/search").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()

    run_in_thread(lambda: end_session(pid))
    connection.health_check_done = False  # As between two requests.

    assert client.get("/api/reviews/search?limit=2").status_code == 200


def end_session(pid):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
