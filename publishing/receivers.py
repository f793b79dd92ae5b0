"""What this app does when the apps it builds on announce a change."""

from typing import Any

from django.dispatch import receiver

from insights.signals import insights_refreshed
from publishing import tasks
from reviews.signals import reviews_changed


@receiver([reviews_changed, insights_refreshed])
def publish_when_data_changes(**kwargs: Any) -> None:
    tasks.publish_due.nudge()
