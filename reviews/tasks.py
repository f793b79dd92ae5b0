"""Nudges: each works off what is due, takes an id at most, and may run twice or never."""

from celery import shared_task

from reviews.importing import batch
from reviews.roster import rematch_due


@shared_task
def read_batch(batch_id: int) -> None:
    batch.read(batch_id)


@shared_task
def apply_batch(batch_id: int) -> None:
    batch.apply(batch_id)


@shared_task
def purge_uploads() -> None:
    batch.purge_uploads()


@shared_task
def match_mentions() -> None:
    rematch_due()
