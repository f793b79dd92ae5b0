"""The rejected rows of an import as they came, with two more columns that say why.

A spreadsheet runs a cell that begins with one of `= + - @` as a formula, so such cells get an
apostrophe in front; reading takes it away again.
"""

import csv
from collections.abc import Iterable, Iterator

from review_exports.records import FileRefused, RowError
from review_exports.rows import ERROR_COLUMNS
from review_exports.values.cells import guard_cell
from reviews.imports.opening import open_kept
from reviews.models import ImportBatch


class _Line:
    """What `csv.writer` writes to, one line at a time."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text = text


def lines(columns: Iterable[str], errors: Iterable[RowError]) -> Iterator[str]:
    """The file line by line; errors of files without columns tell their row instead."""
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
    """The rejected rows of the batch's kept file; None when it is not kept any more."""
    try:
        export = open_kept(batch, now=batch.applied_at or batch.created_at)
    except FileRefused:
        return None
    return lines(export.columns, (item for item in export if isinstance(item, RowError)))
