"""The documents in memory follow the rows, whatever becomes of the database."""

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
from tests.publishing.conftest import ask
from tests.threads import elsewhere
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)

REVIEWS = "/reviews.json"


def test_an_edit_is_visible_without_a_worker(make_middleware):
    review = make_review()
    middleware = make_middleware()
    before = ask(middleware, REVIEWS)

    review.text = "Edited after the process had started."
    review.save()

    eventually(lambda: b"Edited after" in ask(middleware, REVIEWS).body)
    after = ask(middleware, REVIEWS)
    assert after.header("ETag") != before.header("ETag")
    assert after.header("Last-Modified") != before.header("Last-Modified")
    eventually(lambda: b"Edited after" in ask(middleware, "/feed.xml").body)


@pytest.fixture
def looking(monkeypatch):
    """A document cache, an edit of its review, and its entries whenever a document was built."""
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


def test_what_others_have_stored_is_shown_before_anything_is_built(looking):
    held, edit, shown = looking
    edit("Stored by another process.")
    publisher.publish_due()
    shown.clear()
    edit("Not built by anybody.")

    held.refresh()

    first, *_ = shown.values()
    assert b"Stored by another process." in first[REVIEWS]
    assert b"Not built by anybody." in held.entries[REVIEWS].identity


def test_each_document_is_shown_as_soon_as_it_is_built(looking):
    held, edit, shown = looking
    edit("Edited.")

    held.refresh()

    assert b"Held from the start." in shown["/feed.xml"]["/feed.xml"]
    assert b"Edited." in shown[REVIEWS]["/feed.xml"]


def test_two_processes_give_the_same_answer(make_middleware):
    make_review()

    first, second = make_middleware(), make_middleware()

    for path in registered_paths():
        replies = [ask(one, path, HTTP_X_REQUEST_ID="same") for one in (first, second)]
        assert replies[0] == replies[1]
    assert set(Document.objects.values_list("version", flat=True)) == {1}


def test_a_new_process_waits_for_what_another_is_building_for_the_first_time(make_middleware):
    make_review(text="The first of all.")
    by_another = publisher._claim(REVIEWS)
    middleware, replies = make_middleware(), []
    reader = threading.Thread(
        target=elsewhere, args=[lambda: replies.append(ask(middleware, REVIEWS))]
    )
    reader.start()
    eventually(lambda: "/feed.xml" in middleware._cache.entries)
    assert not replies

    publisher._build(registry[REVIEWS], by_another)
    reader.join()

    assert replies[0].status == "200 OK"
    assert b"The first of all." in replies[0].body


def said_by_the_cache(caplog):
    return [record for record in caplog.records if record.name == cache.__name__]


def test_a_lost_database_leaves_the_documents_up_and_is_told_once(
    make_middleware, monkeypatch, caplog
):
    make_review(text="Written before the outage.")
    middleware = make_middleware()
    before = ask(middleware, REVIEWS, HTTP_X_REQUEST_ID="same")
    look, failures = publisher.states, []

    def lost(*paths):
        failures.append(True)
        raise OperationalError("the connection is closed")

    with caplog.at_level(logging.INFO):
        monkeypatch.setattr(publisher, "states", lost)
        eventually(lambda: len(failures) > 3)
        assert ask(middleware, REVIEWS, HTTP_X_REQUEST_ID="same") == before
        monkeypatch.setattr(publisher, "states", look)
        make_review(text="Written after the outage.")
        eventually(lambda: b"Written after the outage." in ask(middleware, REVIEWS).body)
        eventually(lambda: len(said_by_the_cache(caplog)) > 1)

    reported, over = said_by_the_cache(caplog)
    assert reported.message.startswith(
        "The documents cannot be refreshed; those at hand are served. "
    )
    assert database_errors.UNREACHABLE in reported.message
    assert not reported.exc_info
    assert over.message == "The documents are refreshed again"


def test_a_new_process_without_a_database_asks_to_come_back(make_middleware, django, monkeypatch):
    def lost(*paths):
        raise OperationalError("could not connect to server: password=hunter2")

    look = publisher.states
    monkeypatch.setattr(publisher, "states", lost)
    middleware = make_middleware(django)
    started = time.monotonic()

    reply = ask(middleware, REVIEWS, HTTP_X_REQUEST_ID="abc")

    assert time.monotonic() - started < cache.STARTUP_SECONDS  # At once: it is known by then.
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
    eventually(lambda: ask(middleware, REVIEWS).status == "200 OK")


def test_a_database_that_cannot_be_written_is_still_served_from(make_middleware, monkeypatch):
    review = make_review(text="Written before the disk was full.")
    publisher.publish_due()
    review.text = "Not published yet."
    review.save()

    def full(resource):
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(publisher, "publish", full)

    assert b"Written before the disk was full." in ask(make_middleware(), REVIEWS).body


def test_readers_never_see_a_tag_with_another_body(make_middleware):
    review = make_review()
    middleware = make_middleware()
    ask(middleware, REVIEWS)
    done = threading.Event()
    mismatches, read = [], []

    def keep_reading():
        while not done.is_set():
            time.sleep(0.0005)  # Readers that never pause would keep the poll from running.
            reply = ask(middleware, REVIEWS)
            read.append(reply.header("ETag"))
            if reply.header("ETag") != f'"{publisher.digest(reply.body)}"':
                mismatches.append(reply)

    readers = [threading.Thread(target=elsewhere, args=[keep_reading]) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(5):
            text = f"Edit number {number}."
            review.text = text
            review.save()
            eventually(lambda text=text: text.encode() in ask(middleware, REVIEWS).body)
    finally:
        done.set()
        for reader in readers:
            reader.join()

    assert mismatches == []
    assert len(set(read)) > 1
