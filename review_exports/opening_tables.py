"""Tables as exports, recognised by their headings."""

import datetime as dt
import functools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from review_exports import formats
from review_exports.export import Export
from review_exports.formats import generic
from review_exports.formats.base import (
    RATING_FIELDS,
    Format,
    fold_name,
    fold_names,
    is_blank,
)
from review_exports.limits import LimitExceeded
from review_exports.opening_json import open_items
from review_exports.options import (
    ReadOptions,
    apply_column_mapping,
    forced_format,
    mapped_columns,
)
from review_exports.parts import part_in_words
from review_exports.publication_names import meaning_of
from review_exports.readers import json_text
from review_exports.readers.json_stream import bounded
from review_exports.readers.tables import BrokenRow, Table, column_letters
from review_exports.readers.workbook import Workbook
from review_exports.records import (
    ColumnsNotRecognised,
    FileRefused,
    NeedsInput,
    ReadWarning,
)
from review_exports.rows import TableRows, column_cells, heading_signature, is_of_use
from review_exports.screening import Screening, outer_names
from review_exports.values import shown
from review_exports.values.people import public_names

_TITLES_LENGTH = 2_000  # Characters that are looked at for "page 1 of 62".
_TITLES_MAX = 10  # Rows above the headings: a title, when the file was made, for whom.
# Columns in which places have all of their reviews, and how such a cell begins.
_HOLD_REVIEWS = frozenset(
    fold_names("user_reviews,user_reviews_extended,reviews_data,reviews,reviews_list,all_reviews")
)
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
# A number, a day or a moment in digits.
_DATA = re.compile(r"[0-9][0-9.,:/ TZ+-]*")
# An object that a program printed into a cell.
_OBJECT = re.compile(r"""\[?\{\s*["']""")
# A program numbers the reviews of one place where a table has no other way to hold them.
_SPREAD = re.compile(r"[/._\[][1-9][0-9]*[/._\]]")
_SPREAD_MIN = 5


def open_table(table: Table, options: ReadOptions) -> Export:
    """The table by the chosen row of headings, or by the first row that has some."""
    if options.heading_row is not None:
        return _open_by_headings(table.with_headings_in(options.heading_row), options)
    if export := _open_places(table, options):
        return export
    if options.columns:
        return _open_by_headings(_with_headings_named(table, options.columns), options)
    try:
        return _open_by_headings(table, options)
    except ColumnsNotRecognised:
        if export := _open_below_titles(table, options):
            return export
        # A person is shown the row that looks most like headings.
        return _open_by_headings(table.with_headings_in(_widest_row(table)), options)


def _with_headings_named(table: Table, names: Iterable[str]) -> Table:
    """The table by the first row that has these names, which may stand below a title."""
    wanted = set(map(fold_name, names))
    for number, cells in table.first_rows():
        if not isinstance(cells, BrokenRow) and wanted <= {fold_name(str(cell)) for cell in cells}:
            return table.with_headings_in(number)
    return table


def _widest_row(table: Table) -> int:
    """The first early row that may be headings; 0 where none is."""
    rows = [row for row in table.first_rows() if not isinstance(row[1], BrokenRow)]
    counts = {number: sum(not is_blank(cell) for cell in cells) for number, cells in rows}
    names = [number for number, cells in rows if not any(map(_is_data, cells))]
    widest = max(names, key=counts.__getitem__, default=0)
    # A title is not as wide as the rows below it.
    return widest if widest and 2 * counts[widest] >= max(counts.values()) else 0


def _is_data(cell: Any) -> bool:
    """Whether a cell holds a number or a day, which no heading is."""
    return isinstance(cell, int | float | dt.date) or (
        isinstance(cell, str) and _DATA.fullmatch(cell.strip()) is not None
    )


def _open_places(table: Table, options: ReadOptions) -> Export | None:
    """The reviews of a table of places, each of which has its own as JSON in a cell."""
    numbers = [
        number
        for number, heading in enumerate(table.headings)
        if fold_name(heading) in _HOLD_REVIEWS
    ]
    items = functools.partial(_items_in_cells, table, numbers)
    if not numbers or options.columns or next(items(), None) is None:
        return None
    if options.format is None and any(
        fold_name(table.headings[number]).startswith("userreviews") for number in numbers
    ):
        options = replace(options, format="gosom")
    export = open_items(items, table.encoding, options)
    names = ", ".join(shown(table.headings[number]) for number in numbers)
    export.warnings.append(
        ReadWarning(
            code="reviews_in_cells",
            message=f"Each row of this table is a place; its reviews stand as JSON in {names} and "
            "are read from there, counted from 1. If some are missing, export JSON instead.",
        )
    )
    return export


def _items_in_cells(table: Table, numbers: Sequence[int]) -> Iterator[Any]:
    """The objects in lists of JSON in these columns; a `BrokenRow` for a cell that is none."""
    for row, cells in table.rows():
        if isinstance(cells, BrokenRow):
            yield cells._replace(message=f"{cells.message} Or export JSON instead.")
            continue
        for number in numbers:
            cell = cells[number] if number < len(cells) else None
            if not isinstance(cell, str) or not _LIST_OF_OBJECTS.match(cell):
                continue
            try:
                yield from json_text.items_of(bounded(json.loads(cell)))
            except (ValueError, RecursionError):
                yield BrokenRow(
                    "json_invalid",
                    f"The JSON in row {row}, column {column_letters(number)} cannot be read; a "
                    "spreadsheet may have cut it off. Export JSON instead.",
                )


def _open_below_titles(table: Table, options: ReadOptions) -> Export | None:
    titles = [*table.headings]
    for above in range(1, _TITLES_MAX + 1):
        try:
            lower = table.below(above)
            export = _open_by_headings(lower, options)
        except ColumnsNotRecognised:
            titles += lower.headings
            continue
        except (NeedsInput, LimitExceeded):
            raise
        except FileRefused:
            return None  # The table has ended.
        export.part = part_in_words(" ".join(titles)[:_TITLES_LENGTH])
        export.warnings.append(
            ReadWarning(
                code="rows_above_headings",
                message=f"The headings stand in row {lower.heading_row}; what stands above them is "
                "left out.",
            )
        )
        return export
    return None


def _open_by_headings(table: Table, options: ReadOptions) -> Export:
    mapped = mapped_columns(options.columns, table.headings)
    format_ = _format_of(table, mapped, options)
    rows = TableRows(table, format_)
    shared: list[ReadWarning] = []
    numbers = {fold_name(name): [n] for n, name in reversed(list(enumerate(table.headings)))}

    def column(name: str) -> Iterator[Any]:
        return column_cells(table, numbers.get(name, ()))

    is_guessed = format_.name == generic.TABLE.name
    if is_guessed:
        format_, shared = generic.drop_shared_columns(format_, rows.values, mapped=mapped)
        format_, names_shared = generic.drop_shared_names(format_, column, mapped=mapped)
        shared += names_shared
        rows = TableRows(table, format_)
    if not rows.has("date") or not any(map(rows.has, RATING_FIELDS)):
        raise ColumnsNotRecognised(
            _not_recognised(table, rows),
            columns=table.headings,
            mapping=rows.mapping(),
            sample_rows=rows.samples(),
            signature=heading_signature(table.headings),
            heading_row=table.heading_row,
            first_rows=rows.first_rows(),
        )
    names = outer_names(table.headings)
    _refuse_second_permission(table.headings, mapped)
    screening = Screening(
        format_,
        names=names,
        outer=names,
        mapped=mapped,
        options=options,
        values=column,
    )
    format_ = screening.format
    rows = TableRows(table, format_)
    mapping = screening.meanings | rows.mapping()
    warnings = [
        *shared,
        *_objects_in_cells(table.headings, rows, format_),
        *_without_heading(rows),
    ]
    warnings += format_.warnings
    if is_guessed and not mapped:
        warnings += generic.unread_warnings(table.headings, format_)
    return Export(
        format_,
        rows,
        options=options,
        encoding=table.encoding,
        kind=table.kind,
        columns=table.headings,
        mapping=mapping,
        warnings=warnings,
        screening=screening,
    )


def _refuse_second_permission(headings: list[str], mapped: Mapping[str, str | None]) -> None:
    """Refuse two columns of one name about the permission to publish."""
    counts = Counter(filter(None, map(fold_name, headings)))
    for name, count in counts.items():
        if count > 1 and name not in mapped and meaning_of(name):
            heading = next(one for one in headings if fold_name(one) == name)
            raise FileRefused(
                "columns_of_one_name",
                f"{count} columns are called {shown(heading)}, and may say differently whether a "
                "review is published. Rename them in the file, or remove those that do not count.",
            )


def _format_of(table: Table, mapped: Mapping[str, str | None], options: ReadOptions) -> Format:
    """The format that was asked for, or else shows in the headings, with the columns `mapped`."""
    headings = table.headings
    format_ = forced_format(options, *formats.BY_SIGNATURE, generic.TABLE)
    format_ = format_ or formats.recognise(set(map(fold_name, headings)) - {""})
    if format_ is None or format_ is generic.TABLE:
        format_ = generic.of_table(headings, mapped, functools.partial(is_of_use, table))
    format_ = apply_column_mapping(format_, mapped)
    if best_rating := generic.best_rating_in(headings, format_):
        format_ = replace(format_, best_rating=best_rating)
    return format_


def _not_recognised(table: Table, rows: TableRows) -> str:
    headings = table.headings
    if sum(map(bool, map(_SPREAD.search, headings))) >= _SPREAD_MIN:
        return (
            "Each review is spread over columns of its own here, like reviews/0/text and "
            "reviews/1/text. Export the reviews as JSON and import that."
        )
    missing = [name for name in ("rating", "date") if not rows.has(name)]
    # Where headings are lacking, a row of somebody's data stands in their place.
    among = f" among these: {names}" if (names := public_names(headings)) else ""
    numbered = "" if table.heading_row else "There seems to be no row of headings. "
    return (
        f"{numbered}No column for {' and '.join(missing)} was recognised{among}. "
        "Say which column is which, and which row holds the headings if it is another one; or put "
        "the sheet with the reviews first."
    )


def _objects_in_cells(
    headings: list[str], rows: TableRows, format_: Format
) -> Iterator[ReadWarning]:
    """Columns in which a program left whole objects, of which the format would read a member."""
    wanted = {name for names in format_.columns.values() for name in names}
    held = [
        shown(heading)
        for heading, *cells in zip(headings, *rows.samples(), strict=False)
        if any(_OBJECT.match(cell) for cell in cells)
        and (folded := fold_name(heading))
        and any(name.startswith(folded) for name in wanted)
    ]
    if held:
        yield ReadWarning(
            code="objects_in_cells",
            message=f"Cells hold objects of a program, which are not read: {', '.join(held)}. "
            "Export the reviews as JSON and import that.",
        )


def _without_heading(rows: TableRows) -> Iterator[ReadWarning]:
    """Columns in use that are not read, for nothing says what they are."""
    if rows.unnamed:
        letters = ", ".join(map(column_letters, rows.unnamed))
        yield ReadWarning(
            code="columns_without_heading",
            message=f"Columns without a heading are not read: {letters}. Give them a heading if "
            "they belong to the reviews.",
        )


def open_workbook(book: Workbook, options: ReadOptions) -> Export:
    """The first sheet that holds reviews, with a warning that names further ones."""
    export: Export | None = None
    names: list[str] = []
    refusals: list[FileRefused] = []
    for sheet in book.sheets():
        try:
            opened = open_table(sheet, options)
        except NeedsInput:
            if export is None:
                raise
        except LimitExceeded:
            raise
        except FileRefused as refusal:
            refusals.append(refusal)
            continue
        else:
            export = export or opened
        names.append(shown(sheet.name))
    if export is None:
        empty = FileRefused("empty_file", "The workbook is empty. Export the reviews again.")
        raise next(iter(refusals), empty)
    if names[1:]:
        export.warnings.append(
            ReadWarning(
                code="sheets_left_unread",
                message=f"Only the sheet {names[0]} is read. Reviews may be in others, too: "
                f"{', '.join(names[1:])}. Save each of them as a file of its own and import it.",
            )
        )
    return export
