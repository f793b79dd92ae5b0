"""Recognition of tables by their headings."""

import datetime as dt
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from review_exports import formats
from review_exports.export import Export
from review_exports.formats import generic
from review_exports.formats.base import fold_name, fold_names, is_blank
from review_exports.interpretation import Interpretation, interpret
from review_exports.limits import LimitExceeded
from review_exports.options import ReadOptions, forced_format
from review_exports.readers import json_documents, json_items
from review_exports.readers.tables import BrokenRow, Table, broken_row, column_letters
from review_exports.readers.workbook import Workbook
from review_exports.recognition_json import open_items
from review_exports.records import FileRefused, file_refused, warning
from review_exports.rows import TableRows
from review_exports.shapes import has_essentials
from review_exports.values import shown

_TITLES_MAX = 10  # Rows above the headings, such as a title and a date.
# Columns whose cells hold all reviews of a place as JSON, and the start of such a cell.
_HOLD_REVIEWS = frozenset(
    fold_names("user_reviews,user_reviews_extended,reviews_data,reviews,reviews_list,all_reviews")
)
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
# A number, a day or a moment in digits.
_DATA = re.compile(r"[0-9][0-9.,:/ TZ+-]*")
_COLUMNS_MIN = 2  # A rating and a date.


def open_table(table: Table, options: ReadOptions) -> Export:
    """Open a table by the chosen row of headings, or by the first plausible one."""
    if options.heading_row is not None:
        return _export(table.with_headings_in(options.heading_row), options)
    if export := _open_places(table, options):
        return export
    if options.columns:
        return _export(_with_headings_named(table, options.columns), options)
    confirmed = [
        {fold_name(name) for name in one.columns} for one in options.confirmations.values()
    ]
    for lower in _early_tables(table):
        names = {*map(fold_name, lower.headings)} - {""}
        if names in confirmed or has_essentials(_meaning(lower, options).shape):
            return _export(lower, options, is_below=lower.above > table.above)
    # A person confirms the row that looks most like headings.
    return _export(table.with_headings_in(_widest_row(table)), options)


def _early_tables(table: Table) -> Iterator[Table]:
    """Yield the table with its headings in each of the first rows."""
    yield table
    for above in range(1, _TITLES_MAX + 1):
        try:
            yield table.with_heading_below(table.above + above)
        except LimitExceeded:
            raise
        except FileRefused:
            return  # The table has ended.


def _with_headings_named(table: Table, names: Iterable[str]) -> Table:
    """Return the table with the first row of these names as headings."""
    wanted = set(map(fold_name, names))
    for number, cells in table.first_rows():
        if not isinstance(cells, BrokenRow) and wanted <= {fold_name(str(cell)) for cell in cells}:
            return table.with_headings_in(number)
    return table


def _widest_row(table: Table) -> int:
    """Return the number of the widest early row without data; 0 if there is none."""
    rows = [row for row in table.first_rows() if not isinstance(row[1], BrokenRow)]
    counts = {number: sum(not is_blank(cell) for cell in cells) for number, cells in rows}
    names = [number for number, cells in rows if not any(map(_is_data, cells))]
    widest = max(names, key=counts.__getitem__, default=0)
    # A title is not as wide as the rows below it.
    return widest if widest and 2 * counts[widest] >= max(counts.values()) else 0


def _is_data(cell: Any) -> bool:
    """Whether a cell holds a number or a date, which headings never do."""
    return isinstance(cell, int | float | dt.date) or (
        isinstance(cell, str) and _DATA.fullmatch(cell.strip()) is not None
    )


def _open_places(table: Table, options: ReadOptions) -> Export | None:
    """Open a table of places whose reviews are JSON in cells; None for other tables."""
    folded = [*map(fold_name, table.headings)]
    numbers = [number for number, name in enumerate(folded) if name in _HOLD_REVIEWS]
    items = functools.partial(_items_in_cells, table, numbers)
    if not numbers or options.columns or next(items(), None) is None:
        return None
    if options.format is None and any(folded[n].startswith("userreviews") for n in numbers):
        options = replace(options, format="gosom")
    export = open_items(items, table.encoding, options)
    names = ", ".join(shown(table.headings[number]) for number in numbers)
    export.warnings.append(warning("reviews_in_cells", names=names))
    return export


def _items_in_cells(table: Table, numbers: Sequence[int]) -> Iterator[Any]:
    """Yield the objects of the JSON lists in these columns, or a `BrokenRow` for bad JSON."""
    for row, cells in table.rows():
        if isinstance(cells, BrokenRow):
            yield cells._replace(message=f"{cells.message} Or export JSON instead.")
            continue
        for number in numbers:
            cell = cells[number] if number < len(cells) else None
            if not isinstance(cell, str) or not _LIST_OF_OBJECTS.match(cell):
                continue
            try:
                yield from json_items.items_of(json_documents.decode(cell))
            except (ValueError, RecursionError):
                yield broken_row("json_invalid-cell", row=row, column=column_letters(number))


def _export(table: Table, options: ReadOptions, *, is_below: bool = False) -> Export:
    meaning = _meaning(table, options)
    if any("{" in heading for heading in table.headings):
        raise file_refused("file_is_program")
    columns = meaning.shape.columns
    if len(columns) < _COLUMNS_MIN and not has_essentials(meaning.shape):
        raise file_refused("columns_not_recognised")
    above = [warning("rows_above_headings", row=table.heading_row)] if is_below else []
    return Export(
        meaning, options=options, encoding=table.encoding, kind=table.kind, warnings=above
    )


def _meaning(table: Table, options: ReadOptions) -> Interpretation:
    format_ = forced_format(options, *formats.BY_SIGNATURE, generic.TABLE)
    format_ = format_ or formats.recognise(set(map(fold_name, table.headings)) - {""})
    return interpret(
        format_ or generic.TABLE,
        lambda format_: TableRows(table, format_),
        options,
        is_shipped=format_ is not None and format_ is not generic.TABLE,
        is_numbered=not table.heading_row,
    )


def open_workbook(book: Workbook, options: ReadOptions) -> Export:
    """Open the first sheet that holds reviews; a warning names further ones."""
    opened: list[tuple[str, Export]] = []
    refusals: list[FileRefused] = []
    for sheet in book.sheets():
        try:
            opened.append((shown(sheet.name), open_table(sheet, options)))
        except LimitExceeded:
            raise
        except FileRefused as refusal:
            refusals.append(refusal)
    if not opened:
        raise next(iter(refusals), file_refused("empty_file-workbook"))
    # A sheet that needs answers counts only if no other sheet is recognised.
    known = [one for one in opened if has_essentials(one[1].shape)]
    (name, export), *others = known or opened[:1]
    if others:
        names = ", ".join(other for other, _ in others)
        export.warnings.append(warning("sheets_left_unread", name=name, others=names))
    return export
