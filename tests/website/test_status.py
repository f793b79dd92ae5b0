import datetime as dt
import threading

import pytest
import time_machine
from django.db import OperationalError
from django.utils import timezone

from publishing.models import Document
from tests.websub.rows import make_attempt, make_subscription
from website import status

BASE = "https://reviews.example"
NOW = dt.datetime(2026, 5, 1, 10, tzinfo=dt.UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_status_cache():
    status.status_cache.clear()
    yield
    status.status_cache.clear()


@pytest.fixture
def noon():
    with time_machine.travel(NOW, tick=False):
        yield


def publish(path="/feed.xml", version=3, seconds_ago=60):
    return Document.objects.create(
        path=path, version=version, changed_at=timezone.now() - dt.timedelta(seconds=seconds_ago)
    )


def read(client):
    response = client.get("/status.json")
    assert response.status_code == 200
    return response.json()


def test_empty_installation_has_a_status(client):
    response = client.get("/status.json")

    assert response.content == (
        b'{"documents":[],"subscriptions":{"active":0,"failing":0},"deliveries":{"window_hours":24,'
        b'"acknowledged":0,"missed":0,"median_seconds":null,"oldest_due_seconds":null},'
        b'"sources":{"active":0,"failing":0,"alarms":0,"waiting_for_approval":0,'
        b'"newest_look_seconds":null,"oldest_look_seconds":null},'
        b'"worker":"absent","scheduler":"absent"}'
    )
    assert response["Content-Type"] == "application/json"
    assert response["Cache-Control"] == "public, max-age=5"
    assert response["Access-Control-Allow-Origin"] == "*"


def test_subscriptions_count_while_their_lease_lives(client):
    make_subscription()
    make_subscription(consecutive_failures=2)
    make_subscription(expires_at=timezone.now() - dt.timedelta(seconds=1))

    assert read(client)["subscriptions"] == {"active": 2, "failing": 1}


def test_deliveries_of_last_day_are_counted_with_median(client):
    for span in (0.1, 0.2, 0.9):
        make_attempt(seconds=span)
    make_attempt(result="failed", seconds=9.0)
    make_attempt(result="hub_error", seconds=9.0)
    make_attempt(seconds=9.0, at=timezone.now() - dt.timedelta(hours=25))

    deliveries = read(client)["deliveries"]

    assert deliveries["acknowledged"] == 3
    assert deliveries["missed"] == 1
    assert deliveries["median_seconds"] == 0.2


@pytest.mark.usefixtures("noon")
@pytest.mark.parametrize(
    ("fields", "waited"),
    [
        ({"acknowledged_version": 2}, 60.0),  # Since the change.
        ({"acknowledged_version": 2, "next_attempt_at": NOW - dt.timedelta(seconds=10)}, 10.0),
        ({"acknowledged_version": 2, "next_attempt_at": NOW + dt.timedelta(seconds=10)}, None),
        ({"acknowledged_version": 2, "expires_at": NOW}, None),
        ({"acknowledged_version": 2, "claimed_until": NOW + dt.timedelta(seconds=30)}, 60.0),
        ({"acknowledged_version": 3}, None),
    ],
)
def test_oldest_due_delivery_waits_since_its_due_time(client, fields, waited):
    publish("/feed.xml", 3, seconds_ago=60)
    make_subscription(**{"next_attempt_at": NOW - dt.timedelta(days=1)} | fields)

    assert read(client)["deliveries"]["oldest_due_seconds"] == waited


def test_status_hides_subscribers(client):
    subscription = make_subscription(
        callback="https://hooks.tern.example/cb?token=capability", last_error="No answer."
    )
    make_attempt(subscription=subscription, result="failed", error="No answer.")

    for address in ("/status.json", "/status"):
        status = client.get(address).content.decode()
        for words in ("tern.example", "capability", "No answer"):
            assert words not in status


def test_status_queries_do_not_grow_with_rows(client, django_assert_max_num_queries):
    for path in ("/reviews.json", "/feed.xml", "/api/feed.json"):
        publish(path)
    for _ in range(20):
        make_attempt(subscription=make_subscription())

    with django_assert_max_num_queries(13):
        read(client)


def test_last_status_is_served_during_update(monkeypatch):
    last = status.status_cache.get(dict)
    following = status.take_status(dict)
    status.status_cache.expire()
    seen = []

    def take(heartbeats):
        other = threading.Thread(target=lambda: seen.append(status.status_cache.get(dict)))
        other.start()
        other.join(5)
        return following

    monkeypatch.setattr(status, "take_status", take)

    assert status.status_cache.get(dict) is following
    assert [each is last for each in seen] == [True]


@pytest.mark.parametrize(
    ("address", "media_type"),
    [("/status", "text/html; charset=utf-8"), ("/status.json", "application/json")],
)
def test_unreachable_database_is_reported_without_delay(client, monkeypatch, address, media_type):
    def fail():
        raise OperationalError("gone")

    monkeypatch.setattr(status, "hub_statistics", fail)

    for _ in range(2):
        response = client.get(address)
        assert (response.status_code, response["Content-Type"]) == (503, media_type)
