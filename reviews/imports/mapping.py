"""Meanings of a table's columns, saved under the signature of its headings."""

from dataclasses import dataclass, replace

from django.utils import timezone

from review_exports.export import Export
from review_exports.records import ColumnsNotRecognised, FileRefused
from reviews.imports.opening import open_stored
from reviews.imports.options import ImportOptions
from reviews.models import ColumnMapping, ImportBatch

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

    Numbered columns mean something else in every file, so that nothing is kept of them.
    """
    if heading.row:
        ColumnMapping.objects.update_or_create(
            signature=heading.signature, defaults={"columns": chosen}
        )
    options = ImportOptions.from_json(batch.options)
    return replace(options, columns=chosen, heading_row=heading.row)
