"""Failing verifications: retries, claims, replaced requests, denials."""

import time

import pytest

from guarded_http.client import Outcome
from guarded_http.connect import Fault
from tests.websub.conftest import FEED
from tests.websub.rows import make_subscription, make_verification
from websub import verification
from websub.models import Subscription, Verification
from websub.secrets import decrypt
from websub.verification import claim, record_verifications, verify

pytestmark = pytest.mark.django_db


NEVER_LISTENING = "https://127.0.0.1:9/callback"


def test_unreachable_callback_is_tried_three_times(allow_loopback, ask, settings, time_machine):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (30.0, 300.0)
    settings.WEBSUB_ALLOWED_PORTS = "9"
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    ask("subscribe", NEVER_LISTENING)
    seen = []
    for wait in (0, 29, 1, 299, 1, 3600):
        time_machine.shift(wait)
        verify()
        waiting = Verification.objects.get()
        seen.append((waiting.attempts, waiting.state))

    assert seen == [
        (1, "pending"),
        (1, "pending"),
        (2, "pending"),
        (2, "pending"),
        (3, "failed"),
        (3, "failed"),
    ]
    assert "could not be connected to" in Verification.objects.get().last_error


def test_internal_error_does_not_stop_verifications(sink, ask, monkeypatch):
    ask("subscribe", sink.url())
    ask("subscribe", sink.url())
    bad = Verification.objects.earliest("pk").pk
    real = verification.verify_intent

    def fail(row):
        if row.pk == bad:
            raise RuntimeError("bug")
        return real(row)

    monkeypatch.setattr(verification, "verify_intent", fail)

    verify()

    assert Subscription.objects.count() == 1
    assert Verification.objects.get(pk=bad).state == "pending"


def _result(row, outcome, *, confirmed=False):
    return verification.VerificationResult(row, outcome, time.monotonic(), is_confirmed=confirmed)


CONFIRMED = Outcome(200, body=b"challenge")


def test_late_response_to_frozen_worker_is_ignored(allow_loopback, clock):
    make_verification()
    (frozen,) = claim(1)
    clock.shift(21)
    (mine,) = claim(1)

    record_verifications([_result(frozen, Outcome(404))])
    assert Verification.objects.get().state == "pending"

    record_verifications([_result(mine, CONFIRMED, confirmed=True)])
    assert Subscription.objects.count() == 1


def test_response_to_replaced_request_is_ignored(allow_loopback, ask, settings):
    callback = "https://hooks.example.com/cb"
    ask("subscribe", callback, secret="first")
    (earlier,) = claim(1)
    ask("subscribe", callback, secret="second")

    record_verifications([_result(earlier, CONFIRMED, confirmed=True)])

    assert not Subscription.objects.exists()
    assert decrypt(Verification.objects.get(state="pending").encrypted_secret) == "second"


def test_denial_is_repeated_until_callback_responds(sink, settings, clock):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (30.0, 300.0)
    callback = sink.url()
    Verification.objects.queue_denials([make_subscription(callback=callback)], "No more.")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            verification,
            "verify_intent",
            lambda v: _result(v, Outcome(None, "Down.", Fault.PEER)),
        )
        verify()
    assert Verification.objects.get().state == "pending"

    clock.shift(31)
    verify()
    clock.shift(3600)
    verify()

    (denial,) = sink.gets(callback)
    assert denial.query == {"hub.mode": "denied", "hub.topic": FEED, "hub.reason": "No more."}
    assert (Verification.objects.get().state, Subscription.objects.count()) == ("reported", 1)
