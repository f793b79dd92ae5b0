"""Nudges: each works off what is due, takes an id at most, and may run twice or never."""

from reviews.doorbell import doorbell
from reviews.importing import batch, undo
from reviews.roster import rematch_due


@doorbell
def read_batch(batch_id: int) -> None:
    batch.read(batch_id)


@doorbell
def apply_batch(batch_id: int) -> None:
    batch.apply(batch_id)


@doorbell
def undo_batch(batch_id: int) -> None:
    undo.undo(batch_id)


@doorbell
def resume_batches() -> None:
    """Takes up what a killed worker or a lost message has left, in whatever state it is."""
    for batch_id in batch.overdue():
        work_off(batch_id)


def work_off(batch_id: int) -> None:
    """Whatever the batch waits for."""
    batch.read(batch_id)
    batch.apply(batch_id)
    undo.undo(batch_id)


@doorbell
def purge_uploads() -> None:
    batch.purge_uploads()


@doorbell
def forget_changes() -> None:
    undo.forget_changes()


@doorbell
def match_mentions() -> None:
    rematch_due()
