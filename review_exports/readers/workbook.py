"""Sheets of Excel workbooks as tables."""

import datetime as dt
import itertools
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Self
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors

from defusedxml import DefusedXmlException

from review_exports.decoding import Encoding
from review_exports.limits import ELEMENTS_MAX, ROW_ELEMENTS_MAX, check_headings, too_many
from review_exports.readers.archives import Archive
from review_exports.readers.tables import Table, is_blank_row
from review_exports.records import FileRefused, file_refused

logger = logging.getLogger(__name__)

_NO_MEMORY = errors.codes[errors.XML_ERROR_NO_MEMORY]
_ROWS_MAX = 1_048_576  # Maximum of Excel.
_COLUMNS_MAX = 500
_SURPLUS_MAX = 30  # Columns after the last heading that are read, to detect surplus cells.
_SHEETS_MAX = 50
_BLANK_RUN_MAX = 1_000
_DECLARATION_MAX = 1_000  # Bytes at the start of a part.


def is_workbook(archive: Archive) -> bool:
    return "[Content_Types].xml" in archive.names and "xl/workbook.xml" in archive.names


class Workbook:
    """An Excel workbook."""

    def __init__(self, file: BinaryIO, archive: Archive) -> None:
        # Imported here, since few files need openpyxl and its import is slow.
        from openpyxl import load_workbook  # noqa: PLC0415

        _refuse_bombs(archive)
        file.seek(0)
        with _refuse_damage():
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
            self._sheets = sorted(book.worksheets, key=lambda sheet: sheet.sheet_state != "visible")

    def sheets(self) -> Iterator["Sheet"]:
        """Yield the sheets that are not empty, visible ones first."""
        for sheet in self._sheets[:_SHEETS_MAX]:
            table = Sheet(sheet)
            if table.headings:
                yield table


class Sheet(Table):
    """One sheet as a table; the constructor reads the headings."""

    encoding = Encoding("xlsx")
    kind = "Excel"

    def __init__(self, sheet: Any, *, above: int = 0, has_headings: bool = True) -> None:
        self._sheet = sheet
        self.above = above
        self._columns = _COLUMNS_MAX
        self._width = 0
        heading = itertools.islice(self.all_rows(), above, None)
        self.heading_row, cells = next(heading, (0, []))
        if not has_headings:
            self.heading_row, cells = 0, [*self.numbered_headings()]
        while cells and cells[-1] in {None, ""}:
            cells.pop()
        self.name = str(sheet.title)
        check_headings([cell for cell in cells if isinstance(cell, str)])
        self.headings = ["" if cell is None else str(cell).strip() for cell in cells]
        self._width = len(self.headings)
        self._columns = min(len(self.headings) + _SURPLUS_MAX, _COLUMNS_MAX)

    def with_heading_below(self, rows: int, *, has_headings: bool = True) -> Self:
        return type(self)(self._sheet, above=rows, has_headings=has_headings)

    def all_rows(self, *, is_whole: bool = False) -> Iterator[tuple[int, list[Any]]]:
        blank_run = 0
        width, columns = (0, _COLUMNS_MAX) if is_whole else (self._width, self._columns)
        with _refuse_damage():
            # The size that the sheet declares may be wrong.
            self._sheet.reset_dimensions()
            sheet_rows = self._sheet.iter_rows(max_row=_ROWS_MAX, max_col=columns)
            for number, row in enumerate(sheet_rows, start=1):
                count = len(row)
                while count > width and row[count - 1].value is None:
                    count -= 1
                cells = [_cell(cell) for cell in row[:count]]
                if not is_blank_row(cells):
                    blank_run = 0
                    yield number, cells
                    continue
                blank_run += 1
                if blank_run > _BLANK_RUN_MAX:
                    return


@contextmanager
def _refuse_damage() -> Iterator[None]:
    try:
        with warnings.catch_warnings():
            # Warnings about styles and extensions do not matter here.
            warnings.simplefilter("ignore")
            yield
    except (FileRefused, MemoryError):
        raise
    except DefusedXmlException:
        raise file_refused("workbook_invalid-entities") from None
    except Exception as error:  # openpyxl raises almost any error for damaged files.
        if _is_out_of_memory(error):
            raise MemoryError from None
        logger.debug("A workbook could not be read", exc_info=True)
        raise file_refused("workbook_invalid") from None


def _is_out_of_memory(error: Exception) -> bool:
    """Whether memory ran out, which openpyxl or the parser may hide."""
    is_of_parser = isinstance(error, ParseError) and error.code == _NO_MEMORY
    return is_of_parser or isinstance(error.__context__, MemoryError)


# Characters that XML cannot hold are escaped: a carriage return as _x000D_.
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def _cell(cell: Any) -> Any:
    value = cell.value
    if isinstance(value, str):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if "_x" in value else value
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if value is None or isinstance(value, str | int | float | dt.date):
        return value
    return str(value)


# Start of a row or a shared string, at which the parser frees the one before.
_SPANS = re.compile(rb"<(?:\w+:)?(?:row|si)[\s/>]")
_ENCODING = re.compile(
    rb"""<\?xml[^>]*?\bencoding\s*=\s*["'](?!utf-?(?:8|16)["'])""", re.IGNORECASE
)


def _refuse_bombs(archive: Archive) -> None:
    """Refuse too many elements in all or in a row, before any part is parsed."""
    total = 0
    for name in archive.names:
        span = 0
        for number, chunk in enumerate(archive.chunks(name)):
            if not number and _ENCODING.search(chunk[:_DECLARATION_MAX]):
                # Other encodings are not allowed (ECMA-376 part 2, 6.2.5).
                raise file_refused("workbook_invalid")
            total += _elements(chunk)
            first, *others = _SPANS.split(chunk)
            span += _elements(first)
            longer = [one for one in others[:-1] if len(one) > ROW_ELEMENTS_MAX]
            longest = max(span, *map(_elements, longer), 0)
            span = _elements(others[-1]) if others else span
            if max(span, longest) > ROW_ELEMENTS_MAX:
                raise too_many("elements in a row", ROW_ELEMENTS_MAX)
            if total > ELEMENTS_MAX:
                raise too_many("elements in its workbook", ELEMENTS_MAX)


def _elements(content: bytes) -> int:
    return content.count(b"<") - content.count(b"</")
