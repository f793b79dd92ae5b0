"""Documents in memory follow the rows, even if the database fails."""

import json
import logging
import threading
import time

import pytest
from django.db import OperationalError

from core.db import errors as database_errors
from publishing import cache, publisher
from publishing.models import Document
from publishing.registry import registry
from tests.documents import registered_paths
from tests.factories import make_review
from tests.publishing.conftest import get_response
from tests.threads import run_in_thread
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

REVIEWS = "/reviews.json"


def test_edit_is_visible_without_worker(make_middleware):
    review = make_review()
    middleware = make_middleware()
    before = get_response(middleware, REVIEWS)

    review.text = "Edited after the process had started."
    review.save()

    wait_until(lambda: b"Edited after" in get_response(middleware, REVIEWS).body)
    after = get_response(middleware, REVIEWS)
    assert after.header("ETag") != before.header("ETag")
    assert after.header("Last-Modified") != before.header("Last-Modified")
    wait_until(lambda: b"Edited after" in get_response(middleware, "/feed.xml").body)


@pytest.fixture
def cache_during_build(monkeypatch):
    """Return a cache, an edit of its review, and the entries at each build of a document."""
    review = make_review(text="Held from the start.")
    held = cache.DocumentCache()
    held.refresh()
    shown, build = {}, publisher.publish

    def look_and_build(spec):
        shown[spec.path] = {path: entry.identity for path, entry in held.entries.items()}
        return build(spec)

    def edit(text):
        review.text = text
        review.save()

    monkeypatch.setattr(publisher, "publish", look_and_build)
    return held, edit, shown


def test_stored_documents_are_shown_before_building(cache_during_build):
    held, edit, shown = cache_during_build
    edit("Stored by another process.")
    publisher.publish_due()
    shown.clear()
    edit("Not built by anybody.")

    held.refresh()

    first, *_ = shown.values()
    assert b"Stored by another process." in first[REVIEWS]
    assert b"Not built by anybody." in held.entries[REVIEWS].identity


def test_documents_are_shown_as_soon_as_built(cache_during_build):
    held, edit, shown = cache_during_build
    edit("Edited.")

    held.refresh()

    assert b"Held from the start." in shown["/feed.xml"]["/feed.xml"]
    assert b"Edited." in shown[REVIEWS]["/feed.xml"]


def test_two_processes_give_same_response(make_middleware):
    make_review()

    first, second = make_middleware(), make_middleware()

    for path in registered_paths():
        replies = [get_response(one, path, HTTP_X_REQUEST_ID="same") for one in (first, second)]
        assert replies[0] == replies[1]
    assert set(Document.objects.values_list("version", flat=True)) == {1}


def test_new_process_waits_for_first_build_of_another(make_middleware):
    make_review(text="The first of all.")
    by_another = publisher._claim(REVIEWS)
    middleware, replies = make_middleware(), []
    reader = threading.Thread(
        target=run_in_thread, args=[lambda: replies.append(get_response(middleware, REVIEWS))]
    )
    reader.start()
    wait_until(lambda: "/feed.xml" in middleware._cache.entries)
    assert not replies

    publisher._build(registry[REVIEWS], by_another)
    reader.join()

    assert replies[0].status == "200 OK"
    assert b"The first of all." in replies[0].body


def cache_log_records(caplog):
    return [record for record in caplog.records if record.name == cache.__name__]


def test_lost_database_keeps_documents_and_is_logged_once(make_middleware, monkeypatch, caplog):
    make_review(text="Written before the outage.")
    middleware = make_middleware()
    before = get_response(middleware, REVIEWS, HTTP_X_REQUEST_ID="same")
    look, failures = publisher.states, []

    def lost(*paths):
        failures.append(True)
        raise OperationalError("the connection is closed")

    with caplog.at_level(logging.INFO):
        monkeypatch.setattr(publisher, "states", lost)
        wait_until(lambda: len(failures) > 3)
        assert get_response(middleware, REVIEWS, HTTP_X_REQUEST_ID="same") == before
        monkeypatch.setattr(publisher, "states", look)
        make_review(text="Written after the outage.")
        wait_until(lambda: b"Written after the outage." in get_response(middleware, REVIEWS).body)
        wait_until(lambda: len(cache_log_records(caplog)) > 1)

    reported, over = cache_log_records(caplog)
    assert reported.message.startswith(
        "The documents cannot be refreshed; those at hand are served. "
    )
    assert database_errors.UNREACHABLE in reported.message
    assert not reported.exc_info
    assert over.message == "The documents are refreshed again"


def test_new_process_without_database_is_503_with_retry_after(make_middleware, django, monkeypatch):
    def lost(*paths):
        raise OperationalError("could not connect to server: password=hunter2")

    look = publisher.states
    monkeypatch.setattr(publisher, "states", lost)
    middleware = make_middleware(django)
    started = time.monotonic()

    reply = get_response(middleware, REVIEWS, HTTP_X_REQUEST_ID="abc")

    assert time.monotonic() - started < cache.STARTUP_SECONDS  # The failure is known by then.
    assert reply.status == "503 Service Unavailable"
    assert reply.header("Retry-After") == "5"
    assert reply.header("Access-Control-Allow-Origin") == "*"
    assert json.loads(reply.body) == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "The data cannot be read at the moment. Please try again in 5 seconds.",
        "request_id": "abc",
    }
    monkeypatch.setattr(publisher, "states", look)
    wait_until(lambda: get_response(middleware, REVIEWS).status == "200 OK")


def test_read_only_database_is_served_from(make_middleware, monkeypatch):
    review = make_review(text="Written before the disk was full.")
    publisher.publish_due()
    review.text = "Not published yet."
    review.save()

    def full(resource):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(publisher, "publish", full)

    assert b"Written before the disk was full." in get_response(make_middleware(), REVIEWS).body


def test_readers_never_see_etag_of_other_body(make_middleware):
    review = make_review()
    middleware = make_middleware()
    get_response(middleware, REVIEWS)
    done = threading.Event()
    mismatches, read = [], []

    def keep_reading():
        while not done.is_set():
            time.sleep(0.0005)  # Readers without a pause would block the poll thread.
            reply = get_response(middleware, REVIEWS)
            read.append(reply.header("ETag"))
            if reply.header("ETag") != f'"{publisher.digest(reply.body)}"':
                mismatches.append(reply)

    readers = [threading.Thread(target=run_in_thread, args=[keep_reading]) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(5):
            text = f"Edit number {number}."
            review.text = text
            review.save()
            wait_until(lambda text=text: text.encode() in get_response(middleware, REVIEWS).body)
    finally:
        done.set()
        for reader in readers:
            reader.join()

    assert mismatches == []
    assert len(set(read)) > 1
