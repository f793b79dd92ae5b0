"""The life of an import batch: read for a preview, applied or cancelled.

Reading writes nothing but the batch. Applying reads the file again and merges it in one
transaction, so that what is decided is decided on the reviews as they are then; whoever comes
second finds the batch applied. So both may run twice, or be cut off, and are simply run again.
"""

import datetime as dt
import hashlib
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.utils import timezone

from core.db.errors import message_for
from core.db.transactions import large_change
from review_exports.parts import PART_CODES
from review_exports.records import FileRefused, ReadWarning
from review_exports.values import shown
from reviews.imports.importer import (
    Importer,
    TooManyRows,
    TooManyToHide,
    visible_ratings,
)
from reviews.imports.opening import ImportOptions, open_file, save_answers, stored_file
from reviews.imports.report import KEPT_ERRORS, Report
from reviews.imports.store import Writer
from reviews.models import ImportAnswer, ImportBatch, ImportUpload, Revision
from reviews.models.batch import acquire_import_lock
from reviews.models.deletion import Deletions, forgotten_names
from reviews.roster import load_roster

logger = logging.getLogger(__name__)

State = ImportBatch.State
UPLOAD_DAYS = 7
LOST_AFTER = dt.timedelta(minutes=5)
DIGESTED_AT_ONCE = 1 << 20
PROGRESS_SECONDS = 900  # The longest time of an import.
NO_ROWS = "The file holds no reviews: nothing follows its headings, or its list is empty."
NOT_IMPORTED = "The database did not take it in; nothing was imported. Try again."
UPLOAD_IN_PARTS = (
    "Upload it in parts, each with the headings, or have it imported on the server by the command "
    "import_reviews."
)
NO_GOOD_ROWS = "None of the rows can be imported; the list says why."


class BatchNotReady(Exception):
    """The batch is not in a state in which this can be done; says what happened instead."""


class IdsInDoubt(FileRefused):
    """Most ids that are known stand for other reviews in this file, as row numbers do."""

    CODE = "ids_in_doubt"

    def __init__(self, report: Report) -> None:
        examples = "; ".join(
            f"row {sample['row']} (id {shown(sample['external_id'])}) is of "
            f"{shown(sample['author'])} on {sample['date']}, the review that is stored of "
            f"{shown(sample['stored']['author'])} on {sample['stored']['date']}"
            for sample in report.samples["replaced"]
        )
        super().__init__(
            self.CODE,
            f"Of the {report.matched} stored reviews that have an id of this file, "
            f"{report.replaced} have another author, day and text: {examples}. The ids may be mere "
            "row numbers, or those of another source. Nothing was imported. Say that they are only "
            "row numbers (or leave their column out), or that these reviews shall be replaced.",
        )


def explain_upload(finding: FileRefused | ReadWarning) -> str:
    """The message of a refusal or warning for people who upload files."""
    if finding.code == "too_many_rows":
        return f"{finding.message} {UPLOAD_IN_PARTS}"
    return finding.message


# --- One file -------------------------------------------------------------------------------------


def batch_of(file: BinaryIO, *, file_name: str, options: ImportOptions) -> ImportBatch:
    """A batch for the file, not stored yet; the file is then at its start again."""
    file.seek(0)
    sha256 = hashlib.sha256()
    while block := file.read(DIGESTED_AT_ONCE):
        sha256.update(block)
    size = file.tell()
    file.seek(0)
    return ImportBatch(
        # As it can be kept and shown, whatever its file system allows.
        file_name="".join(filter(str.isprintable, file_name))[-255:] or "upload",
        sha256=sha256.hexdigest(),
        size=size,
        options=options.as_json(),
    )


def merge_file(
    file: BinaryIO,
    batch: ImportBatch,
    *,
    writes: bool = False,
    now: dt.datetime | None = None,
    strict: bool = False,
    is_upload: bool = False,
    at_most: int | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
    explain: Callable[[FileRefused | ReadWarning], str] = explain_upload,
) -> Report:
    """Merge the file of a batch into the reviews, or only report what that would do.

    Where it `writes`, the caller has opened a transaction and rolls it back when the report says
    that the file was refused. An upload has bounds: of its rows, and of the errors that are listed.
    `explain` words refusals and warnings with the remedies of the caller's surface. Raises
    `TooManyRows` and `TooManyToHide`.
    """
    now = now or timezone.now()
    options = ImportOptions.from_json(batch.options)
    report = Report(max_errors=KEPT_ERRORS if is_upload else None)
    earlier = _applied_before(batch)
    try:
        max_rows = settings.IMPORT_MAX_ROWS if is_upload else None
        export = open_file(file, batch, now=now, max_rows=max_rows)
        report.format, report.label, report.encoding = export.format, export.label, export.encoding
        report.has_columns = bool(export.columns)
        report.ratings_before = visible_ratings()
        writer = Writer(load_roster(), batch=batch, now=now) if writes else None
        rules = options.for_merging(export.provided_fields)
        importer = Importer(
            rules=rules,
            writer=writer,
            report=report,
            deletions=Deletions.load(),
            forgotten=forgotten_names(),
        )
        importer.run(export, on_progress=on_progress, at_most=at_most, strict=strict)
        report.asks_about_ids = report.ids_are_doubtful and not rules.ids_are_sure
        # A preview asks; what would write, or tells of it, does not go on without an answer.
        if report.asks_about_ids and (writes or not is_upload):
            raise IdsInDoubt(report)
        if options.complete and report.rows:
            is_part = any(warning.code in PART_CODES for warning in export.warnings)
            importer.hide_missing(confirmed=options.hide_many, is_part=is_part)
        if writer:
            writer.finish()
    except FileRefused as refused:
        return Report.refused(
            refused.code, explain(refused), refused.choices, question=refused.question
        )
    if not report.rows:
        return Report.refused("no_reviews_found", NO_ROWS)
    report.warnings = [
        *map(explain, export.warnings),
        *_known(earlier, report),
        *report.warnings,
        *report.notes(keeps_edits=not options.overwrite_edits, ids_are_sure=options.ids == "same"),
    ]
    report.unread, report.questions = export.unread, export.questions
    if writes and not report.is_refused:
        save_answers(ImportAnswer.Kind.PLACE, export.place_answers)
        save_answers(ImportAnswer.Kind.STATUS, options.statuses)
    if writes and report.writes:
        Revision.objects.raise_reviews()
    return report


def _applied_before(batch: ImportBatch) -> ImportBatch | None:
    """The last import of the same file."""
    same = ImportBatch.objects.filter(sha256=batch.sha256, state=State.APPLIED)
    return same.exclude(pk=batch.pk).order_by("-applied_at", "-id").first()


def _known(earlier: ImportBatch | None, report: Report) -> list[str]:
    if earlier is None or earlier.applied_at is None:
        return []
    when = f"{earlier.applied_at:%-d %B %Y}"
    if report.writes:
        return [f"You imported this file on {when} already; since then reviews have changed."]
    return [f"You imported this file on {when}; nothing will change."]


def save_report(batch: ImportBatch, report: Report) -> None:
    """Write what the report says to the batch's fields; the caller saves it."""
    batch.format = report.format or ""
    batch.encoding = report.encoding
    batch.rows = batch.rows_done = report.rows
    batch.new, batch.changed = report.new, report.changed
    batch.unchanged, batch.skipped = report.unchanged, report.skipped
    batch.errors = report.errors[:KEPT_ERRORS]
    batch.warnings = report.warnings
    batch.preview = report.preview()
    if report.refusal:
        batch.refusal = report.refusal["message"]
    else:
        batch.refusal = NO_GOOD_ROWS if report.is_refused else ""


# --- An uploaded file -----------------------------------------------------------------------------


def read(batch_id: int, *, at_most: int | None = None) -> bool:
    """Bring an uploaded batch to its preview, or to its refusal.

    False when the file has more than `at_most` rows: then the batch waits as it did. May run at
    any time and twice; only a batch that waits to be read is touched.
    """
    waiting = ImportBatch.objects.filter(pk=batch_id, state__in=[State.UPLOADED, State.READING])
    batch = waiting.first()
    if batch is None:
        return True
    try:
        file = stored_file(batch)
    except FileRefused as refused:
        waiting.update(state=State.REFUSED, refusal=refused.message)
        return True
    if at_most is None:
        waiting.update(state=State.READING, rows_done=0)

    def tell_progress(rows: int) -> None:
        if at_most is None:
            waiting.update(rows_done=rows)

    try:
        report = merge_file(file, batch, is_upload=True, at_most=at_most, on_progress=tell_progress)
    except TooManyRows:
        return False
    save_report(batch, report)
    batch.state = State.REFUSED if report.is_refused else State.PREVIEWED
    with transaction.atomic():
        if waiting.select_for_update().first():  # Nobody else was faster, nobody cancelled.
            batch.save()
    return True


def apply(batch_id: int) -> None:
    """Merge a batch that waits to be applied, whole or not at all.

    Does nothing when somebody else has applied it. When it cannot be done the batch is as it was
    before, waits for a decision again, and says why in `refusal`.
    """
    try:
        _apply(batch_id)
    except (FileRefused, TooManyToHide) as refused:
        _return_to_preview(batch_id, str(refused))
        if isinstance(refused, FileRefused) and refused.code == IdsInDoubt.CODE:
            _read_again(batch_id, str(refused))
    except DatabaseError as error:
        logger.exception("Batch %d was not applied", batch_id)
        _return_to_preview(batch_id, message_for(error) or NOT_IMPORTED)


def _apply(batch_id: int) -> None:
    started = time.monotonic()
    with large_change():
        waiting = ImportBatch.objects.filter(pk=batch_id, state=State.APPLYING)
        # Locked: somebody is at work on it.
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
            raise FileRefused(code, batch.refusal)
        batch.state, batch.applied_at = State.APPLIED, now
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
    waiting.update(state=State.PREVIEWED, applied_at=None, refusal=why)


def _read_again(batch_id: int, why: str) -> None:
    """Read the file anew, so that its preview asks what was not asked before."""
    batch = ImportBatch.objects.filter(pk=batch_id, state=State.PREVIEWED)
    if batch.update(state=State.UPLOADED):
        read(batch_id)
        batch.update(refusal=why)


def lost_batches() -> list[int]:
    """Batches that wait for a worker longer than any work takes: it was killed, or never told."""
    late = timezone.now() - LOST_AFTER
    at_work = ImportBatch.objects.filter(state__in=ImportBatch.AT_WORK).order_by("id")
    times = at_work.only("undone_at", "applied_at", "created_at")
    return [batch.pk for batch in times if batch.requested_at < late]


def purge_uploads() -> int:
    """Forget files that nobody will use any more; how many. Files being worked on are kept."""
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
