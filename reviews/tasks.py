"""Nudges: each works off what is due, takes an id at most, and may run twice or never."""

import logging

from django.db import DatabaseError

from core.celery.nudge import nudge_task
from reviews.imports import batch, undo
from reviews.models import DeletedReview
from reviews.roster import rematch_due

logger = logging.getLogger(__name__)


@nudge_task
def read_batch(batch_id: int) -> None:
    batch.read(batch_id)


@nudge_task
def apply_batch(batch_id: int) -> None:
    batch.apply(batch_id)


@nudge_task
def undo_batch(batch_id: int) -> None:
    undo.undo(batch_id)


@nudge_task
def resume_batches() -> None:
    """Takes up what a killed worker or a lost message has left, in whatever state it is."""
    for batch_id in batch.lost_batches():
        try:
            work_off(batch_id)
        except DatabaseError:  # Of this batch, or of all; the next ones show which.
            logger.exception("Batch %d was not resumed", batch_id)


def work_off(batch_id: int) -> None:
    """Do the work that the batch waits for."""
    batch.read(batch_id)
    batch.apply(batch_id)
    undo.undo(batch_id)


@nudge_task
def purge_uploads() -> None:
    batch.purge_uploads()
    batch.purge_batches()


@nudge_task
def forget_changes() -> None:
    undo.forget_changes()
    DeletedReview.objects.purgeable().delete()


@nudge_task
def match_mentions() -> None:
    rematch_due()
