"""Tasks: record events and deliver messages that are due; delete old ones."""

import datetime as dt

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from notifications import queue, record
from notifications.models import Event, Message

KEPT = dt.timedelta(days=30)


@shared_task
def sweep() -> None:
    """Record what has changed, and deliver what is due."""
    record.record_changes()
    queue.deliver_due()


@shared_task
def purge() -> None:
    """Delete messages and events of long ago, with their attempts."""
    before = timezone.now() - KEPT
    Message.objects.filter(created_at__lt=before).delete()
    is_used = Q(message__isnull=False) | Q(notice__isnull=False)
    Event.objects.filter(at__lt=before).exclude(is_used).delete()
