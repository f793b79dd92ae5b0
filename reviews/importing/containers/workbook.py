"""Pure: the first sheet of an Excel workbook as a table."""

import datetime as dt
import logging
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO

from reviews.importing.containers.archives import Archive
from reviews.importing.containers.tables import Row, is_blank_row
from reviews.importing.records import FileRefused

logger = logging.getLogger(__name__)

_ROWS_MAX = 1_048_576  # What Excel itself can hold.
_COLUMNS_MAX = 500
_BLANK_RUN_MAX = 1_000


def is_workbook(archive: Archive) -> bool:
    return "[Content_Types].xml" in archive.names and "xl/workbook.xml" in archive.names


class Workbook:
    """The first sheet as a table; reads the heading when it is made."""

    encoding = "xlsx"
    delimiter = ""

    def __init__(self, file: BinaryIO, archive: Archive) -> None:
        self._file = file
        _refuse_bombs(archive)
        self._columns = _COLUMNS_MAX
        self._heading_row, cells = next(self._numbered(), (0, []))
        while cells and cells[-1] in {None, ""}:
            cells.pop()
        if not cells:
            raise FileRefused(
                "empty_file", "The first sheet of the workbook is empty. Export the reviews again."
            )
        self.headings = ["" if cell is None else str(cell).strip() for cell in cells]
        # One more than the heading has, so that a surplus cell shows.
        self._columns = len(self.headings) + 1

    def rows(self) -> Iterator[Row]:
        for number, cells in self._numbered():
            if number > self._heading_row:
                yield number, cells

    def _numbered(self) -> Iterator[tuple[int, list[Any]]]:
        # Imported here: few files need it, and it takes longer to import than a file to read.
        from openpyxl import load_workbook  # noqa: PLC0415

        blank_run = 0
        try:
            with warnings.catch_warnings():
                # About styles and extensions, none of which matter here.
                warnings.simplefilter("ignore")
                self._file.seek(0)
                book = load_workbook(self._file, read_only=True, data_only=True, keep_links=False)
                sheet = book.worksheets[0]
                # The sheet's own claim about its size is not believed.
                sheet.reset_dimensions()
                sheet_rows = sheet.iter_rows(
                    max_row=_ROWS_MAX, max_col=self._columns, values_only=True
                )
                for number, row in enumerate(sheet_rows, start=1):
                    cells = [_cell(value) for value in row]
                    if not is_blank_row(cells):
                        blank_run = 0
                        yield number, cells
                        continue
                    blank_run += 1
                    if blank_run > _BLANK_RUN_MAX:
                        return
        except FileRefused:
            raise
        except Exception:  # openpyxl answers damaged files with almost any error.
            logger.debug("A workbook could not be read", exc_info=True)
            raise FileRefused(
                "workbook_invalid",
                "The Excel workbook is damaged or locked with a password. Open it in Excel, save "
                "it as CSV UTF-8 and import that.",
            ) from None


def _cell(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    # Only texts, numbers, truth values and dates are of use.
    if value is None or isinstance(value, str | int | float | dt.date):
        return value
    return str(value)


def _refuse_bombs(archive: Archive) -> None:
    """Measure everything once, and refuse what no program writes: XML with entities of its own."""
    for name in archive.names:
        tail = b""
        for chunk in archive.chunks(name):
            if name.endswith((".xml", ".rels")) and b"<!DOCTYPE" in tail + chunk:
                raise FileRefused(
                    "workbook_invalid",
                    "The Excel workbook declares an XML document type, which no spreadsheet "
                    "program does. Save it as CSV UTF-8 and import that.",
                )
            tail = chunk[-16:]
