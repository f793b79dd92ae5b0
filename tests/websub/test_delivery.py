"""Deliveries (WebSub 7) over real TLS: what is sent, what counts, and what survives."""

import datetime as dt
import hashlib
import hmac
import logging
import socket
import threading
import time

import pytest
from django.db import OperationalError, connection, connections
from django.test import override_settings
from django.utils import timezone

from publishing.models import Document
from tests.websub.conftest import FEED, HUB, JSON_FEED, REVIEWS
from tests.websub.rows import make_subscription
from websub import delivery, hub, lanes
from websub.client import NOT_PUBLIC, Blame, Client, Connection, Outcome
from websub.delivery import FIRST, SLOW, claim, deliver, read_edition, settle
from websub.models import Attempt, Subscription
from websub.verification import verify

pytestmark = pytest.mark.django_db


def deliver_all() -> int:
    return deliver(FIRST).settled + deliver(SLOW).settled


def claimed(speed=FIRST, topic=FEED, limit=10):
    return claim(read_edition(topic), speed, limit, timezone.now())


def ended(row, result, **fields):
    return delivery.Delivered(row, result, **fields)


def at_once(*works):
    """Each in a thread of its own, as workers are."""
    start = threading.Barrier(len(works))

    def run(work):
        try:
            start.wait()
            work()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


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
    make_subscription(callback=callback, misses=2, last_error="before")

    deliver_all()
    clock.shift(10)
    deliver_all()

    assert len(sink.posts(callback)) == 1
    row = Subscription.objects.get()
    assert (row.acknowledged_version, row.misses, row.last_status) == (1, 0, status)
    assert (row.last_error, row.claim_token, row.claimed_until) == ("", "", None)
    assert row.last_seconds > 0
    logged = Attempt.objects.get()
    assert (logged.result, logged.status, logged.version) == ("acknowledged", status, 1)
    assert logged.subscription == row


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

    settle(list(delivery._attempt_all(FIRST, [row])))
    assert Subscription.objects.get().acknowledged_version == 1
    clock.shift(1.1)
    deliver_all()

    assert sink.bodies(callback) == [b"<feed>version 1</feed>", b"<feed>version 2</feed>"]


def test_bytes_that_are_not_the_newest_any_more_claim_nobody(publish, on_loopback):
    publish()
    make_subscription()
    edition = read_edition(FEED)
    publish()

    assert claim(edition, FIRST, 10, timezone.now()) == []
    assert Subscription.objects.get().claim_token == ""
    assert len(claimed()) == 1


def test_each_row_keeps_how_long_its_own_callback_took(publish, on_loopback):
    publish()
    for _ in range(3):
        make_subscription()
    rows = claimed()
    took = {row.subscription.pk: 0.1 * n for n, row in enumerate(rows, start=1)}

    settle(
        [
            ended(row, Attempt.Result.ACKNOWLEDGED, status=204, seconds=took[row.subscription.pk])
            for row in rows
        ]
    )

    assert dict(Subscription.objects.values_list("pk", "last_seconds")) == pytest.approx(took)


def test_acknowledged_version_never_falls(publish, on_loopback):
    publish()
    make_subscription()
    (row,) = claimed()
    Subscription.objects.update(acknowledged_version=7)

    settle([ended(row, Attempt.Result.ACKNOWLEDGED, status=204)])

    assert Subscription.objects.get().acknowledged_version == 7


# --- Misses ---------------------------------------------------------------------------------------


def test_third_miss_in_a_row_removes_the_subscription_after_exactly_three_posts(
    sink, publish, clock, settings
):
    settings.WEBSUB_RETRY_SECONDS = (300.0, 3600.0)
    publish()
    callback = sink.url(status=500)
    make_subscription(callback=callback)
    posts, misses = [], []
    for wait in (0, 298, 3, 3598, 3, 3600, 3600):
        clock.shift(wait)
        deliver_all()
        posts.append(len(sink.posts(callback)))
        misses.append(Subscription.objects.values_list("misses", flat=True).first())

    assert posts == [1, 1, 2, 2, 3, 3, 3]
    assert misses == [1, 1, 2, 2, None, None, None]
    verify()
    (told,) = sink.gets(callback, "denied")
    assert told.query["hub.topic"] == FEED
    assert told.query["hub.reason"] == delivery.removal_reason()
    assert [attempt.result for attempt in Attempt.objects.order_by("pk")] == ["miss"] * 3


@pytest.mark.parametrize("status", [300, 301, 302, 307, 308, 400, 404, 429, 500, 503])
def test_everything_else_is_a_miss(sink, publish, status):
    publish()
    target = sink.url()
    callback = sink.url(status=status, headers={"Location": target})
    make_subscription(callback=callback)

    deliver_all()

    row = Subscription.objects.get()
    assert (row.misses, row.last_status, row.acknowledged_version) == (1, status, 0)
    assert str(status) in row.last_error
    assert row.is_slow
    assert sink.posts(target) == sink.gets(target) == []  # No redirect is followed.
    assert "callback-" not in row.last_error


def test_callback_that_hangs_up_has_missed(sink, publish):
    publish()
    make_subscription(callback=sink.url(hangs_up=True))

    deliver_all()

    row = Subscription.objects.get()
    assert (row.misses, row.last_status) == (1, None)
    assert row.last_error == "The callback closed the connection without an answer."


def test_callback_that_hangs_up_is_posted_to_once_however_many_share_its_host(
    sink, publish, settings
):
    settings.HUB_THREADS = 1  # So that all go over one connection, if they may.
    publish()
    first = make_subscription(callback=sink.url(), last_status=204)
    hanging = make_subscription(callback=sink.url(hangs_up=True))
    last = make_subscription(callback=sink.url(), last_status=204)

    deliver(FIRST)

    assert [len(sink.posts(row.callback)) for row in (first, hanging, last)] == [1, 1, 1]


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
    assert (row.misses, row.acknowledged_version, row.is_slow) == (0, 2, False)


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
    make_subscription(callback=sink.url(status=500), misses=32_767)

    deliver_all()

    assert Subscription.objects.get().misses == 32_767


def test_last_wait_is_used_again_when_more_misses_are_allowed(publish, settings, on_loopback):
    settings.WEBSUB_MAX_MISSES = 5
    settings.WEBSUB_RETRY_SECONDS = (10.0, 20.0)
    assert [delivery._retry_seconds(misses) for misses in (1, 2, 3, 4)] == [10, 20, 20, 20]


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

    settle([ended(row, Attempt.Result.GONE, status=410)])

    live = Subscription.objects.get()
    assert live.claim_token == ""


# --- Leases ---------------------------------------------------------------------------------------


def test_nothing_is_sent_after_the_lease(sink, publish, clock):
    callback = sink.url()
    make_subscription(callback=callback, expires_at=timezone.now() + dt.timedelta(seconds=60))
    clock.shift(60)
    publish()

    assert deliver_all() == 0
    assert sink.received == []


def test_lease_that_ends_between_claim_and_post_is_kept_to(sink, publish):
    publish()
    callback = sink.url()
    make_subscription(callback=callback, expires_at=timezone.now() + dt.timedelta(seconds=0.3))
    (row,) = claimed()
    time.sleep(0.4)

    settle(list(delivery._attempt_all(FIRST, [row])))

    assert sink.received == []
    assert Subscription.objects.get().misses == 0


def test_lease_that_ends_while_the_callback_is_dialled_is_kept_to(sink, publish, monkeypatch):
    publish()
    ends_at = timezone.now() + dt.timedelta(seconds=0.5)
    make_subscription(callback=sink.url(), expires_at=ends_at)
    dial = Connection._dial_one

    def dial_slowly(*args):
        stream = dial(*args)
        time.sleep((ends_at - timezone.now()).total_seconds() + 0.1)
        return stream

    monkeypatch.setattr(Connection, "_dial_one", dial_slowly)

    deliver(FIRST)

    assert sink.received == []
    row = Subscription.objects.get()
    assert (row.misses, row.claim_token) == (0, "")
    assert not Attempt.objects.exists()


# --- Claims ---------------------------------------------------------------------------------------


def test_row_is_claimed_by_one_worker_until_the_claim_ends(publish, clock):
    publish()
    make_subscription()

    assert len(claimed()) == 1
    assert claimed() == []
    clock.shift(FIRST.claim_seconds + 0.1)
    assert len(claimed()) == 1


@pytest.mark.parametrize("speed", [FIRST, SLOW])
def test_killed_worker_is_recovered_from_within_half_a_minute(speed, settings):
    assert speed.claim_seconds + settings.WEBSUB_SWEEP_SECONDS <= 30


@pytest.mark.parametrize(
    "result",
    [
        Attempt.Result.ACKNOWLEDGED,
        Attempt.Result.MISS,
        Attempt.Result.GONE,
        Attempt.Result.OWN_FAULT,
        None,
    ],
)
def test_late_result_of_a_frozen_worker_changes_nothing(publish, clock, result):
    publish()
    make_subscription(misses=2)
    (frozen,) = claimed()
    clock.shift(60)
    (mine,) = claimed()
    before = Subscription.objects.values().get()

    settle([ended(frozen, result, status=500)])

    assert Subscription.objects.values().get() == before
    assert not Attempt.objects.exists()
    settle([ended(mine, Attempt.Result.ACKNOWLEDGED, status=204)])
    assert Subscription.objects.get().acknowledged_version == 1


@pytest.mark.parametrize(("seconds", "sent"), [(20.0, 2), (1.0, 1)])
def test_newest_is_sent_again_after_a_frozen_worker_has_gone_on_writing_older_bytes(
    sink, publish, clock, seconds, sent
):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    (frozen,) = claimed()
    clock.shift(20)
    publish()
    deliver_all()

    settle([ended(frozen, Attempt.Result.MISS, seconds=seconds)])
    clock.shift(2)
    deliver_all()

    assert sink.bodies(callback) == [b"<feed>version 2</feed>"] * sent
    assert Subscription.objects.get().acknowledged_version == 2


def test_row_that_waited_too_long_for_a_thread_is_given_back(sink, publish, monkeypatch):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    monkeypatch.setattr(delivery, "WAITING_SECONDS", -1.0)
    (row,) = claimed()

    settle(list(delivery._attempt_all(FIRST, [row])))

    assert sink.received == []
    assert Subscription.objects.get().claim_token == ""
    assert not Attempt.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_version_once(sink, publish):
    publish()
    callbacks = [sink.url() for _ in range(60)]
    for callback in callbacks:
        make_subscription(callback=callback)

    at_once(lambda: deliver(FIRST), lambda: deliver(FIRST))

    assert [len(sink.posts(callback)) for callback in callbacks] == [1] * 60
    assert set(Subscription.objects.values_list("acknowledged_version", flat=True)) == {1}


# --- Lanes ----------------------------------------------------------------------------------------


def test_who_takes_long_waits_in_the_slow_lane_until_quick_again(sink, publish, monkeypatch, clock):
    monkeypatch.setattr(delivery, "SLOW_SECONDS", 0.1)
    publish()
    callback = sink.url(delay=0.15)
    make_subscription(callback=callback)
    deliver(FIRST)
    assert Subscription.objects.get().is_slow

    publish()
    clock.shift(2)
    sink.of(callback).delay = 0
    assert deliver(FIRST).settled == 0
    assert deliver(SLOW).settled == 1
    assert not Subscription.objects.get().is_slow


def test_callbacks_that_begin_to_hang_hold_nobody_up(sink, publish, settings, monkeypatch):
    settings.HUB_THREADS = 2
    monkeypatch.setattr(lanes, "PATIENCE_SECONDS", 0.05)
    publish()
    others_have_it = threading.Event()

    def hang():
        held_up.append(not others_have_it.wait(4))

    held_up: list[bool] = []
    for number in range(4):
        host = f"hangs-{number}.example"
        make_subscription(callback=sink.url(meanwhile=hang), callback_host=host)
    quick = [sink.url() for _ in range(12)]
    for callback in quick[:-1]:
        make_subscription(callback=callback)
    make_subscription(callback=quick[-1])
    sink.of(quick[-1]).meanwhile = others_have_it.set

    assert deliver(FIRST).settled == 16

    assert held_up == [False] * 4
    assert Subscription.objects.filter(acknowledged_version=1).count() == 16


def test_slow_lane_is_taken_by_one_process_of_a_machine_at_a_time(publish, on_loopback):
    publish()
    make_subscription(is_slow=True)
    with lanes._turn(SLOW.lane()) as is_ours:
        assert is_ours
        assert deliver(SLOW) == lanes.Run()
    with lanes._turn(SLOW.lane()) as is_ours:
        assert is_ours


def test_one_host_sees_at_most_four_at_once_and_connections_are_used_again(sink, publish):
    publish()
    for _ in range(24):
        make_subscription(callback=sink.url(delay=0.01), last_status=204)

    assert deliver(FIRST).settled == 24

    assert sink.most_at_once <= lanes.MOST_PER_HOST
    assert len({received.connection for received in sink.received}) <= lanes.MOST_PER_HOST
    assert not lanes._hosts._busy


def test_run_that_cannot_write_its_results_down_leaves_nothing_occupied(sink, publish, monkeypatch):
    publish()
    make_subscription(callback=sink.url())

    def fail(results):
        raise OperationalError("gone")

    monkeypatch.setattr(delivery, "settle", fail)
    with pytest.raises(OperationalError):
        deliver(FIRST)

    assert not lanes._hosts._busy
    assert Subscription.objects.get().claimed_until  # Tried again when the claim has ended.


@pytest.mark.django_db(transaction=True)
def test_runs_of_one_process_share_the_limit_of_a_host(sink, publish, monkeypatch):
    monkeypatch.setattr(delivery, "BATCH", 8)
    publish()
    for _ in range(24):
        make_subscription(callback=sink.url(delay=0.02))

    at_once(lambda: deliver(FIRST), lambda: deliver(FIRST))

    assert sink.most_at_once <= lanes.MOST_PER_HOST
    assert not Subscription.objects.filter(acknowledged_version=0).exists()


def test_there_is_always_one_thread(sink, publish, settings):
    settings.HUB_THREADS = 0
    publish()
    make_subscription(callback=sink.url())

    assert deliver(FIRST).settled == 1


def test_more_than_a_batch_is_worked_off_in_one_run(sink, publish, monkeypatch):
    monkeypatch.setattr(delivery, "BATCH", 10)
    publish()
    for _ in range(45):
        make_subscription(callback=sink.url())

    run = deliver(FIRST)

    assert (run.settled, run.is_cut_short) == (45, False)


def test_run_that_takes_too_long_leaves_its_place_and_says_so(sink, publish, monkeypatch):
    monkeypatch.setattr(delivery, "BATCH", 2)
    monkeypatch.setattr(delivery, "RUN_SECONDS", 0.05)
    publish()
    for _ in range(12):
        make_subscription(callback=sink.url(delay=0.1))

    run = deliver(FIRST)

    assert run.is_cut_short
    assert 0 < run.settled < 12
    assert not Subscription.objects.exclude(claim_token="").exists()


def test_all_topics_are_worked_off_in_one_run(sink, publish):
    for topic in (FEED, JSON_FEED, REVIEWS):
        publish(topic=topic)
        make_subscription(callback=sink.url(), topic=topic)

    assert deliver(FIRST).settled == 3


def test_version_is_not_pushed_before_every_web_process_can_show_it(sink, publish, settings):
    settings.VERSION_POLL_MS = 200
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    slept = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delivery, "LOOK_SECONDS", 0.3)
        patch.setattr(delivery.time, "sleep", slept.append)
        deliver(FIRST)

    assert max(slept) == pytest.approx(0.5, abs=0.05)
    assert len(sink.posts(callback)) == 1


# --- Faults of ours -------------------------------------------------------------------------------


def test_secret_that_cannot_be_read_is_our_fault_and_stops_nobody_else(sink, publish, settings):
    publish()
    broken = make_subscription(callback=sink.url())
    Subscription.objects.update(encrypted_secret="rubbish")
    fine = make_subscription(callback=sink.url())

    deliver_all()

    row = Subscription.objects.get(pk=broken.pk)
    assert (row.misses, row.own_faults, row.is_slow) == (0, 1, False)
    assert "SECRET_KEY_FALLBACKS" in row.last_error
    assert Subscription.objects.get(pk=fine.pk).acknowledged_version == 1
    assert Attempt.objects.filter(result="own fault").count() == 1


def test_error_in_our_own_code_counts_against_nobody(sink, publish, monkeypatch, caplog):
    publish()
    first, second = (make_subscription(callback=sink.url()) for _ in range(2))
    real = delivery.attempt

    def fail(connection, row):
        if row.subscription.pk == first.pk:
            raise RuntimeError("bug")
        return real(connection, row)

    monkeypatch.setattr(delivery, "attempt", fail)
    with caplog.at_level(logging.ERROR):
        deliver_all()

    row = Subscription.objects.get(pk=first.pk)
    assert (row.misses, row.own_faults, row.last_error) == (0, 1, delivery.OWN_FAULT)
    assert Subscription.objects.get(pk=second.pk).acknowledged_version == 1
    assert first.callback not in caplog.text


def test_fifth_fault_of_ours_sets_the_row_aside_with_a_sentence(publish, on_loopback, clock):
    publish()
    make_subscription(encrypted_secret="rubbish")
    waits = []
    for _ in range(delivery.OWN_FAULTS_ALLOWED):
        deliver(FIRST)
        row = Subscription.objects.get()
        waits.append(round((row.next_attempt_at - timezone.now()).total_seconds()))
        clock.shift(301)

    assert waits == [5, 15, 30, 60, 60]
    assert row.misses == 0
    assert "SECRET_KEY_FALLBACKS" in row.set_aside
    assert deliver_all() == 0


def test_name_resolver_that_is_down_sets_nobody_aside_however_long(publish, monkeypatch, clock):
    def unreachable(host, port):
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    client = Client(user_agent="test", resolve=unreachable)
    monkeypatch.setattr(hub, "client", lambda: client)
    publish()
    make_subscription(callback="https://hooks.example/")
    for _ in range(2 * delivery.OWN_FAULTS_ALLOWED):
        deliver(FIRST)
        clock.shift(61)

    row = Subscription.objects.get()
    assert (row.misses, row.set_aside, row.acknowledged_version) == (0, "", 0)
    assert row.own_faults == 2 * delivery.OWN_FAULTS_ALLOWED


def test_document_that_cannot_be_read_counts_against_nobody_and_others_go_on(sink, publish, caplog):
    publish(topic=FEED)
    publish(topic=JSON_FEED)
    Document.objects.filter(path="/feed.xml").update(gzip=b"broken")
    waiting = make_subscription(callback=sink.url())
    served = make_subscription(callback=sink.url(), topic=JSON_FEED)

    assert deliver_all() == 1

    waiting.refresh_from_db()
    assert (waiting.misses, waiting.own_faults, waiting.claim_token) == (0, 0, "")
    assert len(sink.posts(served.callback)) == 1
    assert f"{FEED} cannot be read" in caplog.text


def test_resolver_that_is_down_is_our_fault():
    assert delivery._result(Outcome(None, "Down.", Blame.OURS)) is Attempt.Result.OWN_FAULT
    assert delivery._result(Outcome(None, "Down.", Blame.CALLBACK)) is Attempt.Result.MISS


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"HUB_ALLOW_NETS": []}, NOT_PUBLIC),
        ({"HUB_ALLOWED_PORTS": "443"}, "This hub does not contact port {port}."),
    ],
)
def test_callback_that_may_not_be_contacted_any_more_is_not(sink, publish, changed, error):
    publish()
    make_subscription(callback=sink.url())
    with override_settings(**changed):
        deliver_all()

    assert sink.received == []
    row = Subscription.objects.get()
    assert (row.misses, row.last_error) == (1, error.format(port=sink.port))


def test_secret_reaches_neither_log_nor_row(sink, publish, caplog):
    publish()
    make_subscription(callback=sink.url(status=500), secret="tell-nobody", misses=2)
    with caplog.at_level(logging.DEBUG):
        deliver_all()

    logged = list(Attempt.objects.values())
    assert "tell-nobody" not in f"{caplog.text} {logged}"


# --- When is the next -----------------------------------------------------------------------------


def test_next_delivery_within_the_sweep_is_known(publish, on_loopback, clock):
    clock.move_to("2026-05-01T12:00:00Z", tick=False)
    publish()
    assert delivery.seconds_to_next(5) is None
    make_subscription(next_attempt_at=timezone.now() + dt.timedelta(seconds=3))
    make_subscription(next_attempt_at=timezone.now() + dt.timedelta(seconds=2))
    make_subscription(
        next_attempt_at=timezone.now() + dt.timedelta(seconds=1), acknowledged_version=1
    )

    assert delivery.seconds_to_next(5) == 2
    assert delivery.seconds_to_next(1) is None


def test_statements_do_not_grow_with_the_subscribers(sink, publish, django_assert_max_num_queries):
    publish()
    for _ in range(50):
        make_subscription(callback=sink.url())

    with django_assert_max_num_queries(80):
        deliver(FIRST)
    assert Subscription.objects.filter(acknowledged_version=1).count() == 50
    assert connection.vendor in {"sqlite", "postgresql"}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by how many there are")
@pytest.mark.parametrize("is_slow", [False, True])
def test_those_to_claim_are_read_in_the_order_of_their_index(is_slow):
    now = timezone.now()
    due = Subscription.objects.due(FEED, 1, is_slow=is_slow, since=now, now=now)[:100]

    plan = due.explain()

    assert "subscription_due (topic=? AND is_slow=? AND acknowledged_version<?)" in plan
    assert "ORDER BY" not in plan
