"""What this app does when a roster entry changes: mentions are matched anew after the commit."""

from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from reviews import tasks
from reviews.models import Service, ServiceArea, Technician


@receiver([post_save, post_delete], sender=Technician)
@receiver([post_save, post_delete], sender=Service)
@receiver([post_save, post_delete], sender=ServiceArea)
def ask_to_match_mentions(*, using: str, raw: bool = False, **kwargs: Any) -> None:
    """Ring once however many entries a transaction changes; fixtures are loaded as they are."""
    pending = transaction.get_connection(using).run_on_commit
    if raw or any(function is ring for _, function, _ in pending):
        return
    transaction.on_commit(ring, using=using, robust=True)


def ring() -> None:
    tasks.match_mentions.ring()
