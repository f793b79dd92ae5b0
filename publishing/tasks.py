"""Task for projects with Celery; without Celery, web processes publish by themselves."""

from celery import shared_task

from publishing import publisher


@shared_task
def publish_due() -> None:
    """Publish all outdated documents; safe to run twice."""
    publisher.publish_due()
