"""Celery tasks: record events, deliver due messages, delete old ones."""

import datetime as dt

from celery import shared_task
from django.db.models import Q
from django.utils import timezone, translation

from notifications import queue, record
from notifications.models import Event, Message
from reviews.selectors import get_business
from website.languages import language_of

KEPT = dt.timedelta(days=30)


@shared_task
def record_and_deliver() -> int:
    """Record new events and deliver due messages, in the language of the business.

    Returns the number of delivery attempts.
    """
    with translation.override(language_of(get_business())):
        record.record_changes()
        return queue.deliver_due()


@shared_task
def purge() -> None:
    """Delete old messages and events, with their attempts."""
    before = timezone.now() - KEPT
    Message.objects.filter(created_at__lt=before).delete()
    is_used = Q(message__isnull=False) | Q(notice__isnull=False)
    Event.objects.filter(at__lt=before).exclude(is_used).delete()
