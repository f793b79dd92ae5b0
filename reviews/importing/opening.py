"""Open the file of an import with what is known of the business and of earlier files."""

import datetime as dt
import io
from dataclasses import replace
from typing import BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reviews.importing.export import Export
from reviews.importing.formats.generic import TABLE
from reviews.importing.options import ImportOptions
from reviews.importing.reading import open_export
from reviews.importing.records import ColumnsNotRecognised, FileRefused
from reviews.models import Business, ColumnMapping, ImportBatch, ImportUpload

FORGOTTEN = "The uploaded file is no longer kept. Upload it again."


def time_zone_for(options: ImportOptions) -> tuple[ZoneInfo, str | None]:
    """The zone in which the file's instants become days, and a warning when it is a guess."""
    if options.time_zone:
        return ZoneInfo(options.time_zone), None
    name = Business.objects.values_list("time_zone", flat=True).first()
    if name is None:
        return ZoneInfo("UTC"), (
            "There is no business yet, so times become days in UTC. If that is wrong, enter the "
            "business with its time zone first, or name one with --time-zone."
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
) -> tuple[Export, list[str]]:
    """The recognised file of a batch with the warnings of opening it; raises `FileRefused`.

    Columns that an administrator has named before mean the same in every file with that heading.
    """
    options = ImportOptions.from_json(batch.options)
    zone, warning = time_zone_for(options)
    warnings = [warning] if warning else []
    reading = options.for_reading(time_zone=zone, now=now, max_rows=max_rows)
    try:
        export = open_export(file, file_name=batch.file_name, options=reading)
        signature = export.signature if export.format == TABLE.name else ""
    except ColumnsNotRecognised as unknown:
        named = _named_columns(unknown.signature)
        if options.columns or not named:
            raise
    else:
        named = _named_columns(signature)
        if options.columns or not named:
            return export, warnings
    warnings.append("The columns are read as named for an earlier file with the same heading.")
    reading = replace(reading, columns=named)
    return open_export(file, file_name=batch.file_name, options=reading), warnings


def _named_columns(signature: str) -> dict[str, str]:
    mapping = ColumnMapping.objects.filter(signature=signature).first() if signature else None
    return mapping.columns if mapping else {}


def kept_file(batch: ImportBatch) -> BinaryIO:
    """The file as it was uploaded; raises `FileRefused` when it is no longer kept."""
    upload = ImportUpload.objects.filter(batch=batch).first()
    if upload is None:
        raise FileRefused("file_forgotten", FORGOTTEN)
    return io.BytesIO(upload.content)


def open_kept(batch: ImportBatch, *, now: dt.datetime) -> Export:
    """The uploaded file, recognised once more; raises `FileRefused`."""
    export, _ = open_file(kept_file(batch), batch, now=now)
    return export
