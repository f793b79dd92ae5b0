"""Recognition of JSON, and of pages with JSON-LD, by the members of their items."""

import collections
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from review_exports import formats
from review_exports.decoding import Encoding, chunks_of, open_text
from review_exports.export import Export
from review_exports.formats import generic, own, schema_org
from review_exports.formats.base import Format, flatten
from review_exports.interpretation import interpret
from review_exports.limits import PAGE_MAX, LimitExceeded, check_json, too_many
from review_exports.options import ReadOptions, forced_format
from review_exports.parts import Part, part_in
from review_exports.readers import json_documents, json_items
from review_exports.records import FileRefused, ReadWarning, file_refused, warning
from review_exports.rows import ItemRows
from review_exports.shapes import Shape, has_essentials
from review_exports.values import shown

Items = Callable[[], Iterator[Any]]  # Each call iterates all items from the start.

_SAMPLED_ITEMS = 50  # Items from which the members are collected.
_SAMPLED_PAGES = 3  # More than one, since a page may be empty.
_ANY_OBJECTS = frozenset({generic.OBJECTS.name, generic.LINES.name})


def open_json(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> Export:
    """Open a JSON document or JSON Lines; raises `FileRefused`."""
    check_json(chunks_of(file))
    lines = functools.partial(json_documents.line_items, file, encoding)
    first, second = (*json_documents.first_lines(file, encoding), "", "")[:2]
    if second and json_documents.is_object(first):
        return _open_lines(lines, encoding, options)
    with open_text(file, encoding) as text:
        whole = text.read()
    try:
        document = json_documents.load_document(whole)
    except FileRefused:
        if json_documents.is_object(second):
            return _open_lines(lines, encoding, options)
        if pages := json_documents.several(whole):
            return _open_pages(lambda: iter(pages), encoding, options)
        raise
    if is_maps_export(document):
        raise file_refused("maps_reviews_written_by_owner")
    is_json_ld = schema_org.is_json_ld(document) if options.format is None else False
    if is_json_ld or options.format == schema_org.SCHEMA_ORG.name:
        return _open_json_ld([document], encoding, options)
    return _open_document(document, encoding, options)


def _open_document(document: Any, encoding: Encoding, options: ReadOptions) -> Export:
    """Open a document, or else its only list, whose name may be unknown."""
    rest = json_items.only_list(document)
    try:
        export = _open_part(document, document, encoding, options)
    except FileRefused as refused:
        if rest is None or isinstance(refused, LimitExceeded):
            raise
    else:
        if rest is None or has_essentials(export.shape):
            return export
    return _open_part(rest, document, encoding, options)


def _open_part(part: Any, document: Any, encoding: Encoding, options: ReadOptions) -> Export:
    """Open the items in a part of a document."""
    if json_items.is_list_of_pages(part):
        return _open_pages(lambda: iter(part), encoding, options)
    items = functools.partial(json_items.items_of, part)
    return open_items(items, encoding, options, document=document)


def _open_pages(pages: Items, encoding: Encoding, options: ReadOptions) -> Export:
    """Open several documents, such as pages of an API; the last one tells whether more follow."""
    last = collections.deque(pages(), maxlen=1).pop()
    part = part_in(last, is_last_of_several=True)
    return open_items(lambda: json_items.items_of_pages(pages()), encoding, options, part=part)


def _open_lines(lines: Items, encoding: Encoding, options: ReadOptions) -> Export:
    if any(map(json_items.is_page, itertools.islice(lines(), _SAMPLED_PAGES))):
        return _open_pages(lines, encoding, options)
    return open_items(lines, encoding, options, is_lines=True)


def open_items(
    items: Items,
    encoding: Encoding,
    options: ReadOptions,
    *,
    is_lines: bool = False,
    document: Any = None,
    part: Part | None = None,
) -> Export:
    """Open objects from any container by their members; raises `FileRefused`."""
    format_ = _recognise(items, options, document, is_lines=is_lines)
    part = part or part_in(document)
    export = export_of_items(format_, items, encoding, options, part=part)
    if format_.name in _ANY_OBJECTS and not (format_.is_literal or has_essentials(export.shape)):
        _refuse_other_documents(document, export.shape)
    return export


def export_of_items(
    format_: Format,
    items: Items,
    encoding: Encoding,
    options: ReadOptions,
    *,
    part: Part | None = None,
    warnings: Iterable[ReadWarning] = (),
) -> Export:
    warnings = [*warnings]
    is_utf8 = encoding.name.startswith("utf-8")
    if is_utf8 and json_documents.is_double_encoded(items()):
        items = functools.partial(_decoded_twice, items)
        warnings.append(warning("double_encoding_undone"))
    meaning = interpret(
        format_,
        lambda format_: ItemRows(items, format_),
        options,
        is_shipped=format_.is_literal or format_.name not in _ANY_OBJECTS,
    )
    return Export(
        meaning,
        options=options,
        encoding=encoding,
        kind="" if "json" in format_.label.lower() else "JSON",
        warnings=warnings,
        part=part,
    )


def _decoded_twice(items: Items) -> Iterator[Any]:
    return map(json_documents.decode_twice, items())


def _recognise(items: Items, options: ReadOptions, document: Any, *, is_lines: bool) -> Format:
    """Recognise the format of items by the members of the first ones."""
    objects = [item for item in itertools.islice(items(), _SAMPLED_ITEMS) if isinstance(item, dict)]
    is_own = json_items.is_empty_list(document) or any(map(own.is_own, objects))
    format_ = forced_format(options, *formats.BY_SIGNATURE, own.OWN, own.OWN_LINES)
    if format_ in (own.OWN, own.OWN_LINES):
        format_ = format_ if is_own else None
    elif format_ is None and is_own:
        return own.OWN_LINES if is_lines else own.OWN
    elif format_ is None:
        format_ = formats.recognise(set[str]().union(*map(flatten, objects)))
    return format_ or (generic.LINES if is_lines else generic.OBJECTS)


def _refuse_other_documents(document: Any, shape: Shape) -> None:
    """Refuse notices, error answers and objects that are not reviews."""
    if result := json_items.result_address(document):
        raise file_refused("no_reviews_found-notice", result=shown(result))
    if error := json_items.error_message(document):
        raise file_refused("no_reviews_found-error", error=shown(error))
    if {"rating", "recommendation", "date"}.isdisjoint(one.field for one in shape.columns):
        raise file_refused("no_reviews_found", option="columns")


def is_maps_export(document: Any) -> bool:
    """Whether a document of Takeout holds the owner's reviews of other places."""
    return isinstance(document, dict) and document.get("type") == "FeatureCollection"


# --- schema.org -----------------------------------------------------------------------------------


def open_page(file: BinaryIO, encoding: Encoding, options: ReadOptions) -> Export:
    """Open the JSON-LD in the script blocks of a saved page; raises `FileRefused`."""
    with open_text(file, encoding) as text:
        page = text.read(PAGE_MAX + 1)
    if len(page) > PAGE_MAX:
        raise too_many("characters in a page", PAGE_MAX)
    documents, broken = schema_org.documents_of_page(page)
    export = _open_json_ld(documents, encoding, options, page=page)
    if broken:
        export.warnings.append(warning("script_blocks_broken", count=broken))
    return export


def _open_json_ld(
    documents: list[Any], encoding: Encoding, options: ReadOptions, *, page: str = ""
) -> Export:
    forced_format(options, schema_org.SCHEMA_ORG)
    items = list(schema_org.reviews_in(documents))
    if not items:
        if title := schema_org.title_of(page):
            raise file_refused("no_reviews_found-page", title=title)
        raise file_refused("no_reviews_found-json_ld")
    part = Part(total=schema_org.total_in(documents), total_name="aggregateRating.reviewCount")
    return export_of_items(schema_org.SCHEMA_ORG, lambda: iter(items), encoding, options, part=part)
