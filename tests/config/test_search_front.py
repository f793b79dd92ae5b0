"""A search before Django is entered: the very answers of the view, in fewer steps."""

from functools import partial

import pytest
from django.core.wsgi import get_wsgi_application
from django.db import OperationalError, connection

from config.search_front import SearchFront
from core.logging import request_id
from reviews.search.result_cache import forget
from tests import wsgi
from tests.factories import make_review
from tests.threads import elsewhere
from tests.wsgi import ask

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def reviews():
    for stars in (5, 4, 3):
        make_review(rating=stars, text=f"{stars} stars, schön", date=f"2026-03-0{stars}")
    forget()


@pytest.fixture
def entered():
    """Whenever Django was entered."""
    return []


@pytest.fixture
def front(reviews, entered):
    django = get_wsgi_application()

    def noted(environ, start_response):
        entered.append(environ["PATH_INFO"])
        return django(environ, start_response)

    return SearchFront(noted, request_id.set)


environment = partial(wsgi.environment, path="/api/reviews/search")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "query",
    [
        "",
        "limit=2",
        "query=SCH%C3%96N&rating=4",
        "query=nothing",
        "sort=lowest&limit=1&source=google&utm_source=mail&%ff=1",
        "changed_since=2026-01-01T00:00:00%2B01:00&has_text=true&language=de&sort=oldest&limit=1",
        "has_reply=false&max_rating=4.5",
    ],
)
def test_a_search_is_answered_as_by_the_view(front, entered, query, method):
    through_django = ask(get_wsgi_application(), environment(query, method))

    assert ask(front, environment(query, method)) == through_django
    assert through_django[0] == "200 OK"
    assert entered == []


@pytest.mark.parametrize("is_https", [True, False])
def test_headers_go_with_the_public_address(front, settings, is_https):
    settings.IS_HTTPS = is_https

    _, headers, _ = answer = ask(front, environment())

    assert answer == ask(get_wsgi_application(), environment())
    assert ("strict-transport-security" in headers) is is_https


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_client_that_holds_the_answer_gets_the_304_of_the_view(front, entered, form, method):
    _, headers, _ = ask(front, environment("limit=2"))
    held = environment("limit=2", method, http_if_none_match=form.format(headers["etag"]))

    answer = ask(front, held)

    assert answer[0] == "304 Not Modified"
    assert answer == ask(get_wsgi_application(), held)
    assert entered == []


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("rating=6&limit=x", {}),
        ("query=\xff", {}),
        ("", {"method": "POST"}),
        ("", {"method": "OPTIONS"}),
        ("", {"path": "/api/reviews/search/"}),
        ("", {"http_host": "evil.example"}),
    ],
)
def test_everything_else_is_for_django(front, entered, query, fields):
    answer = ask(front, environment(query, **fields))

    assert answer == ask(get_wsgi_application(), environment(query, **fields))
    assert len(entered) == 1


def test_a_request_without_a_host_is_for_django(front, entered):
    environ = environment()
    del environ["HTTP_HOST"]

    ask(front, environ)

    assert len(entered) == 1


def test_every_request_has_an_id_of_its_own(front):
    nameless = environment()
    del nameless["HTTP_X_REQUEST_ID"]

    first, second = (ask(front, dict(nameless))[1]["x-request-id"] for _ in range(2))

    assert first != second


def test_a_request_that_is_handed_on_keeps_its_id(reviews):
    handed = []

    def noted(environ, start_response):
        handed.append(environ["HTTP_X_REQUEST_ID"])
        start_response("200 OK", [])
        return []

    environ = environment("rating=6")
    del environ["HTTP_X_REQUEST_ID"]
    ask(SearchFront(noted, request_id.set), environ)

    assert request_id.get() == handed[0]


def test_front_and_view_spend_one_budget(front, settings):
    settings.RATE_LIMITS = {"search": (3, 600)}

    _, first, _ = ask(front, environment())
    _, second, _ = ask(get_wsgi_application(), environment())
    status, third, _ = ask(front, environment("limit=0"))  # Counted once, though refused.
    refused, last, _ = ask(front, environment())

    assert first["ratelimit-policy"] == last["ratelimit-policy"] == '"search";q=3;w=600'
    assert [each["ratelimit"].partition(";t")[0] for each in (first, second, third, last)] == [
        f'"search";r={left}' for left in (2, 1, 0, 0)
    ]
    assert (status, refused) == ("400 Bad Request", "429 Too Many Requests")
    assert int(last["retry-after"]) in range(1, 601)


def test_a_database_that_is_away_is_told_by_the_view(front, monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.search.revision_cache.revision", unreachable)

    status, headers, body = ask(front, environment())

    assert status == "503 Service Unavailable"
    assert "retry-after" in headers
    assert b"server closed" not in body


def test_a_search_that_fails_is_counted_once(front, settings, monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.search.revision_cache.revision", unreachable)
    settings.RATE_LIMITS = {"search": (3, 600)}

    answers = [ask(front, environment()) for _ in range(4)]

    assert [status[:3] for status, _, _ in answers] == ["503", "503", "503", "429"]
    left = [headers["ratelimit"].partition(";t")[0] for _, headers, _ in answers]
    assert left == [f'"search";r={number}' for number in (2, 1, 0, 0)]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server to restart")
def test_a_search_outlives_its_connection(front, entered):
    ask(front, environment())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    end_session(pid)

    status, _, _ = ask(front, environment("limit=2"))

    assert status == "200 OK"
    assert len(entered) == 1
    assert ask(front, environment("limit=1"))[0] == "200 OK"
    assert len(entered) == 1


def end_session(pid):
    def end():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])

    elsewhere(end)


def test_a_connection_is_given_up_when_its_time_has_come(front, monkeypatch):
    closed = []
    monkeypatch.setattr("publishing.fast_path.close_old_connections", lambda: closed.append(1))

    ask(front, environment())

    assert closed == [1]
