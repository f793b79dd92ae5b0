"""Signal receivers that record changes of reviews and forget authors."""

from typing import Any

from django.dispatch import receiver

from notifications import services, tasks
from reviews.signals import author_forgotten, reviews_changed


@receiver(reviews_changed)
def record_reviews(**kwargs: Any) -> None:
    tasks.record_and_deliver.delay()


@receiver(author_forgotten)
def forget_author(review_ids: list[int], **kwargs: Any) -> None:
    services.forget_reviews(review_ids)
