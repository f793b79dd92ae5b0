"""Rows of tables and items of JSON as fields of reviews."""

import datetime as dt
import hashlib
import itertools
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from review_exports.formats.base import (
    Fields,
    Format,
    first_value,
    flatten,
    fold_name,
    is_blank,
    path_names,
)
from review_exports.profile import Profile
from review_exports.readers.tables import (
    BrokenRow,
    Table,
    broken_row,
    column_letters,
    is_private_heading,
    sample_cell,
)
from review_exports.records import RowError, Skipped, skipped
from review_exports.values.characters import compose, unguard_cell
from review_exports.values.dates import is_relative
from review_exports.values.people import is_contact
from review_exports.vocabulary import load

# Number of a row, its fields or outcome, and its cells for errors.csv.
FieldRow = tuple[int, Fields | RowError | Skipped, list[Any]]

_EARLY = 100  # Rows from which unnamed columns in use are inferred.
# Columns that a list of rejected rows has in addition to those of the file.
ERROR_COLUMNS = ("error_code", "error")
_ADDED = frozenset(map(fold_name, ERROR_COLUMNS))

NULL_STRINGS = frozenset(load("vocabulary/values.toml")["no_value"])
_DATES = ("date", "owner_reply_date")
_GUARDS = frozenset("'=")  # First characters of cells that `unguard_cell` may change.
# Fields with free text of the customer or the owner.
TEXT_FIELDS = frozenset({"text", "title", "owner_reply", "translated_text"})


def shape_key(names: Iterable[str]) -> str:
    """Hash the names of columns or members, regardless of order.

    A list of rejected rows has the same key as the original file.
    """
    folded = sorted(set(map(fold_name, names)) - _ADDED)
    return hashlib.sha256(json.dumps(folded).encode("utf-8", "surrogatepass")).hexdigest()


def _cell_text(cell: Any) -> str:
    """Format a cell as text, as in CSV."""
    if cell is None:
        return ""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        # A bare date of a workbook must not become an instant.
        return cell.date().isoformat()
    # Databases cannot store NUL.
    return str(cell).replace("\0", "\ufffd")


def _is_nothing(cell: Any) -> bool:
    return is_blank(cell) or cell in NULL_STRINGS


def _error(number: int, broken: BrokenRow, cells: tuple[str, ...] = ()) -> RowError:
    return RowError(row=number, field=None, cells=cells, **broken._asdict())


def _unguarded(cell: Any) -> Any:
    return unguard_cell(cell) if cell.__class__ is str and cell[:1] in _GUARDS else cell


def _clean(cell: Any, guards: frozenset[str] = _GUARDS) -> Any:
    """Remove the guard of a cell, normalise it to NFC, and return None for a null string."""
    if cell.__class__ is not str:
        return cell
    text = unguard_cell(cell) if cell[:1] in guards else cell
    return None if text in NULL_STRINGS else text if text.isascii() else compose(text)


def column_names(table: Table) -> list[tuple[str, str]]:
    """Return the unique folded name and the displayed name of each column.

    A repeated name gets a number. A column without a heading gets its letters, or an empty name if
    it is not in use.
    """
    unnamed = _unnamed_in_use(table)
    names: dict[str, str] = {}
    columns: list[tuple[str, str]] = []
    width = max([len(table.headings), *(number + 1 for number in unnamed)])
    for number in range(width):
        name = table.headings[number] if number < len(table.headings) else ""
        if not fold_name(name):
            name = f"Column {column_letters(number)}" if number in unnamed else ""
        folded, count = fold_name(name), 1
        while folded and folded in names:
            count += 1
            folded = fold_name(f"{name} {count}")
        if folded:
            names[folded] = name if count == 1 else f"{name} ({count})"
        columns.append((folded, names.get(folded, "")))
    return columns


def _unnamed_in_use(table: Table) -> frozenset[int]:
    """Return the columns without a heading that most early rows fill."""
    headings = table.headings
    is_sheet = table.kind == "Excel"  # In delimited texts surplus cells come from unquoted texts.
    if not is_sheet and all(map(fold_name, headings)):
        return frozenset()
    early = [
        cells
        for _, cells in itertools.islice(table.rows(), _EARLY)
        if not isinstance(cells, BrokenRow)
    ]
    filled = Counter(
        number
        for cells in early
        for number, cell in enumerate(cells)
        if not is_blank(cell)
        and (not fold_name(headings[number]) if number < len(headings) else is_sheet)
    )
    return frozenset(number for number, times in filled.items() if times > len(early) / 2)


class Rows(ABC):
    """Rows of a file, read as fields by a format."""

    heading_row = 0

    def __init__(self, format_: Format) -> None:
        self.format = format_
        # Date fields with several columns.
        self._dates = [name for name in _DATES if len(format_.columns.get(name, ())) > 1]

    @abstractmethod
    def profile(self, required: Collection[str] = ()) -> Profile:
        """Profile the columns, in rows that fill at least one of the `required` columns."""

    @abstractmethod
    def __iter__(self) -> Iterator[FieldRow]: ...

    @abstractmethod
    def provided_fields(self) -> set[str]: ...

    @abstractmethod
    def values(self, *fields: str) -> Iterator[Any]:
        """Yield the unchanged values of these fields in all rows."""

    def first_rows(self) -> list[tuple[int, list[str]]]:
        """Numbers and cells of the first rows of a table, without contact data."""
        return []

    def exportable_cells(self, cells: list[Any]) -> tuple[str, ...]:
        """Cells for errors.csv: only columns that are read, without contact data."""
        return ()

    def _fields(self, flat: Mapping[str, Any]) -> Fields:
        format_ = self.format
        fields: Fields = {name: first_value(flat, names) for name, names in format_.columns.items()}
        for name in self._dates:
            if is_relative(fields[name]):  # A further column may have the absolute date.
                dates = (flat.get(one) for one in format_.columns[name])
                known = (date for date in dates if not (is_blank(date) or is_relative(date)))
                fields[name] = next(known, fields[name])
        for name in format_.joined:
            values = (flat.get(one) for one in format_.columns[name])
            texts = [_cell_text(one) for one in values if not isinstance(one, list | dict)]
            if len(filled := [*filter(None, texts)]) > 1:
                fields[name] = "\n\n".join(filled)
        for name in format_.every:
            fields[name] = [flat[one] for one in format_.columns[name] if one in flat]
        return fields


class TableRows(Rows):
    """Rows of a table, read as fields."""

    def __init__(self, table: Table, format_: Format) -> None:
        super().__init__(format_)
        columns = column_names(table)
        self.names = {folded: name for folded, name in columns if folded}
        self.heading_row = table.heading_row
        self._table = table
        self._folded = [folded for folded, _ in columns]
        self._index = {name: number for number, name in enumerate(self._folded) if name}
        headed = [n for n, name in enumerate(table.headings, start=1) if fold_name(name)]
        self._width = max(headed, default=0)
        self._unnamed = [number for number, name in enumerate(self._folded) if not name]

    def _numbers(self, *fields: str) -> list[int]:
        """Numbers of the columns of some fields."""
        names = (name for field in fields for name in self.format.columns.get(field, ()))
        return [self._index[name] for name in names if name in self._index]

    def provided_fields(self) -> set[str]:
        return {name for name in self.format.columns if self._numbers(name)}

    def profile(self, required: Collection[str] = ()) -> Profile:
        profile = Profile({k: v for k, v in self.names.items() if k not in _ADDED})
        columns = [(self._index[folded], column) for folded, column in profile.columns.items()]
        needed = [self._index[name] for name in required]
        for _, cells in self._table.rows():
            if isinstance(cells, BrokenRow):
                continue
            cells.extend([None] * (len(self._folded) - len(cells)))
            if needed and all(_is_nothing(cells[one]) for one in needed):
                continue
            profile.rows += 1
            for index, column in columns:
                cell = cells[index]
                if cell is None or cell == "":
                    continue
                if not _is_nothing(cell := _unguarded(cell)):
                    column.add(cell)
        return profile

    def first_rows(self) -> list[tuple[int, list[str]]]:
        shown = []
        for number, cells in self._table.first_rows():
            if not isinstance(cells, BrokenRow):
                names = [] if number == self.heading_row else self._folded[: len(cells)]
                named = itertools.zip_longest(names, cells, fillvalue="")
                shown.append((number, [*itertools.starmap(sample_cell, named)]))
        return shown

    def __iter__(self) -> Iterator[FieldRow]:
        width, total, unnamed = self._width, len(self._folded), self._unnamed
        clean = _unguarded if self.format.is_literal else _clean
        headings = self._table.headings[:width]
        first = headings[:1]
        for number, cells in self._table.rows():
            if isinstance(cells, BrokenRow):
                yield number, _error(number, cells), []
                continue
            count = len(cells)
            if cells[:1] == first and cells[:width] == headings:
                yield number, skipped("headings_repeated", row=number), []
            elif count < width:
                is_open = any(isinstance(cell, str) and "\n" in cell for cell in cells)
                key = "row_too_short-quote" if is_open else "row_too_short"
                broken = broken_row(key, count=count, width=width)
                yield number, self._shifted(number, broken, cells), cells
            elif (count > total or unnamed) and (stray := self._stray(cells)) is not None:
                is_sheet = self._table.kind == "Excel"
                key = "row_too_long" if is_sheet else "row_too_long-delimiter"
                broken = broken_row(key, row=number, letters=column_letters(stray))
                yield number, self._shifted(number, broken, cells), cells
            else:
                flat = dict(zip(self._folded, map(clean, cells), strict=False))
                yield number, self._fields(flat), cells

    def _stray(self, cells: list[Any]) -> int | None:
        """Return the first column without a heading that the row fills."""
        places = itertools.chain(self._unnamed, range(len(self._folded), len(cells)))
        return next((n for n in places if n < len(cells) and not is_blank(cells[n])), None)

    def _shifted(self, number: int, broken: BrokenRow, cells: list[Any]) -> RowError:
        """Build the error of a row whose cells may be shifted."""
        texts = [*map(_cell_text, cells)]
        named = itertools.zip_longest(self._folded[: len(texts)], texts, fillvalue="")
        return _error(
            number,
            broken,
            tuple(
                "" if is_private_heading(name) or is_contact(one) else one for name, one in named
            ),
        )

    def exportable_cells(self, cells: list[Any]) -> tuple[str, ...]:
        texts = map(_cell_text, cells[: max(len(self._folded), 1)])
        read, free_text = {*self._numbers(*self.format.columns)}, {*self._numbers(*TEXT_FIELDS)}
        return tuple(
            text if number in read and (number in free_text or not is_contact(text)) else ""
            for number, text in enumerate(texts)
        )

    def values(self, *fields: str) -> Iterator[Any]:
        numbers = self._numbers(*fields)
        for _, cells in self._table.rows():
            if not isinstance(cells, BrokenRow):
                yield from (_unguarded(cells[n]) for n in numbers if n < len(cells))


class ItemRows(Rows):
    """Items of JSON, read as fields."""

    def __init__(self, items: Callable[[], Iterator[Any]], format_: Format) -> None:
        super().__init__(format_)
        self._items = items

    def profile(self, required: Collection[str] = ()) -> Profile:
        """Profile the members; all members of a list share the path of the first one."""
        profile = Profile()
        names: dict[str, str] = {}  # Folded path -> path; empty for a duplicate in a wrapping.
        for item in filter(_is_object, self._items()):
            flat = flatten(item)
            if required and all(is_blank(flat.get(name)) for name in required):
                continue
            profile.rows += 1
            if not flat.keys() <= names.keys():
                paths = path_names(item)
                names = {name: paths.get(name, "") for name in flat} | names
            for folded, value in flat.items():
                if (name := names[folded]) and _is_plain(value):
                    profile.column(fold_name(name), name).add(value)
        return profile

    def provided_fields(self) -> set[str]:
        return set(self.format.columns)

    def __iter__(self) -> Iterator[FieldRow]:
        is_literal = self.format.is_literal
        for number, item in enumerate(self._items(), start=1):
            if isinstance(item, dict):
                flat = flatten(item)
                if not is_literal:
                    flat = {name: _clean(value, frozenset()) for name, value in flat.items()}
                yield number, self._fields(flat), []
            elif isinstance(item, BrokenRow):
                yield number, _error(number, item), []
            else:
                yield number, skipped("not_a_review", row=number), []

    def values(self, *fields: str) -> Iterator[Any]:
        names = [self.format.columns.get(name, ()) for name in fields]
        for item in filter(_is_object, self._items()):
            flat = flatten(item)
            yield from (first_value(flat, one) for one in names)


def _is_plain(value: Any) -> bool:
    """Whether a member has a value of its own; a date may be an object of its parts."""
    if isinstance(value, dict):
        return value.keys() >= {"year", "month", "day"}
    return not isinstance(value, list) and not _is_nothing(value)


def _is_object(item: Any) -> bool:
    return isinstance(item, dict)
