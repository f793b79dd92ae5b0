"""What the hub does when a document is published: whoever follows it is to get it."""

from typing import Any

from django.dispatch import receiver

from publishing.registry import registry
from publishing.signals import document_published
from websub import tasks


@receiver(document_published)
def deliver_what_is_new(*, path: str, **kwargs: Any) -> None:
    spec = registry.get(path)
    if spec is not None and spec.is_topic:
        tasks.deliver_due.nudge()
        tasks.deliver_slow_due.nudge()
