"""Pushes of one source: imported together, limited unread, counted by day."""

import gzip
from functools import partial

import pytest

from imports.models import ImportBatch, ImportUpload
from reviews.models import Review
from sources import runs, services
from sources.models import SourceRun
from sources.selectors import waiting_runs
from sources.tasks import follow_batches
from tests.sources.rows import confirm_entries, entries, entry, make_connection, post

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def source(allow_local_sources):
    return make_connection("push")


@pytest.fixture
def push(client, source):
    return partial(post, client, source)


def first_import(push):
    """Import two reviews, so that the layout is known."""
    push(entries(2))
    runs.import_stored()


def test_waiting_pushes_become_one_batch_in_order(push):
    first_import(push)
    for number in range(10, 30):
        assert push(entry(number)).status_code == 202
    push(entry(10, text="Edited later."))

    runs.import_stored()

    assert Review.objects.count() == 22
    assert Review.objects.get(external_id="id-10").text == "Edited later."
    assert ImportBatch.objects.count() == 2
    leader = SourceRun.objects.get(state="imported", rows=21)
    assert leader.merged.count() == 20
    assert {run.content for run in leader.merged.all()} == {None}


@pytest.mark.parametrize("packed", [False, True])
def test_long_body_is_stored_unread_and_read_by_reader_process(push, packed):
    first_import(push)
    body = entries(700)
    assert len(body) > 64 * 1024

    answer = push(gzip.compress(body) if packed else body)

    assert answer.status_code == 202
    assert answer.json()["received"] is None
    runs.import_stored()
    assert Review.objects.count() == 700


@pytest.mark.parametrize(
    ("kind", "given", "status"),
    [
        ("push", {}, 202),
        ("dataforseo", {"place_id": "ChIJx", "login": "a", "password": "b"}, 202),
        ("trustpilot", {"business": "www.example.com"}, 202),
        ("apify", {"task": "a~b", "key": "k"}, 413),
    ],
)
def test_long_body_is_not_parsed_by_connector(client, kind, given, status):
    presets = {"location": "x", "language": "en", "most": 10} if kind == "dataforseo" else {}
    source = make_connection(kind, **given, **presets)
    body = b'{"a": ' + b"[" * 70_000  # Invalid JSON, which a parser would refuse.

    for sent in (body, gzip.compress(body)):
        answer = post(client, source, sent)
        assert answer.status_code == status
    runs.import_stored()

    states = set(SourceRun.objects.values_list("state", flat=True))
    assert states == ({"failed"} if status == 202 else set())


def test_deletions_of_a_day_are_counted_together(push):
    push(entries(60))
    runs.import_stored()
    for start in range(0, 60, 6):
        events = [
            {"eventName": "service-review-deleted", "eventData": {"id": f"id-{number}"}}
            for number in range(start, start + 6)
        ]
        push({"events": events})
        runs.import_stored()

    assert Review.objects.visible().count() >= 57
    assert waiting_runs().count() == 10


def test_push_without_public_reviews_is_no_failure(push):
    body = {
        "type": "review.created",
        "review": {
            "reviewId": "ok1",
            "body": "Neat",
            "rating": 5,
            "dateCreated": "2026-11-20T20:00:00Z",
            "reviewer": {"displayName": "Ann Y"},
            "status": "pending",
        },
    }

    assert push(body).status_code == 202
    runs.import_stored()

    run = SourceRun.objects.get()
    assert (run.state, run.error) == ("unchanged", "1 row is left out: status is pending (1).")
    assert not Review.objects.exists()


def test_pushes_of_new_layout_are_imported_together_after_confirmation(push, source):
    source.import_options = {"source": "google"}  # Proposals need a confirmation.
    source.save()
    for number in range(3):
        assert push(entry(number)).status_code == 202
    runs.import_stored()
    assert waiting_runs().count() == 3
    assert not Review.objects.exists()

    confirm_entries()
    assert follow_batches() == 3
    runs.import_stored()

    assert Review.objects.count() == 3
    assert sorted(SourceRun.objects.values_list("state", flat=True)) == [
        *("imported", "merged", "merged")
    ]
    assert follow_batches() == 0


def test_contact_data_of_waiting_push_is_not_readable_in_tables(push, source):
    source.import_options = {}
    source.save()
    push(entry(1, email="dana@mail.example", ip="203.0.113.77"))
    runs.import_stored()

    (run,) = waiting_runs()
    for row in (run, *ImportUpload.objects.all()):
        assert b"dana@mail" not in bytes(row.content)
        assert b"203.0.113.77" not in bytes(row.content)
    assert "dana@mail" not in str(run.batch.preview)

    services.reject(run, by=None)

    run.refresh_from_db()
    assert run.content is None


def test_backlog_of_one_source_does_not_delay_others(push, client, monkeypatch):
    monkeypatch.setattr(runs, "RUNS_AT_ONCE", 2)
    for number in range(5):  # Tables are not merged.
        push(f"id,author,rating,date,text\n{number},Ann,5,2026-01-02,Fine {number}.".encode())
    other = make_connection("push", name="Other")
    post(client, other, entry(1))

    runs.import_stored()

    ended = SourceRun.objects.order_by("finished_at").values_list("connection__name", flat=True)
    assert list(ended).index("Other") == 2
    assert Review.objects.count() == 6


def test_body_that_failed_three_times_is_refused(push):
    body = b'{"a": ' + b"[" * 70_000
    for _ in range(3):
        assert push(body).status_code == 202
        runs.import_stored()

    assert set(SourceRun.objects.values_list("state", flat=True)) == {"failed", "set_aside"}
    answer = push(body)
    assert (answer.status_code, "set aside" in answer.json()["detail"]) == (422, True)
