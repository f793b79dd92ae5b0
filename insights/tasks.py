"""Nudges: each works off what is due and may run twice or never."""

from celery import shared_task

from insights.refresh import refresh


@shared_task
def refresh_insights() -> None:
    refresh()
