"""Change endpoints, recipients and messages. Each function runs in one transaction."""

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
    """Store an endpoint. Return the secret of a new one, which is shown once, or ""."""
    secret = ""
    if endpoint.pk is None:
        secret = new_secret()
        endpoint.set_secret(secret)
    if endpoint.is_enabled and endpoint.disabled_reason:
        _reopen(endpoint)
    endpoint.save()
    record_reviews()  # The current reviews are not reported.
    _enqueue_delivery()
    return secret


def _reopen(endpoint: Endpoint) -> None:
    """Restart the retries of a disabled endpoint and its waiting messages."""
    endpoint.disabled_reason, endpoint.failing_since = "", None
    endpoint.consecutive_failures, endpoint.next_attempt_at = 0, timezone.now()
    waiting = Message.objects.waiting().filter(endpoint=endpoint)
    waiting.update(attempts=0, next_attempt_at=timezone.now(), retried_until=retry_deadline())


@transaction.atomic
def rotate_secret(endpoint: Endpoint) -> str:
    """Give an endpoint a new secret and return it. For a day, both secrets sign."""
    secret = new_secret()
    endpoint.set_secret(secret)
    endpoint.save()
    return secret


def reencrypt_secrets() -> tuple[int, int]:
    """Encrypt secrets with the current `SECRET_KEY`. Return the numbers of done and lost ones."""
    return SECRETS.reencrypt(Endpoint.objects.all(), "encrypted_secret", "encrypted_former_secret")


@transaction.atomic
def send_test(endpoint: Endpoint) -> Message:
    """Queue a test event for an endpoint."""
    event = Event.objects.create(
        type=EventType.TEST, key=timezone.now().isoformat(), data={"endpoint": endpoint.pk}
    )
    message = Message.objects.create(kind=Message.Kind.TEST, endpoint=endpoint, event=event)
    _enqueue_delivery()
    return message


@transaction.atomic
def save_recipient(recipient: Recipient) -> None:
    """Store the e-mail settings of a user."""
    recipient.save()
    record_reviews()  # The current reviews are not reported.


@transaction.atomic
def unsubscribe(recipient_id: int) -> None:
    """End all news and digests to a recipient, and delete the waiting ones."""
    rows = Recipient.objects.filter(pk=recipient_id)
    rows.update(most_stars=0, events=[], digest=Recipient.Digest.NONE)
    Notice.objects.filter(recipient=recipient_id, message=None).delete()
    Message.objects.waiting().filter(recipient=recipient_id, kind__in=CHOSEN).delete()


@transaction.atomic
def send_mail(user: User, kind: Message.Kind) -> None:
    """Queue a test, an invitation or a link for a new password."""
    queue_for(user, kind)
    _enqueue_delivery()


@transaction.atomic
def request_password(email: str) -> None:
    """Queue a link for a new password, if a user has this address."""
    PasswordRequest.objects.create(email=email)
    _enqueue_delivery()


def _enqueue_delivery() -> None:
    tasks.record_and_deliver.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.


def report_failed_backup(error: str, day: dt.date | None = None) -> None:
    """Record that a backup failed. Retries of the scheduled backup of a day count once."""
    key = (day or timezone.now()).isoformat()
    record_once(Event(type=EventType.BACKUP_FAILED, key=key, data={"error": error}))


@transaction.atomic
def forget_reviews(review_ids: Sequence[int]) -> None:
    """Remove forgotten authors from events and logs. Events get the current data of the review."""
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
    """Queue a message again under the same id."""
    now = timezone.now()
    again = Message.objects.filter(pk=message.pk).exclude(state=Message.State.WAITING)
    again.update(
        state=Message.State.WAITING,
        attempts=0,
        next_attempt_at=now,
        retried_until=retry_deadline(),
        finished_at=None,
    )
    _enqueue_delivery()
