"""Tables: a heading and rows, from a delimited text or from a workbook."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from review_exports.decoding import Encoding
from review_exports.records import FileRefused
from review_exports.values import shown
from review_exports.values.people import is_contact

FIRST_ROWS = 12  # That show which of them is the heading.


class BrokenRow(NamedTuple):
    """A row whose cells cannot be read, and why."""

    code: str
    message: str


Row = tuple[int, list[Any] | BrokenRow]


class Table(Protocol):
    """Rows are numbered as in a spreadsheet: the heading is row 1. Blank rows are left out."""

    headings: list[str]
    heading_row: int
    encoding: Encoding
    kind: str  # As people call such a file.

    def below(self, rows: int) -> "Table":
        """The table whose heading stands so many rows further down, blank ones not counted."""

    def with_headings_in(self, row: int) -> "Table":
        """The table whose heading stands in this row; 0: in none, and the columns are numbered.

        Raises `FileRefused`.
        """

    def first_rows(self) -> list[Row]:
        """The first rows of the file, whichever of them is the heading."""

    def rows(self) -> Iterator[Row]:
        """All rows from the first one on; may be called again."""


def column_letters(index: int) -> str:
    """The letters by which spreadsheets call a column, counted from 0: 0 is A, 26 is AA."""
    letters = ""
    while index >= 0:
        letters = chr(ord("A") + index % 26) + letters
        index = index // 26 - 1
    return letters


def numbered_headings(rows: Iterable[Row]) -> list[str]:
    """Names for the columns of a table without headings."""
    width = max((len(cells) for _, cells in rows if not isinstance(cells, BrokenRow)), default=0)
    return [f"Column {number}" for number in range(1, width + 1)]


def no_headings_in(row: int) -> FileRefused:
    return FileRefused(
        "heading_row_missing",
        f"Row {row} holds nothing, so that it cannot hold the headings. Name another row, or 0 "
        "where the file has no headings.",
    )


def is_blank_row(cells: list[Any]) -> bool:
    return not any(
        not cell.isspace() if isinstance(cell, str) else cell is not None for cell in cells if cell
    )


_PRIVATE = (
    "mail phone telefon mobile handynummer ipaddress ipadresse orderid ordernumber orderreference"
    " reservationnumber bookingnumber invoicenumber referenceid bestellnummer customerid reviewerid"
    " userid authorid autorid"
).split()


def is_private_heading(folded: str) -> bool:
    """Whether a column with this folded name holds data that must never be stored."""
    return folded in {"ip", "tel"} or any(word in folded for word in _PRIVATE)


def sample_cell(folded_heading: str, cell: Any) -> str:
    """A cell to show on a mapping page; contact data are left out."""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        cell = cell.date()  # As the spreadsheet shows it.
    text = shown(cell if cell is not None else "")
    return "" if is_private_heading(folded_heading) or is_contact(text) else text
