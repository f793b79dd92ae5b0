"""Rows of a table and items of JSON as fields of reviews."""

import datetime as dt
import hashlib
import itertools
import json
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from review_exports.formats.base import (
    Fields,
    Format,
    first_value,
    flatten,
    fold_name,
    is_blank,
)
from review_exports.readers.tables import (
    BrokenRow,
    Table,
    column_letters,
    is_private_heading,
    sample_cell,
)
from review_exports.records import RowError, Skipped
from review_exports.values.characters import compose, unguard_cell
from review_exports.values.dates import is_relative
from review_exports.values.people import is_contact
from review_exports.values.permissions import read_yes_no
from review_exports.vocabulary import load

# What a row becomes, and its cells for errors.csv.
FieldRow = tuple[int, Fields | RowError | Skipped, list[Any]]

_SAMPLES = 3
_EARLY = 100  # Rows that show which columns are in use.


# Columns that a list of rejected rows has beside those of the file.
ERROR_COLUMNS = ("error_code", "error")


def heading_signature(headings: Iterable[str]) -> str:
    """A hash that is equal for tables with the same headings, as a key for mappings.

    The list of the rejected rows of a file has the signature of the file.
    """
    added = set(map(fold_name, ERROR_COLUMNS))
    names = (fold_name(heading) for heading in headings)
    text = json.dumps([name for name in names if name not in added])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


NULL_STRINGS = frozenset(load("vocabulary/values.toml")["no_value"])
_DATES = ("date", "owner_reply_date")
UNEXPECTED_MEMBERS = (
    "_late"  # Members of an object that the first ones did not have: pairs of name and value.
)
_GUARDS = frozenset("'=")  # What a cell that `unguard_cell` changes begins with.
# Fields whose cells are a customer's or the owner's own words.
_WORDS = frozenset({"text", "title", "owner_reply", "translated_text"})


def column_cells(table: Table, numbers: Sequence[int]) -> Iterator[Any]:
    """The cells of all rows in these columns, without the guards of spreadsheets."""
    for _, cells in table.rows():
        if not isinstance(cells, BrokenRow):
            found = (cells[number] for number in numbers if number < len(cells))
            yield from (
                unguard_cell(cell) if cell.__class__ is str and cell[:1] in _GUARDS else cell
                for cell in found
            )


def is_of_use(table: Table, field: str, name: str) -> bool:
    """Whether any row has a value in the field's column.

    A date like "3 weeks ago" or without a digit does not, nor an author whom all rows share.
    """
    number = [fold_name(heading) for heading in table.headings].index(name)
    cells = (cell for cell in column_cells(table, [number]) if not is_blank(cell))
    if field in _DATES:
        cells = (
            cell for cell in cells if not is_relative(cell) and any(map(str.isdigit, str(cell)))
        )
    if field == "text":  # Under "public review" may stand a yes or no.
        cells = (cell for cell in cells if read_yes_no(cell) is None)
    filled = (cell for cell in cells if cell not in NULL_STRINGS)
    if field == "author":
        first, second = (next(filled, None) for _ in range(2))
        return first is not None and (
            second is None or any(one != first for one in (second, *filled))
        )
    return any(True for _ in filled)


def _cell_text(cell: Any) -> str:
    """A cell as a CSV has it."""
    if cell is None:
        return ""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        # A workbook's mere date must not become an instant.
        return cell.date().isoformat()
    # NUL is the one character that a database cannot keep.
    return str(cell).replace("\0", "\ufffd")


def _error(number: int, code: str, message: str, cells: tuple[str, ...] = ()) -> RowError:
    """The row as a whole cannot be read."""
    return RowError(row=number, field=None, code=code, message=message, cells=cells)


def _unguard(fields: Fields) -> None:
    for name, cell in fields.items():
        if cell.__class__ is str and cell[:1] in _GUARDS:
            fields[name] = unguard_cell(cell)


def _clean(fields: Fields) -> None:
    for name, cell in fields.items():
        if cell.__class__ is str and (cell[:1] in _GUARDS or not cell.isascii()):
            fields[name] = compose(unguard_cell(cell))


class TableRows:
    """The rows of a table as fields, in the way of one format."""

    def __init__(self, table: Table, format_: Format) -> None:
        folded = [fold_name(heading) for heading in table.headings]
        self._table = table
        self._folded = folded
        self._is_literal = format_.is_literal
        index = {name: number for number, name in reversed(list(enumerate(folded))) if name}
        self._indexes = {
            name: [index[one] for one in names if one in index]
            for name, names in format_.columns.items()
        }
        self.fields = tuple(format_.columns)
        self._width = max((n for n, name in enumerate(folded, start=1) if name), default=0)
        # One C call picks all fields of a row; -1 is an empty cell put behind the last one.
        self._first = [indexes[0] if indexes else -1 for indexes in self._indexes.values()]
        self._pick = cast(
            "Callable[[list[Any]], tuple[Any, ...]]",
            operator.itemgetter(*self._first, -1),
        )
        self._alternatives = [
            (name, indexes, name in format_.joined)
            for name, indexes in self._indexes.items()
            if len(indexes) > 1
        ]
        self.unnamed = self._unnamed_in_use()
        # Where a cell that holds something is out of place.
        self._watched = [
            number for number, name in enumerate(folded) if not name and number not in self.unnamed
        ]
        read = (
            number
            for name, numbers in self._indexes.items()
            if name != "_user"  # Compared, and shown to nobody.
            for number in numbers
        )
        self._read = frozenset(read)
        self._words = frozenset(number for name in _WORDS for number in self._indexes.get(name, ()))

    def _unnamed_in_use(self) -> list[int]:
        """The columns without a heading that most of the early rows fill."""
        count = len(self._folded)
        is_sheet = self._table.kind == "Excel"  # In others surplus cells are those of a text.
        if not is_sheet and all(self._folded):
            return []
        early = [
            cells
            for _, cells in itertools.islice(self._table.rows(), _EARLY)
            if not isinstance(cells, BrokenRow)
        ]
        filled = Counter(
            number
            for cells in early
            for number, cell in enumerate(cells)
            if not is_blank(cell) and (not self._folded[number] if number < count else is_sheet)
        )
        return sorted(number for number, times in filled.items() if times > len(early) / 2)

    def has(self, name: str) -> bool:
        return bool(self._indexes.get(name))

    def mapping(self) -> dict[str, str]:
        return {
            self._table.headings[number]: name
            for name, numbers in self._indexes.items()
            if not name.startswith("_")
            for number in reversed(numbers)
        }

    def provided_fields(self) -> set[str]:
        return {name for name in self.fields if self.has(name)}

    def samples(self) -> list[list[str]]:
        rows = (cells for _, cells in self._table.rows() if not isinstance(cells, BrokenRow))
        return [
            [
                sample_cell(name, cell)
                for name, cell in itertools.zip_longest(self._folded, cells[: len(self._folded)])
            ]
            for cells in itertools.islice(rows, _SAMPLES)
        ]

    @property
    def heading_row(self) -> int:
        return self._table.heading_row

    def first_rows(self) -> list[tuple[int, list[str]]]:
        """The first rows of the file to show, with their numbers, without contact data."""
        shown = []
        for number, cells in self._table.first_rows():
            if not isinstance(cells, BrokenRow):
                names = [] if number == self.heading_row else self._folded[: len(cells)]
                named = itertools.zip_longest(names, cells, fillvalue="")
                shown.append((number, [*itertools.starmap(sample_cell, named)]))
        return shown

    def __iter__(self) -> Iterator[FieldRow]:
        names, pick, width = self.fields, self._pick, self._width
        alternatives = self._alternatives
        is_literal, watched, total = self._is_literal, self._watched, len(self._folded)
        headings = self._table.headings[:width]
        first = headings[:1]
        for number, cells in self._table.rows():
            if isinstance(cells, BrokenRow):
                yield number, _error(number, *cells), []
                continue
            if cells[:1] == first and cells[:width] == headings:
                sentence = "This row repeats the headings; it is left out."
                yield number, Skipped(row=number, code="headings_repeated", message=sentence), []
                continue
            count = len(cells)
            if count < width:
                yield number, self._too_short(number, cells), cells
                continue
            if (count > total or watched) and (stray := self._stray(cells)) is not None:
                yield number, self._too_long(number, stray, cells), cells
                continue
            if not is_literal and not NULL_STRINGS.isdisjoint(cells):
                cells[:] = [None if cell in NULL_STRINGS else cell for cell in cells]
            cells.append(None)
            fields: Fields = dict(zip(names, pick(cells), strict=False))
            for name, indexes, is_joined in alternatives:
                filled = [cells[n] for n in indexes if cells[n] is not None and cells[n] != ""]
                fields[name] = (
                    "\n\n".join(unguard_cell(_cell_text(cell)) for cell in filled)
                    if is_joined
                    else next(iter(filled), None)
                )
            if is_literal:
                _unguard(fields)
            else:
                _clean(fields)
            yield number, fields, cells

    def _stray(self, cells: list[Any]) -> int | None:
        """The first column without a heading in which this row has something."""
        beyond = range(len(self._folded), len(cells))
        places = itertools.chain(self._watched, (n for n in beyond if n not in self.unnamed))
        return next((n for n in places if n < len(cells) and not is_blank(cells[n])), None)

    def _too_short(self, number: int, cells: list[Any]) -> RowError:
        sentence = f"Cells of this row: {len(cells)}; columns of the heading: {self._width}. "
        if any(isinstance(cell, str) and "\n" in cell for cell in cells):
            sentence += "A quotation mark that is not closed may be the cause. "
        sentence += "Add the missing cells."
        return _error(
            number, "row_too_short", sentence, self.exportable_cells(cells, is_aligned=False)
        )

    def _too_long(self, number: int, stray: int, cells: list[Any]) -> RowError:
        sentence = (
            f"Row {number} has something in column {column_letters(stray)}, which has no heading. "
            "Give it a heading or clear the cell"
        )
        if self._table.kind != "Excel":
            sentence += "; or put quotation marks around the text that holds the delimiter"
        shared = self.exportable_cells(cells, is_aligned=False)
        return _error(number, "row_too_long", f"{sentence}.", shared)

    def exportable_cells(self, cells: list[Any], *, is_aligned: bool = True) -> tuple[str, ...]:
        """The cells for errors.csv: of the columns that are read, and without contact data."""
        answer = []
        for number, cell in enumerate(cells[: max(len(self._folded), 1)] if is_aligned else cells):
            text = _cell_text(cell)
            is_words = is_aligned and number in self._words
            is_shown = number in self._read if is_aligned else not self._is_private(number)
            answer.append(text if is_shown and (is_words or not is_contact(text)) else "")
        return tuple(answer)

    def _is_private(self, number: int) -> bool:
        return number < len(self._folded) and is_private_heading(self._folded[number])

    def values(self, *fields: str) -> Iterator[Any]:
        """Values of all rows for these fields, unchanged."""
        numbers = [number for name in fields for number in self._indexes.get(name, ())]
        return column_cells(self._table, numbers)


class ItemRows:
    """Items of JSON as fields, in the way of one format."""

    def __init__(
        self, items: Callable[[], Iterator[Any]], format_: Format, *, is_flat: bool
    ) -> None:
        self._items = items
        self._columns = format_.columns
        self._joined = format_.joined
        self._is_flat = is_flat
        self._is_literal = format_.is_literal
        # Of which there may be others.
        self._dates = [name for name in _DATES if len(format_.columns.get(name, ())) > 1]
        self._expected: frozenset[str] | None = None

    def expect(self, names: frozenset[str]) -> None:
        """Put other members than these, by their folded names, under `UNEXPECTED_MEMBERS`."""
        self._expected = names

    def _absolute_date(self, flat: dict[str, Any], field: str) -> Any:
        """The date that stands beside one like "3 weeks ago"."""
        dates = (flat.get(name) for name in self._columns[field])
        known = (date for date in dates if not (is_blank(date) or is_relative(date)))
        return next(known, None)

    def provided_fields(self) -> set[str]:
        return set(self._columns)

    def samples(self) -> list[list[str]]:
        return []

    heading_row = 0

    def first_rows(self) -> list[tuple[int, list[str]]]:
        return []

    def exportable_cells(self, _cells: list[Any]) -> tuple[str, ...]:
        return ()

    def __iter__(self) -> Iterator[FieldRow]:
        for number, item in enumerate(self._items(), start=1):
            if isinstance(item, dict):
                yield number, self._fields(item if self._is_flat else flatten(item)), []
            elif isinstance(item, BrokenRow):
                yield number, _error(number, *item), []
            else:
                sentence = "This item holds no review; it is left out."
                yield number, Skipped(row=number, code="not_a_review", message=sentence), []

    def _fields(self, flat: dict[str, Any]) -> Fields:
        fields: Fields = {name: first_value(flat, names) for name, names in self._columns.items()}
        if not self._is_literal:
            for name, value in fields.items():
                if value.__class__ is str:
                    fields[name] = None if value in NULL_STRINGS else compose(value)
        if self._expected is not None and not self._expected.issuperset(flat):
            fields[UNEXPECTED_MEMBERS] = [
                pair for pair in flat.items() if pair[0] not in self._expected
            ]
        for name in self._dates:
            if is_relative(fields[name]):
                fields[name] = self._absolute_date(flat, name) or fields[name]
        for name in self._joined:
            values = (flat.get(one) for one in self._columns[name])
            texts = [value for value in values if isinstance(value, str) and value]
            if len(texts) > 1:
                fields[name] = "\n\n".join(texts)
        return fields

    def values(self, *fields: str) -> Iterator[Any]:
        """Values of all items for these fields, unchanged."""
        names = [self._columns.get(name, ()) for name in fields]
        for item in self._items():
            if isinstance(item, dict):
                flat = item if self._is_flat else flatten(item)
                yield from (first_value(flat, one) for one in names)


Rows = TableRows | ItemRows
