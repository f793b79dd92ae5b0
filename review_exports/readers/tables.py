"""Tables: a heading and rows, from a delimited text or from a workbook."""

import datetime as dt
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from review_exports.decoding import Encoding
from review_exports.records import file_refused
from review_exports.values import shown
from review_exports.values.people import is_contact
from review_exports.vocabulary import coded_message, load

FIRST_ROWS = 12  # That show which of them is the heading.
ROWS_COMPARED = 100  # Rows that show how many columns there are.


class BrokenRow(NamedTuple):
    """A row whose cells cannot be read, and why."""

    code: str
    message: str


def broken_row(key: str, **values: Any) -> BrokenRow:
    """A broken row by `messages.toml`."""
    return BrokenRow(*coded_message("rows", key, values))


Row = tuple[int, list[Any] | BrokenRow]


class Table(ABC):
    """A table; rows are numbered as in a spreadsheet: the heading is row 1."""

    kind: str  # As people call such a file.
    encoding: Encoding
    headings: list[str]
    heading_row: int  # 0: none, and the columns are numbered.
    above = 0  # Rows above the heading that are not blank.

    @abstractmethod
    def all_rows(self, *, is_whole: bool = False) -> Iterator[Row]:
        """The rows that are not blank, with those above the heading.

        `is_whole`: also the cells far beyond the heading.
        """

    @abstractmethod
    def with_heading_below(self, rows: int, *, has_headings: bool = True) -> Self:
        """The table whose heading stands below so many filled rows."""

    def with_headings_in(self, row: int) -> Self:
        """The table whose heading stands in this row; 0: in none. Raises `FileRefused`."""
        if not row:
            return self.with_heading_below(0, has_headings=False)
        rows = itertools.takewhile(lambda one: one[0] <= row, self.all_rows(is_whole=True))
        numbers = [number for number, _ in rows]
        if row not in numbers:
            raise file_refused("heading_row_missing", row=row)
        return self.with_heading_below(len(numbers) - 1)

    def first_rows(self) -> list[Row]:
        """The first rows of the file, whichever of them is the heading."""
        return [*itertools.islice(self.all_rows(is_whole=True), FIRST_ROWS)]

    def rows(self) -> Iterator[Row]:
        """The rows below the heading; may be called again."""
        rows = self.all_rows()
        for number, _ in rows if self.heading_row else ():
            if number == self.heading_row:
                break
        yield from rows

    def numbered_headings(self) -> list[str]:
        """Names for the columns where none has a heading."""
        early = itertools.islice(self.all_rows(), ROWS_COMPARED)
        widths = (len(cells) for _, cells in early if not isinstance(cells, BrokenRow))
        return [f"Column {number}" for number in range(1, max(widths, default=0) + 1)]


def column_letters(index: int) -> str:
    """The letters by which spreadsheets call a column, counted from 0: 0 is A, 26 is AA."""
    letters = ""
    while index >= 0:
        letters = chr(ord("A") + index % 26) + letters
        index = index // 26 - 1
    return letters


def is_blank_row(cells: list[Any]) -> bool:
    return not any(
        not cell.isspace() if isinstance(cell, str) else cell is not None for cell in cells if cell
    )


_PRIVATE = load("vocabulary/headings.toml")["private"].split()


def is_private_heading(folded: str) -> bool:
    """Whether a column of this folded name must never be stored."""
    return folded in {"ip", "tel"} or any(word in folded for word in _PRIVATE)


def sample_cell(folded_heading: str, cell: Any) -> str:
    """A cell to show on a mapping page; contact data are left out."""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        cell = cell.date()  # As the spreadsheet shows it.
    text = shown(cell if cell is not None else "")
    return "" if is_private_heading(folded_heading) or is_contact(text) else text
