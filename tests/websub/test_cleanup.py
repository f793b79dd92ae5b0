"""Cleanup of ended rows, the commands for single steps, and queued tasks."""

import datetime as dt

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.websub.rows import make_attempt, make_subscription, make_verification
from websub import cleanup as sweeping
from websub import enqueue, tasks
from websub.cleanup import CleanupResult, run_cleanup
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


def test_only_expired_leases_are_removed():
    make_subscription(expires_at=timezone.now() - dt.timedelta(seconds=1))
    living = make_subscription()

    assert run_cleanup() == CleanupResult(expired=1, timed_out=0, deleted=0)

    assert Subscription.objects.get() == living


def test_verification_pending_for_more_than_an_hour_fails(settings):
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (30.0, 300.0)
    now = timezone.now()
    late = make_verification(requested_at=now - dt.timedelta(seconds=3931), encrypted_secret="x")
    make_verification(requested_at=now - dt.timedelta(seconds=3900))

    assert run_cleanup().timed_out == 1

    late.refresh_from_db()
    assert (late.state, late.last_error) == ("failed", sweeping.TOO_LATE)
    assert late.encrypted_secret == ""


def test_log_is_kept_for_a_week():
    now = timezone.now()
    subscription = make_subscription()
    for age in (6, 8):
        make_attempt(subscription=subscription, at=now - age * DAY)
        make_verification(state="confirmed", finished_at=now - age * DAY)
    make_verification(requested_at=now, finished_at=None)

    assert run_cleanup().deleted == 2

    assert Attempt.objects.count() == 1
    assert Verification.objects.count() == 2


def test_command_processes_all_due_work_and_reports_it(sink, publish, ask, capsys, monkeypatch):
    def by_hand():
        call_command("sweep")
        return capsys.readouterr().out.splitlines()

    monkeypatch.setattr("publishing.publisher.publish_due", list)
    publish()
    callback = sink.url()
    ask("subscribe", callback)
    assert by_hand() == ["1 callbacks were verified, or informed of an end"]

    publish()
    make_subscription(callback=sink.url(), in_slow_queue=True, acknowledged_version=1)
    make_subscription(expires_at=timezone.now() - DAY)
    assert by_hand() == [
        "1 subscriptions have expired and were removed",
        "1 deliveries were tried",
        "1 deliveries were tried in the slow queue",
    ]
    assert sink.bodies(callback) == [b"<feed>version 2</feed>"]


# --- Tasks ----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def without_commit(monkeypatch):
    """Send messages immediately, since the transaction of a test never commits."""
    monkeypatch.setattr(enqueue.transaction, "on_commit", lambda send, robust: send())


def test_confirmation_enqueues_delivery_of_changes_since_request(
    enqueued_tasks, sink, publish, ask
):
    publish()
    ask("subscribe", sink.url())
    publish()
    enqueued_tasks.clear()

    tasks.verify_due()

    assert enqueued_tasks == ["deliver_due"]


def test_delay_shorter_than_sweep_is_scheduled(enqueued_tasks, sink, publish, settings, clock):
    clock.move_to(timezone.now(), tick=False)
    settings.WEBSUB_RETRY_SECONDS = (2.0,)
    settings.WEBSUB_VERIFY_RETRY_SECONDS = (3.0,)
    publish()
    make_subscription(callback=sink.url(status=500))
    make_verification(next_attempt_at=timezone.now() + dt.timedelta(seconds=3))

    tasks.deliver_due()
    tasks.verify_due()

    assert enqueued_tasks == [("deliver_due", 2), ("deliver_slow_due", 2), ("verify_due", 3)]
