"""Look for events when the rows of other apps change."""

from typing import Any

from django.dispatch import receiver

from notifications import services, tasks
from reviews.signals import author_forgotten, reviews_changed


@receiver(reviews_changed)
def record_reviews(**kwargs: Any) -> None:
    tasks.sweep.delay()


@receiver(author_forgotten)
def forget_author(review_ids: list[int], **kwargs: Any) -> None:
    services.forget_reviews(review_ids)
