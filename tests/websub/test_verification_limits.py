"""Limits of verifications: in flight, per host and per address."""

import datetime as dt
from dataclasses import replace

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.utils import timezone

from guarded_http import connect
from tests.websub.conftest import FEED
from websub import conf, verification
from websub.models import Subscription, Verification
from websub.verification import verify

pytestmark = pytest.mark.django_db


def test_verifications_of_one_host_are_limited(sink, ask, settings, time_machine):
    settings.RATE_LIMITS = {"verify": (2, 60)}
    time_machine.move_to("2026-05-01T12:00:15Z", tick=False)
    callbacks = [sink.url() for _ in range(3)]
    for callback in callbacks:
        ask("subscribe", callback)

    verify()
    assert sum(len(sink.gets(callback)) for callback in callbacks) == 2
    waiting = Verification.objects.get(state="pending")
    assert waiting.next_attempt_at == timezone.now() + dt.timedelta(seconds=45)
    assert waiting.attempts == 0

    time_machine.shift(45)
    verify()
    assert Subscription.objects.count() == 3


def test_no_verification_is_sent_while_limiter_fails(sink, ask, settings, monkeypatch):
    settings.RATE_LIMITS = {"verify": (2, 60)}
    callback = sink.url()
    ask("subscribe", callback)

    def fail(*args, **kwargs):
        raise ConnectionError("refused")

    monkeypatch.setattr(LocMemCache, "add", fail)

    verify()

    assert sink.gets(callback) == []
    assert Verification.objects.get().state == "pending"


def test_host_over_limit_is_denied_with_reason(sink, ask, settings):
    settings.WEBSUB_MAX_PER_HOST = 1
    first, second = sink.url(), sink.url()
    ask("subscribe", first)
    ask("subscribe", second)

    verify()
    verify()

    assert Subscription.objects.count() == 1
    denied = Verification.objects.get(state="denied")
    (denial,) = sink.gets(denied.callback, "denied")
    assert denial.query == {
        "hub.mode": "denied",
        "hub.topic": FEED,
        "hub.reason": verification.FULL_HOST,
    }
    live = Subscription.objects.get()
    ask("subscribe", live.callback, lease_seconds="3600")  # The existing one may be renewed.
    verify()
    live.refresh_from_db()
    assert live.lease_seconds == 3600


def test_verifications_of_one_address_are_limited_for_all_names(
    sink, ask, settings, time_machine, monkeypatch
):
    settings.RATE_LIMITS = {"verify": (2, 60)}
    time_machine.move_to("2026-05-01T12:00:15Z", tick=False)
    made = conf.client
    monkeypatch.setattr(
        conf, "client", lambda: replace(made(), resolve=lambda host, port: ["127.0.0.1"])
    )
    for number in range(5):
        ask("subscribe", f"https://name-{number}.example.com:{sink.port}/callback")
    connected = []
    monkeypatch.setattr(
        connect,
        "_connect_one",
        lambda address, *rest, **options: connected.append(address) or refuse(),
    )

    def refuse():
        raise ConnectionRefusedError(111, "Connection refused")

    verify()

    assert connected == ["127.0.0.1"] * 2
    waiting = Verification.objects.filter(attempts=0)
    assert waiting.count() == 3
    assert {row.last_error for row in waiting} == {verification.THROTTLED.error}
    after = {(row.next_attempt_at - timezone.now()).total_seconds() for row in waiting}
    assert after == {45.0}
