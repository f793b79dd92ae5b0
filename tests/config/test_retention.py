"""Retention of rows: scheduled tasks remove each at its time, and not before."""

import datetime as dt

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from celery import current_app
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.module_loading import import_string

from config.celery import HOUR_SECONDS
from imports.models import ImportBatch, ImportChange, ImportUpload
from insights.models import AnalysisRun, ChatAnswer, ChatDay
from notifications.models import Event, Message, Recipient
from reviews.models import DeletedReview
from tests.factories import make_review
from tests.websub.rows import make_attempt, make_subscription, make_verification
from websub.models import Attempt, Subscription, Verification

pytestmark = pytest.mark.django_db

HOURLY = [
    entry["task"]
    for entry in current_app.conf.beat_schedule.values()
    if entry["schedule"] == HOUR_SECONDS
]
SWEEPS = [*HOURLY, "websub.tasks.sweep_up"]


def sweep():
    for name in SWEEPS:
        import_string(name)()


def subscription(at):
    return make_subscription(expires_at=at + dt.timedelta(days=7))


def attempt(at):
    return make_attempt(at=at)


def verification(at):
    return make_verification(state="confirmed", finished_at=at)


def session(at):
    return Session.objects.create(session_key=str(at), expire_date=at + dt.timedelta(days=30))


def sign_in(model, **values):
    def make(at):
        row = model.objects.create(username=str(at), ip_address="192.0.2.1", **values)
        model.objects.filter(pk=row.pk).update(attempt_time=at)
        return row

    return make


def history(at):
    user, _ = get_user_model().objects.get_or_create(username="dana")
    entry = LogEntry.objects.create(user=user, action_flag=CHANGE, object_repr="A review")
    LogEntry.objects.filter(pk=entry.pk).update(action_time=at)
    return entry


def batch(at, **values):
    return ImportBatch.objects.create(
        **{"file_name": "reviews.csv", "sha256": "0" * 64, "created_at": at, **values}
    )


def upload(at):
    return ImportUpload.objects.create(batch=batch(at, state="previewed"), content=b"id,rating")


def refused_batch(at):
    return batch(at, state="refused")


def change(at):
    done = batch(at, state="applied", applied_at=at)
    return ImportChange.objects.create(batch=done, review=make_review(), row=1, before={}, after={})


def deletion(at):
    return DeletedReview.objects.create(ulid="01" * 13, kept_out=False, deleted_at=at)


def chat_answer(at):
    return ChatAnswer.objects.create(key=str(at), content="Yes.", answered_at=at)


def chat_day(at):
    return ChatDay.objects.create(day=at.date())


def analysis_run(at):
    return AnalysisRun.objects.create(
        reason="asked", basis="b", model="rules", taxonomy="t", total=1, finished_at=at
    )


def message(at):
    user, _ = get_user_model().objects.get_or_create(username="dana")
    recipient, _ = Recipient.objects.get_or_create(user=user)
    return Message.objects.create(kind="test", recipient=recipient, created_at=at)


def event(at):
    return Event.objects.create(type="test", key=str(at), at=at)


KEPT_DAYS = {
    message: (Message, 30),
    event: (Event, 30),
    subscription: (Subscription, 7),
    attempt: (Attempt, 7),
    verification: (Verification, 7),
    session: (Session, 30),
    sign_in(AccessAttempt, failures_since_start=1): (AccessAttempt, 30),
    sign_in(AccessFailureLog): (AccessFailureLog, 30),
    sign_in(AccessLog): (AccessLog, 30),
    history: (LogEntry, 730),
    upload: (ImportUpload, 7),
    refused_batch: (ImportBatch, 400),
    change: (ImportChange, 90),
    deletion: (DeletedReview, 400),
    chat_answer: (ChatAnswer, 90),
    chat_day: (ChatDay, 400),
    analysis_run: (AnalysisRun, 400),
}


@pytest.mark.parametrize(
    ("make", "model", "days"),
    [(make, model, days) for make, (model, days) in KEPT_DAYS.items()],
    ids=[model.__name__ for model, _ in KEPT_DAYS.values()],
)
def test_rows_are_removed_after_retention(make, model, days):
    now = timezone.now()
    recent = make(now - dt.timedelta(days=days - 1))
    make(now - dt.timedelta(days=days + 1))

    sweep()

    assert [row.pk for row in model.objects.all()] == [recent.pk]


def test_deletion_record_stays_until_lifted():
    old = timezone.now() - dt.timedelta(days=4_000)
    DeletedReview.objects.create(ulid="01" * 13, kept_out=True, merge_key="k", deleted_at=old)

    sweep()
    assert DeletedReview.objects.count() == 1
    DeletedReview.objects.update(kept_out=False)
    sweep()

    assert not DeletedReview.objects.exists()


def test_row_errors_of_old_import_are_removed():
    now = timezone.now()
    for days in (399, 401):
        batch(
            now - dt.timedelta(days=days), state="applied", applied_at=now, errors=[{"row": days}]
        )

    sweep()

    kept = ImportBatch.objects.order_by("created_at").values_list("errors", flat=True)
    assert list(kept) == [[], [{"row": 399}]]
