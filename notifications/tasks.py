"""Tasks: record events and deliver messages that are due; delete old ones."""

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
def sweep() -> int:
    """Record what has changed, and deliver what is due; how many attempts.

    Messages and the log are in the language of the business.
    """
    with translation.override(language_of(get_business())):
        record.record_changes()
        return queue.deliver_due()


@shared_task
def purge() -> None:
    """Delete messages and events of long ago, with their attempts."""
    before = timezone.now() - KEPT
    Message.objects.filter(created_at__lt=before).delete()
    is_used = Q(message__isnull=False) | Q(notice__isnull=False)
    Event.objects.filter(at__lt=before).exclude(is_used).delete()
