"""Celery tasks of the reviews. Each handles due rows, so that it may run twice or be lost."""

from celery import shared_task
from django.utils import timezone

from reviews.models import DeletedReview
from reviews.roster import rematch_due


@shared_task
def purge_deletions() -> None:
    """Delete ids that imports do not need, after `DeletedReview.KEPT`."""
    oldest = timezone.now() - DeletedReview.KEPT
    DeletedReview.objects.filter(kept_out=False, deleted_at__lt=oldest).delete()


@shared_task
def match_mentions() -> None:
    rematch_due()
