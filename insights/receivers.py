"""Refresh insights when their rows change."""

from typing import Any

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from insights import tasks
from insights.models import Override
from insights.signals import insights_refreshed
from publishing.tasks import publish_due
from reviews.models import Review
from reviews.signals import reviews_changed


@receiver(insights_refreshed)
def publish_insights(**kwargs: Any) -> None:
    publish_due.delay()


@receiver(reviews_changed)
def refresh_when_reviews_change(**kwargs: Any) -> None:
    tasks.refresh_insights.delay()


@receiver([post_save, post_delete], sender=Override)
def read_again_what_was_corrected(instance: Override, **kwargs: Any) -> None:
    """A review is due when it was written after its reading began."""
    Review.objects.filter(pk=instance.review_id).update(updated_at=timezone.now())
