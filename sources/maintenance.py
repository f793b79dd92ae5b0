"""Upkeep of runs: decisions that were made on the import's page, and runs that are long over."""

import datetime as dt

from django.db import transaction
from django.utils import timezone

from review_exports.formats.generic import LINES, OBJECTS
from reviews.models import ConfirmedShape, ImportBatch
from sources import hold_reasons, runs
from sources.models import SourceRun

CHANGED_DAYS = 365
OTHER_DAYS = 30
AT_ONCE = 100
DECIDED = (ImportBatch.State.APPLIED, ImportBatch.State.CANCELLED, ImportBatch.State.UNDONE)
CONFIRMED = (ImportBatch.State.PREVIEWED, ImportBatch.State.REFUSED)


def follow_batches() -> int:
    """End or resume runs whose batch a person has decided; how many."""
    return _end_decided() + _continue_confirmed() + _resume_confirmed()


def _continue_confirmed() -> int:
    """Import runs whose own columns a person has confirmed; how many."""
    waiting = SourceRun.objects.filter(
        state=SourceRun.State.WAITING, reasons__0=hold_reasons.QUESTIONS, batch__state__in=CONFIRMED
    )
    return waiting.update(state=SourceRun.State.STORED, reasons=[])


def _end_decided() -> int:
    waiting = SourceRun.objects.filter(state=SourceRun.State.WAITING, batch__state__in=DECIDED)
    decided = list(waiting.select_related("connection", "batch").order_by("pk")[:AT_ONCE])
    for run in decided:
        runs.follow(run)
    return len(decided)


def _resume_confirmed() -> int:
    """Resume runs that waited for a shape confirmed since; how many."""
    waiting = SourceRun.objects.filter(
        state=SourceRun.State.WAITING, batch__state=ImportBatch.State.CONFIRMING, is_preview=False
    )
    resumed = 0
    for run in waiting.select_related("batch").order_by("pk")[:AT_ONCE]:
        batch = run.batch
        key = (batch.preview.get("shape") or {}).get("key") if batch else ""
        if not (batch and key):
            continue
        shapes = ConfirmedShape.objects.filter(key=key, confirmed_at__gt=batch.created_at)
        if not shapes.exists():
            continue
        is_json = batch.format in {OBJECTS.name, LINES.name}
        with transaction.atomic():
            run.save_fields(
                batch=None,
                state=SourceRun.State.STORED,
                reasons=[],
                shape_key=key if is_json and run.trigger == SourceRun.Trigger.PUSH else "",
            )
            batch.delete()
        resumed += 1
    return resumed


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
