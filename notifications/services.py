"""Changes of addresses and messages, each in one transaction."""

import datetime as dt
import json
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from notifications import tasks
from notifications.mail import CHOSEN, queue_for
from notifications.models import (
    SECRETS,
    DeliveryAttempt,
    Endpoint,
    Event,
    EventType,
    Message,
    Notice,
    PasswordRequest,
    Recipient,
    new_secret,
    retry_deadline,
)
from notifications.record import record_once, record_reviews
from reviews.models import Review


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
    _sweep_soon()
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


def reencrypt_secrets() -> tuple[int, int]:
    """Encrypt secrets with today's `SECRET_KEY`: the numbers of done and of lost ones."""
    return SECRETS.reencrypt(Endpoint.objects.all(), "encrypted_secret", "encrypted_former_secret")


@transaction.atomic
def send_test(endpoint: Endpoint) -> Message:
    """Queue a test event for an endpoint."""
    event = Event.objects.create(
        type=EventType.TEST, key=timezone.now().isoformat(), data={"endpoint": endpoint.pk}
    )
    message = Message.objects.create(kind=Message.Kind.TEST, endpoint=endpoint, event=event)
    _sweep_soon()
    return message


@transaction.atomic
def save_recipient(recipient: Recipient) -> None:
    """Store a user's choice of e-mail."""
    recipient.save()
    record_reviews()  # What there is now is no news.


@transaction.atomic
def unsubscribe(recipient_id: int) -> None:
    """End all notifications and digests to a recipient; what waits is not sent."""
    rows = Recipient.objects.filter(pk=recipient_id)
    rows.update(most_stars=0, events=[], digest=Recipient.Digest.NONE)
    Notice.objects.filter(recipient=recipient_id, message=None).delete()
    Message.objects.waiting().filter(recipient=recipient_id, kind__in=CHOSEN).delete()


@transaction.atomic
def send_mail(user: User, kind: Message.Kind) -> None:
    """Queue a test, an invitation or a link for a new password."""
    queue_for(user, kind)
    _sweep_soon()


@transaction.atomic
def request_password(email: str) -> None:
    """Queue a link for a new password, if a user has this address."""
    PasswordRequest.objects.create(email=email)
    _sweep_soon()


def _sweep_soon() -> None:
    tasks.sweep.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.


def report_failed_backup(error: str, day: dt.date | None = None) -> None:
    """Record that a backup failed; that of a day, which is tried again, once."""
    key = (day or timezone.now()).isoformat()
    record_once(Event(type=EventType.BACKUP_FAILED, key=key, data={"error": error}))


@transaction.atomic
def forget_reviews(review_ids: Sequence[int]) -> None:
    """Take forgotten authors from events and logs; events say what the review is now."""
    DeliveryAttempt.objects.filter(message__review_id__in=review_ids).update(body="", answer="")
    now = dict(Review.objects.filter(pk__in=review_ids).values_list("pk", "fragment"))
    for event in Event.objects.filter(review_id__in=review_ids).exclude(
        type=EventType.REVIEW_REMOVED
    ):
        fragment = now.get(event.review_id or 0)
        if fragment is None:
            event.delete()
        else:
            event.data = json.loads(fragment)
            event.save(update_fields=["data"])


@transaction.atomic
def resend(message: Message) -> None:
    """Queue a message again, under the same id."""
    now = timezone.now()
    again = Message.objects.filter(pk=message.pk).exclude(state=Message.State.WAITING)
    again.update(
        state=Message.State.WAITING,
        attempts=0,
        next_attempt_at=now,
        retried_until=retry_deadline(),
        finished_at=None,
    )
    _sweep_soon()
