"""Apify: the last successful run of a task, fetched at intervals or when a webhook says so."""

import orjson
import pytest

from reviews.models import Review
from sources import polling, selectors
from sources.models import SourceRun
from tests.sources.rows import make_connection, make_form
from tests.sources.servers import Reply, conditional

ITEMS = [
    {
        "reviewId": f"ChdINVENTED{number}",
        "name": f"Inv Person {number}",
        "text": f"Invented text {number}",
        "publishedAtDate": "2026-05-20T09:34:44.000Z",
        "stars": 5,
        "title": "Invented Plumbing",
        "placeId": "P",
    }
    for number in range(3)
]
WEBHOOK = {
    "userId": "u",
    "createdAt": "2026-05-20T09:34:44.000Z",
    "eventType": "ACTOR.RUN.SUCCEEDED",
    "eventData": {"actorId": "a", "actorRunId": "r"},
    "resource": {"id": "r", "actId": "a", "status": "SUCCEEDED", "defaultDatasetId": "d1"},
}


@pytest.fixture
def connection(maker, recipes, transactional_db):
    maker.reply = conditional(orjson.dumps(ITEMS))
    return make_connection("apify", task="inv~google-reviews", key="apify_api_secret", source="")


def test_last_successful_run_is_imported(connection, maker, look):
    look()

    assert Review.objects.count() == 3
    assert maker.requests[0].target == (
        "/v2/actor-tasks/inv~google-reviews/runs/last/dataset/items"
        "?status=SUCCEEDED&format=json&clean=1"
    )
    assert maker.requests[0].headers["Authorization"] == "Bearer apify_api_secret"


def test_same_run_makes_no_second_batch(connection, maker, look):
    look()
    look()

    assert len(maker.requests) == 2
    assert SourceRun.objects.count() == 1


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("https://console.apify.com/actors/tasks/aB3dE/runs", "actor-tasks/aB3dE"),
        ("https://console.apify.com/actors/Xb8osYTtOjlsgI6k9/input", "acts/Xb8osYTtOjlsgI6k9"),
        ("https://api.apify.com/v2/actor-tasks/you~mine/runs/last", "actor-tasks/you~mine"),
        ("you/google-reviews", "actor-tasks/you~google-reviews"),
    ],
)
def test_address_of_task_becomes_its_path(given, path):
    form = make_form("apify", {"task": given, "key": "k"})

    assert form.is_valid(), form.errors
    assert form.cleaned_data["task"] == path


def test_address_that_is_no_task_is_refused_with_remedy():
    form = make_form("apify", {"task": "https://example.com/?x=1", "key": "k"})

    assert "copy the address" in form.errors["task"][0]


def push(client, connection, body):
    address = selectors.push_address(connection)
    return client.post(
        address[address.index("/api/") :], orjson.dumps(body), content_type="application/json"
    )


def test_webhook_of_successful_run_has_results_fetched(client, connection, maker, look):
    look()
    maker.reply = conditional(orjson.dumps([*ITEMS, {**ITEMS[0], "reviewId": "ChdINVENTED9"}]))

    answer = push(client, connection, WEBHOOK)
    polling.look_at_due()

    assert answer.status_code == 202
    assert Review.objects.count() == 4


@pytest.mark.parametrize("event", ["ACTOR.RUN.FAILED", "ACTOR.RUN.ABORTED", "ACTOR.RUN.TIMED_OUT"])
def test_webhook_of_failed_run_fetches_nothing(client, connection, maker, look, event):
    look()

    answer = push(client, connection, WEBHOOK | {"eventType": event})
    polling.look_at_due()

    assert answer.status_code == 202
    assert len(maker.requests) == 1


def test_webhook_without_event_is_refused_with_remedy(client, connection):
    answer = push(client, connection, {"resource": {}})

    assert answer.status_code == 422
    assert "eventType" in answer.json()["detail"]


def test_refused_token_stops_source(connection, maker, look):
    maker.reply = Reply(b'{"error":{"type":"user-or-token-not-found"}}', status=401)

    look()

    connection.refresh_from_db()
    assert connection.state == "stopped"
    assert "Renew the key" in connection.last_error
