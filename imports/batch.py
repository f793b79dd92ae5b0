"""Processing of pending batches: reading for a preview, applying, and undoing.

Reading changes only the batch. Applying reads the file again and merges it in one transaction, so
that it compares with the current reviews. Each step may run twice, and is repeated if interrupted.
"""

import datetime as dt
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from core.claims import RELEASED, Claim, ClaimLost, claim_first, is_free
from core.db.errors import message_for
from core.db.transactions import acquire_import_lock, large_change
from imports import revert
from imports.importer import TooManyRows
from imports.merge_file import (
    CONFIRMATION_CHANGED,
    PREVIEWED_AGAIN,
    merge_file,
    save_report,
    stored_file,
)
from imports.models import ImportBatch, ImportUpload
from imports.reader_process import ReaderFailed, ReadTimeout
from imports.report import Report
from review_exports.records import FileRefused

logger = logging.getLogger(__name__)

State = ImportBatch.State
CLAIM_SECONDS = 30  # Applying and undoing may take longer, since they lock the batch.
RETRY_AFTER = dt.timedelta(minutes=1)  # Pause after a failed try.
UPLOAD_DAYS = 7
BATCH_DAYS = 400
TRIES_MAX = 3
IN_REQUEST_SECONDS = 20.0  # Time limit of the reader while a person waits for the page.
PROGRESS_SECONDS = 900  # Longer than any import takes.
NOT_TAKEN_IN = gettext_noop("The database rejected it. Nothing was changed. Try again.")
_NO_TRY_ENDED = "no try came to an end"
# Values of a batch after its processing has failed for good, by its state.
_REFUSED: dict[str, Any] = {"state": State.REFUSED, **RELEASED}
_ABANDONED: dict[State, dict[str, Any]] = {
    State.UPLOADED: _REFUSED,
    State.READING: _REFUSED,
    State.APPLYING: {"state": State.PREVIEWED, "applied_at": None, **ImportBatch.NOT_TRIED},
    State.UNDOING: {"state": State.APPLIED, "undone_at": None, **ImportBatch.NOT_TRIED},
}


class BatchNotReady(Exception):
    """The batch is in another state, which the message names."""


def process(batch_id: int, *, at_most: int | None = None) -> bool:
    """Process a pending batch, unless another worker has claimed it.

    Returns False if a file has more than `at_most` rows, or takes too long to read while a person
    waits for the page. The batch then needs a worker. Each try is counted before it begins, so that
    a file that kills its worker is not tried forever. If processing fails for good, the batch
    returns to an earlier state and has the reason in `refusal`.
    """
    waiting = ImportBatch.objects.filter(pk=batch_id, state__in=ImportBatch.PENDING)
    claim = claim_first(waiting, CLAIM_SECONDS)
    if claim is None:
        return True
    batch = claim.rows().get()
    try:
        _work(claim, batch, at_most)
    except ClaimLost:
        logger.warning("Another worker has taken batch %d over.", batch_id)
    except TooManyRows:
        claim.rows().update(**ImportBatch.NOT_TRIED)
        return False
    except ReaderFailed as failed:
        _retry_later(claim, batch, failed.message)
    except FileRefused as refused:
        _abandon(claim, batch, refused.message)
        _read_again(batch_id, refused)
    except DatabaseError as error:
        if batch.state not in {State.APPLYING, State.UNDOING}:
            raise
        logger.exception("Batch %d was left as it was", batch_id)
        _abandon(claim, batch, message_for(error) or NOT_TAKEN_IN)
    except Exception as error:
        logger.exception("Batch %d was left as it was", batch_id)
        fault = gettext("An internal error occurred (%s). The log has the details.")
        _retry_later(claim, batch, fault % type(error).__name__)
    return True


# --- Steps ----------------------------------------------------------------------------------------


def _work(claim: Claim, batch: ImportBatch, at_most: int | None) -> None:
    if batch.tries >= TRIES_MAX:
        raise FileRefused("tries_used_up", _refusal_of_tries(batch))
    batch.tries += 1
    claim.store(tries=batch.tries)
    if batch.state == State.APPLYING:
        _apply(claim)
    elif batch.state == State.UNDOING:
        with _locked(claim) as locked:
            revert.undo(locked)
    else:
        _read(claim, batch, at_most)


def _read(claim: Claim, batch: ImportBatch, at_most: int | None) -> None:
    """Read an uploaded file for its preview, its questions, or its refusal."""
    file, is_worker = stored_file(batch), at_most is None
    if is_worker:
        claim.store(state=State.READING, rows_done=0)

    def store_progress(rows: int) -> None:
        if is_worker:
            claim.store(rows_done=rows)

    with claim.renewed():
        try:
            report = merge_file(
                file,
                batch,
                is_upload=True,
                at_most=at_most,
                seconds=None if is_worker else IN_REQUEST_SECONDS,
                on_progress=store_progress,
            )
        except ReadTimeout:
            raise TooManyRows from None  # A worker may take longer.
    save_report(batch, report)
    batch.state = _state_after(batch, report)
    batch.clear_tries()
    with transaction.atomic():
        reading = claim.rows().filter(state__in=[State.UPLOADED, State.READING])
        if reading.select_for_update().first():  # Neither cancelled nor claimed by another worker.
            batch.save()


def _state_after(batch: ImportBatch, report: Report) -> str:
    if report.needs_confirmation:
        return State.CONFIRMING
    if report.is_refused:
        return State.REFUSED
    return State.CONFIRMING if batch.asks_for_source else State.PREVIEWED


def _apply(claim: Claim) -> None:
    """Merge a previewed file in one transaction."""
    started = time.monotonic()
    with _locked(claim) as batch:
        now = timezone.now()
        report = merge_file(
            stored_file(batch),
            batch,
            writes=True,
            now=now,
            is_upload=True,
            on_progress=Progress(batch),
        )
        save_report(batch, report)
        if report.is_refused:
            code = report.refusal["code"] if report.refusal else "file_refused_now"
            code = CONFIRMATION_CHANGED if report.needs_confirmation else code
            raise FileRefused(code, batch.refusal)
        batch.state, batch.applied_at = State.APPLIED, now
        batch.clear_tries()
        batch.save()
        if not report.rejected:  # Otherwise errors.csv needs the file.
            ImportUpload.objects.filter(batch=batch).delete()
    logger.info(
        "Batch %d applied in %.1f s: %d new, %d changed",
        batch.pk,
        time.monotonic() - started,
        report.new,
        report.changed,
    )


@contextmanager
def _locked(claim: Claim) -> Iterator[ImportBatch]:
    """Lock the batch and all imports in one transaction; raises `ClaimLost`."""
    with large_change():
        batch = claim.rows().select_for_update().first()
        if batch is None:
            raise ClaimLost
        acquire_import_lock()
        yield batch


# --- Tries ----------------------------------------------------------------------------------------


def unclaimed_batches() -> list[int]:
    """Pending batches without a worker, whose worker was killed or whose message was lost.

    Batches with the fewest tries come first, so that one that kills its worker delays no other.
    """
    waiting = ImportBatch.objects.filter(is_free(timezone.now()), state__in=ImportBatch.PENDING)
    return list(waiting.order_by("tries", "id").values_list("pk", flat=True))


def has_used_all_tries(batch: ImportBatch) -> bool:
    """Whether no try to apply the batch came to an end."""
    return batch.state == State.PREVIEWED and _NO_TRY_ENDED in batch.refusal


def _retry_later(claim: Claim, batch: ImportBatch, why: str) -> None:
    """Store the reason of a failed try and schedule the next one, if any is left."""
    logger.warning("Batch %d: %s", claim.pk, why)
    batch.last_failure = why
    if batch.tries >= TRIES_MAX:
        _abandon(claim, batch, _refusal_of_tries(batch))
    else:
        again = timezone.now() + RETRY_AFTER
        claim.rows().update(last_failure=why, claim_token="", claimed_until=again)


def _refusal_of_tries(batch: ImportBatch) -> str:
    why = batch.last_failure or "The worker was stopped or killed each time."
    return (
        f"This file was tried {batch.tries} times, and {_NO_TRY_ENDED}. {why} Nothing was imported."
    )


def _abandon(claim: Claim, batch: ImportBatch, why: str) -> None:
    waiting = claim.rows().filter(state__in=ImportBatch.PENDING)  # Unless it was cancelled.
    waiting.update(refusal=why, **_ABANDONED[State(batch.state)])


def _read_again(batch_id: int, refused: FileRefused) -> None:
    """Read a file again after an apply that needs further answers."""
    batch = ImportBatch.objects.filter(pk=batch_id, state=State.PREVIEWED)
    if refused.code in PREVIEWED_AGAIN and batch.update(state=State.UPLOADED):
        process(batch_id)
        batch.update(refusal=refused.message)


# --- Progress -------------------------------------------------------------------------------------


class Progress:
    """Stores the number of processed rows in the cache on each call.

    Other processes cannot see it in the database, since the transaction is open. If the cache
    fails, the import continues.
    """

    def __init__(self, batch: ImportBatch) -> None:
        self._key = _progress_key(batch)
        self._is_available = True

    def __call__(self, rows: int) -> None:
        if self._is_available:
            try:
                cache.set(self._key, rows, PROGRESS_SECONDS)
            except Exception:  # noqa: BLE001  Each cache backend has errors of its own.
                self._is_available = False  # Wait only once for the timeout of a cache.


def rows_done(batch: ImportBatch) -> int:
    """Return the number of processed rows; 0 if it is unknown."""
    with suppress(Exception):
        return int(cache.get(_progress_key(batch)) or 0)
    return 0


def _progress_key(batch: ImportBatch) -> str:
    # The key changes when the batch is started again.
    return f"import:{batch.pk}:{batch.requested_at.timestamp()}"


# --- Purge ----------------------------------------------------------------------------------------


def purge() -> None:
    """Delete old files, saved changes and row errors, and imports without effect."""
    now = timezone.now()
    uploads = ImportUpload.objects.filter(batch__created_at__lt=now - dt.timedelta(UPLOAD_DAYS))
    uploads.exclude(batch__state__in=[State.READING, State.APPLYING]).delete()
    old = ImportBatch.objects.filter(created_at__lt=now - dt.timedelta(BATCH_DAYS))
    old.filter(state__in=[State.REFUSED, State.CANCELLED]).delete()
    ended = old.filter(state__in=[State.APPLIED, State.UNDONE])
    ended.exclude(errors=[]).update(errors=[])
    revert.forget_changes()
