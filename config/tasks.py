"""Celery task of scheduled backups."""

from celery import shared_task

from config import scheduled_backups


@shared_task
def back_up() -> None:
    scheduled_backups.back_up_if_due()
