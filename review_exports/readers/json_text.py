"""JSON documents and JSON Lines as items."""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, TextIO

from review_exports import vocabulary
from review_exports.decoding import Encoding, lines, open_text
from review_exports.limits import limited
from review_exports.readers import json_errors, json_stream
from review_exports.readers.json_stream import LongList, bounded
from review_exports.readers.tables import BrokenRow
from review_exports.records import FileRefused

_NAMES = {name: tuple(words) for name, words in vocabulary.load("vocabulary/members.toml").items()}
_ALL_COUNT = _NAMES["lists_of_one_place"]
_LISTS = (*_NAMES["lists"], *_ALL_COUNT, "events")
_OF_PLACES = (*_NAMES["lists_of_places"], *_ALL_COUNT)
_TASK_DONE = 20000  # The status of a task of DataForSEO that gave its results.
# Where webhooks keep what happened, and its name.
_EVENTS = (("eventData", "eventName"), ("payload", "type"))
# Where the name of a place is written that stands above a list of its reviews.
PLACE_MEMBER = "place of review"
PLACE_ID_MEMBER = "id of the place of review"
_DEPTH = 6
_AROUND = " \t\r\n\v\f\0\ufeff"  # What may stand around a document.
_LINES_LOOKED_AT = 3  # A page may be empty.
_LINE_MAX = 1 << 22  # Characters; no review is as long, but a document may be one line.


def decode(text: str) -> Any:
    """The value of a JSON text; NaN and Infinity, which programs write for nothing, are null."""
    return json.loads(text, parse_constant=lambda _: None)


def load(open_text: Callable[[], TextIO]) -> Any:
    """The document, with a `LongList` in the place of each long list around its items."""
    try:
        return json_stream.read(open_text)
    except (ValueError, RecursionError):
        return load_whole(open_text)


def load_whole(open_text: Callable[[], TextIO]) -> Any:
    """The document; a text that is none is refused with the place of the fault."""
    with open_text() as text:
        whole = text.read()
    # With its lines, so that those of a fault can be found.
    start = "\n" * whole.count("\n", 0, len(whole) - len(whole.lstrip(_AROUND)))
    try:
        return bounded(decode(start + whole.strip(_AROUND)))
    except json.JSONDecodeError as error:
        message = json_errors.explain(error)
    except RecursionError:
        message = "The JSON is nested too deeply for reviews."
    except ValueError:
        message = "The JSON holds a number that is too large."
    raise FileRefused("json_invalid", message)


def is_several(open_text: Callable[[], TextIO]) -> bool:
    """Whether one whole document follows upon another, as pages of an API that were joined."""
    try:
        first, second = itertools.islice(json_stream.documents(open_text), 2)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict | list) and isinstance(second, dict | list)


def pages(open_text: Callable[[], TextIO]) -> Iterator[Any]:
    """The documents of a file with several; a `BrokenRow` stands for what cannot be read."""
    try:
        yield from json_stream.documents(open_text)
    except (ValueError, RecursionError):
        yield BrokenRow(
            "json_invalid",
            "The JSON ends in a document that cannot be read, which is left out with all that "
            "follows. The file may be cut off; export it again.",
        )


def items_of_pages(documents: Iterable[Any]) -> Iterator[Any]:
    """The items of documents one after the other."""
    return itertools.chain.from_iterable(
        [one] if isinstance(one, BrokenRow) else items_of(one) for one in documents
    )


def is_page(document: Any) -> bool:
    """Whether an object is an answer with a list of reviews."""
    if not isinstance(document, dict) or not _leads_to_list(document, 0):
        return False
    is_review = not (holds_list(document) or document.keys().isdisjoint(_NAMES["stars"]))
    first = next(items_of(document), document)
    return isinstance(first, dict) and first is not document and not is_review


def is_list_of_pages(document: Any) -> bool:
    """Whether a list holds the answers of an API, whose lists need not be named `reviews`."""
    first = next(iter(document), None) if isinstance(document, list | LongList) else None
    return is_page(first) and not holds_list(first)


def items_of(document: Any) -> Iterator[Any]:
    """The items of a document that may be reviews, wherever its maker keeps them."""
    is_empty = True
    included = _included(document)
    for item in limited(_gather(document, 0), name="items"):
        is_empty = False
        yield _with_included(item, included) if included else item
    if is_empty and isinstance(document, dict) and not any(name in document for name in _LISTS):
        # A file with a single review and nothing around it.
        yield _event_subject(document)


def _included(document: Any) -> dict[tuple[str, str], Any]:
    """Attributes of the resources in `included` (JSON:API 1.1, 7.6)."""
    resources = document.get("included") if isinstance(document, dict) else None
    objects = resources if isinstance(resources, list | LongList) else ()
    return {_reference(one): one.get("attributes") for one in objects if isinstance(one, dict)}


def _reference(resource: dict[str, Any]) -> tuple[str, str]:
    return str(resource.get("type")), str(resource.get("id"))


def _with_included(item: Any, included: dict[tuple[str, str], Any]) -> Any:
    """The item with related resources as members, such as `response`."""
    relationships = item.get("relationships") if isinstance(item, dict) else None
    if not isinstance(relationships, dict):
        return item
    related: dict[str, Any] = {}
    for name, relationship in relationships.items():
        data = relationship.get("data") if isinstance(relationship, dict) else None
        for one in data if isinstance(data, list) else [data]:
            attributes = included.get(_reference(one)) if isinstance(one, dict) else None
            if isinstance(attributes, dict):
                related.setdefault(name, attributes)
    return related | {name: value for name, value in item.items() if name != "relationships"}


def only_list(document: Any) -> list[Any] | LongList | None:
    """The one list of objects in a document's wrappings, by whatever name."""
    lists = list(_lists_in(document, 0)) if isinstance(document, dict) else []
    return lists[0] if len(lists) == 1 else None


def _lists_in(value: Any, depth: int) -> Iterator[list[Any] | LongList]:
    if isinstance(value, dict) and depth < _DEPTH:
        for inner in value.values():
            yield from _lists_in(inner, depth + 1)
    elif isinstance(value, list | LongList) and isinstance(next(iter(value), None), dict):
        yield value


def is_empty_list(document: Any) -> bool:
    """Whether the document is an export of no reviews at all."""
    if isinstance(document, dict):
        return any(document.get(name) == [] for name in _LISTS)
    return isinstance(document, list) and not document


def _gather(value: Any, depth: int) -> Iterator[Any]:
    if depth > _DEPTH:
        return
    if isinstance(value, list | LongList):
        for inner in value:
            if isinstance(inner, list):
                yield from _gather(inner, depth + 1)
            elif holds_list(inner):
                yield from with_place(_gather(inner, depth + 1), _place_of(inner))
            else:
                yield _event_subject(inner)
    elif isinstance(value, dict):
        yield from _gather_members(value, depth)


def _event_subject(item: Any) -> Any:
    """The review of an event, with the name of the event."""
    if isinstance(item, dict):
        for about, name in _EVENTS:
            inner = item.get(about)
            if isinstance(inner, dict) and isinstance(item.get(name), str):
                review = inner.get("review")
                return (review if isinstance(review, dict) else inner) | {"eventName": item[name]}
    return item


def with_place(items: Iterable[Any], place: dict[str, str]) -> Iterator[Any]:
    """The items, each object among them with the members of the place that they are of."""
    for item in items:
        yield place | item if place and isinstance(item, dict) else item


def _place_of(value: dict[str, Any]) -> dict[str, str]:
    if not value.keys().isdisjoint(_NAMES["product"]):
        return {}
    place = {}
    for member, names in ((PLACE_MEMBER, "place"), (PLACE_ID_MEMBER, "place_id")):
        texts = (value.get(name) for name in _NAMES[names])
        if text := next((one for one in texts if isinstance(one, str) and one.strip()), ""):
            place[member] = text
    return place


def _gather_members(value: dict[str, Any], depth: int) -> Iterator[Any]:
    if lists := [one for name in _ALL_COUNT if isinstance(one := value.get(name), list | LongList)]:
        for inner in lists:
            yield from _gather(inner, depth + 1)
        return
    for name in _LISTS:
        listed = value.get(name)
        if name == "data" and isinstance(listed, dict) and holds_list(value):
            continue  # A task has what was asked there.
        if isinstance(listed, list | dict | LongList) and listed:
            yield from _gather(listed, depth + 1)
            return
    members = [one for one in value.values() if isinstance(one, dict)]
    if wrapping := next((one for one in members if _leads_to_list(one, depth + 1)), None):
        yield from _gather(wrapping, depth + 1)
    elif members and len(members) == len(value) and set.intersection(*map(set, members)):
        yield from members  # Reviews by their ids, as Firebase has them.
    elif depth:
        yield value


def _leads_to_list(value: dict[str, Any], depth: int) -> bool:
    """Whether an answer's wrapping holds a list by a known name, however deep."""
    if any(isinstance(value.get(name), list | LongList) for name in _LISTS):
        return True
    members = (inner for inner in value.values() if isinstance(inner, dict))
    return depth < _DEPTH and any(_leads_to_list(inner, depth + 1) for inner in members)


def error_message(document: Any) -> str:
    """The message of an error that a program answered; empty where it is none."""
    if isinstance(document, dict) and isinstance(tasks := document.get("tasks"), list) and tasks:
        task = tasks[0] if isinstance(tasks[0], dict) else {}
        message = task.get("status_message")
        if task.get("status_code") != _TASK_DONE and isinstance(message, str):
            return message
    for name in ("error", "errors", "errorMessage", "message"):
        message = document.get(name) if isinstance(document, dict) else None
        message = message[0] if isinstance(message, list) and message else message
        message = message.get("message") if isinstance(message, dict) else message
        if isinstance(message, str) and message.strip():
            return message
    return ""


def result_address(document: Any) -> str:
    """The address of the result that a webhook announces; empty for other documents."""
    if not isinstance(document, dict):
        return ""
    if isinstance(address := document.get("results_location"), str):
        return address
    run = document.get("resource")
    dataset = run.get("defaultDatasetId") if isinstance(run, dict) else None
    return f"dataset {dataset}" if isinstance(dataset, str) else ""


def holds_list(value: Any) -> bool:
    """Whether an item is a place with a list of its reviews, or a task with one of its results."""
    if not isinstance(value, dict):
        return False
    # A review may have items, too; those of a place are counted.
    names = (*_OF_PLACES, "items") if "items_count" in value else _OF_PLACES
    return any(
        isinstance(inner := value.get(name), list | LongList)
        and any(isinstance(one, dict) for one in inner)
        for name in names
    )


def are_pages(file: BinaryIO, encoding: Encoding) -> bool:
    """Whether lines of JSON are pages of reviews rather than reviews."""
    return any(map(is_page, itertools.islice(line_items(file, encoding), _LINES_LOOKED_AT)))


def is_lines(file: BinaryIO, encoding: Encoding) -> bool:
    """Whether the first line is an object, and more lines follow."""
    head = _head(file, encoding)
    return len(head) > 1 and _is_object(head[0])


def is_lines_with_broken_first(file: BinaryIO, encoding: Encoding) -> bool:
    """True where a broken document may be lines instead: the second is an object by itself."""
    head = _head(file, encoding)
    return len(head) > 1 and _is_object(head[1])


def _is_object(text: str) -> bool:
    # A long line of a list need not be decoded.
    return text.startswith("{") and isinstance(_value(text), dict)


def _head(file: BinaryIO, encoding: Encoding) -> list[str]:
    with open_text(file, encoding) as text:
        starts = iter(lambda: text.readline(_LINE_MAX), "")
        texts = (line.strip(" \t\r\n\ufeff") for line in starts)
        return list(itertools.islice(filter(None, texts), 2))


def line_items(file: BinaryIO, encoding: Encoding) -> Iterator[Any]:
    """The items of JSON Lines; a `BrokenRow` stands for one that cannot be read."""
    for line in lines(file, encoding):
        if text := line.strip(" \t\r\n\ufeff"):
            # Lines of a list that lost its brackets end with commas.
            yield _value(text.removesuffix(","))


def _value(text: str) -> Any:
    try:
        return bounded(decode(text))
    except (ValueError, RecursionError):
        return BrokenRow(
            "json_line_invalid",
            "This line is not a complete JSON object. The file may be cut off; export it again.",
        )
