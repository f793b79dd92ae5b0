"""Refresh and publish insights after changes."""

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
def mark_corrected_review_due(instance: Override, **kwargs: Any) -> None:
    Review.objects.filter(pk=instance.review_id).update(updated_at=timezone.now())
