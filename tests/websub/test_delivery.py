"""Deliveries (WebSub 7) over real TLS: what is sent, and what counts."""

import datetime as dt
import hashlib
import hmac
import time
from types import SimpleNamespace

import pytest
from django.utils import timezone
from django.utils.http import http_date

from tests.websub.conftest import FEED, HUB, JSON_FEED, REVIEWS
from tests.websub.deliveries import claimed, deliver_all
from tests.websub.rows import make_subscription
from tests.websub.sinks import listening
from websub import delivery, results
from websub.claims import FAST, StaleContent, claim
from websub.client import Connection
from websub.delivery import deliver
from websub.models import Attempt, Subscription
from websub.protocol import signature
from websub.results import DeliveryResult, record_results, removal_reason
from websub.secrets import encrypt
from websub.signals import deliveries_attempted
from websub.topics import load_content
from websub.verification import verify

pytestmark = pytest.mark.django_db


# --- What is sent ---------------------------------------------------------------------------------


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


def test_who_has_the_newest_version_gets_nothing(sink, publish):
    version = publish().version
    callback = sink.url()
    make_subscription(callback=callback, acknowledged_version=version)

    assert deliver_all() == 0
    assert sink.received == []


def test_topic_that_was_never_published_is_not_sent(sink, db):
    make_subscription(callback=sink.url())
    assert deliver_all() == 0


# --- Acknowledged ---------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_acknowledges_and_nothing_is_repeated(sink, publish, status, clock):
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


def test_burst_of_edits_ends_in_few_deliveries_the_last_one_newest(sink, publish, clock):
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


def test_change_during_a_delivery_is_delivered_next(sink, publish, clock):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    (row,) = claimed()
    publish()

    record_results(list(delivery.attempt_all(FAST, [row])))
    assert Subscription.objects.get().acknowledged_version == 1
    clock.shift(1.1)
    deliver_all()

    assert sink.bodies(callback) == [b"<feed>version 1</feed>", b"<feed>version 2</feed>"]


def test_bytes_that_are_not_the_newest_any_more_claim_nobody(publish, on_loopback):
    publish()
    make_subscription()
    content = load_content(FEED)
    publish()

    with pytest.raises(StaleContent):
        claim(content, FAST, 10, timezone.now())
    assert Subscription.objects.get().claim_token == ""
    assert len(claimed()) == 1


def test_each_row_keeps_how_long_its_own_callback_took(publish, on_loopback):
    publish()
    for _ in range(3):
        make_subscription()
    rows = claimed()
    took = {row.subscription.pk: 0.1 * n for n, row in enumerate(rows, start=1)}

    record_results(
        [
            DeliveryResult(
                row, Attempt.Result.ACKNOWLEDGED, status=204, seconds=took[row.subscription.pk]
            )
            for row in rows
        ]
    )

    assert dict(Subscription.objects.values_list("pk", "last_seconds")) == pytest.approx(took)


@pytest.mark.django_db(transaction=True)
def test_results_are_announced_once_they_are_stored(publish, on_loopback):
    publish()
    make_subscription()
    (row,) = claimed()
    heard = []

    def hear(attempts, **kwargs):
        heard.append((attempts, Attempt.objects.count()))

    deliveries_attempted.connect(hear)
    record_results([DeliveryResult(row, Attempt.Result.FAILED, status=500, seconds=0.5)])
    deliveries_attempted.disconnect(hear)

    assert heard == [([("miss", 0.5)], 1)]


def test_acknowledged_version_never_falls(publish, on_loopback):
    publish()
    make_subscription()
    (row,) = claimed()
    Subscription.objects.update(acknowledged_version=7)

    record_results([DeliveryResult(row, Attempt.Result.ACKNOWLEDGED, status=204)])

    assert Subscription.objects.get().acknowledged_version == 7


# --- Misses ---------------------------------------------------------------------------------------


def test_third_miss_in_a_row_removes_the_subscription_after_exactly_three_posts(
    sink, publish, clock, settings
):
    settings.WEBSUB_RETRY_SECONDS = (300.0, 3600.0)
    publish()
    callback = sink.url(status=500)
    make_subscription(callback=callback)
    posts, consecutive_failures = [], []
    for wait in (0, 298, 3, 3598, 3, 3600, 3600):
        clock.shift(wait)
        deliver_all()
        posts.append(len(sink.posts(callback)))
        consecutive_failures.append(
            Subscription.objects.values_list("consecutive_failures", flat=True).first()
        )

    assert posts == [1, 1, 2, 2, 3, 3, 3]
    assert consecutive_failures == [1, 1, 2, 2, None, None, None]
    verify()
    (told,) = sink.gets(callback, "denied")
    assert told.query["hub.topic"] == FEED
    assert told.query["hub.reason"] == removal_reason()
    assert [attempt.result for attempt in Attempt.objects.order_by("pk")] == ["miss"] * 3


@pytest.mark.parametrize("status", [300, 301, 302, 307, 308, 399, 400, 404, 429, 500, 503])
def test_everything_else_is_a_miss(sink, publish, status):
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
    assert row.is_slow
    assert sink.posts(target) == sink.gets(target) == []  # No redirect is followed.
    assert "callback-" not in row.last_error


def test_callback_that_hangs_up_has_missed(sink, publish):
    publish()
    make_subscription(callback=sink.url(hangs_up=True))

    deliver_all()

    row = Subscription.objects.get()
    assert (row.consecutive_failures, row.last_status) == (1, None)
    assert row.last_error == "The callback closed the connection without an answer."


@pytest.mark.parametrize("before", [{}, {"last_status": 500, "consecutive_failures": 1}])
def test_callback_that_hangs_up_is_posted_to_once_however_many_share_its_host(
    sink, publish, settings, before
):
    settings.HUB_THREADS = 1  # So that all go over one connection, if they may.
    publish()
    first = make_subscription(callback=sink.url(), last_status=204)
    hanging = make_subscription(callback=sink.url(hangs_up=True), **before)
    last = make_subscription(callback=sink.url(), last_status=204)

    deliver(FAST)

    assert [len(sink.posts(row.callback)) for row in (first, hanging, last)] == [1, 1, 1]


def test_callbacks_at_two_ports_of_one_host_are_each_reached(sink, publish, settings, trusted):
    settings.HUB_THREADS = 1  # So that one connection is at hand for both.
    publish()
    with listening(trusted.context("127.0.0.1")) as other:
        here, there = sink.url(), other.url()
        for callback in (here, there):
            make_subscription(callback=callback, last_status=204)

        deliver(FAST)

    assert [len(sink.posts(here)), len(other.posts(there))] == [1, 1]


def test_retry_carries_the_newest_content_and_an_acknowledgement_resets_the_count(
    sink, publish, clock
):
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
    assert (row.consecutive_failures, row.acknowledged_version, row.is_slow) == (0, 2, False)


def test_without_waits_the_next_try_comes_with_the_next_sweep(sink, publish, settings, clock):
    settings.WEBSUB_RETRY_SECONDS = ()
    settings.WEBSUB_SWEEP_SECONDS = 5
    publish()
    callback = sink.url(status=500)
    make_subscription(callback=callback)
    posts = []
    for _ in range(4):
        deliver_all()
        deliver_all()
        posts.append(len(sink.posts(callback)))
        clock.shift(5)

    assert posts == [1, 2, 3, 3]
    assert not Subscription.objects.exists()


def test_where_no_number_of_misses_is_the_last_they_are_counted_as_far_as_the_row_holds(
    sink, publish, settings
):
    settings.WEBSUB_MAX_MISSES = 0
    publish()
    make_subscription(callback=sink.url(status=500), consecutive_failures=32_767)

    deliver_all()

    assert Subscription.objects.get().consecutive_failures == 32_767


def test_last_wait_is_used_again_when_more_misses_are_allowed(publish, settings, on_loopback):
    settings.WEBSUB_MAX_MISSES = 5
    settings.WEBSUB_RETRY_SECONDS = (10.0, 20.0)
    assert [
        results._retry_seconds(consecutive_failures) for consecutive_failures in (1, 2, 3, 4)
    ] == [10, 20, 20, 20]


def test_410_ends_the_subscription_at_once(sink, publish):
    publish()
    callback = sink.url(status=410)
    make_subscription(callback=callback)

    deliver_all()

    assert not Subscription.objects.exists()
    logged = Attempt.objects.get()
    assert (logged.result, logged.subscription) == ("gone", None)
    assert sink.gets(callback) == []  # Who says so knows it already.


def test_renewal_during_the_answer_outlives_a_410(publish, on_loopback):
    publish()
    make_subscription()
    (row,) = claimed()
    Subscription.objects.update(expires_at=timezone.now() + dt.timedelta(days=30))

    record_results([DeliveryResult(row, Attempt.Result.GONE, status=410)])

    live = Subscription.objects.get()
    assert live.claim_token == ""


@pytest.mark.parametrize(
    "result", [Attempt.Result.ACKNOWLEDGED, Attempt.Result.FAILED, Attempt.Result.GONE]
)
def test_what_was_signed_before_a_renewal_with_another_secret_is_sent_again(sink, publish, result):
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


def test_a_renewal_with_the_same_secret_sends_nothing_again(sink, publish):
    publish()
    callback = sink.url()
    make_subscription(callback=callback, secret="kept")
    (row,) = claimed()
    Subscription.objects.update(encrypted_secret=encrypt("kept"))

    record_results([DeliveryResult(row, Attempt.Result.ACKNOWLEDGED, status=200)])
    deliver_all()

    assert sink.posts(callback) == []


# --- Leases ---------------------------------------------------------------------------------------


def test_nothing_is_sent_after_the_lease(sink, publish, clock):
    callback = sink.url()
    make_subscription(callback=callback, expires_at=timezone.now() + dt.timedelta(seconds=60))
    clock.shift(60)
    publish()

    assert deliver_all() == 0
    assert sink.received == []


def test_lease_that_ends_between_claim_and_post_is_kept_to(sink, publish, monkeypatch):
    publish()
    make_subscription(callback=sink.url(), expires_at=timezone.now() + dt.timedelta(seconds=5))
    (row,) = claimed()
    after_the_lease = SimpleNamespace(monotonic=lambda: time.monotonic() + 6)
    monkeypatch.setattr(delivery, "time", after_the_lease)

    record_results(list(delivery.attempt_all(FAST, [row])))

    assert sink.received == []
    assert Subscription.objects.get().consecutive_failures == 0


def test_lease_that_ends_while_the_callback_is_dialled_is_kept_to(sink, publish, monkeypatch):
    publish()
    ends_at = timezone.now() + dt.timedelta(seconds=2)  # Time enough to be claimed.
    make_subscription(callback=sink.url(), expires_at=ends_at)
    dial, dialled = Connection._dial_one, []

    def dial_slowly(*args):
        stream = dial(*args)
        dialled.append(timezone.now())
        time.sleep((ends_at - timezone.now()).total_seconds() + 0.1)
        return stream

    monkeypatch.setattr(Connection, "_dial_one", dial_slowly)

    deliver(FAST)

    assert len(dialled) == 1
    assert sink.received == []
    row = Subscription.objects.get()
    assert (row.consecutive_failures, row.claim_token) == (0, "")
    assert not Attempt.objects.exists()


# --- Retry-After ----------------------------------------------------------------------------------


def wait_after(sink, publish, status, header, **fields):
    """Seconds until the next attempt after a failure that came with this header."""
    publish()
    make_subscription(callback=sink.url(status=status, headers={"Retry-After": header}), **fields)
    deliver_all()
    row = Subscription.objects.get()
    return row, (row.next_attempt_at - row.last_attempt_at).total_seconds()


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_is_waited_for(sink, publish, status):
    row, wait = wait_after(sink, publish, status, "7200")

    assert wait == 7200
    assert row.consecutive_failures == 1
    assert row.last_error == f"The callback answered {status} and asked for 2 h."


def test_retry_after_as_a_date_is_waited_for(sink, publish):
    at = timezone.now() + dt.timedelta(hours=3)

    _, wait = wait_after(sink, publish, 503, http_date(at.timestamp()))

    assert 3 * 3600 - 5 < wait <= 3 * 3600


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
def test_other_retry_after_changes_no_wait(sink, publish, settings, status, header):
    settings.WEBSUB_RETRY_SECONDS = (300.0, 3600.0)

    _, wait = wait_after(sink, publish, status, header)

    assert wait == (results.PAUSE.total_seconds() if status == 200 else 300)


@pytest.mark.parametrize("header", ["99999999", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_retry_after_is_honoured_for_a_day_at_most(sink, publish, header):
    _, wait = wait_after(sink, publish, 503, header)

    assert wait == 86_400


def test_retry_after_leaves_one_attempt_within_the_lease(sink, publish):
    lease_end = timezone.now() + dt.timedelta(hours=2)

    row, _ = wait_after(sink, publish, 503, "7200", expires_at=lease_end)

    assert row.next_attempt_at == lease_end - results.BEFORE_LEASE_ENDS


def test_subscriptions_to_former_topics_get_nothing_until_the_address_is_back(
    sink, publish, settings
):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    settings.BASE_URL = "https://moved.example"

    assert deliver_all() == 0
    assert sink.posts(callback) == []

    settings.BASE_URL = "https://reviews.example"
    assert deliver_all() == 1
    assert len(sink.posts(callback)) == 1


# --- Signature methods ----------------------------------------------------------------------------


class Sha1Subscriber:
    """Checks signatures as django-push does: by SHA-1 alone, against the whole header."""

    def __init__(self, secret):
        self.secret = secret

    def takes(self, post):
        digest = hmac.new(self.secret.encode(), post.body, hashlib.sha1).hexdigest()
        return post.headers.get("X-Hub-Signature") == f"sha1={digest}"


def test_subscriber_that_knows_sha1_alone_works_once_its_method_is_set(sink, publish, clock):
    publish(b"first")
    callback = sink.url()
    row = make_subscription(callback=callback, secret="s3cret")
    subscriber = Sha1Subscriber("s3cret")

    deliver_all()
    Subscription.objects.filter(pk=row.pk).update(signature_method="sha1")
    publish(b"second")
    clock.shift(2)
    deliver_all()

    first, second = sink.posts(callback)
    assert (subscriber.takes(first), subscriber.takes(second)) == (False, True)
    logged = Attempt.objects.order_by("pk").values_list("signature_method", flat=True)
    assert list(logged) == ["sha256", "sha1"]


def test_unsigned_delivery_is_logged_without_a_method(sink, publish):
    publish()
    make_subscription(callback=sink.url(), signature_method="sha1")

    deliver_all()

    assert Attempt.objects.get().signature_method == ""


def test_delivery_under_a_method_that_was_changed_meanwhile_comes_again(sink, publish):
    publish(b"content")
    callback = sink.url()
    make_subscription(callback=callback, secret="s3cret")
    (row,) = claimed()
    Subscription.objects.update(signature_method="sha1")

    record_results(list(delivery.attempt_all(FAST, [row])))
    assert not Attempt.objects.exists()
    deliver_all()

    assert len(sink.posts(callback)) == 2
    assert Sha1Subscriber("s3cret").takes(sink.posts(callback)[-1])


# --- Sizes ----------------------------------------------------------------------------------------


def test_attempt_logs_the_bytes_that_were_sent(sink, publish):
    body = b"x" * 300_000
    publish(body)
    make_subscription(callback=sink.url())
    make_subscription(callback="https://127.0.0.1:1/")

    deliver_all()

    sent = dict(Attempt.objects.values_list("result", "sent_bytes"))
    assert sent == {"acknowledged": 300_000, "miss": 0}


@pytest.mark.parametrize(
    ("status", "size", "is_hinted"),
    [(413, 1_200_000, True), (413, 10, True), (400, 1_200_000, True), (400, 900_000, False)],
)
def test_refusal_that_is_likely_due_to_size_carries_the_remedy(
    sink, publish, status, size, is_hinted
):
    publish(b"x" * size, REVIEWS)
    make_subscription(callback=sink.url(status=status), topic=REVIEWS)

    deliver_all()

    error = Subscription.objects.get().last_error
    assert error.startswith(f"The callback answered {status}.")
    assert ("client_max_body_size" in error) == is_hinted
    assert (f"subscribe to {JSON_FEED} instead." in error) == is_hinted
    assert ("The delivery has 1.2 MB" in error) == (size > 1_000_000)
    assert len(error) < 300
    assert Attempt.objects.get().error == error


def test_size_hint_on_a_feed_names_no_other_topic(sink, publish):
    publish(b"x" * 1_200_000, FEED)
    make_subscription(callback=sink.url(status=413), topic=FEED)

    deliver_all()

    assert "raise the limit there" in Subscription.objects.get().last_error
    assert "instead" not in Subscription.objects.get().last_error
