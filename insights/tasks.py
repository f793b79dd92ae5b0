"""Celery tasks of insights; all are idempotent."""

import datetime as dt

from celery import shared_task
from django.utils import timezone

from insights.models import AnalysisRun, ChatAnswer, ChatDay
from insights.refresh import is_due, mark_left_to_rules, refresh, warm_up
from reviews.roster import is_match_due, rematch_due

MAX_AGE = dt.timedelta(days=400)


@shared_task
def refresh_insights() -> None:
    if not is_due():
        warm_up()
    if is_due():
        rematch_due()  # Insights count mentions, which depend on the roster.
        if not is_match_due():  # Otherwise another process is matching.
            refresh()


@shared_task
def ask_again() -> None:
    """Have a language model analyse reviews that were left to the rules."""
    if mark_left_to_rules():
        refresh()


@shared_task
def forget_answers() -> None:
    """Delete old answers of a language model, old daily counts, and old runs."""
    now = timezone.now()
    ChatAnswer.objects.filter(answered_at__lt=now - ChatAnswer.MAX_AGE).delete()
    ChatDay.objects.filter(day__lt=now - MAX_AGE).delete()
    AnalysisRun.objects.filter(finished_at__lt=now - MAX_AGE).delete()
