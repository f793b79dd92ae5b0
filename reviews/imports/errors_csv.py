"""The rejected rows of an import as a CSV, with two more columns that give the reason.

A spreadsheet runs a cell that begins with one of `= + - @` as a formula, so such cells get an
apostrophe in front; reading takes it away again.
"""

import csv
from collections.abc import Iterable, Iterator

from review_exports.records import FileRefused, RowError
from review_exports.rows import ERROR_COLUMNS
from review_exports.values.cells import guard_cell
from reviews.imports.opening import open_stored
from reviews.models import ImportBatch


class _Line:
    """A target of `csv.writer` that holds one line at a time."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text = text


def lines(columns: Iterable[str], errors: Iterable[RowError]) -> Iterator[str]:
    """Lines of the CSV; for files without columns each has the number of its row."""
    columns = list(columns)
    line = _Line()
    writer = csv.writer(line)

    def text(cells: Iterable[str]) -> str:
        writer.writerow([guard_cell(cell) for cell in cells])
        return line.text

    # The byte order mark tells a spreadsheet program that this is UTF-8.
    yield "\ufeff" + text([*(columns or ["row"]), *ERROR_COLUMNS])
    for error in errors:
        cells = [*error.cells, *[""] * (len(columns) - len(error.cells))]
        yield text([*(cells if columns else [str(error.row)]), error.code, error.message])


def lines_of(batch: ImportBatch) -> Iterator[str] | None:
    """Lines of the CSV for a batch; None when its file is deleted."""
    try:
        export = open_stored(batch, now=batch.applied_at or batch.created_at)
    except FileRefused:
        return None
    return lines(export.columns, (item for item in export if isinstance(item, RowError)))
