"""Failed deliveries (WebSub 7): retries, removal, Retry-After, size hints."""

import datetime as dt

import pytest
from django.utils import timezone

from tests.websub.conftest import FEED, REVIEWS
from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from websub import record_deliveries
from websub.claims import FAST
from websub.delivery import deliver
from websub.models import Attempt, Subscription
from websub.record_deliveries import removal_reason
from websub.verification import verify

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("retry_seconds", "waits"),
    [
        ((300.0, 3600.0), (0, 298, 3, 3598, 3, 3600, 3600)),
        ((), (0, 0, 5, 0, 5, 0, 5)),  # With the next sweep.
    ],
)
def test_third_failure_removes_subscription(  # noqa: PLR0917
    sink, publish, clock, settings, retry_seconds, waits
):
    settings.WEBSUB_RETRY_SECONDS = retry_seconds
    settings.WEBSUB_SWEEP_SECONDS = 5
    publish()
    callback = sink.url(status=500)
    make_subscription(callback=callback)
    posts, consecutive_failures = [], []
    for wait in waits:
        clock.shift(wait)
        deliver_all()
        posts.append(len(sink.posts(callback)))
        consecutive_failures.append(
            Subscription.objects.values_list("consecutive_failures", flat=True).first()
        )

    assert posts == [1, 1, 2, 2, 3, 3, 3]
    assert consecutive_failures == [1, 1, 2, 2, None, None, None]
    verify()
    (denial,) = sink.gets(callback, "denied")
    assert denial.query["hub.topic"] == FEED
    assert denial.query["hub.reason"] == removal_reason()
    assert [attempt.result for attempt in Attempt.objects.order_by("pk")] == ["failed"] * 3


@pytest.mark.parametrize("status", [300, 301, 302, 307, 308, 399, 400, 404, 429, 500, 503])
def test_other_status_is_a_failure(sink, publish, status):
    publish()
    target = sink.url()
    callback = sink.url(status=status, headers={"Location": target})
    make_subscription(callback=callback)

    deliver_all()

    row = Subscription.objects.get()
    assert (row.consecutive_failures, row.last_status, row.acknowledged_version) == (1, status, 0)
    assert str(status) in row.last_error
    assert ("redirect" in row.last_error) == (status < 400)
    assert Attempt.objects.get().error == row.last_error
    assert row.in_slow_queue
    assert sink.posts(target) == sink.gets(target) == []  # No redirect is followed.
    assert "callback-" not in row.last_error


@pytest.mark.parametrize("before", [{}, {"last_status": 500, "consecutive_failures": 1}])
def test_disconnecting_callback_gets_one_post_per_attempt(sink, publish, settings, before):
    settings.WEBSUB_THREADS = 1  # So that all may share one connection.
    publish()
    first = make_subscription(callback=sink.url(), last_status=204)
    hanging = make_subscription(callback=sink.url(hangs_up=True), **before)
    last = make_subscription(callback=sink.url(), last_status=204)

    deliver(FAST)

    assert [len(sink.posts(row.callback)) for row in (first, hanging, last)] == [1, 1, 1]


def test_retry_has_newest_content_and_acknowledgement_resets_count(sink, publish, clock):
    publish()
    callback = sink.url(status=500)
    make_subscription(callback=callback)
    deliver_all()
    publish()
    deliver_all()  # New content waits with the retry.
    assert len(sink.posts(callback)) == 1

    sink.of(callback).status = 204
    clock.shift(301)
    deliver_all()

    assert sink.bodies(callback)[1:] == [b"<feed>version 2</feed>"]
    row = Subscription.objects.get()
    assert (row.consecutive_failures, row.acknowledged_version, row.in_slow_queue) == (0, 2, False)


def test_410_ends_subscription(sink, publish):
    publish()
    callback = sink.url(status=410)
    make_subscription(callback=callback)

    deliver_all()

    assert not Subscription.objects.exists()
    logged = Attempt.objects.get()
    assert (logged.result, logged.subscription) == ("gone", None)
    assert sink.gets(callback) == []  # The callback knows it already.


def wait_after(sink, publish, status, header, **fields):
    """Return the seconds until the retry of a failure with this header."""
    publish()
    make_subscription(callback=sink.url(status=status, headers={"Retry-After": header}), **fields)
    deliver_all()
    row = Subscription.objects.get()
    return row, (row.next_attempt_at - row.last_attempt_at).total_seconds()


@pytest.mark.parametrize(
    ("status", "header"),
    [
        (503, "5"),  # Three failures within seconds would end the subscription.
        (503, "-1"),
        (503, "soon"),
        (503, "Wed, 21 Oct 2015 07:28:00 GMT"),
        (500, "7200"),
        (200, "7200"),
    ],
)
def test_invalid_retry_after_is_ignored(sink, publish, settings, status, header):
    settings.WEBSUB_RETRY_SECONDS = (300.0, 3600.0)

    _, wait = wait_after(sink, publish, status, header)

    assert wait == (record_deliveries.PAUSE.total_seconds() if status == 200 else 300)


@pytest.mark.parametrize("header", ["99999999", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_retry_after_is_limited_to_a_day(sink, publish, header):
    _, wait = wait_after(sink, publish, 503, header)

    assert wait == 86_400


def test_retry_after_leaves_one_attempt_within_lease(sink, publish):
    lease_end = timezone.now() + dt.timedelta(hours=2)

    row, _ = wait_after(sink, publish, 503, "7200", expires_at=lease_end)

    assert row.next_attempt_at == lease_end - record_deliveries.BEFORE_LEASE_ENDS


@pytest.mark.parametrize(
    ("status", "size", "is_hinted"),
    [(413, 1_200_000, True), (413, 10, True), (400, 1_200_000, True), (400, 900_000, False)],
)
def test_refusal_likely_due_to_size_has_remedy(sink, publish, status, size, is_hinted):
    publish(b"x" * size, REVIEWS)
    make_subscription(callback=sink.url(status=status), topic=REVIEWS)

    deliver_all()

    error = Subscription.objects.get().last_error
    assert error.startswith(f"The callback answered {status}.")
    assert ("client_max_body_size" in error) == is_hinted
    assert ("subscribe to a smaller topic." in error) == is_hinted
    assert ("The delivery has 1.2 MB" in error) == (size > 1_000_000)
    assert len(error) < 300
    assert Attempt.objects.get().error == error
