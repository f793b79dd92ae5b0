"""Signal receiver that sends replies queued in the inbox."""

from typing import Any

from django.dispatch import receiver

from reviews.signals import reply_waiting
from sources import tasks


@receiver(reply_waiting)
def send_replies(**kwargs: Any) -> None:
    tasks.send_replies.delay_on_commit()  # type: ignore[attr-defined]  # Not in the stubs.
