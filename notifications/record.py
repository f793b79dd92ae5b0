"""Record events by comparing the rows of other apps with earlier records.

Imports do not record events, so addresses do not slow them down. When the revision of the reviews
has risen, the reviews are compared with `KnownReview`. A trouble is new if no event has its key. So
several workers record each event once, and a killed process loses none.
"""

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from notifications.models import (
    REVIEW_EVENTS,
    WEBHOOK_EVENTS,
    Endpoint,
    Event,
    EventType,
    KnownReview,
    Message,
    Notice,
    Recipient,
    Recorder,
)
from reviews.models import Reply, Review, Revision
from sign_in.limits import limited_users
from sources.models import SourceConnection, SourceRun
from websub.models import Attempt as HubAttempt
from websub.models import Verification
from websub.record_deliveries import removal_reason

CHUNK = 1_000
FAILURES_IN_A_ROW = 3  # A source is retried before its failure is reported.

# The permission without which a user receives no message about an event.
PERMISSIONS = {
    EventType.REVIEW_CREATED: "reviews.view_review",
    EventType.SOURCE_FAILED: "sources.view_sourceconnection",
    EventType.RUN_WAITING: "sources.change_sourceconnection",
    EventType.SUBSCRIPTION_REMOVED: "websub.view_subscription",
    EventType.REPLY_REFUSED: "reviews.change_review",
    EventType.WEBHOOK_DISABLED: "notifications.view_endpoint",
    EventType.BACKUP_FAILED: "auth.view_user",
    EventType.ACCOUNT_LOCKED: "auth.view_user",
}
TROUBLES = tuple(each for each in PERMISSIONS if each != EventType.REVIEW_CREATED)


def record_changes() -> int:
    """Record all new events with their messages. Return the number of events."""
    return record_reviews() + record_troubles()


# --- Reviews --------------------------------------------------------------------------------------


def record_reviews() -> int:
    """Record new, changed and removed reviews, if an address wants such events.

    The first run with such an address only stores the current reviews as known.
    """
    is_wanted, recorder = _are_reviews_wanted(), Recorder.objects.first()
    revision = Revision.objects.current(Revision.REVIEWS)
    if (recorder.revision if recorder else None) == (revision if is_wanted else None):
        return 0
    with transaction.atomic():
        Recorder.objects.get_or_create(pk=1)
        recorder = Recorder.objects.select_for_update().get(pk=1)
        # Read before the reviews, so that the next run finds changes that happen meanwhile.
        revision = Revision.objects.current(Revision.REVIEWS)
        recorded = 0
        if not is_wanted:
            KnownReview.objects.all().delete()
        elif recorder.revision is None:
            _store_known_reviews()
        else:
            recorded = sum(map(publish, _review_events()))
        recorder.revision = revision if is_wanted else None
        recorder.save(update_fields=["revision"])
    return recorded


def _are_reviews_wanted() -> bool:
    if settings.EMAIL_ENABLED and Recipient.objects.filter(most_stars__gt=0).exists():
        return True
    chosen = Endpoint.objects.filter(is_enabled=True).values_list("events", flat=True)
    return any(not {*REVIEW_EVENTS}.isdisjoint(events) for events in chosen)


def _store_known_reviews() -> None:
    KnownReview.objects.all().delete()
    shown = Review.objects.visible().order_by().values_list("pk", "ulid", "modified_at")
    sql, values = shown.query.sql_with_params()
    columns = ", ".join(field.column for field in KnownReview._meta.local_fields)
    with connection.cursor() as cursor:
        table = KnownReview._meta.db_table
        cursor.execute(f"INSERT INTO {table} ({columns}) {sql}", values)


def _review_events() -> Iterator[list[Event]]:
    """The events of all differences in chunks. Each chunk is then stored as known."""
    shown = Review.objects.visible().filter(pk=OuterRef("pk"))
    gone = KnownReview.objects.exclude(Exists(shown)).order_by("pk")
    while removed := list(gone[:CHUNK]):
        yield [_removed(each) for each in removed]
        KnownReview.objects.filter(pk__in=[each.pk for each in removed]).delete()
    known = KnownReview.objects.filter(pk=OuterRef("pk"))
    is_other = Exists(known.exclude(modified_at=OuterRef("modified_at")))
    visible = Review.objects.visible().order_by("modified_at", "pk")
    yield from _written(visible.filter(is_other), EventType.REVIEW_UPDATED)
    yield from _written(visible.exclude(Exists(known)), EventType.REVIEW_CREATED)


def _written(reviews: QuerySet[Review], kind: EventType) -> Iterator[list[Event]]:
    while chunk := list(reviews.only("ulid", "modified_at", "fragment")[:CHUNK]):
        yield [
            Event(
                type=kind,
                key=f"{review.ulid} {review.modified_at:%Y-%m-%dT%H:%M:%S.%f}",
                data=json.loads(review.fragment),
                review_id=review.pk,
            )
            for review in chunk
        ]
        KnownReview.objects.bulk_create(
            [KnownReview(r.pk, r.ulid, r.modified_at) for r in chunk],
            update_conflicts=True,
            unique_fields=["review_id"],
            update_fields=["modified_at"],
        )


def _removed(known: KnownReview) -> Event:
    now = timezone.now()
    return Event(
        type=EventType.REVIEW_REMOVED,
        key=f"{known.ulid} {now:%Y-%m-%dT%H:%M:%S.%f}",
        data={"id": known.ulid},
        review_id=known.review_id,
    )


# --- Troubles -------------------------------------------------------------------------------------


def record_troubles() -> int:
    """Record new events about sources, runs, subscribers, sign-ins and replies."""
    recorder, _ = Recorder.objects.get_or_create(pk=1)
    found = [*_failing_sources(recorder.since), *_waiting_runs(recorder.since)]
    found += [*_removed_subscribers(recorder.since), *_locked_accounts(recorder.since)]
    found += _refused_replies(recorder.since)
    stored = Event.objects.filter(
        type__in={each.type for each in found}, key__in=[each.key for each in found]
    )
    known = set(stored.values_list("type", "key"))
    return sum(record_once(each) for each in found if (each.type, each.key) not in known)


def record_once(event: Event) -> bool:
    """Store an event with its messages, unless it exists. Return whether it is new."""
    with transaction.atomic():
        _, is_new = Event.objects.get_or_create(
            type=event.type, key=event.key, defaults={"data": event.data}
        )
        if is_new:
            enqueue([Event.objects.get(type=event.type, key=event.key)])
    return is_new


def _failing_sources(since: dt.datetime) -> Iterator[Event]:
    states = SourceConnection.State
    failing = SourceConnection.objects.filter(failing_since__gte=since).exclude(state=states.PAUSED)
    for source in failing:
        is_stopped = source.state == states.STOPPED
        if is_stopped or source.consecutive_failures >= FAILURES_IN_A_ROW:
            data = {"id": source.pk, "name": source.name, "error": source.last_error}
            data |= {"failing_since": _iso(source.failing_since), "is_stopped": is_stopped}
            yield _event(EventType.SOURCE_FAILED, (source.pk, data["failing_since"]), data)


def _waiting_runs(since: dt.datetime) -> Iterator[Event]:
    waiting = SourceRun.objects.filter(state=SourceRun.State.WAITING, created_at__gte=since)
    for run in waiting.select_related("connection").defer("content"):
        data = {"id": run.pk, "source": run.connection_id, "name": run.connection.name}
        yield _event(EventType.RUN_WAITING, (run.pk,), data | {"reasons": run.reasons})


def _removed_subscribers(since: dt.datetime) -> Iterator[Event]:
    kind = EventType.SUBSCRIPTION_REMOVED
    denied = Verification.objects.filter(
        mode=Verification.Mode.DENIED, requested_at__gte=since, reason=removal_reason()
    )
    for row in denied.only("callback_host", "topic", "reason"):
        data = {"host": row.callback_host, "topic": row.topic, "reason": row.reason}
        yield _event(kind, ("denied", row.pk), data)
    gone = HubAttempt.objects.filter(result=HubAttempt.Result.GONE, is_test=False, at__gte=since)
    for attempt in gone:
        data = {"host": attempt.callback_host, "topic": attempt.topic, "reason": attempt.error}
        yield _event(kind, ("gone", attempt.pk), data)


def _refused_replies(since: dt.datetime) -> Iterator[Event]:
    refused = Reply.objects.filter(state=Reply.State.DRAFT, written_at__gte=since)
    for reply in refused.exclude(problem="").select_related("review"):
        data = {"id": reply.review.ulid, "problem": reply.problem}
        key = (reply.pk, reply.next_attempt_at.isoformat())  # The time that it was sent.
        yield _event(EventType.REPLY_REFUSED, key, data)


def _locked_accounts(since: dt.datetime) -> Iterator[Event]:
    """Users with so many wrong passwords that one network, or all unknown networks, are locked."""
    locked = AccessAttempt.objects.filter(
        attempt_time__gte=since,
        failures_since_start__gte=settings.AXES_FAILURE_LIMIT,
        username__in=get_user_model().objects.values("username"),
    )
    for attempt in locked:
        data = {"name": attempt.username, "network": str(attempt.ip_address)}
        at = attempt.attempt_time.isoformat()
        yield _event(EventType.ACCOUNT_LOCKED, (attempt.pk, at), data)
    for name in limited_users():
        key = (name, timezone.now().date())
        yield _event(EventType.ACCOUNT_LOCKED, key, {"name": name, "network": ""})


def _event(kind: EventType, key: Sequence[object], data: dict[str, Any]) -> Event:
    return Event(type=kind, key=" ".join(map(str, key))[:100], data=data)


def _iso(at: dt.datetime | None) -> str:
    return at.isoformat() if at else ""


# --- Messages of events ---------------------------------------------------------------------------


def publish(events: Sequence[Event]) -> int:
    """Store new events, and queue them for the addresses that want them."""
    Event.objects.bulk_create(events)
    enqueue(events)
    return len(events)


def enqueue(events: Iterable[Event]) -> None:
    """Queue stored events for the addresses that want them."""
    found = list(events)
    webhooks = [each for each in found if each.type in WEBHOOK_EVENTS]
    for endpoint in Endpoint.objects.filter(is_enabled=True) if webhooks else ():
        Message.objects.bulk_create(
            Message(
                kind=Message.Kind.WEBHOOK,
                endpoint=endpoint,
                event=event,
                review_id=event.review_id,
            )
            for event in webhooks
            if event.type in endpoint.events
        )
    chosen = [each for each in found if each.type in PERMISSIONS]
    if not settings.EMAIL_ENABLED or not chosen:
        return
    active = Recipient.objects.filter(user__is_active=True, user__is_staff=True)
    for recipient in active.exclude(user__email="").select_related("user"):
        Notice.objects.bulk_create(
            Notice(recipient=recipient, event=event) for event in chosen if _wants(recipient, event)
        )


def _wants(recipient: Recipient, event: Event) -> bool:
    if event.type == EventType.REVIEW_CREATED:
        is_chosen = event.data["rating"] <= recipient.most_stars
    else:
        is_chosen = event.type in recipient.events
    return is_chosen and recipient.user.has_perm(PERMISSIONS[EventType(event.type)])
