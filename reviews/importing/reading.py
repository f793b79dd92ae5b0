"""Pure: the one entry to reading an export. Bytes in; records, row errors and skipped rows out."""

import functools
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from reviews.importing import formats
from reviews.importing.containers import json_text
from reviews.importing.containers.archives import Archive, refuse_documents
from reviews.importing.containers.delimited import Delimited
from reviews.importing.containers.json_stream import LongList
from reviews.importing.containers.tables import Table
from reviews.importing.containers.workbook import Workbook, is_workbook
from reviews.importing.decoding import (
    Encoding,
    find_encoding,
    first_character,
    is_zip,
    open_text,
)
from reviews.importing.export import Export, ReadOptions
from reviews.importing.formats import generic, google, own, schema_org
from reviews.importing.formats.base import Format, flatten, fold_name
from reviews.importing.records import (
    AnswerNeeded,
    ColumnsNotRecognised,
    FileRefused,
    ReadWarning,
)
from reviews.importing.rows import (
    ItemRows,
    TableRows,
    asked_columns,
    heading_signature,
    with_asked,
)
from reviews.importing.takeout import is_maps_trap, maps_refusal, open_takeout
from reviews.importing.values.contacts import is_contact, is_phone
from reviews.importing.values.refusals import shown

__all__ = ["FORMATS", "Export", "KnownFormat", "ReadOptions", "open_export"]


@dataclass(frozen=True)
class KnownFormat:
    name: str
    label: str


# The choices that overrule recognition.
FORMATS: tuple[KnownFormat, ...] = tuple(
    KnownFormat(format_.name, format_.label)
    for format_ in (*formats.BY_SIGNATURE, *formats.BY_CONTAINER)
)


def open_export(file: BinaryIO, *, file_name: str = "", options: ReadOptions) -> Export:
    """Recognise the file by its content and stand ready to read it; raises `FileRefused`.

    `file` must be seekable and stay open while the export is iterated. `file_name` only ever
    breaks a tie between delimiters.
    """
    if options.format is not None and options.format not in {known.name for known in FORMATS}:
        names = ", ".join(sorted(known.name for known in FORMATS))
        raise FileRefused(
            "format_unknown",
            f"There is no format {shown(options.format)!r}. Use one of: {names}.",
        )
    if is_zip(file):
        archive = Archive(file)
        if is_workbook(archive):
            return _open_workbook(Workbook(file, archive), options)
        refuse_documents(archive)
        _chosen(options, (), (google.TAKEOUT_ZIP,))
        return open_takeout(archive, options)
    encoding = find_encoding(file)
    first = first_character(file, encoding)
    if first in "{[":
        return _open_json(file, encoding, options)
    if first == "<":
        return _open_page(file, encoding, options)
    return _open_table(Delimited(file, encoding, name_hint=file_name), encoding, options)


# --- Tables -----------------------------------------------------------------------------------


def _open_table(table: Table, encoding: Encoding | None, options: ReadOptions) -> Export:
    """The table by the headings of its first row, or by the first row that has some."""
    try:
        return _open_by_headings(table, encoding, options)
    except ColumnsNotRecognised as refusal:
        if options.columns:
            raise
        for above in range(1, _TITLES_MAX + 1):
            try:
                lower = table.below(above)
                export = _open_by_headings(lower, encoding, options)
            except ColumnsNotRecognised:
                continue
            except AnswerNeeded:
                raise
            except FileRefused:
                raise refusal from None
            export.warnings.append(
                ReadWarning(
                    code="rows_above_headings",
                    message=f"The headings stand in row {lower.heading_row}; what stands above "
                    "them is left out.",
                )
            )
            return export
        raise


def _open_by_headings(table: Table, encoding: Encoding | None, options: ReadOptions) -> Export:
    folded = [fold_name(heading) for heading in table.headings]
    names = set(folded) - {""}
    format_ = _chosen(options, formats.BY_SIGNATURE, (generic.TABLE,)) or formats.recognise(names)
    asked = asked_columns(options.columns, table.headings)
    if format_ is None or format_ is generic.TABLE:
        format_ = generic.of_table(table.headings, asked)
    format_ = with_asked(format_, asked)
    if best_rating := generic.best_rating_in(table.headings, format_):
        format_ = replace(format_, best_rating=best_rating)
    rows = TableRows(table, folded, format_)
    shared: list[ReadWarning] = []
    is_guessed = format_.name == generic.TABLE.name and not asked
    if is_guessed:
        format_, shared = generic.told_apart(format_, rows.values)
        rows = TableRows(table, folded, format_)
    if not rows.has("date") or not any(rows.has(name) for name in _RATING_FIELDS):
        raise ColumnsNotRecognised(
            _not_recognised(table.headings, rows),
            columns=table.headings,
            mapping=rows.mapping(),
            sample_rows=rows.samples(),
            signature=heading_signature(table.headings),
        )
    warnings = [
        *_encoding_warnings(encoding),
        *shared,
        *_objects_in_cells(table.headings, rows, format_),
    ]
    if is_guessed:
        warnings += generic.left_unread(table.headings, format_)
    return Export(
        format_,
        rows,
        options=options,
        encoding=table.encoding,
        kind=table.kind,
        columns=table.headings,
        mapping=rows.mapping(),
        warnings=warnings,
        shows_guess=encoding is not None and encoding.is_guess,
    )


_OBJECT = re.compile(r"""\[?\{\s*["']""")


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


def _open_workbook(book: Workbook, options: ReadOptions) -> Export:
    """The first sheet that holds reviews; others that do are told, lest they are thought read."""
    export: Export | None = None
    names: list[str] = []
    refusals: list[FileRefused] = []
    for sheet in book.sheets():
        try:
            opened = _open_table(sheet, None, options)
        except AnswerNeeded:
            if export is None:
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


# A program numbers the reviews of one place where a table has no other way to hold them.
_SPREAD = re.compile(r"[/._\[][1-9][0-9]*[/._\]]")
_SPREAD_MIN = 5
_TITLES_MAX = 10  # Rows above the headings: a title, when the file was made, for whom.
# Some formats make the rating from others.
_RATING_FIELDS = ("rating", "_stars", "_recommendation")


def _not_recognised(headings: list[str], rows: TableRows) -> str:
    if sum(map(bool, map(_SPREAD.search, headings))) >= _SPREAD_MIN:
        return (
            "Each review is spread over columns of its own here, like reviews/0/text and "
            "reviews/1/text. Export the reviews as JSON and import that."
        )
    missing = [name for name in ("rating", "date") if not rows.has(name)]
    # Where headings are lacking, a row of somebody's data stands in their place.
    public = (one for one in headings[:12] if one and not (is_contact(one) or is_phone(one)))
    among = f" among these: {', '.join(names)}" if (names := [*map(shown, public)]) else ""
    return (
        f"No column for {' and '.join(missing)} was recognised{among}. "
        "Say which column is which. If these are not headings, add a row of headings, like Date, "
        "Name, Stars, Text, on top; or put the sheet that has them first."
    )


# --- JSON -------------------------------------------------------------------------------------


def _open_json(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> Export:
    if json_text.is_lines(file, encoding):
        return _open_lines(file, encoding, options)
    open_document = functools.partial(open_text, file, encoding)
    try:
        document = json_text.load(open_document)
    except FileRefused:
        if json_text.is_lines_with_broken_first(file, encoding):
            return _open_lines(file, encoding, options)
        raise
    if is_maps_trap(document):
        raise maps_refusal()
    wants_json_ld = options.format == schema_org.SCHEMA_ORG.name
    start = document.head if isinstance(document, LongList) else document
    if wants_json_ld or (options.format is None and schema_org.is_json_ld(start)):
        return _open_json_ld([json_text.load_whole(open_document)], encoding, options)

    def export_of(part: Any) -> Export:
        items = functools.partial(json_text.items_of, part)
        format_ = _recognise_items(
            [*itertools.islice(items(), _LOOKED_AT)],
            options,
            is_lines=False,
            is_empty=json_text.is_empty_list(document),
            error=json_text.error_told(document),
        )
        return _export_of_items(format_, items, encoding, options, document=document)

    try:
        return export_of(document)
    except FileRefused:
        if (rest := json_text.only_list(document)) is None:
            raise
        return export_of(rest)


def _open_lines(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> Export:
    items = functools.partial(json_text.line_items, file, encoding)
    format_ = _recognise_items(
        [*itertools.islice(items(), _LOOKED_AT)], options, is_lines=True, is_empty=False
    )
    return _export_of_items(format_, items, encoding, options)


def _export_of_items(
    format_: Format,
    items: Callable[[], Iterator[Any]],
    encoding: Encoding,
    options: ReadOptions,
    *,
    document: Any = None,
    is_flat: bool = False,
) -> Export:
    warnings = _encoding_warnings(encoding)
    rows = ItemRows(items, format_, is_flat=is_flat)
    if format_.warn is not None:
        warnings += format_.warn(document)
    if format_.name in _ANY_OBJECTS and not format_.is_literal and not options.columns:
        format_, shared = generic.told_apart(format_, rows.values)
        rows = ItemRows(items, format_, is_flat=is_flat)
        objects = (item for item in itertools.islice(items(), _LOOKED_AT) if isinstance(item, dict))
        members = [*dict.fromkeys(itertools.chain.from_iterable(objects))]
        warnings += [*shared, *generic.left_unread(members, format_)]
    return Export(
        format_,
        rows,
        options=options,
        encoding=encoding.name,
        kind="" if "JSON" in format_.label or "json" in format_.label else "JSON",
        warnings=warnings,
        shows_guess=encoding.is_guess,
    )


_ANY_OBJECTS = frozenset({generic.OBJECTS.name, generic.LINES.name})
_LOOKED_AT = 50  # Items that show which members the objects have.


def _recognise_items(
    items: list[Any], options: ReadOptions, *, is_lines: bool, is_empty: bool, error: str = ""
) -> Format:
    objects = [item for item in items if isinstance(item, dict)]
    names: set[str] = set()
    for item in objects:
        names.update(flatten(item))
    is_own = is_empty or any(own.is_own(item) for item in objects)
    format_ = _chosen(options, formats.BY_SIGNATURE, (own.OWN, own.OWN_LINES))
    if format_ in (own.OWN, own.OWN_LINES):
        format_ = format_ if is_own else None
    elif format_ is None and is_own:
        return own.OWN_LINES if is_lines else own.OWN
    elif format_ is None:
        format_ = formats.recognise(names)
    asked = asked_columns(options.columns, None)
    if format_ is None:
        base = generic.LINES if is_lines else generic.OBJECTS
        format_ = replace(base, columns=generic.match_names(names - asked.keys(), of_objects=True))
    format_ = with_asked(format_, asked)
    if "date" not in format_.columns or format_.columns.keys().isdisjoint(_RATING_FIELDS):
        raise _no_reviews(error)
    return format_


def _no_reviews(error: str) -> FileRefused:
    if error:
        message = (
            f'This is no export but the answer of a program that failed: "{shown(error)}". Mend '
            "that and export the reviews again."
        )
    else:
        message = (
            "The file holds nothing that looks like reviews: each needs a rating and a date. "
            "Export the reviews again as CSV, whose columns can be named; or name the members that "
            "hold them with --map of the command import_reviews."
        )
    return FileRefused("no_reviews_found", message)


# --- schema.org -------------------------------------------------------------------------------


def _open_page(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> Export:
    with open_text(file, encoding) as text:
        page = text.read()
    documents, broken = schema_org.documents_of_page(page)
    export = _open_json_ld(documents, encoding, options, page=page)
    if broken:
        export.warnings.append(
            ReadWarning(
                code="script_blocks_broken",
                message=f"JSON-LD blocks of the page that cannot be read, left out: {broken:,}.",
            )
        )
    return export


def _open_json_ld(
    documents: list[Any], encoding: Encoding, options: ReadOptions, *, page: str = ""
) -> Export:
    _chosen(options, (), (schema_org.SCHEMA_ORG,))
    items = list(schema_org.reviews_in(documents))
    if not items:
        raise FileRefused(
            "no_reviews_found",
            schema_org.other_than_reviews(page)
            or "The page or file holds no schema.org reviews. Save the page that shows the reviews "
            "themselves, or export them in another way.",
        )
    format_ = schema_org.SCHEMA_ORG
    return _export_of_items(format_, lambda: iter(items), encoding, options, is_flat=True)


# --- For every kind of file -------------------------------------------------------------------


def _chosen(
    options: ReadOptions, by_signature: tuple[Format, ...], others: tuple[Format, ...]
) -> Format | None:
    """The format that overrules recognition; one that this kind of file cannot have is refused."""
    if options.format is None:
        return None
    for format_ in (*by_signature, *others):
        if format_.name == options.format:
            return format_
    raise FileRefused(
        "format_mismatch",
        f"This file cannot be read as {options.format}: it is another kind of file. Leave the "
        "choice of the format to the importer.",
    )


def _encoding_warnings(encoding: Encoding | None) -> list[ReadWarning]:
    if encoding is not None and encoding.is_cut_off:
        return [
            ReadWarning(
                code="file_cut_off",
                message="The file ends in the middle of a character; its last review may be cut "
                "off. Export it again.",
            )
        ]
    return []
