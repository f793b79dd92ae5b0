"""The project: settings, entry points and what all apps share."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
