"""What this app does when rows that it computes from change."""

from typing import Any

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from insights import tasks
from insights.models import Override, ReviewAnalysis
from reviews.signals import reviews_changed


@receiver(reviews_changed)
def refresh_when_reviews_change(**kwargs: Any) -> None:
    tasks.refresh_insights.ring()


@receiver([post_save, post_delete], sender=Override)
def read_again_what_was_corrected(instance: Override, **kwargs: Any) -> None:
    """A review is due when its analysis rests on no basis."""
    ReviewAnalysis.objects.filter(review=instance.review_id).update(basis="")
