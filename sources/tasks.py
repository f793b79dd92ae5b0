"""Celery tasks: poll due connections, import stored runs, follow decisions, purge old runs."""

import datetime as dt

from celery import shared_task
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.fields.json import KeyTextTransform
from django.utils import timezone

from imports.models import ConfirmedShape, ImportBatch
from review_exports.formats.generic import LINES, OBJECTS
from sources import hold_reasons, polling, replies, runs
from sources.models import SourceRun

State = SourceRun.State
CHANGED_DAYS = 365
OTHER_DAYS = 30
AT_ONCE = 100
ENDED = (ImportBatch.State.CANCELLED, ImportBatch.State.UNDONE)
DECIDED = (ImportBatch.State.APPLIED, *ENDED)
READ = (ImportBatch.State.PREVIEWED, ImportBatch.State.REFUSED)
JSON_FORMATS = frozenset({OBJECTS.name, LINES.name})


@shared_task
def poll_due() -> None:
    polling.poll_due()


@shared_task
def import_stored() -> None:
    runs.import_stored()


@shared_task
def send_replies() -> None:
    replies.send_due()


@shared_task
def process_due() -> None:
    """Do all due work, in case a message was lost. Imports come first, since they are quick."""
    follow_batches()
    runs.import_stored()
    polling.poll_due()


def follow_batches() -> int:
    """End or resume waiting runs whose batch or shape was decided. Return their number."""
    waiting = SourceRun.objects.filter(state=State.WAITING).select_related("connection", "batch")
    confirmed = ConfirmedShape.objects.filter(
        key=OuterRef("shape"), confirmed_at__gt=OuterRef("batch__created_at")
    )
    is_decided = Q(batch__state__in=DECIDED)
    has_answers = Q(batch__state__in=READ, reasons__0=hold_reasons.QUESTIONS)
    is_known = Q(batch__state=ImportBatch.State.CONFIRMING, is_preview=False) & Exists(confirmed)
    waiting = waiting.annotate(shape=KeyTextTransform("key", F("batch__preview__shape")))
    followed = waiting.filter(is_decided | has_answers | is_known).order_by("pk")[:AT_ONCE]
    for run in followed:
        _follow(run)
    return len(followed)


def _follow(run: SourceRun) -> None:
    batch = run.batch
    if batch is None or batch.state in ENDED:
        runs.end(run, State.REJECTED)
    elif batch.state == ImportBatch.State.APPLIED:
        runs.finish(run, batch)
    elif batch.state in READ:  # An administrator confirmed its own columns.
        run.save_fields(state=State.STORED, reasons=[])
    else:  # An administrator confirmed the same shape for another file.
        is_merged = batch.format in JSON_FORMATS and run.trigger == SourceRun.Trigger.PUSH
        key = batch.preview["shape"]["key"] if is_merged else ""
        with transaction.atomic():
            run.save_fields(batch=None, state=State.STORED, reasons=[], shape_key=key)
            batch.delete()


@shared_task
def purge_runs() -> None:
    """Delete runs that ended long ago. Their import batches stay."""
    now = timezone.now()
    ended = SourceRun.objects.exclude(state__in=SourceRun.OPEN)
    for rows, days in (
        (ended.filter(state=State.IMPORTED), CHANGED_DAYS),
        (ended.exclude(state=State.IMPORTED), OTHER_DAYS),
    ):
        rows.filter(finished_at__lt=now - dt.timedelta(days=days)).delete()
