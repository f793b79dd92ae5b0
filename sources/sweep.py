"""Upkeep of runs: decisions that were made on the import's page, and runs that are long over."""

import datetime as dt

from django.utils import timezone

from reviews.models import ImportBatch
from sources import guards, runs
from sources.models import SourceRun

CHANGED_DAYS = 365
OTHER_DAYS = 30
AT_ONCE = 100
DECIDED = (ImportBatch.State.APPLIED, ImportBatch.State.CANCELLED, ImportBatch.State.UNDONE)
CONFIRMED = (ImportBatch.State.PREVIEWED, ImportBatch.State.REFUSED)


def follow_batches() -> int:
    """End runs whose batch was applied or cancelled by a person; how many.

    Those that waited for the meaning of columns go on once it is confirmed.
    """
    waiting = SourceRun.objects.filter(state=SourceRun.State.WAITING)
    confirmed = waiting.filter(reasons__0=guards.QUESTIONS, batch__state__in=CONFIRMED)
    confirmed.update(state=SourceRun.State.STORED, reasons=[])
    rows = waiting.filter(batch__state__in=DECIDED).select_related("connection", "batch")
    decided = list(rows.order_by("pk")[:AT_ONCE])
    for run in decided:
        runs.follow(run)
    return len(decided)


def purge_runs() -> int:
    """Delete runs that ended long ago; their import batches stay. How many."""
    now = timezone.now()
    ended = SourceRun.objects.filter(state__in=SourceRun.FINISHED)
    changed = ended.filter(state=SourceRun.State.IMPORTED)
    others = ended.exclude(state=SourceRun.State.IMPORTED)
    deleted = 0
    for rows, days in ((changed, CHANGED_DAYS), (others, OTHER_DAYS)):
        old = rows.filter(finished_at__lt=now - dt.timedelta(days=days))
        deleted += old.delete()[0]
    return deleted
