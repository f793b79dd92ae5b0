"""Tasks of reviews: each handles due rows, and may run twice or never."""

from celery import shared_task

from reviews.models import DeletedReview
from reviews.roster import rematch_due


@shared_task
def purge_deletions() -> None:
    DeletedReview.objects.purgeable().delete()


@shared_task
def match_mentions() -> None:
    rematch_due()
