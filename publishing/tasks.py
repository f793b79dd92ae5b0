"""Nudges: each works off what is due and may run twice or never."""

from core.celery.nudge import nudge_task
from publishing import publisher


@nudge_task
def publish_due() -> None:
    publisher.publish_due()
