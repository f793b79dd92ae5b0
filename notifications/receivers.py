"""Look for events when the rows of other apps change."""

from typing import Any

from django.dispatch import receiver

from notifications import tasks
from reviews.signals import reviews_changed


@receiver(reviews_changed)
def record_reviews(**kwargs: Any) -> None:
    tasks.sweep.delay()
