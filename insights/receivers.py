"""What this app does when the apps it builds on announce a change."""

from typing import Any

from django.dispatch import receiver

from insights import tasks
from reviews.signals import reviews_changed


@receiver(reviews_changed)
def refresh_when_reviews_change(**kwargs: Any) -> None:
    tasks.refresh_insights.ring()
