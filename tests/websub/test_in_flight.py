"""One delivery at a time to each subscription, even after stalls and lost claims."""

import threading
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from tests.guarded_http.tls import OK, serving
from tests.waiting import wait_until
from tests.websub.conftest import FEED
from tests.websub.deliveries import claimed, deliver_all
from tests.websub.rows import make_subscription
from websub import admin_actions, delivery
from websub.claims import FAST, SLOW
from websub.cleanup import run_cleanup
from websub.models import Attempt, Subscription
from websub.record_deliveries import DeliveryResult, record_results
from websub.verification import verify

pytestmark = pytest.mark.django_db


def test_request_ends_before_its_claim_expires(sink, publish):
    publish()
    make_subscription(callback=sink.url(delay=2.0))
    (row,) = claimed()

    record_results(list(delivery.attempt_all(FAST, [replace(row, ends_at=time.monotonic() + 0.5)])))

    row = Subscription.objects.get()
    assert (row.consecutive_failures, row.acknowledged_version, row.claim_token) == (0, 0, "")
    assert not Attempt.objects.exists()


def test_second_delivery_begins_after_first_connection_closed(
    allow_loopback, trusted, publish, clock
):
    events, second_is_answered = [], threading.Event()

    def subscriber(server, peer):
        """Log the start of a delivery, the hub's disconnection, and the end of the work."""
        content = peer.read_request().rpartition(b"\r\n\r\n")[2].decode()
        events.append(f"{content} begins")
        if "version 1" in content:
            with suppress(OSError):  # The hub ends the connection with a reset.
                peer.stream.recv(1)
            events.append(f"{content} is closed")
            second_is_answered.wait(60)
        events.append(f"{content} is done")
        with suppress(OSError):
            peer.send(OK)
        second_is_answered.set()

    impatient = replace(FAST, limits=replace(FAST.limits, total_seconds=0.5))
    with serving(subscriber, trusted.context("127.0.0.1")) as server:
        subscription = make_subscription(callback=server.url(host="127.0.0.1"))
        publish(b"version 1")
        delivery.deliver(impatient)
        wait_until(lambda: "version 1 is closed" in events)
        publish(b"version 2")
        delivery.deliver(SLOW)  # Not before the next attempt of the first one.
        assert len(events) == 2
        clock.shift(301)
        delivery.deliver(SLOW)
        wait_until(lambda: len(events) == 5)

    # The work overlapped inside the subscriber, but the requests did not.
    assert events == [
        "version 1 begins",
        "version 1 is closed",
        "version 2 begins",
        "version 2 is done",
        "version 1 is done",
    ]
    subscription.refresh_from_db()
    assert subscription.acknowledged_version == 2


@pytest.mark.parametrize("config", [FAST, SLOW])
def test_claim_outlasts_request_and_its_tcp_retransmissions(publish, config):
    publish()
    make_subscription(in_slow_queue=config.is_slow)
    before = time.monotonic()
    (row,) = claimed(config)

    limits = config.limits
    assert row.ends_at <= time.monotonic() + config.sending_seconds
    assert row.start_before + limits.total_seconds <= row.ends_at
    claim_ends_at = before + config.claim_seconds
    assert row.ends_at + limits.unacknowledged_seconds < claim_ends_at


def test_new_subscription_of_pair_waits_for_request_of_former_one(sink, publish, ask, clock):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    claimed()  # Claimed by another worker, whose request is in progress.
    ask("unsubscribe", callback)
    verify()
    assert not Subscription.objects.active().exists()
    ask("subscribe", callback)
    verify()
    publish()

    deliver_all()
    assert sink.posts(callback) == []
    clock.shift(FAST.claim_seconds + 0.1)
    deliver_all()

    assert sink.bodies(callback) == [b"<feed>version 2</feed>"]
    assert Subscription.objects.get().acknowledged_version == 2


def test_removed_subscription_is_kept_until_its_request_is_over(publish, clock):
    publish()
    make_subscription()
    claimed()

    assert admin_actions.remove(Subscription.objects.all()) == 1

    assert not Subscription.objects.active().exists()
    assert run_cleanup().expired == 0
    clock.shift(FAST.claim_seconds + 0.1)
    assert run_cleanup().expired == 1
    assert not Subscription.objects.exists()


def test_delivery_during_concurrent_change_is_repeated(sink, publish, clock):
    publish()
    callback = sink.url()
    make_subscription(callback=callback)
    (frozen,) = claimed()
    clock.shift(60)
    publish()
    (current,) = claimed()

    record_results([DeliveryResult(frozen, Attempt.Result.ACKNOWLEDGED, 204)])
    record_results([DeliveryResult(current, Attempt.Result.ACKNOWLEDGED, 204)])

    assert Subscription.objects.get().acknowledged_version == 0
    clock.shift(FAST.claim_seconds + 0.1)
    deliver_all()
    assert sink.bodies(callback) == [b"<feed>version 2</feed>"]
    assert Subscription.objects.get(topic=FEED).acknowledged_version == 2
