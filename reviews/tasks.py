"""Tasks of reviews: each handles due rows, and may run twice or never."""

from celery import shared_task
from django.utils import timezone

from reviews.models import DeletedReview
from reviews.roster import rematch_due


@shared_task
def purge_deletions() -> None:
    """Delete ids that no import is kept from, and that no mirror asks for any more."""
    oldest = timezone.now() - DeletedReview.KEPT
    DeletedReview.objects.filter(kept_out=False, deleted_at__lt=oldest).delete()


@shared_task
def match_mentions() -> None:
    rematch_due()
