"""Changes of addresses and messages, each in one transaction."""

import datetime as dt

from django.db import transaction
from django.utils import timezone

from notifications import tasks
from notifications.models import (
    Endpoint,
    Event,
    EventType,
    Message,
    new_secret,
    retry_deadline,
)
from notifications.record import record_reviews


@transaction.atomic
def save_endpoint(endpoint: Endpoint) -> str:
    """Store an endpoint; return the secret of a new one, which is shown once."""
    secret = ""
    if endpoint.pk is None:
        secret = new_secret()
        endpoint.set_secret(secret)
    if endpoint.is_enabled and endpoint.disabled_reason:
        _reopen(endpoint)
    endpoint.save()
    record_reviews()  # What there is now is no news.
    tasks.sweep.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.
    return secret


def _reopen(endpoint: Endpoint) -> None:
    """Let the messages of an endpoint that was disabled start anew."""
    endpoint.disabled_reason, endpoint.failing_since = "", None
    endpoint.consecutive_failures, endpoint.next_attempt_at = 0, timezone.now()
    waiting = Message.objects.waiting().filter(endpoint=endpoint)
    waiting.update(attempts=0, next_attempt_at=timezone.now(), retried_until=retry_deadline())


@transaction.atomic
def rotate_secret(endpoint: Endpoint) -> str:
    """Give an endpoint a new secret and return it; for a day both sign."""
    secret = new_secret()
    endpoint.set_secret(secret)
    endpoint.save()
    return secret


@transaction.atomic
def send_test(endpoint: Endpoint) -> Message:
    """Queue a test event for an endpoint."""
    event = Event.objects.create(
        type=EventType.TEST, key=timezone.now().isoformat(), data={"endpoint": endpoint.pk}
    )
    message = Message.objects.create(kind=Message.Kind.TEST, endpoint=endpoint, event=event)
    tasks.sweep.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.
    return message


@transaction.atomic
def resend(message: Message) -> None:
    """Queue a message again, under the same id."""
    now = timezone.now()
    again = Message.objects.filter(pk=message.pk).exclude(state=Message.State.WAITING)
    again.update(
        state=Message.State.WAITING,
        attempts=0,
        next_attempt_at=now,
        retried_until=now + dt.timedelta(days=3),
        finished_at=None,
    )
    tasks.sweep.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.
