"""The file of an import, opened with its options, the business and the confirmed shapes.

Its rejected rows are given back as a CSV.
"""

import csv
import datetime as dt
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils import timezone

from core.secrets import SecretLost
from imports.merge import Rules
from imports.models import SECRETS, ConfirmedShape, ImportBatch, ImportUpload
from imports.reader_process import ReadFile, read
from review_exports.options import ReadChoices, ReadOptions
from review_exports.records import FileRefused, ReadWarning, RowError
from review_exports.rows import ERROR_COLUMNS
from review_exports.shapes import Confirmation, Shape, merged
from review_exports.values.characters import guard_cell
from reviews.models import Business

UPLOAD_DELETED = "The uploaded file is no longer kept. Upload it again."


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
        """The stored options; those that this version does not know are left out."""
        known = {one.name for one in fields(cls)}
        options = {name: value for name, value in stored.items() if name in known}
        if isinstance(options.get("places"), list):
            options["places"] = dict.fromkeys(options["places"], True)
        return cls(**options)

    def for_reading(
        self, *, time_zone: ZoneInfo, now: dt.datetime, max_rows: int | None
    ) -> ReadOptions:
        chosen = {choice.name: getattr(self, choice.name) for choice in fields(ReadChoices)}
        return ReadOptions(
            **chosen,
            time_zone=time_zone,
            today=now.astimezone(time_zone).date(),
            max_rows=max_rows,
            business_names=_business_names(),
            confirmations=confirmed_shapes(),
        )

    def for_merging(self, provided_fields: frozenset[str] | None) -> Rules:
        return Rules(
            verified=self.verified,
            overwrite_edits=self.overwrite_edits,
            provided_fields=provided_fields,
            ids_are_sure=self.ids == "same",
        )


# --- Confirmed shapes -----------------------------------------------------------------------------


def confirmed_shapes() -> dict[str, Confirmation]:
    """The confirmed shapes of this installation by key."""
    shapes = ConfirmedShape.objects.values_list("key", "confirmation")
    return {key: Confirmation.from_json(confirmation) for key, confirmation in shapes}


def store_confirmation(shape: Shape, batch: ImportBatch) -> None:
    """Store the meaning by which a batch was read, for later files of the shape."""
    confirmation = shape.confirmation
    stored = ConfirmedShape.objects.filter(key=shape.key).first()
    if stored is not None:
        confirmation = merged(Confirmation.from_json(stored.confirmation), confirmation)
    row = stored or ConfirmedShape(key=shape.key, file_name=batch.file_name)
    row.confirmation = confirmation.as_json()
    row.confirmed_by, row.confirmed_at = batch.confirmed_by, timezone.now()
    row.save()


# --- Opening --------------------------------------------------------------------------------------


def _business_names() -> list[str]:
    """Name and legal name of the business, as rows may name the place that they are of."""
    names = Business.objects.values_list("name", "legal_name").first() or ()
    return [name for name in names if name]


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
    """The recognised file of a batch; raises `FileRefused`."""
    options = ImportOptions.from_json(batch.options)
    zone, guess = time_zone_for(options)
    reading = options.for_reading(time_zone=zone, now=now, max_rows=max_rows)
    export = read(file, reading, file_name=batch.file_name, seconds=seconds, short_here=short_here)
    if guess:
        warning = ReadWarning(code="time_zone_guessed", message=guess, option="time_zone")
        export.preceding_warnings.insert(0, warning)
    return export


# --- A kept file ----------------------------------------------------------------------------------


def stored_file(batch: ImportBatch) -> BinaryIO:
    """The uploaded file; raises `FileRefused` when it was deleted, or its key is lost."""
    upload = ImportUpload.objects.filter(batch=batch).first()
    if upload is None:
        raise FileRefused("file_forgotten", UPLOAD_DELETED)
    try:
        return io.BytesIO(SECRETS.decrypt(bytes(upload.content)))
    except SecretLost:
        raise FileRefused("file_forgotten", UPLOAD_DELETED) from None


def open_stored(batch: ImportBatch, *, now: dt.datetime) -> ReadFile:
    """The uploaded file, recognised again; raises `FileRefused`."""
    return open_file(stored_file(batch), batch, now=now)


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
