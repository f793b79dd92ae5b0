"""Tables with headings and rows, from delimited texts or workbooks."""

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

FIRST_ROWS = 12  # Rows among which the headings are looked for.
ROWS_COMPARED = 100  # Rows from which the number of columns is inferred.


class BrokenRow(NamedTuple):
    """A row that cannot be read, and the reason."""

    code: str
    message: str


def broken_row(key: str, **values: Any) -> BrokenRow:
    """Build a broken row from `messages.toml`."""
    return BrokenRow(*coded_message("rows", key, values))


Row = tuple[int, list[Any] | BrokenRow]


class Table(ABC):
    """A table; rows are numbered as in a spreadsheet, from 1."""

    kind: str  # Common name of the file type.
    encoding: Encoding
    headings: list[str]
    heading_row: int  # 0 if the table has no headings, and the columns are numbered.
    above = 0  # Number of rows above the headings that are not blank.

    @abstractmethod
    def all_rows(self, *, is_whole: bool = False) -> Iterator[Row]:
        """Yield the rows that are not blank, including those above the headings.

        `is_whole`: include cells far to the right of the last heading.
        """

    @abstractmethod
    def with_heading_below(self, rows: int, *, has_headings: bool = True) -> Self:
        """Return the table with its headings below this many filled rows."""

    def with_headings_in(self, row: int) -> Self:
        """Return the table with its headings in a row, or without for 0; raises `FileRefused`."""
        if not row:
            return self.with_heading_below(0, has_headings=False)
        rows = itertools.takewhile(lambda one: one[0] <= row, self.all_rows(is_whole=True))
        numbers = [number for number, _ in rows]
        if row not in numbers:
            raise file_refused("heading_row_missing", row=row)
        return self.with_heading_below(len(numbers) - 1)

    def first_rows(self) -> list[Row]:
        """Return the first rows of the file, including those above the headings."""
        return [*itertools.islice(self.all_rows(is_whole=True), FIRST_ROWS)]

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the headings; may be called repeatedly."""
        rows = self.all_rows()
        for number, _ in rows if self.heading_row else ():
            if number == self.heading_row:
                break
        yield from rows

    def numbered_headings(self) -> list[str]:
        """Names of the columns of a table without headings."""
        early = itertools.islice(self.all_rows(), ROWS_COMPARED)
        widths = (len(cells) for _, cells in early if not isinstance(cells, BrokenRow))
        return [f"Column {number}" for number in range(1, max(widths, default=0) + 1)]


def column_letters(index: int) -> str:
    """The letters of a column in a spreadsheet: 0 is A, 26 is AA."""
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
    """Whether a folded name stands for values that must not be stored."""
    return folded in {"ip", "tel"} or any(word in folded for word in _PRIVATE)


def sample_cell(folded_heading: str, cell: Any) -> str:
    """Format a cell as a sample; empty for contact data."""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        cell = cell.date()  # As the spreadsheet shows it.
    text = shown(cell if cell is not None else "")
    return "" if is_private_heading(folded_heading) or is_contact(text) else text
