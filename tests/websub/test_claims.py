"""Claims: one worker for each row, two queues, and expiry."""

import threading
import time
from types import SimpleNamespace

import pytest

from tests.threads import run_concurrently
from tests.websub.deliveries import claimed
from tests.websub.rows import make_subscription
from websub import claims, dispatcher, record_deliveries, topics
from websub.claims import FAST, SLOW
from websub.delivery import deliver
from websub.dispatcher import single_process_lock
from websub.models import Attempt, Subscription
from websub.record_deliveries import DeliveryResult, record_results

pytestmark = pytest.mark.django_db


# --- Claims ---------------------------------------------------------------------------------------


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
def test_late_result_of_frozen_worker_is_ignored(publish, clock, result):
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


@pytest.mark.django_db(transaction=True)
def test_concurrent_workers_send_each_version_once(sink, publish):
    publish()
    callbacks = [sink.url() for _ in range(60)]
    for callback in callbacks:
        make_subscription(callback=callback)

    run_concurrently(lambda: deliver(FAST), lambda: deliver(FAST))

    assert [len(sink.posts(callback)) for callback in callbacks] == [1] * 60
    assert set(Subscription.objects.values_list("acknowledged_version", flat=True)) == {1}


# --- Queues ---------------------------------------------------------------------------------------


def test_slow_callback_stays_in_slow_queue_until_fast_again(sink, publish, monkeypatch, clock):
    monkeypatch.setattr(record_deliveries, "SLOW_SECONDS", 0.1)
    publish()
    callback = sink.url(delay=0.15)
    make_subscription(callback=callback)
    deliver(FAST)
    assert Subscription.objects.get().in_slow_queue

    publish()
    clock.shift(2)
    sink.of(callback).delay = 0
    monkeypatch.setattr(record_deliveries, "SLOW_SECONDS", 60)  # Also fast on a busy machine.
    assert deliver(FAST).processed == 0
    assert deliver(SLOW).processed == 1
    assert not Subscription.objects.get().in_slow_queue


def test_hanging_host_does_not_delay_others(sink, publish, settings):
    settings.WEBSUB_THREADS = 4
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


def test_slow_queue_runs_in_one_process_per_machine(publish, allow_loopback):
    publish()
    make_subscription(in_slow_queue=True)
    with single_process_lock("slow") as is_ours:
        assert is_ours
        assert deliver(SLOW) == dispatcher.RunResult()
    with single_process_lock("slow") as is_ours:
        assert is_ours


def test_host_has_at_most_four_connections_which_are_reused(sink, publish):
    publish()
    for _ in range(24):
        make_subscription(callback=sink.url(delay=0.01), last_status=204)

    assert deliver(FAST).processed == 24

    assert sink.most_at_once <= dispatcher.MAX_CONCURRENT
    assert len({received.connection for received in sink.received}) <= dispatcher.MAX_CONCURRENT


def test_version_is_pushed_after_every_web_process_serves_it(sink, publish, settings, monkeypatch):
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
