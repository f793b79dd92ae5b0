"""Pure: the one entry to reading an export. Bytes in; records, row errors and skipped rows out."""

import datetime as dt
import hashlib
import itertools
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, cast
from zoneinfo import ZoneInfo

from reviews.importing import formats
from reviews.importing.containers import json_text
from reviews.importing.containers.archives import Archive
from reviews.importing.containers.delimited import Delimited
from reviews.importing.containers.tables import BrokenRow, Table, sample_cell
from reviews.importing.containers.workbook import Workbook, is_workbook
from reviews.importing.decoding import (
    Encoding,
    find_encoding,
    first_character,
    is_zip,
    open_text,
)
from reviews.importing.formats import generic, google, own, schema_org
from reviews.importing.formats.base import (
    FIELDS,
    Fields,
    Format,
    RowSkipped,
    first_value,
    flatten,
    fold_name,
)
from reviews.importing.normalising import Normaliser
from reviews.importing.records import (
    ColumnsNotRecognised,
    DateOrderAmbiguous,
    FileRefused,
    ReadWarning,
    Record,
    RowError,
    Skipped,
)
from reviews.importing.values import (
    DateOrder,
    ValueRefused,
    is_contact,
    shown,
    slash_order,
    slug,
    unguard_cell,
)

Outcome = Record | RowError | Skipped

_EARLY = 100  # Rows looked at before the first record is asked for.
_SAMPLES = 3


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """What the business is, and what an administrator decided about this file."""

    time_zone: ZoneInfo
    today: dt.date
    format: str | None = None  # Overrules recognition, by name.
    columns: Mapping[str, str] = field(default_factory=dict)  # Heading -> field.
    date_order: DateOrder | None = None  # The answer for an ambiguous file.
    round_half_up: bool = False  # 4.5 -> 5.
    skip_blank_ratings: bool = False
    source: str | None = None  # For files that do not name one.
    max_rows: int | None = None


@dataclass(frozen=True)
class KnownFormat:
    name: str
    label: str


# The choices that overrule recognition.
FORMATS: tuple[KnownFormat, ...] = tuple(
    KnownFormat(format_.name, format_.label)
    for format_ in (*formats.BY_SIGNATURE, *formats.BY_CONTAINER)
)


def open_export(file: BinaryIO, *, file_name: str = "", options: ReadOptions) -> "Export":
    """Recognise the file by its content and stand ready to read it; raises `FileRefused`.

    `file` must be seekable and stay open while the export is iterated. `file_name` only ever
    breaks a tie between delimiters.
    """
    if options.format is not None and options.format not in {known.name for known in FORMATS}:
        names = ", ".join(known.name for known in FORMATS)
        raise FileRefused("format_unknown", f"There is no format of this name. Known are: {names}.")
    if is_zip(file):
        archive = Archive(file)
        if is_workbook(archive):
            return _open_table(Workbook(file, archive), None, options)
        return _open_takeout(archive, options)
    encoding = find_encoding(file)
    first = first_character(file, encoding)
    if first in "{[":
        return _open_json(file, encoding, options)
    if first == "<":
        return _open_page(file, encoding, options)
    return _open_table(Delimited(file, encoding, name_hint=file_name), encoding, options)


# --- Tables -----------------------------------------------------------------------------------


def _open_table(table: Table, encoding: Encoding | None, options: ReadOptions) -> "Export":
    folded = [fold_name(heading) for heading in table.headings]
    names = set(folded) - {""}
    format_ = _chosen(options, formats.BY_SIGNATURE, (generic.TABLE,)) or formats.recognise(names)
    asked = _asked_columns(options.columns, table.headings)
    if format_ is None or format_ is generic.TABLE:
        format_ = replace(generic.TABLE, columns=generic.match_names(names - asked.keys()))
    format_ = _with_asked(format_, asked)
    rows = _TableRows(table, folded, format_)
    if not rows.has("date") or not any(rows.has(name) for name in _RATING_FIELDS):
        raise ColumnsNotRecognised(
            _not_recognised(table.headings, rows),
            columns=table.headings,
            mapping=rows.mapping(),
            sample_rows=rows.samples(),
            signature=heading_signature(table.headings),
        )
    return Export(
        format_,
        rows,
        options=options,
        encoding=table.encoding,
        kind="Excel" if table.encoding == "xlsx" else "TSV" if table.delimiter == "\t" else "CSV",
        delimiter=table.delimiter,
        columns=table.headings,
        mapping=rows.mapping(),
        warnings=_encoding_warnings(encoding),
        shows_guess=encoding is not None and encoding.is_guess,
    )


# Some formats make the rating from others.
_RATING_FIELDS = ("rating", "_stars", "_recommendation")


def _not_recognised(headings: list[str], rows: "_TableRows") -> str:
    missing = [name for name in ("rating", "date") if not rows.has(name)]
    shown_headings = ", ".join(shown(heading) for heading in headings[:12] if heading)
    return (
        f"No column for {' and '.join(missing)} was recognised among these: {shown_headings}. "
        "Say which column is which, or export the reviews in another way."
    )


def heading_signature(headings: Iterable[str]) -> str:
    """The same for every table with the same headings, by which a mapping is remembered."""
    text = json.dumps([fold_name(heading) for heading in headings])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_NOT_MAPPED = frozenset({"", "-", "ignore"})


def _asked_columns(asked: Mapping[str, str], headings: list[str] | None) -> dict[str, str | None]:
    """Folded name -> field, as the administrator mapped them; None: the column is not read."""
    known = None if headings is None else {fold_name(heading) for heading in headings}
    answer: dict[str, str | None] = {}
    for heading, name in asked.items():
        folded = fold_name(heading)
        if known is not None and folded not in known:
            raise FileRefused(
                "mapping_invalid",
                f"The file has no column {shown(heading)!r}. Its columns are: "
                f"{', '.join(shown(one) for one in (headings or [])[:30])}.",
            )
        if name in _NOT_MAPPED:
            answer[folded] = None
        elif name in FIELDS:
            answer[folded] = name
        else:
            raise FileRefused(
                "mapping_invalid",
                f"There is no field {shown(name)!r} for the column {shown(heading)!r}. Fields are: "
                f"{', '.join(FIELDS)}.",
            )
    return answer


def _with_asked(format_: Format, asked: Mapping[str, str | None]) -> Format:
    """The format with the administrator's mapping in place of its own."""
    if not asked:
        return format_
    columns = {
        name: tuple(one for one in names if one not in asked)
        for name, names in format_.columns.items()
    }
    for folded, name in asked.items():
        if name is not None:
            columns[name] = (folded, *(one for one in columns.get(name, ()) if one in asked))
    return replace(format_, columns=columns)


# Fields whose cells are a customer's or the owner's own words.
_WORDS = frozenset({"text", "title", "owner_reply", "translated_text"})


def _cell_text(cell: Any) -> str:
    """A cell as a CSV has it."""
    if cell is None:
        return ""
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        # A workbook's mere date must not become an instant.
        return cell.date().isoformat()
    # NUL is the one character that a database cannot keep.
    return str(cell).replace("\0", "\ufffd")


class _TableRows:
    """The rows of a table as fields, in the way of one format."""

    def __init__(self, table: Table, folded: list[str], format_: Format) -> None:
        self._table = table
        self._folded = folded
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
            (name, indexes) for name, indexes in self._indexes.items() if len(indexes) > 1
        ]
        read = (number for numbers in self._indexes.values() for number in numbers)
        self._read = frozenset(read)
        self._words = frozenset(number for name in _WORDS for number in self._indexes.get(name, ()))

    def has(self, name: str) -> bool:
        return bool(self._indexes.get(name))

    def mapping(self) -> dict[str, str]:
        return {
            self._table.headings[number]: name
            for name, numbers in self._indexes.items()
            if not name.startswith("_")
            for number in reversed(numbers)
        }

    def carried(self) -> set[str]:
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

    def __iter__(self) -> Iterator[tuple[int, Fields | RowError | Skipped, list[Any]]]:
        names, pick, width = self.fields, self._pick, self._width
        alternatives = self._alternatives
        for number, cells in self._table.rows():
            if isinstance(cells, BrokenRow):
                yield (
                    number,
                    RowError(row=number, field=None, code=cells.code, message=cells.message),
                    [],
                )
                return
            count = len(cells)
            if count < width or (count > width and self._surplus(cells)):
                yield number, self._misaligned(number, cells), cells
                continue
            cells.append(None)
            fields: Fields = dict(zip(names, pick(cells), strict=False))
            for name, indexes in alternatives:
                fields[name] = next(
                    (cells[n] for n in indexes if cells[n] is not None and cells[n] != ""), None
                )
            for name, cell in fields.items():
                if cell.__class__ is str and cell[:1] == "'":
                    fields[name] = unguard_cell(cell)
            yield number, fields, cells

    def _surplus(self, cells: list[Any]) -> bool:
        return any(cell is not None and str(cell).strip() for cell in cells[len(self._folded) :])

    def _misaligned(self, number: int, cells: list[Any]) -> RowError:
        columns, count = self._width, len(cells)
        is_short = count < columns
        sentence = f"The row has {count} cells, the heading {columns} columns. "
        if is_short and any(isinstance(cell, str) and "\n" in cell for cell in cells):
            sentence += "A quotation mark that is not closed may be the cause. "
        return RowError(
            row=number,
            field=None,
            code="row_too_short" if is_short else "row_too_long",
            message=sentence
            + (
                "Add the missing cells."
                if is_short
                else "Put quotation marks around the cell that "
                "holds the delimiter, or remove the surplus cells."
            ),
            cells=self.shareable(cells, is_aligned=False),
        )

    def shareable(self, cells: list[Any], *, is_aligned: bool = True) -> tuple[str, ...]:
        """The cells for errors.csv: of the columns that are read, and without contact data."""
        answer = []
        for number, cell in enumerate(cells[: max(len(self._folded), 1)] if is_aligned else cells):
            text = _cell_text(cell)
            is_words = is_aligned and number in self._words
            is_read = number in self._read or not is_aligned
            answer.append(text if is_read and (is_words or not is_contact(text)) else "")
        return tuple(answer)

    def dates(self) -> Iterator[Any]:
        numbers = [
            number
            for name in ("date", "owner_reply_date")
            for number in self._indexes.get(name, ())
        ]
        for _, cells in self._table.rows():
            if not isinstance(cells, BrokenRow):
                count = len(cells)
                yield from (cells[number] for number in numbers if number < count)


# --- JSON -------------------------------------------------------------------------------------


def _open_json(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> "Export":
    if json_text.is_lines(file, encoding):
        return _open_lines(file, encoding, options)
    try:
        document = json_text.load(file, encoding)
    except FileRefused:
        if json_text.is_lines_with_broken_first(file, encoding):
            return _open_lines(file, encoding, options)
        raise
    if _is_maps_trap(document):
        raise _maps_refusal()
    wants_json_ld = options.format == schema_org.SCHEMA_ORG.name
    if wants_json_ld or (options.format is None and schema_org.is_json_ld(document)):
        return _open_json_ld([document], encoding, options)
    items = json_text.items_of(document)
    format_ = _recognise_items(
        items[:50], options, is_lines=False, is_empty=json_text.is_empty_list(document)
    )
    return _export_of_items(format_, lambda: iter(items), encoding, options, document=document)


def _open_lines(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> "Export":
    def values() -> Iterator[Any]:
        for _, value in json_text.line_items(file, encoding):
            yield value

    head = [value for value in itertools.islice(values(), 50) if not isinstance(value, BrokenRow)]
    format_ = _recognise_items(head, options, is_lines=True, is_empty=False)
    return _export_of_items(format_, values, encoding, options)


def _export_of_items(
    format_: Format,
    items: Callable[[], Iterator[Any]],
    encoding: Encoding,
    options: ReadOptions,
    *,
    document: Any = None,
    is_flat: bool = False,
) -> "Export":
    warnings = _encoding_warnings(encoding)
    if format_.warn is not None:
        warnings += format_.warn(document)
    return Export(
        format_,
        _ItemRows(items, format_, is_flat=is_flat),
        options=options,
        encoding=encoding.name,
        kind="" if "JSON" in format_.label or "json" in format_.label else "JSON",
        warnings=warnings,
        shows_guess=encoding.is_guess,
    )


def _recognise_items(
    items: list[Any], options: ReadOptions, *, is_lines: bool, is_empty: bool
) -> Format:
    objects = [item for item in items if isinstance(item, dict)]
    names: set[str] = set()
    for item in objects:
        names.update(flatten(item))
    format_ = _chosen(options, formats.BY_SIGNATURE, (own.OWN, own.OWN_LINES))
    if format_ is None:
        is_own = is_empty or any(own.is_own(item) for item in objects)
        if is_own:
            return own.OWN_LINES if is_lines else own.OWN
        format_ = formats.recognise(names)
    elif format_ in {own.OWN, own.OWN_LINES}:
        is_own = any(own.is_own(item) for item in objects)
        format_ = format_ if is_own else None
    asked = _asked_columns(options.columns, None)
    if format_ is None:
        base = generic.LINES if is_lines else generic.OBJECTS
        format_ = replace(base, columns=generic.match_names(names - asked.keys(), of_objects=True))
    format_ = _with_asked(format_, asked)
    if "date" not in format_.columns or "rating" not in format_.columns:
        raise _no_reviews()
    return format_


def _no_reviews() -> FileRefused:
    return FileRefused(
        "no_reviews_found",
        "The file holds nothing that looks like reviews: each needs a rating and a date. Export "
        "the reviews again, or name the columns that hold them.",
    )


class _ItemRows:
    """Items of JSON as fields, in the way of one format."""

    def __init__(
        self, items: Callable[[], Iterator[Any]], format_: Format, *, is_flat: bool
    ) -> None:
        self._items = items
        self._columns = format_.columns
        self._is_flat = is_flat

    def carried(self) -> set[str]:
        return set(self._columns)

    def samples(self) -> list[list[str]]:
        return []

    def shareable(self, _cells: list[Any]) -> tuple[str, ...]:
        return ()

    def __iter__(self) -> Iterator[tuple[int, Fields | RowError | Skipped, list[Any]]]:
        columns = self._columns.items()
        for number, item in enumerate(self._items(), start=1):
            if isinstance(item, dict):
                flat = item if self._is_flat else flatten(item)
                yield number, {name: first_value(flat, names) for name, names in columns}, []
            elif isinstance(item, BrokenRow):
                yield (
                    number,
                    RowError(row=number, field=None, code=item.code, message=item.message),
                    [],
                )
            else:
                yield (
                    number,
                    Skipped(
                        row=number,
                        code="not_a_review",
                        message="This item holds no review; it is left out.",
                    ),
                    [],
                )

    def dates(self) -> Iterator[Any]:
        names = [self._columns.get(name, ()) for name in ("date", "owner_reply_date")]
        for item in self._items():
            if isinstance(item, dict):
                flat = item if self._is_flat else flatten(item)
                yield from (first_value(flat, one) for one in names)


# --- schema.org, Takeout ----------------------------------------------------------------------


def _open_page(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> "Export":
    with open_text(file, encoding) as text:
        documents, broken = schema_org.documents_of_page(text.read())
    export = _open_json_ld(documents, encoding, options)
    if broken:
        export.warnings.append(
            ReadWarning(
                code="script_blocks_broken",
                message=f"{broken} JSON-LD blocks of the page cannot be read and were left out.",
            )
        )
    return export


def _open_json_ld(documents: list[Any], encoding: Encoding, options: ReadOptions) -> "Export":
    _chosen(options, (), (schema_org.SCHEMA_ORG,))
    items = list(schema_org.reviews_in(documents))
    if not items:
        raise FileRefused(
            "no_reviews_found",
            "The page or file holds no schema.org reviews. Save the page that shows the reviews "
            "themselves, or export them in another way.",
        )
    format_ = schema_org.SCHEMA_ORG
    return _export_of_items(format_, lambda: iter(items), encoding, options, is_flat=True)


def _open_takeout(archive: Archive, options: ReadOptions) -> "Export":
    _chosen(options, (), (google.TAKEOUT_ZIP,))
    items: list[Any] = []
    listings: list[str] = []
    traps = 0
    for name in archive.names:
        base = name.replace("\\", "/").rpartition("/")[2].casefold()
        if base == "additionaldata.json":
            listings += google.listing_names(_archived(archive, name))
        elif base.startswith("reviews") and base.endswith(".json"):
            document = _archived(archive, name)
            if _is_maps_trap(document):
                traps += 1
            else:
                items += json_text.items_of(document)
    if not items and traps:
        raise _maps_refusal()
    if not items:
        raise FileRefused(
            "no_reviews_found",
            "The archive holds no reviews of a Google Business Profile. At takeout.google.com tick "
            'only "Google Business Profile"; unpack any other archive and import its files.',
        )
    warnings = []
    if listings:
        warnings.append(
            ReadWarning(
                code="listing_names",
                message="The archive is about: " + ", ".join(dict.fromkeys(listings)) + ".",
            )
        )
    if traps:
        warnings.append(
            ReadWarning(
                code="maps_reviews_ignored",
                message="The archive also holds reviews that the account's owner wrote about other "
                "places in Google Maps; they are left out.",
            )
        )
    rows = _ItemRows(lambda: iter(items), google.TAKEOUT_ZIP, is_flat=False)
    return Export(google.TAKEOUT_ZIP, rows, options=options, encoding="utf-8", warnings=warnings)


def _archived(archive: Archive, name: str) -> Any:
    try:
        text = archive.read(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileRefused(
            "json_invalid", f"{shown(name)} in the archive is not UTF-8. Download it again."
        ) from None
    return json_text.parse(text)


def _is_maps_trap(document: Any) -> bool:
    return isinstance(document, dict) and document.get("type") == "FeatureCollection"


def _maps_refusal() -> FileRefused:
    return FileRefused(
        "maps_reviews_written_by_owner",
        "These are reviews that the account's owner wrote about other places. At "
        'takeout.google.com untick "Maps" and tick "Google Business Profile" instead.',
    )


# --- What every export has --------------------------------------------------------------------


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


_RECORD_FIELDS = {
    "review_id": "external_id",
    "owner_reply": "reply_text",
    "owner_reply_date": "reply_date",
    "language": "text_language",
    "title": "text",
    "technician": "named_technicians",
    "service": "named_services",
}
_DROPPED = {
    "source_url": "links to reviews were no complete web addresses",
    "author_avatar_url": "pictures of authors had no complete web address",
}
_NOTED = {
    "text_is_excerpt": "texts are excerpts that end in dots; the whole texts are not in the file",
    "text_is_translation": "texts are translations whose original the file lacks",
    "recommendation_positive": "recommendations have no stars and count as five",
    "recommendation_negative": "advices against have no stars and count as one",
}


class Export:
    """An export file that was recognised. Iterating reads it, once.

    `warnings` is complete when the iteration has ended. `carried` names the fields of `Record` for
    which the file has a column.
    """

    def __init__(
        self,
        format_: Format,
        rows: _TableRows | _ItemRows,
        *,
        options: ReadOptions,
        encoding: str,
        kind: str = "",
        delimiter: str = "",
        columns: list[str] | None = None,
        mapping: dict[str, str] | None = None,
        warnings: list[ReadWarning] | None = None,
        shows_guess: bool = False,
    ) -> None:
        self.format = format_.name
        self.label = f"{format_.label}, {kind}" if kind else format_.label
        self.encoding = encoding
        self.delimiter = delimiter
        self.columns = columns or []
        self.mapping = mapping or {}
        self.signature = heading_signature(columns) if columns else ""
        self.warnings = warnings or []
        self.carried = frozenset(
            _RECORD_FIELDS.get(name, name) for name in rows.carried() if not name.startswith("_")
        )
        self._format = format_
        self._rows = rows
        self._options = options
        self._order_found: DateOrder | None = options.date_order
        self._guess_samples: list[str] | None = [] if shows_guess else None
        default = slug(options.source or "") if format_.source == "import" else ""
        self._normaliser = Normaliser(
            format_,
            time_zone=options.time_zone,
            today=options.today,
            order=self._order,
            default_source=default or format_.source,
            round_half_up=options.round_half_up,
            skip_blank_ratings=options.skip_blank_ratings,
        )
        # Ask about the order of dates now rather than in the middle of the file.
        if any(slash_order(date) for date in itertools.islice(rows.dates(), _EARLY)):
            self._order()

    @property
    def sample_rows(self) -> list[list[str]]:
        """The first rows of a table, without contact data, for a page that shows its columns."""
        return self._rows.samples()

    def __iter__(self) -> Iterator[Outcome]:
        if self._format.newest_wins:
            yield from self._newest()
        else:
            yield from self._once()
        self._add_warnings()

    def _read(self) -> Iterator[tuple[Outcome, Fields, list[Any]]]:
        record_of = self._normaliser.record
        limit = self._options.max_rows
        for count, (row, fields, cells) in enumerate(self._rows, start=1):
            if limit is not None and count > limit:
                raise FileRefused(
                    "too_many_rows",
                    f"The file has more than {limit:,} rows. Import it with the command "
                    "import_reviews, or in parts.",
                )
            if not isinstance(fields, dict):
                yield fields, {}, cells
                continue
            try:
                record = record_of(row, fields)
            except ValueRefused as refusal:
                yield self._error(row, refusal, cells), fields, cells
            except RowSkipped as skip:
                yield Skipped(row=row, code=skip.code, message=skip.message), fields, cells
            else:
                if self._guess_samples is not None:
                    self._keep_sample(record)
                yield record, fields, cells

    def _once(self) -> Iterator[Outcome]:
        """Every review once: a repeated row is skipped, the same id with other content refused."""
        # Hashes instead of records, so that memory stays flat.
        seen: dict[int, int] = {}
        for outcome, _, cells in self._read():
            if isinstance(outcome, Record):
                key = hash((outcome.source, outcome.external_id))
                content = _content_hash(outcome)
                if key in seen:
                    yield self._repeat(outcome, cells, is_same=seen[key] == content)
                    continue
                seen[key] = content
            yield outcome

    def _repeat(self, record: Record, cells: list[Any], *, is_same: bool) -> Outcome:
        if is_same:
            return Skipped(
                row=record.row,
                code="repeated_in_file",
                message="The file has this review before; the repetition is left out.",
            )
        which = (
            "another review of this author, day and beginning"
            if record.external_id_is_synthetic
            else "another review with this id"
        )
        refusal = ValueRefused(
            "review_id",
            "duplicate_id_in_file",
            f"review_id: an earlier row holds {which}, with other content. Remove one of the two "
            "or correct its id.",
            "" if record.external_id_is_synthetic else record.external_id,
        )
        return self._error(record.row, refusal, cells)

    def _newest(self) -> Iterator[Outcome]:
        """Of several versions of a review the newest, in the place of the first."""
        outcomes: list[Outcome] = []
        newest: dict[tuple[str, str], tuple[dt.datetime, int]] = {}
        for outcome, fields, _ in self._read():
            if isinstance(outcome, Record):
                key = outcome.source, outcome.external_id
                moment = _moment(fields.get("_updated"), outcome.date)
                if known := newest.get(key):
                    older: Record = outcome
                    if moment > known[0]:
                        older = cast("Record", outcomes[known[1]])
                        outcomes[known[1]] = outcome
                        newest[key] = moment, known[1]
                    outcomes.append(self._older(older))
                    continue
                newest[key] = moment, len(outcomes)
            outcomes.append(outcome)
        if self._format is not google.TAKEOUT_ZIP:
            yield from outcomes
            return
        # Items of an archive have no numbers that a person could look up: the kept ones count.
        kept = [outcome for outcome in outcomes if not _is_older(outcome)]
        if len(kept) < len(outcomes):
            self.warnings.append(
                ReadWarning(
                    code="older_versions_left_out",
                    message=f"{len(outcomes) - len(kept)} reviews stand in the archive more than "
                    "once; the newest version of each counts.",
                )
            )
        for row, outcome in enumerate(kept, start=1):
            yield replace(outcome, row=row)

    def _older(self, record: Record) -> Skipped:
        return Skipped(
            row=record.row,
            code="older_version",
            message="The file holds a newer version of this review; the older one is left out.",
        )

    def _error(self, row: int, refusal: ValueRefused, cells: list[Any]) -> RowError:
        words = refusal.field in {"text", "owner_reply", "translated_text"}
        value = refusal.value if words or not is_contact(refusal.value) else ""
        return RowError(
            row=row,
            field=refusal.field,
            code=refusal.code,
            message=refusal.message,
            value=value,
            cells=self._rows.shareable(cells),
        )

    def _order(self) -> DateOrder:
        """Which comes first in dates with slashes: as asked, as the file shows, or by custom."""
        if self._order_found is None:
            self._order_found = self._decided_order()
        return self._order_found

    def _decided_order(self) -> DateOrder:
        samples: dict[str, None] = {}
        for date in self._rows.dates():
            order = slash_order(date)
            if order in {"dmy", "mdy"}:
                return cast("DateOrder", order)
            if order == "ambiguous" and len(samples) < _SAMPLES:
                samples[shown(date)] = None
        if self._format.date_order is not None or not samples:
            return self._format.date_order or "dmy"
        raise DateOrderAmbiguous(
            f"Dates such as {', '.join(samples)} can be read with the day or with the month first, "
            "and no date of the file tells which. Say it once for the whole file.",
            samples=list(samples),
        )

    def _keep_sample(self, record: Record) -> None:
        samples = self._guess_samples
        for text in (record.author, record.text):
            if samples is not None and len(samples) < _SAMPLES and not text.isascii():
                samples.append(shown(text))

    def _add_warnings(self) -> None:
        if self._guess_samples is not None:
            shows = ": " + " · ".join(self._guess_samples) if self._guess_samples else ""
            self.warnings.append(
                ReadWarning(
                    code="decoded_as_windows_1252",
                    message="The file is not UTF-8 and was read as Windows-1252. Check whether the "
                    f"letters are right{shows}.",
                )
            )
        dropped, noted = self._normaliser.dropped, self._normaliser.noted
        self.warnings.extend(
            ReadWarning(
                code=f"{name}_dropped",
                message=f"{count} {_DROPPED[name]}; the reviews are taken in without them.",
            )
            for name, count in dropped.items()
        )
        self.warnings.extend(
            ReadWarning(code=note, message=f"{count} {_NOTED[note]}.")
            for note, count in noted.items()
        )


def _content_hash(record: Record) -> int:
    return hash(
        (
            record.author,
            record.rating,
            record.date,
            record.text,
            record.translated_text,
            record.reply_text,
            record.reply_date,
            record.source_url,
            record.verified,
        )
    )


def _is_older(outcome: Outcome) -> bool:
    return isinstance(outcome, Skipped) and outcome.code == "older_version"


def _moment(updated: Any, date: dt.date) -> dt.datetime:
    """When a version was written, to tell the newest; the review's day where the file is silent."""
    try:
        moment = dt.datetime.fromisoformat(updated.strip())
    except (AttributeError, ValueError):
        moment = dt.datetime.combine(date, dt.time())
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
