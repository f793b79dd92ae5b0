"""The file of an import, opened with its options, the business and answers for earlier files.

The columns of a kept file can be named on a page, and its rejected rows are given back as a CSV.
"""

import csv
import datetime as dt
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from review_exports.formats.base import fold_name
from review_exports.formats.generic import TABLE
from review_exports.options import ReadChoices, ReadOptions
from review_exports.records import ColumnsNotRecognised, FileRefused, ReadWarning, RowError
from review_exports.rows import ERROR_COLUMNS, heading_signature
from review_exports.values.characters import guard_cell
from reviews.imports.merge import Rules
from reviews.imports.reader_process import ReadFile, read
from reviews.models import Business, ColumnMapping, ImportAnswer, ImportBatch, ImportUpload

UPLOAD_DELETED = "The uploaded file is no longer kept. Upload it again."
SAMPLES = 3


# --- Options --------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ImportOptions(ReadChoices):
    """All options of an import; stored on the batch as JSON."""

    time_zone: str = ""  # Empty: the business's.
    verified: bool | None = None
    overwrite_edits: bool = False
    complete: bool = False  # Hide the reviews of this source that the file does not have.
    hide_many: bool = False  # Also when that is more than 5 % or 20 of them.
    # Name of the supplier of a series of files; a complete one hides only reviews of that series.
    origin: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "ImportOptions":
        return cls(**stored)

    def for_reading(
        self, *, time_zone: ZoneInfo, now: dt.datetime, max_rows: int | None
    ) -> ReadOptions:
        chosen = {choice.name: getattr(self, choice.name) for choice in fields(ReadChoices)}
        today = now.astimezone(time_zone).date()
        return ReadOptions(**chosen, time_zone=time_zone, today=today, max_rows=max_rows)

    def for_merging(self, provided_fields: frozenset[str] | None) -> Rules:
        return Rules(
            verified=self.verified,
            overwrite_edits=self.overwrite_edits,
            provided_fields=provided_fields,
            ids_are_sure=self.ids == "same",
        )


# --- Answers for earlier files --------------------------------------------------------------------


def save_answers(kind: str, answers: Mapping[str, str]) -> None:
    """Save subject -> answer, each in place of an earlier one."""
    for subject, answer in answers.items():
        # A database may refuse what cannot be printed.
        kept = "".join(filter(str.isprintable, subject))[: ImportAnswer.SUBJECT_MAX]
        ImportAnswer.objects.update_or_create(kind=kind, subject=kept, defaults={"answer": answer})


def apply_answers(options: ReadOptions) -> ReadOptions:
    """The options with the answers for earlier files; those of this file come first."""
    kinds = ImportAnswer.Kind
    known: dict[str, dict[str, str]] = {kind: {} for kind in kinds.values}
    for answer in ImportAnswer.objects.all():
        known[answer.kind][answer.subject] = answer.answer
    return replace(
        options,
        publication={**known[kinds.PUBLICATION], **options.publication},
        statuses={**known[kinds.STATUS], **options.statuses},
        known_places={fold_name(name): answer for name, answer in known[kinds.PLACE].items()},
        business_name=Business.objects.values_list("name", flat=True).first() or "",
    )


def saved_mapping(*signatures: str) -> dict[str, str]:
    """The mapping saved under the first of these signatures that is known."""
    mappings = ColumnMapping.objects.in_bulk(signatures)
    known = (mappings[one].columns for one in signatures if one in mappings)
    return next(known, {})


# --- Opening --------------------------------------------------------------------------------------


def time_zone_for(options: ImportOptions) -> tuple[ZoneInfo, str | None]:
    """The zone in which the file's instants become days, and a warning when it is a guess."""
    if options.time_zone:
        return ZoneInfo(options.time_zone), None
    name = Business.objects.values_list("time_zone", flat=True).first()
    if name is None:
        return ZoneInfo("UTC"), (
            "There is no business yet, so times become days in UTC. If that is wrong, enter the "
            "business with its time zone first."
        )
    try:
        return ZoneInfo(name), None
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC"), (
            f"The business's time zone {name!r} is unknown, so times become days in UTC. "
            "Correct it on the business's page."
        )


def open_file(
    file: BinaryIO,
    batch: ImportBatch,
    *,
    now: dt.datetime,
    max_rows: int | None = None,
    seconds: float | None = None,
    short_here: bool = False,
) -> ReadFile:
    """The recognised file of a batch; raises `FileRefused`.

    Columns that an administrator has named before mean the same in every file with that heading.
    """
    options = ImportOptions.from_json(batch.options)
    zone, guess = time_zone_for(options)
    reading = apply_answers(options.for_reading(time_zone=zone, now=now, max_rows=max_rows))
    export = _open_with_saved_mapping(
        reading,
        lambda chosen: read(
            file, chosen, file_name=batch.file_name, seconds=seconds, short_here=short_here
        ),
    )
    if guess:
        warning = ReadWarning(code="time_zone_guessed", message=guess, option="time_zone")
        export.preceding_warnings.insert(0, warning)
    return export


def _open_with_saved_mapping(
    reading: ReadOptions, read_with: Callable[[ReadOptions], ReadFile]
) -> ReadFile:
    try:
        export = read_with(reading)
    except ColumnsNotRecognised as unknown:
        signatures = [heading_signature(cells) for _, cells in unknown.first_rows]
        named = saved_mapping(unknown.signature, *signatures)
        if reading.columns or reading.heading_row == 0 or not named:
            raise
    else:
        is_known = reading.columns or export.format != TABLE.name
        if is_known or not (named := saved_mapping(export.signature)):
            return export
        export.close()
    export = read_with(replace(reading, columns=named))
    message = "The columns are read as named for an earlier file with the same heading."
    export.preceding_warnings.insert(0, ReadWarning(code="columns_named_before", message=message))
    return export


# --- A kept file ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the mapping page shows it; `field` is its meaning so far, "" for none."""

    heading: str
    field: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A table's columns, and the signature under which their meaning is saved."""

    columns: list[Column]
    signature: str
    row: int  # That holds the headings; 0: none does.
    first_rows: list[tuple[int, list[str]]]  # Of the file, with their numbers.


def stored_file(batch: ImportBatch) -> BinaryIO:
    """The uploaded file; raises `FileRefused` when it was deleted."""
    upload = ImportUpload.objects.filter(batch=batch).first()
    if upload is None:
        raise FileRefused("file_forgotten", UPLOAD_DELETED)
    return io.BytesIO(upload.content)


def open_stored(batch: ImportBatch, *, now: dt.datetime) -> ReadFile:
    """The uploaded file, recognised again; raises `FileRefused`."""
    return open_file(stored_file(batch), batch, now=now)


def heading_of(batch: ImportBatch, heading_row: int | None = None) -> Heading:
    """The columns of the batch's kept file, by another row of headings where one is named.

    Raises `FileRefused`.
    """
    if heading_row is not None:
        batch.options = {**batch.options, "heading_row": heading_row, "columns": {}}
    try:
        opened = open_stored(batch, now=timezone.now())
        opened.close()
        table: ReadFile | ColumnsNotRecognised = opened
    except ColumnsNotRecognised as unrecognised:
        table = unrecognised
    if not table.columns:
        message = "Only the columns of a table can be named; this file is none."
        raise FileRefused("no_table", message)
    blank = [""] * len(table.columns)
    rows = [*table.sample_rows, *[blank] * SAMPLES][:SAMPLES]
    return Heading(
        [
            Column(heading, table.mapping.get(heading, ""), tuple(samples))
            for heading, *samples in zip(table.columns, *rows, strict=True)
        ],
        table.signature,
        table.heading_row,
        table.first_rows,
    )


def save_mapping(batch: ImportBatch, heading: Heading, chosen: dict[str, str]) -> ImportOptions:
    """Save the mapping for every file with this heading; return the batch's new options.

    Numbered columns mean something else in every file, so that nothing is saved of them.
    """
    if heading.row:
        ColumnMapping.objects.update_or_create(
            signature=heading.signature, defaults={"columns": chosen}
        )
    options = ImportOptions.from_json(batch.options)
    return replace(options, columns=chosen, heading_row=heading.row)


def error_lines(columns: Iterable[str], errors: Iterable[RowError]) -> Iterator[str]:
    """Lines of a CSV of rejected rows, with two more columns that give the reason.

    For files without columns each has the number of its row. A spreadsheet runs a cell that begins
    with one of `= + - @` as a formula, so such cells get an apostrophe in front; reading takes it
    away again.
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
    """Lines of the CSV of a batch's rejected rows; None when its file is deleted."""
    try:
        export = open_stored(batch, now=batch.applied_at or batch.created_at)
    except FileRefused:
        return None
    return error_lines(export.columns, (item for item in export if isinstance(item, RowError)))
