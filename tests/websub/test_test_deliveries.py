"""Test deliveries and resent content over real TLS."""

import datetime as dt

import pytest
from django.utils import timezone

from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from websub import admin_actions
from websub.models import Attempt, Subscription

pytestmark = pytest.mark.django_db


def send_test(callback, **fields):
    """Return a subscription with the newest version and a pending test delivery."""
    row = make_subscription(callback=callback, **{"acknowledged_version": 1} | fields)
    assert admin_actions.send_test(Subscription.objects.filter(pk=row.pk)) == 1
    return row


def test_test_delivery_sends_newest_content_once(sink, publish, clock):
    publish(b"content")
    callback = sink.url()
    send_test(callback, secret="s3cret")

    deliver_all()
    clock.shift(3600)
    deliver_all()

    (post,) = sink.posts(callback)
    assert post.body == b"content"
    assert post.headers["X-Hub-Signature"].startswith("sha256=")
    logged = Attempt.objects.get()
    assert (logged.is_test, logged.result, logged.status) == (True, "acknowledged", 204)
    assert (logged.version, logged.sent_bytes, logged.signature_method) == (1, 7, "sha256")
    assert Subscription.objects.get().test_requested_at is None


@pytest.mark.parametrize("status", [302, 404, 410, 500])
def test_failed_test_delivery_is_neither_counted_nor_repeated(sink, publish, clock, status):
    publish()
    callback = sink.url(status=status)
    send_test(
        callback, consecutive_failures=2, next_attempt_at=timezone.now() + dt.timedelta(hours=1)
    )
    before = Subscription.objects.values().get()

    deliver_all()
    clock.shift(3000)
    deliver_all()

    assert len(sink.posts(callback)) == 1
    assert Subscription.objects.values().get() == before | {
        "test_requested_at": None,
        "claim_token": "",
    }
    logged = Attempt.objects.get()
    result = "gone" if status == 410 else "failed"
    assert (logged.is_test, logged.result, logged.status) == (True, result, status)
    is_reported = "A delivery that is no test would end the subscription." in logged.error
    assert is_reported == (status == 410)


def test_resent_content_is_delivered_once_more(sink, publish, clock):
    publish(b"content")
    callback = sink.url()
    row = make_subscription(callback=callback)
    deliver_all()
    clock.shift(2)

    assert admin_actions.resend_newest(Subscription.objects.filter(pk=row.pk)) == 1
    deliver_all()
    clock.shift(2)
    deliver_all()

    assert sink.bodies(callback) == [b"content", b"content"]
    assert Subscription.objects.get().acknowledged_version == 1
    assert [attempt.is_test for attempt in Attempt.objects.all()] == [False, False]
