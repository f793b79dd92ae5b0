"""Which columns of a table mean what, asked once and remembered by the table's heading."""

import io
from dataclasses import dataclass, replace
from itertools import zip_longest

from django.utils import timezone

from reviews.importing.batch import FORGOTTEN, open_file
from reviews.importing.formats.base import FIELDS
from reviews.importing.options import ImportOptions
from reviews.importing.records import ColumnsNotRecognised, FileRefused
from reviews.models import ColumnMapping, ImportBatch, ImportUpload

SAMPLES = 3


class MappingRefused(Exception):
    """The file's columns cannot be named; says why."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the mapping page shows it; `field` is what it means so far, "" for nothing."""

    heading: str
    field: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A table's columns, and the signature under which their meaning is remembered."""

    columns: list[Column]
    signature: str


def heading_of(batch: ImportBatch) -> Heading:
    """The columns of the batch's kept file; raises `MappingRefused`."""
    upload = ImportUpload.objects.filter(batch=batch).first()
    if upload is None:
        raise MappingRefused(FORGOTTEN)
    try:
        table, _ = open_file(
            io.BytesIO(upload.content),
            file_name=batch.file_name,
            options=ImportOptions.from_json(batch.options),
            now=timezone.now(),
            max_rows=None,
        )
    except ColumnsNotRecognised as unknown:
        return _heading(unknown.columns, unknown.mapping, unknown.sample_rows, unknown.signature)
    except FileRefused as refused:
        raise MappingRefused(refused.message) from refused
    if not table.columns:
        raise MappingRefused("Only the columns of a table can be named; this file is none.")
    return _heading(table.columns, table.mapping, table.sample_rows, table.signature)


def remember(batch: ImportBatch, signature: str, chosen: dict[str, str]) -> ImportOptions:
    """Keep what the columns mean for every file with this heading; the batch's new options."""
    ColumnMapping.objects.update_or_create(signature=signature, defaults={"columns": chosen})
    return replace(ImportOptions.from_json(batch.options), columns=chosen)


def _heading(
    headings: list[str], mapping: dict[str, str], rows: list[list[str]], signature: str
) -> Heading:
    values = list(zip_longest(*rows, fillvalue=""))
    return Heading(
        [
            Column(
                heading,
                field if (field := mapping.get(heading, "")) in FIELDS else "",
                (*(values[number] if number < len(values) else ()), *[""] * SAMPLES)[:SAMPLES],
            )
            for number, heading in enumerate(headings)
        ],
        signature,
    )
