"""The task for projects that have Celery; without it, web processes publish by themselves."""

from celery import shared_task

from publishing import publisher


@shared_task
def publish_due() -> None:
    """Bring every outdated document up to date; safe to run twice or never."""
    publisher.publish_due()
