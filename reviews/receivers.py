"""Publish changed reviews, and match mentions when the roster changes."""

from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save, pre_save
from django.dispatch import receiver

from publishing.tasks import publish_due
from reviews import services, tasks
from reviews.models import Business, Service, ServiceArea, Technician, public_form
from reviews.signals import reviews_changed


@receiver(reviews_changed)
def publish_documents(**kwargs: Any) -> None:
    publish_due.delay()


@receiver([post_save, post_delete], sender=Technician)
@receiver([post_save, post_delete], sender=Service)
@receiver([post_save, post_delete], sender=ServiceArea)
def match_after_commit(*, using: str, raw: bool = False, **kwargs: Any) -> None:
    """Enqueue one task per transaction, except for fixtures."""
    pending = transaction.get_connection(using).run_on_commit
    if raw or any(function is enqueue_matching for _, function, _ in pending):
        return
    transaction.on_commit(enqueue_matching, using=using, robust=True)


def enqueue_matching() -> None:
    tasks.match_mentions.delay()


@receiver(pre_save, sender=Business)
def publish_in_form(*, instance: Business, raw: bool = False, **kwargs: Any) -> None:
    """Rewrite published reviews when their form changes."""
    if not raw and instance.public_form != public_form():
        services.publish_in_form(instance.public_form)
