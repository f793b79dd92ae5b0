"""Claims: one worker for each row, the two queues, and claims that expire."""

import datetime as dt
import errno
import fcntl
import threading
import time
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from tests.threads import at_once
from tests.websub.conftest import FEED, JSON_FEED, REVIEWS
from tests.websub.deliveries import claimed, deliver_all
from tests.websub.rows import make_subscription
from websub import claims, concurrency, delivery, dispatcher, record_deliveries, topics
from websub.claims import FAST, SLOW
from websub.concurrency import single_process_lock
from websub.delivery import deliver
from websub.models import Attempt, Subscription
from websub.record_deliveries import DeliveryResult, record_results

pytestmark = pytest.mark.django_db


# --- Claims ---------------------------------------------------------------------------------------


def test_row_is_claimed_by_one_worker_until_the_claim_ends(publish, clock):
    publish()
    make_subscription()

    assert len(claimed()) == 1
    assert claimed() == []
    clock.shift(FAST.claim_seconds + 0.1)
    assert len(claimed()) == 1


def test_hosts_that_are_passed_over_are_left_due(publish):
    publish()
    for host in ("busy.example", "idle.example"):
        make_subscription(callback=f"https://{host}/cb")

    (row,) = claims.Claimer(FAST).claim(10, exclude_hosts={"busy.example"})

    assert row.callback_host == "idle.example"
    assert [row.callback_host for row in claimed()] == ["busy.example"]


@pytest.mark.parametrize("config", [FAST, SLOW])
def test_killed_worker_is_recovered_from_within_half_a_minute(config, settings):
    assert config.claim_seconds + settings.WEBSUB_SWEEP_SECONDS <= 30


@pytest.mark.parametrize("config", [FAST, SLOW])
def test_claim_outlasts_the_longest_wait_and_exchange(config):
    assert claims.WAITING_SECONDS + config.limits.total_seconds < config.claim_seconds


@pytest.mark.parametrize(
    "result",
    [
        Attempt.Result.ACKNOWLEDGED,
        Attempt.Result.FAILED,
        Attempt.Result.GONE,
        Attempt.Result.HUB_ERROR,
        None,
    ],
)
def test_late_result_of_a_frozen_worker_changes_nothing(publish, clock, result):
    publish()
    make_subscription(consecutive_failures=2)
    (frozen,) = claimed()
    clock.shift(60)
    (mine,) = claimed()
    before = Subscription.objects.values().get()

    record_results([DeliveryResult(frozen, result, status=500, seconds=20.0)])

    assert Subscription.objects.values().get() == before
    assert not Attempt.objects.exists()
    record_results([DeliveryResult(mine, Attempt.Result.ACKNOWLEDGED, status=204)])
    assert Subscription.objects.get().acknowledged_version == 1


def test_newest_is_sent_again_after_a_worker_without_its_claim_may_have_sent_older_bytes(
    sink, publish, clock
):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    (frozen,) = claimed()
    clock.shift(20)
    publish()
    deliver_all()

    record_results([DeliveryResult(frozen, Attempt.Result.FAILED, seconds=1.0)])
    clock.shift(2)
    deliver_all()

    assert sink.bodies(callback) == [b"<feed>version 2</feed>"] * 2
    assert Subscription.objects.get().acknowledged_version == 2


def test_row_that_waited_too_long_for_a_thread_is_given_back(sink, publish, monkeypatch):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    monkeypatch.setattr(claims, "WAITING_SECONDS", -1.0)
    (row,) = claimed()

    record_results(list(delivery.attempt_all(FAST, [row])))

    assert sink.received == []
    assert Subscription.objects.get().claim_token == ""
    assert not Attempt.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_version_once(sink, publish):
    publish()
    callbacks = [sink.url() for _ in range(60)]
    for callback in callbacks:
        make_subscription(callback=callback)

    at_once(lambda: deliver(FAST), lambda: deliver(FAST))

    assert [len(sink.posts(callback)) for callback in callbacks] == [1] * 60
    assert set(Subscription.objects.values_list("acknowledged_version", flat=True)) == {1}


# --- Queues ---------------------------------------------------------------------------------------


def test_slow_callback_stays_in_the_slow_queue_until_quick_again(sink, publish, monkeypatch, clock):
    monkeypatch.setattr(record_deliveries, "SLOW_SECONDS", 0.1)
    publish()
    callback = sink.url(delay=0.15)
    make_subscription(callback=callback)
    deliver(FAST)
    assert Subscription.objects.get().is_slow

    publish()
    clock.shift(2)
    sink.of(callback).delay = 0
    monkeypatch.setattr(record_deliveries, "SLOW_SECONDS", 60)  # Quick, on a busy machine too.
    assert deliver(FAST).processed == 0
    assert deliver(SLOW).processed == 1
    assert not Subscription.objects.get().is_slow


def test_host_whose_callbacks_hang_delays_no_other(sink, publish, settings):
    settings.HUB_THREADS = 4
    publish()
    others_have_it = threading.Event()

    def hang():
        held_up.append(not others_have_it.wait(4))

    held_up: list[bool] = []
    for _ in range(2):
        make_subscription(callback=sink.url(meanwhile=hang), callback_host="hangs.example")
    quick = [sink.url() for _ in range(12)]
    for callback in quick:
        make_subscription(callback=callback)
    sink.of(quick[-1]).meanwhile = others_have_it.set

    assert deliver(FAST).processed == 14

    assert held_up == [False] * 2
    assert Subscription.objects.filter(acknowledged_version=1).count() == 14


def test_slow_queue_runs_in_one_process_of_a_machine(publish, on_loopback):
    publish()
    make_subscription(is_slow=True)
    with single_process_lock("slow") as is_ours:
        assert is_ours
        assert deliver(SLOW) == dispatcher.RunResult()
    with single_process_lock("slow") as is_ours:
        assert is_ours


def test_slow_queue_runs_without_a_writable_lock(sink, publish, settings, tmp_path, caplog):
    publish()
    late = make_subscription(callback=sink.url(), is_slow=True)
    settings.STATE_DIR = tmp_path / "gone"

    assert deliver(SLOW).processed == 1
    assert deliver(SLOW) == dispatcher.RunResult()

    assert len(sink.posts(late.callback)) == 1
    [said] = [record.message for record in caplog.records if record.name == "websub.concurrency"]
    assert said.startswith("STATE_DIR takes no lock (")
    with single_process_lock("slow") as is_ours:
        assert is_ours
        assert deliver(SLOW) == dispatcher.RunResult()


def test_slow_queue_runs_on_a_file_system_without_locks(sink, publish, monkeypatch):
    publish()
    late = make_subscription(callback=sink.url(), is_slow=True)

    def refuse(*args):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)

    assert deliver(SLOW).processed == 1
    assert len(sink.posts(late.callback)) == 1


def test_one_host_sees_at_most_four_at_once_and_connections_are_used_again(sink, publish):
    publish()
    for _ in range(24):
        make_subscription(callback=sink.url(delay=0.01), last_status=204)

    assert deliver(FAST).processed == 24

    assert sink.most_at_once <= concurrency.MAX_CONCURRENT
    assert len({received.connection for received in sink.received}) <= concurrency.MAX_CONCURRENT
    assert not FAST.queue().hosts()._active


def test_run_that_cannot_write_its_results_down_leaves_nothing_occupied(sink, publish, monkeypatch):
    publish()
    make_subscription(callback=sink.url())

    def fail(results):
        raise OperationalError("gone")

    monkeypatch.setattr(delivery, "record_results", fail)
    with pytest.raises(OperationalError):
        deliver(FAST)

    assert not FAST.queue().hosts()._active
    assert Subscription.objects.get().claimed_until  # Tried again when the claim has ended.


@pytest.mark.django_db(transaction=True)
def test_runs_of_one_process_share_the_limit_of_a_host(sink, publish, monkeypatch):
    monkeypatch.setattr(claims, "BATCH", 8)
    publish()
    for _ in range(24):
        make_subscription(callback=sink.url(delay=0.02))

    at_once(lambda: deliver(FAST), lambda: deliver(FAST))

    assert sink.most_at_once <= concurrency.MAX_CONCURRENT
    assert not Subscription.objects.filter(acknowledged_version=0).exists()


def test_more_than_a_batch_is_worked_off_in_one_run(sink, publish, monkeypatch):
    monkeypatch.setattr(claims, "BATCH", 10)
    monkeypatch.setattr(claims, "RUN_SECONDS", 60.0)  # However slow the machine is.
    publish()
    for _ in range(45):
        make_subscription(callback=sink.url())

    run = deliver(FAST)

    assert (run.processed, run.is_cut_short) == (45, False)


def test_run_beyond_its_time_is_cut_short(sink, publish, monkeypatch):
    monkeypatch.setattr(claims, "BATCH", 2)
    monkeypatch.setattr(claims, "RUN_SECONDS", 0.05)
    publish()
    for _ in range(12):
        make_subscription(callback=sink.url(delay=0.1))

    run = deliver(FAST)

    assert run.is_cut_short
    assert 0 < run.processed < 12
    assert not Subscription.objects.exclude(claim_token="").exists()


def test_all_topics_are_worked_off_in_one_run(sink, publish):
    for topic in (FEED, JSON_FEED, REVIEWS):
        publish(topic=topic)
        make_subscription(callback=sink.url(), topic=topic)

    assert deliver(FAST).processed == 3


def test_version_is_not_pushed_before_every_web_process_can_show_it(
    sink, publish, settings, monkeypatch
):
    settings.WEBSUB_VISIBLE_AFTER_SECONDS = 0.5
    now, slept = time.monotonic(), []
    for module in (claims, topics):
        clock = SimpleNamespace(monotonic=lambda: now, sleep=slept.append)
        monkeypatch.setattr(module, "time", clock)
    publish()
    callback = sink.url()
    make_subscription(callback=callback)

    deliver(FAST)

    assert max(slept) == pytest.approx(0.5)
    assert len(sink.posts(callback)) == 1


def test_edits_without_a_pause_delay_deliveries_briefly(sink, publish, settings, monkeypatch):
    settings.WEBSUB_VISIBLE_AFTER_SECONDS = 0.2
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    monkeypatch.setattr(claims.time, "sleep", lambda seconds: publish() if seconds else None)

    assert deliver(FAST).processed == 1

    # The newest was waited for twice, and a third time it was not.
    assert sink.bodies(callback) == [b"<feed>version 3</feed>"]


# --- When is the next -----------------------------------------------------------------------------


def test_next_delivery_within_the_sweep_is_known(publish, on_loopback, clock):
    clock.move_to("2026-05-01T12:00:00Z", tick=False)
    publish()
    assert delivery.seconds_to_next(5) is None
    make_subscription(next_attempt_at=timezone.now() + dt.timedelta(seconds=3))
    make_subscription(next_attempt_at=timezone.now() + dt.timedelta(seconds=2))
    nearer = timezone.now() + dt.timedelta(seconds=1)
    make_subscription(next_attempt_at=nearer, acknowledged_version=1)
    make_subscription(next_attempt_at=nearer, suspended_reason="A fault of ours.")
    make_subscription(next_attempt_at=timezone.now())  # Due already; the sweep enqueues for it.

    assert delivery.seconds_to_next(5) == 2
    assert delivery.seconds_to_next(1) is None


def test_statements_do_not_grow_with_the_subscribers(sink, publish, django_assert_max_num_queries):
    publish()
    for _ in range(50):
        make_subscription(callback=sink.url())

    with django_assert_max_num_queries(80):
        deliver(FAST)
    assert Subscription.objects.filter(acknowledged_version=1).count() == 50


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by how many there are")
@pytest.mark.parametrize("is_slow", [False, True])
def test_those_to_claim_are_read_in_the_order_of_their_index(is_slow):
    now = timezone.now()
    due = Subscription.objects.due(FEED, 1, is_slow=is_slow, since=now, now=now)[:100]

    plan = due.explain()

    assert "subscription_due (topic=? AND is_slow=? AND acknowledged_version<?)" in plan
    assert "ORDER BY" not in plan
