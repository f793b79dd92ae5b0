"""Import of one file: open it, merge it into the reviews, and report the result.

A preview is the same merge without writing.
"""

import csv
import datetime as dt
import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import BinaryIO
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from core.secrets import SecretLost
from imports.importer import Importer, visible_ratings
from imports.merge import Rules
from imports.models import SECRETS, ConfirmedShape, ImportBatch, ImportOptions, ImportUpload
from imports.reader_process import ReaderFailed, ReadFile, ReadTimeout, read
from imports.report import KEPT_ERRORS, Report
from imports.writer import Writer
from review_exports.options import ReadChoices, ReadOptions
from review_exports.parts import PART_CODES
from review_exports.records import FileRefused, ReadWarning, RowError
from review_exports.rows import ERROR_COLUMNS
from review_exports.shapes import Confirmation, ConfirmationRequired, Shape
from review_exports.values import shown
from review_exports.values.characters import guard_cell
from reviews.models import Business, Revision
from reviews.models.deletion import Deletions, forgotten_names
from reviews.roster import load_roster

State = ImportBatch.State
CONFIRMATION_CHANGED = "confirmation_changed"
NO_ROWS = gettext_noop(
    "The file holds no reviews: nothing follows its headings, or its list is empty."
)
UPLOAD_IN_PARTS = gettext_noop(
    "Upload it in parts, each with the headings, or import it on the server with the "
    "command import_reviews."
)
UPLOAD_DELETED = gettext_noop("The uploaded file is no longer stored. Upload it again.")
NO_GOOD_ROWS = gettext_noop("None of the rows can be imported; the list says why.")


# Codes of refusals of an apply after which the file is previewed again.
PREVIEWED_AGAIN = frozenset({"ids_in_doubt", CONFIRMATION_CHANGED})


def explain_upload(finding: FileRefused | ReadWarning) -> str:
    """Format a refusal or warning for people who upload files."""
    if finding.code == "too_many_rows":
        return f"{finding.message} {gettext(UPLOAD_IN_PARTS)}"
    return finding.message


def batch_of(file: BinaryIO, *, file_name: str, options: ImportOptions) -> ImportBatch:
    """Build an unsaved batch for a file, and rewind the file."""
    file.seek(0)
    sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return ImportBatch(
        # File systems may allow unprintable characters.
        file_name="".join(filter(str.isprintable, file_name))[-255:] or "upload",
        sha256=sha256,
        size=size,
        options=options.as_json(),
    )


# --- Opening --------------------------------------------------------------------------------------


def time_zone_for(options: ImportOptions) -> tuple[ZoneInfo, str | None]:
    """Return the zone in which instants become days, and a warning if it is a guess."""
    if options.time_zone:
        return ReadOptions(time_zone=options.time_zone).zone, None
    if business := Business.objects.first():
        return business.zone, None
    return ZoneInfo("UTC"), gettext(
        "There is no business yet, so times are converted to days in UTC. If that is "
        "wrong, enter the business with its time zone first."
    )


def open_file(
    file: BinaryIO,
    batch: ImportBatch,
    *,
    now: dt.datetime,
    max_rows: int | None = None,
    seconds: float | None = None,
    in_process_if_short: bool = False,
) -> ReadFile:
    """Recognise the file of a batch by its options and confirmed shapes.

    Raises `FileRefused`.
    """
    options = batch.chosen
    zone, guess = time_zone_for(options)
    names = Business.objects.values_list("name", "legal_name").first() or ()
    shapes = ConfirmedShape.objects.values_list("key", "confirmation")
    reading = ReadOptions(
        **{choice.name: getattr(options, choice.name) for choice in fields(ReadChoices)},
        time_zone=zone,
        today=now.astimezone(zone).date(),
        max_rows=max_rows,
        business_names=[name for name in names if name],
        confirmations={key: Confirmation.from_json(known) for key, known in shapes},
    )
    export = read(
        file,
        reading,
        file_name=batch.file_name,
        seconds=seconds,
        in_process_if_short=in_process_if_short,
    )
    if guess:
        warning = ReadWarning(code="time_zone_guessed", message=guess, option="time_zone")
        export.preceding_warnings.insert(0, warning)
    return export


# --- Merging --------------------------------------------------------------------------------------


def merge_file(
    file: BinaryIO,
    batch: ImportBatch,
    *,
    writes: bool = False,
    now: dt.datetime | None = None,
    strict: bool = False,
    is_upload: bool = False,
    at_most: int | None = None,
    seconds: float | None = None,
    in_process_if_short: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
    explain: Callable[[FileRefused | ReadWarning], str] = explain_upload,
) -> Report:
    """Merge the file of a batch into the reviews, or only report what the merge would do.

    If it `writes`, the caller opens a transaction, and rolls it back if the report is a refusal. An
    upload has limits on its rows and on the listed errors. `explain` formats refusals and warnings
    for the caller's user interface. `seconds` is the time limit of the reader. With
    `in_process_if_short` this process reads a short text itself. Raises `TooManyRows`,
    `ReaderFailed`, and `ReadTimeout` if `seconds` are given.
    """
    now = now or timezone.now()
    options = batch.chosen
    report = Report(max_errors=KEPT_ERRORS if is_upload else None)
    same_file = ImportBatch.objects.filter(sha256=batch.sha256, state=State.APPLIED)
    earlier = same_file.exclude(pk=batch.pk).order_by("-applied_at", "-id").first()
    try:
        max_rows = settings.IMPORT_MAX_ROWS if is_upload else None
        export = open_file(
            file,
            batch,
            now=now,
            max_rows=max_rows,
            seconds=seconds,
            in_process_if_short=in_process_if_short,
        )
        report.describe(export.facts)
        _check_confirmation(export.shape, batch, options, is_upload=is_upload, writes=writes)
        report.ratings_before = visible_ratings()
        writer = Writer(load_roster(), batch=batch, now=now) if writes else None
        rules = Rules(
            verified=options.verified,
            overwrite_edits=options.overwrite_edits,
            provided_fields=export.provided_fields,
            ids_are_sure=options.ids == "same",
        )
        importer = Importer(
            rules=rules,
            writer=writer,
            report=report,
            deletions=Deletions(),
            forgotten=forgotten_names(),
        )
        importer.run(export, on_progress=on_progress, at_most=at_most, strict=strict)
        # Most known ids stand for other reviews, so they may be row numbers.
        is_doubtful = report.replaced * 2 > report.matched
        report.asks_about_ids = is_doubtful and not rules.ids_are_sure
        # The preview of an upload asks; everything else needs the answer in its options.
        if report.asks_about_ids and (writes or not is_upload):
            raise _ids_in_doubt(report)
        if options.complete and report.rows:
            is_part = any(warning.code in PART_CODES for warning in export.warnings)
            importer.hide_missing(
                confirmed=options.hide_many,
                is_part=is_part,
                origin=options.origin,
                previewed=batch.preview.get("missing_ids") if writes else None,
            )
        if writer:
            writer.finish()
    except FileRefused as refused:
        if isinstance(refused, ReaderFailed) or (seconds and isinstance(refused, ReadTimeout)):
            raise
        refused_report = Report.refused(refused.code, explain(refused), of=report)
        refused_report.needs_confirmation = isinstance(refused, ConfirmationRequired)
        return refused_report
    if not report.rows:
        return Report.refused("no_reviews_found", gettext(NO_ROWS))
    report.warnings = [
        *map(explain, export.warnings),
        *_repetition_notes(earlier, report),
        *report.warnings,
        *report.notes(keeps_edits=not options.overwrite_edits, ids_are_sure=options.ids == "same"),
    ]
    if writes and not report.is_refused and (options.accept or options.columns):
        ConfirmedShape.store(export.shape, batch)
    if writes and report.writes:
        Revision.objects.raise_reviews()
    return report


def _check_confirmation(
    shape: Shape, batch: ImportBatch, options: ImportOptions, *, is_upload: bool, writes: bool
) -> None:
    """Raise `ConfirmationRequired` unless a person has confirmed the columns."""
    # A form may change columns without accepting them yet.
    if not shape.is_confirmed or (is_upload and options.columns and not options.accept):
        raise ConfirmationRequired(shape)
    previewed = batch.preview.get("shape")
    if writes and previewed and Shape.from_json(previewed).confirmation != shape.confirmation:
        raise FileRefused(
            CONFIRMATION_CHANGED,
            gettext(
                "Nothing was imported: the meaning of these columns has changed since the "
                "preview. Check the preview again."
            ),
        )


def _ids_in_doubt(report: Report) -> FileRefused:
    """Build the refusal of a file whose ids belong to other reviews."""
    examples = "; ".join(
        f"row {sample['row']} (id {shown(sample['external_id'])}) is of "
        f"{shown(sample['author'])} on {sample['date']}, the review that is stored of "
        f"{shown(sample['stored']['author'])} on {sample['stored']['date']}"
        for sample in report.samples["replaced"]
    )
    return FileRefused(
        "ids_in_doubt",
        f"Of the {report.matched} stored reviews that have an id of this file, "
        f"{report.replaced} have another author, day and text: {examples}. The ids may be mere "
        "row numbers, or those of another source. Nothing was imported. Say that they are only "
        "row numbers (or leave their column out), or that these reviews shall be replaced.",
    )


def _repetition_notes(earlier: ImportBatch | None, report: Report) -> list[str]:
    if earlier is None or earlier.applied_at is None:
        return []
    when = date_format(earlier.applied_at, "j F Y")
    if report.writes:
        again = gettext("You already imported this file on %s. Reviews have changed since then.")
        return [again % when]
    return [gettext("You already imported this file on %s. Nothing will change.") % when]


def save_report(batch: ImportBatch, report: Report) -> None:
    """Copy the report to the fields of the batch, which the caller saves."""
    for name in ("encoding", "rows", "new", "changed", "unchanged", "skipped", "warnings"):
        setattr(batch, name, getattr(report, name))
    batch.format, batch.rows_done = report.format or "", report.rows
    batch.errors, batch.preview = report.errors[:KEPT_ERRORS], report.preview()
    if batch.applied_at:  # The confirmation is stored, so its samples are no longer needed.
        batch.preview |= {"shape": None, "first_rows": []}
    if report.refusal:
        batch.refusal = report.refusal["message"]
    else:
        batch.refusal = gettext(NO_GOOD_ROWS) if report.is_refused else ""


# --- Uploaded files -------------------------------------------------------------------------------


def stored_file(batch: ImportBatch) -> BinaryIO:
    """Return the uploaded file; raises `FileRefused` if it or its key was deleted."""
    upload = ImportUpload.objects.filter(batch=batch).first()
    if upload is None:
        raise FileRefused("file_forgotten", gettext(UPLOAD_DELETED))
    try:
        return io.BytesIO(SECRETS.decrypt(bytes(upload.content)))
    except SecretLost:
        raise FileRefused("file_forgotten", gettext(UPLOAD_DELETED)) from None


def error_lines(columns: Iterable[str], errors: Iterable[RowError]) -> Iterator[str]:
    """Yield lines of a CSV of rejected rows, with two columns for the reason.

    For files without columns each line has the number of the row. Cells that a spreadsheet would
    run as a formula get an apostrophe in front, which reading removes.
    """
    columns = list(columns)

    def text(cells: Iterable[str]) -> str:
        line = io.StringIO()
        csv.writer(line).writerow([guard_cell(cell) for cell in cells])
        return line.getvalue()

    # The byte order mark tells a spreadsheet program that this is UTF-8.
    yield "\ufeff" + text([*(columns or ["row"]), *ERROR_COLUMNS])
    blank = [""] * max(len(columns), 1)
    try:
        for error in errors:
            cells = [*error.cells, *blank[len(error.cells) :]]
            yield text([*(cells if columns else [str(error.row)]), error.code, error.message])
    except FileRefused as refused:
        yield text([*blank, refused.code, refused.message])


def error_lines_of(batch: ImportBatch) -> Iterator[str] | None:
    """Yield lines of a CSV of a batch's rejected rows; None if its file was deleted."""
    try:
        export = open_file(stored_file(batch), batch, now=batch.applied_at or batch.created_at)
    except FileRefused:
        return None
    return error_lines(export.columns, (item for item in export if isinstance(item, RowError)))
