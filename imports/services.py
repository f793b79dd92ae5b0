"""Operations on imports for commands, views and other apps.

Each function changes its batch in one transaction. Workers process large batches after the commit.
"""

import io
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.db.transactions import acquire_import_lock, large_change
from imports import batch as batches
from imports import merge_file as files
from imports import revert, tasks
from imports.batch import BatchNotReady
from imports.models import SECRETS, ImportBatch, ImportOptions, ImportUpload
from imports.report import Report
from review_exports.records import FileRefused, ReadWarning

State = ImportBatch.State
IN_REQUEST_ROWS = 2_000  # A file of more rows is read and applied by a worker.


def import_file(
    file: BinaryIO,
    *,
    file_name: str,
    options: ImportOptions,
    dry_run: bool = False,
    strict: bool = False,
    in_process_if_short: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
    explain: Callable[[FileRefused | ReadWarning], str] = attrgetter("message"),
) -> Report:
    """Import all good rows of a file of any length, and report the result.

    Nothing is imported from a refused file, from a file of bad rows only, and with `strict` if one
    row is bad. The import is stored as an applied batch, which can be undone. `explain` formats
    refusals and warnings with remedies for the caller's user interface. With `in_process_if_short`
    this process reads a short text itself.
    """
    batch = files.batch_of(file, file_name=file_name, options=options)
    merge = partial(
        files.merge_file,
        file,
        batch,
        in_process_if_short=in_process_if_short,
        on_progress=on_progress,
        explain=explain,
    )
    if dry_run:
        return merge()
    with large_change():
        acquire_import_lock()
        batch.state, batch.applied_at = State.APPLIED, (now := timezone.now())
        batch.save()
        report = merge(writes=True, now=now, strict=strict)
        if report.is_refused or (strict and report.rejected):
            report.new = report.changed = report.hidden = 0
            transaction.set_rollback(True)
        else:
            files.save_report(batch, report)
            batch.save()
            report.batch_id = batch.pk
    return report


@transaction.atomic
def upload(
    content: bytes, *, file_name: str, options: ImportOptions, by: User | None
) -> ImportBatch:
    """Store an uploaded file as a new batch."""
    batch = files.batch_of(io.BytesIO(content), file_name=file_name, options=options)
    batch.created_by = by
    batch.save()
    ImportUpload.objects.create(batch=batch, content=SECRETS.encrypt(content))
    return batch


def preview(batch: ImportBatch) -> None:
    """Preview an uploaded file, at once if it is small, else by a worker."""
    _start(batch)


def read_again(batch: ImportBatch, options: ImportOptions, *, by: User | None = None) -> None:
    """Preview the stored file again with other options; raises `BatchNotReady`."""
    states = [State.UPLOADED, *ImportBatch.OPEN]
    waiting = ImportBatch.objects.filter(pk=batch.pk, state__in=states)
    requested: dict[str, Any] = {
        "options": options.as_json(),
        "refusal": "",
        **ImportBatch.NOT_TRIED,
    }
    if by is not None:
        requested["confirmed_by"] = by
    if not waiting.update(state=State.UPLOADED, **requested):
        raise BatchNotReady(
            gettext("This import cannot be read again. Its state: %s.") % _state(batch)
        )
    preview(batch)


def apply(
    batch: ImportBatch,
    *,
    overwrite_edits: bool = False,
    hide_many: bool = False,
    ids_are_sure: bool = False,
) -> None:
    """Apply a previewed import, at once if it is small, else by a worker.

    Raises `BatchNotReady` for a batch in another state, also if it is called twice concurrently.
    """
    options = {**batch.options, "overwrite_edits": overwrite_edits, "hide_many": hide_many}
    if ids_are_sure:
        options["ids"] = "same"
    waiting = ImportBatch.objects.filter(pk=batch.pk, state=State.PREVIEWED)
    # Until the batch is applied, `applied_at` is the time of the request.
    requested = {"applied_at": timezone.now(), "refusal": "", "options": options}
    if not waiting.update(state=State.APPLYING, **requested, **ImportBatch.NOT_TRIED):
        raise BatchNotReady(
            gettext("This click imported nothing. The state of the import: %s.") % _state(batch)
        )
    _start(batch, batch.rows)


def run_now(batch: ImportBatch) -> None:
    """Process a batch now, without the pause after a failed try."""
    paused = ImportBatch.objects.filter(pk=batch.pk, claim_token="")
    paused.update(claimed_until=None)
    batches.process(batch.pk)


def cancel(batch: ImportBatch) -> None:
    """Cancel an import before it is applied, and delete its file; raises `BatchNotReady`."""
    states = [State.UPLOADED, State.READING, *ImportBatch.OPEN]
    with transaction.atomic():
        waiting = ImportBatch.objects.filter(pk=batch.pk, state__in=states)
        if not waiting.update(state=State.CANCELLED):
            raise BatchNotReady(
                gettext("This import cannot be cancelled. Its state: %s.") % _state(batch)
            )
        ImportUpload.objects.filter(batch=batch).delete()


def undo(batch: ImportBatch) -> None:
    """Undo an applied import, at once if it is small, else by a worker.

    Raises `BatchNotReady` if it cannot be undone, also if it is called twice concurrently.
    """
    batch.refresh_from_db(fields=["state", "applied_at"])
    if why := revert.blocked_reason(batch):
        raise BatchNotReady(why)
    applied = ImportBatch.objects.filter(pk=batch.pk, state=State.APPLIED)
    # Until the batch is undone, `undone_at` is the time of the request.
    requested = {"undone_at": timezone.now(), "refusal": "", **ImportBatch.NOT_TRIED}
    if not applied.update(state=State.UNDOING, **requested):
        raise BatchNotReady(str(revert.NOT_APPLIED))
    _start(batch, batch.touched)


def _start(batch: ImportBatch, rows: int = 0) -> None:
    if rows > IN_REQUEST_ROWS or not batches.process(batch.pk, at_most=IN_REQUEST_ROWS):
        tasks.process_batch.delay_on_commit(batch.pk)  # type: ignore[attr-defined]  # Not in the stubs.


def _state(batch: ImportBatch) -> str:
    batch.refresh_from_db(fields=["state"])
    return batch.get_state_display().lower()
