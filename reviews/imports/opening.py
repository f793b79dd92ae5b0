"""The file of an import, opened with the business's settings and answers for earlier files."""

import datetime as dt
import io
from dataclasses import dataclass, replace
from typing import BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from review_exports.export import Export
from review_exports.formats.generic import TABLE
from review_exports.opening import read
from review_exports.options import ReadOptions
from review_exports.records import ColumnsNotRecognised, FileRefused, ReadWarning
from review_exports.rows import heading_signature
from reviews.imports.answers import apply_answers, saved_mapping
from reviews.imports.options import ImportOptions
from reviews.models import Business, ColumnMapping, ImportBatch, ImportUpload

UPLOAD_DELETED = "The uploaded file is no longer kept. Upload it again."
SAMPLES = 3


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
    file: BinaryIO, batch: ImportBatch, *, now: dt.datetime, max_rows: int | None = None
) -> Export:
    """The recognised file of a batch; raises `FileRefused`.

    Columns that an administrator has named before mean the same in every file with that heading.
    """
    options = ImportOptions.from_json(batch.options)
    zone, guess = time_zone_for(options)
    reading = apply_answers(options.for_reading(time_zone=zone, now=now, max_rows=max_rows))
    export = _open_with_saved_mapping(file, batch.file_name, reading)
    if guess:
        warning = ReadWarning(code="time_zone_guessed", message=guess, option="time_zone")
        export.warnings.insert(0, warning)
    return export


def _open_with_saved_mapping(file: BinaryIO, file_name: str, reading: ReadOptions) -> Export:
    try:
        export = read(file, file_name=file_name, options=reading)
    except ColumnsNotRecognised as unknown:
        signatures = [heading_signature(cells) for _, cells in unknown.first_rows]
        named = saved_mapping(unknown.signature, *signatures)
        if reading.columns or reading.heading_row == 0 or not named:
            raise
    else:
        is_known = reading.columns or export.format != TABLE.name
        if is_known or not (named := saved_mapping(export.signature)):
            return export
    export = read(file, file_name=file_name, options=replace(reading, columns=named))
    message = "The columns are read as named for an earlier file with the same heading."
    export.warnings.insert(0, ReadWarning(code="columns_named_before", message=message))
    return export


def stored_file(batch: ImportBatch) -> BinaryIO:
    """The uploaded file; raises `FileRefused` when it was deleted."""
    upload = ImportUpload.objects.filter(batch=batch).first()
    if upload is None:
        raise FileRefused("file_forgotten", UPLOAD_DELETED)
    return io.BytesIO(upload.content)


def open_stored(batch: ImportBatch, *, now: dt.datetime) -> Export:
    """The uploaded file, recognised again; raises `FileRefused`."""
    return open_file(stored_file(batch), batch, now=now)


def heading_of(batch: ImportBatch, heading_row: int | None = None) -> Heading:
    """The columns of the batch's kept file, by another row of headings where one is named.

    Raises `FileRefused`.
    """
    if heading_row is not None:
        batch.options = {**batch.options, "heading_row": heading_row, "columns": {}}
    try:
        table: Export | ColumnsNotRecognised = open_stored(batch, now=timezone.now())
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
