"""The life of an import batch: read for a preview, applied or cancelled.

Reading writes nothing but the batch. Applying reads the file again and merges it in one
transaction, so that it decides on the reviews as they are then; of two processes the second
finds the batch applied. So both may run twice, or be cut off, and are simply run again.
"""

import datetime as dt
import logging
import time
from contextlib import suppress
from typing import BinaryIO

from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.utils import timezone

from core.db.errors import message_for
from core.db.transactions import large_change
from imports.claims import RETRY_AFTER, claim, renewed
from imports.importer import (
    TooManyRows,
    TooManyToHide,
)
from imports.merge_file import PREVIEWED_AGAIN, ConfirmationChanged, merge_file, save_report
from imports.models import ImportBatch, ImportUpload
from imports.opening import stored_file
from imports.reader_process import ReaderFailed, ReadTimeout
from imports.report import Report
from review_exports.records import FileRefused
from reviews.models.import_lock import acquire_import_lock

logger = logging.getLogger(__name__)

State = ImportBatch.State
UPLOAD_DAYS = 7
BATCH_DAYS = 400
TRIES_MAX = 3
IN_REQUEST_SECONDS = 20.0  # That a reader may take while a person waits for the page.
PROGRESS_SECONDS = 900  # The longest time of an import.
NOT_IMPORTED = "The database did not take it in; nothing was imported. Try again."


class BatchNotReady(Exception):
    """The batch is in another state; says what happened instead."""


# --- An uploaded file -----------------------------------------------------------------------------


def read(batch_id: int, *, at_most: int | None = None) -> bool:
    """Bring an uploaded batch to its preview, its questions, or its refusal.

    False when the file has more than `at_most` rows, or takes as long as a request may: then the
    batch waits as it did. May run at any time and twice; only a batch that waits to be read and
    that no other worker has is touched. Each try is counted before it begins, so that a file that
    kills its worker is not read for ever.
    """
    batch = claim(batch_id, State.UPLOADED, State.READING)
    if batch is None:
        return True
    claimed = ImportBatch.objects.filter(pk=batch_id, claim_token=batch.claim_token)
    try:
        file = stored_file(batch)
        if batch.tries >= TRIES_MAX:
            raise FileRefused("tries_used_up", _refusal_of_tries(batch))
    except FileRefused as refused:
        unclaimed = ImportBatch.UNCLAIMED
        claimed.update(state=State.REFUSED, refusal=refused.message, **unclaimed)
        return True
    if at_most is None:
        claimed.update(state=State.READING, rows_done=0)
    with renewed(batch):
        report = _preview(batch, file, at_most)
    if report is None:
        return False
    save_report(batch, report)
    batch.state = _state_after(batch, report)
    _clear_tries(batch)
    with transaction.atomic():
        waiting = claimed.filter(state__in=[State.UPLOADED, State.READING])
        if waiting.select_for_update().first():  # It was not cancelled, nor the claim lost.
            batch.save()
    return True


def _state_after(batch: ImportBatch, report: Report) -> str:
    if report.needs_confirmation:
        return State.CONFIRMING
    if report.is_refused:
        return State.REFUSED
    return State.CONFIRMING if batch.asks_for_source else State.PREVIEWED


def _preview(batch: ImportBatch, file: BinaryIO, at_most: int | None) -> Report | None:
    """The report of a try to read a file; None when it failed, or is left to a worker."""
    tried = ImportBatch.objects.filter(pk=batch.pk)

    def tell_progress(rows: int) -> None:
        if at_most is None:
            tried.update(rows_done=rows)

    try:
        return merge_file(
            file,
            batch,
            is_upload=True,
            at_most=at_most,
            seconds=None if at_most is None else IN_REQUEST_SECONDS,
            on_progress=tell_progress,
        )
    except (TooManyRows, ReadTimeout):
        tried.update(**ImportBatch.NOT_TRIED)  # It did not fail; a worker has the time.
    except ReaderFailed as failed:
        _note_failure(batch.pk, failed.message)
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("Batch %d was not read", batch.pk)
        _note_failure(batch.pk, _fault(error))
    return None


def _clear_tries(batch: ImportBatch) -> None:
    for name, value in ImportBatch.NOT_TRIED.items():
        setattr(batch, name, value)


def _fault(error: Exception) -> str:
    return f"The program met a fault ({type(error).__name__}), which its log describes."


def _note_failure(batch_id: int, why: str) -> None:
    """Keep why a try failed, and wait before the next; refuse the file after the last one."""
    logger.warning("Batch %d: %s", batch_id, why)
    batch = ImportBatch.objects.filter(pk=batch_id)
    again = timezone.now() + RETRY_AFTER
    batch.update(last_failure=why, claim_token="", claimed_until=again)
    tried = batch.get()
    if tried.tries < TRIES_MAX:
        return
    refusal = _refusal_of_tries(tried)
    batch.filter(state__in=[State.UPLOADED, State.READING]).update(
        state=State.REFUSED, refusal=refusal
    )
    _return_to_preview(batch_id, refusal)


_NO_TRY_ENDED = "no try came to an end"


def gave_up(batch: ImportBatch) -> bool:
    """Whether each try to apply the batch ended its worker."""
    return batch.state == State.PREVIEWED and _NO_TRY_ENDED in batch.refusal


def _refusal_of_tries(batch: ImportBatch) -> str:
    why = batch.last_failure or "The worker was stopped or killed each time."
    return (
        f"This file was tried {batch.tries} times, and {_NO_TRY_ENDED}. {why} Nothing was imported."
    )


def apply(batch_id: int) -> None:
    """Merge a batch that waits to be applied, whole or not at all.

    Does nothing where another worker applies it. When it cannot be done the batch is as it was
    before, waits for a decision again, and says why in `refusal`.
    """
    batch = claim(batch_id, State.APPLYING)
    if batch is None:
        return
    if batch.tries >= TRIES_MAX:
        _return_to_preview(batch_id, _refusal_of_tries(batch))
        return
    try:
        _apply(batch_id)
    except ReaderFailed as failed:
        _note_failure(batch_id, failed.message)
    except (FileRefused, TooManyToHide) as refused:
        _return_to_preview(batch_id, str(refused))
        if isinstance(refused, FileRefused) and refused.code in PREVIEWED_AGAIN:
            _read_again(batch_id, str(refused))
    except DatabaseError as error:
        logger.exception("Batch %d was not applied", batch_id)
        _return_to_preview(batch_id, message_for(error) or NOT_IMPORTED)
    except Exception as error:
        logger.exception("Batch %d was not applied", batch_id)
        _note_failure(batch_id, _fault(error))


def _apply(batch_id: int) -> None:
    started = time.monotonic()
    with large_change():
        waiting = ImportBatch.objects.filter(pk=batch_id, state=State.APPLYING)
        # Locked: another worker applies it.
        batch = waiting.select_for_update(skip_locked=True).first()
        if batch is None:
            return
        acquire_import_lock()
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
            code = ConfirmationChanged.CODE if report.needs_confirmation else code
            raise FileRefused(code, batch.refusal)
        batch.state, batch.applied_at = State.APPLIED, now
        _clear_tries(batch)
        batch.save()
        if not report.rejected:  # Otherwise errors.csv is still made from it.
            ImportUpload.objects.filter(batch=batch).delete()
    logger.info(
        "Batch %d applied in %.1f s: %d new, %d changed",
        batch_id,
        time.monotonic() - started,
        report.new,
        report.changed,
    )


def _return_to_preview(batch_id: int, why: str) -> None:
    waiting = ImportBatch.objects.filter(pk=batch_id, state=State.APPLYING)
    not_tried = ImportBatch.NOT_TRIED
    waiting.update(state=State.PREVIEWED, applied_at=None, refusal=why, **not_tried)


def _read_again(batch_id: int, why: str) -> None:
    """Read the file again, so that its preview asks what was not asked before."""
    batch = ImportBatch.objects.filter(pk=batch_id, state=State.PREVIEWED)
    if batch.update(state=State.UPLOADED):
        read(batch_id)
        batch.update(refusal=why)


def purge_uploads() -> int:
    """Delete files that are no longer needed; how many. Files at work are kept."""
    old = timezone.now() - dt.timedelta(days=UPLOAD_DAYS)
    uploads = ImportUpload.objects.filter(batch__created_at__lt=old)
    purged, _ = uploads.exclude(batch__state__in=[State.READING, State.APPLYING]).delete()
    return purged


# --- Progress -------------------------------------------------------------------------------------


class Progress:
    """Stores the number of rows done each time it is called, for other processes.

    They do not see the transaction that is open. A cache that fails hides the progress, not the
    work.
    """

    def __init__(self, batch: ImportBatch) -> None:
        self._key = _progress_key(batch)
        self._is_available = True

    def __call__(self, rows: int) -> None:
        if self._is_available:
            try:
                cache.set(self._key, rows, PROGRESS_SECONDS)
            except Exception:  # noqa: BLE001  Each cache backend has errors of its own.
                self._is_available = False  # A cache that hangs costs its timeout once.


def rows_done(batch: ImportBatch) -> int:
    """The number of rows done; 0 before the work has begun, or if it is unknown."""
    with suppress(Exception):
        return int(cache.get(_progress_key(batch)) or 0)
    return 0


def _progress_key(batch: ImportBatch) -> str:
    # A batch that is started again counts from the beginning.
    return f"import:{batch.pk}:{batch.requested_at.timestamp()}"


def purge_batches() -> int:
    """Delete old imports that changed nothing, and row errors of the others; how many of both."""
    old = ImportBatch.objects.filter(created_at__lt=timezone.now() - dt.timedelta(days=BATCH_DAYS))
    purged, _ = old.filter(state__in=[State.REFUSED, State.CANCELLED]).delete()
    ended = old.filter(state__in=[State.APPLIED, State.UNDONE])
    return purged + ended.exclude(errors=[]).update(errors=[])
