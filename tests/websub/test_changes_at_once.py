"""Bulk changes beside workers on PostgreSQL, without deadlocks."""

import datetime as dt
from contextlib import suppress

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from tests.threads import run_in_thread
from tests.websub.rows import make_attempt, make_subscription, make_verification
from websub import admin_actions, verification
from websub.cleanup import run_cleanup
from websub.models import Attempt, Subscription, Verification

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
    pytest.mark.django_db(transaction=True),
]


def retry_now():
    admin_actions.retry_now(Subscription.objects.all())


def remove():
    admin_actions.remove(Subscription.objects.all())


def leave_alone():
    verification._postpone_host("sub.example", 60)


def meanwhile(table, change, happens):
    """Run `happens` in a thread when `change` begins to write."""

    def look(execute, sql, params, many, context):
        if sql.startswith((f'UPDATE "{table}"', f'DELETE FROM "{table}"')):
            run_in_thread(happens)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        change()


@pytest.mark.parametrize(
    ("change", "model"),
    [(retry_now, Subscription), (remove, Subscription), (leave_alone, Verification)],
)
def test_bulk_changes_lock_all_rows_first(change, model, monkeypatch):
    for number in range(3):
        subscription = make_subscription(callback=f"https://sub.example/{number}")
        make_verification(callback=f"https://sub.example/{number}", next_attempt_at=timezone.now())
    newer = subscription.acknowledged_version + 1
    monkeypatch.setattr(admin_actions, "versions", lambda: {subscription.topic: newer})
    unheld = []

    @transaction.atomic
    def note_unheld():
        unheld.append(list(model.objects.select_for_update(skip_locked=True)))

    meanwhile(model._meta.db_table, change, note_unheld)

    assert unheld
    assert not any(unheld)


@pytest.mark.parametrize("end", [remove, run_cleanup])
def test_no_attempt_is_logged_for_subscription_being_deleted(end):
    subscription = make_subscription(expires_at=timezone.now() - dt.timedelta(hours=1))
    make_attempt(subscription=subscription)

    def log_another():
        with suppress(OperationalError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '200ms'")
            make_attempt(subscription=subscription)

    meanwhile("websub_subscription", end, log_another)

    assert not Subscription.objects.exists()
    assert Attempt.objects.get().subscription is None
