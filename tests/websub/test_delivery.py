"""Deliveries (WebSub 7) over real TLS: the request, and acknowledgements."""

import datetime as dt
import hashlib
import hmac

import pytest
from django.utils import timezone

from tests.websub.conftest import FEED, HUB, JSON_FEED, REVIEWS
from tests.websub.deliveries import claimed, deliver_all
from tests.websub.rows import make_subscription
from websub.models import Attempt, Subscription
from websub.protocol import signature
from websub.record_deliveries import DeliveryResult, record_results
from websub.secrets import encrypt
from websub.signals import deliveries_attempted

pytestmark = pytest.mark.django_db


# --- Request --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("topic", "media_type"),
    [
        (FEED, "application/atom+xml"),
        (JSON_FEED, "application/json"),
        (REVIEWS, "application/json"),
    ],
)
def test_newest_bytes_are_posted_with_type_and_links(sink, publish, topic, media_type):
    publish(b"old", topic)
    publish(b"new \xc3\xa9", topic)
    callback = sink.url("?user=%7E1&x=A%20b")
    make_subscription(callback=callback, topic=topic)

    assert deliver_all() == 1

    (post,) = sink.posts(callback)
    assert post.target.endswith("?user=%7E1&x=A%20b")
    assert post.body == b"new \xc3\xa9"
    assert post.headers["Content-Type"] == media_type
    assert post.headers["Link"] == f'<{HUB}>; rel="hub", <{topic}>; rel="self"'
    assert post.headers["User-Agent"] == "Reviews-Hub/1.0 (+https://reviews.example)"
    assert post.headers["Content-Length"] == "6"
    assert "X-Hub-Signature" not in post.headers
    assert "Content-Encoding" not in post.headers


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_delivery_is_signed_with_the_secret(sink, publish, settings, method):
    settings.WEBSUB_SIGNATURE_METHOD = method
    publish(b"content")
    callback = sink.url()
    make_subscription(callback=callback, secret="gehéim")

    deliver_all()

    (post,) = sink.posts(callback)
    expected = hmac.new("gehéim".encode(), b"content", getattr(hashlib, method)).hexdigest()
    assert post.headers["X-Hub-Signature"] == f"{method}={expected}"


# --- Acknowledgement ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_acknowledges(sink, publish, status, clock):
    publish()
    callback = sink.url(status=status)
    make_subscription(callback=callback, consecutive_failures=2, last_error="before")

    deliver_all()
    clock.shift(10)
    deliver_all()

    assert len(sink.posts(callback)) == 1
    row = Subscription.objects.get()
    assert (row.acknowledged_version, row.consecutive_failures, row.last_status) == (1, 0, status)
    assert (row.last_error, row.claim_token, row.claimed_until) == ("", "", None)
    assert row.last_seconds > 0
    logged = Attempt.objects.get()
    assert (logged.result, logged.status, logged.version) == ("acknowledged", status, 1)
    assert logged.subscription == row
    assert (logged.topic, logged.callback_host) == (row.topic, row.callback_host)


def test_burst_of_edits_makes_few_deliveries_ending_with_newest(sink, publish, clock):
    clock.move_to(timezone.now(), tick=False)  # For any duration of each delivery.
    callback = sink.url()
    make_subscription(callback=callback)

    for _ in range(100):
        publish()
        deliver_all()
        clock.shift(0.05)
    clock.shift(1)
    deliver_all()

    bodies = sink.bodies(callback)
    assert len(bodies) <= 20
    assert bodies[-1] == b"<feed>version 100</feed>"
    versions = [int(body[14:-7]) for body in bodies]
    assert versions == sorted(set(versions))


@pytest.mark.django_db(transaction=True)
def test_results_are_announced_after_storing(publish, allow_loopback):
    publish()
    make_subscription()
    (row,) = claimed()
    heard = []

    def hear(attempts, **kwargs):
        heard.append((attempts, Attempt.objects.count()))

    deliveries_attempted.connect(hear)
    record_results([DeliveryResult(row, Attempt.Result.FAILED, status=500, seconds=0.5)])
    deliveries_attempted.disconnect(hear)

    assert heard == [([("failed", 0.5)], 1)]


# --- Renewals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "result", [Attempt.Result.ACKNOWLEDGED, Attempt.Result.FAILED, Attempt.Result.GONE]
)
def test_delivery_signed_with_former_secret_is_sent_again(sink, publish, result):
    publish()
    callback = sink.url()
    make_subscription(callback=callback, secret="former", consecutive_failures=2)
    (row,) = claimed()
    Subscription.objects.update(encrypted_secret=encrypt("new"))

    record_results([DeliveryResult(row, result, status=200)])

    assert Subscription.objects.get().consecutive_failures == 2
    deliver_all()
    (received,) = sink.posts(callback)
    assert received.headers["X-Hub-Signature"] == signature("new", received.body, "sha256")


# --- Leases ---------------------------------------------------------------------------------------


def test_nothing_is_sent_after_lease(sink, publish, clock):
    callback = sink.url()
    make_subscription(callback=callback, expires_at=timezone.now() + dt.timedelta(seconds=60))
    clock.shift(60)
    publish()

    assert deliver_all() == 0
    assert sink.received == []


def test_former_topics_get_no_deliveries_until_restored(sink, publish, settings):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    settings.BASE_URL = settings.WEBSUB_BASE_URL = "https://moved.example"

    assert deliver_all() == 0
    assert sink.posts(callback) == []

    settings.BASE_URL = settings.WEBSUB_BASE_URL = "https://reviews.example"
    assert deliver_all() == 1
    assert len(sink.posts(callback)) == 1
