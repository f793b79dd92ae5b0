"""The project: settings, entry points, and pages of the installation as a whole."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
