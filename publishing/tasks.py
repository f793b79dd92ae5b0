"""Nudges: each works off what is due and may run twice or never."""

from celery import shared_task

from publishing import publisher


@shared_task
def publish_due() -> None:
    publisher.publish_due()
