"""Items of JSON documents that may be reviews, at any level of nesting."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from review_exports import vocabulary
from review_exports.limits import limited
from review_exports.readers.tables import BrokenRow

_NAMES = {name: tuple(words) for name, words in vocabulary.load("vocabulary/members.toml").items()}
_ALL_COUNT = _NAMES["lists_of_one_place"]
_LISTS = (*_NAMES["lists"], *_ALL_COUNT, "events")
_OF_PLACES = (*_NAMES["lists_of_places"], *_ALL_COUNT)
_TASK_DONE = 20000  # Status of a successful task of DataForSEO.
# Members with the data and the name of an event in webhooks.
_EVENTS = (("eventData", "eventName"), ("payload", "type"))
# Members that are added to reviews for the name and id of the place above their list.
PLACE_MEMBER = "place of review"
PLACE_ID_MEMBER = "id of the place of review"
# Members of a place, whose name or title is that of the place.
_PLACE_SIGNS = frozenset({*_NAMES["place_id"], *_NAMES["stars"], "address"})
_GENERAL = frozenset({"name", "title"})
_DEPTH = 6


def items_of_pages(documents: Iterable[Any]) -> Iterator[Any]:
    """Chain the items of several documents."""
    return itertools.chain.from_iterable(
        [one] if isinstance(one, BrokenRow) else items_of(one) for one in documents
    )


def is_page(document: Any) -> bool:
    """Whether an object is a response with a list of reviews."""
    if not isinstance(document, dict) or not _leads_to_list(document, 0):
        return False
    is_review = not (holds_list(document) or document.keys().isdisjoint(_NAMES["stars"]))
    first = next(items_of(document), document)
    return isinstance(first, dict) and first is not document and not is_review


def is_list_of_pages(document: Any) -> bool:
    """Whether a list holds responses of an API, whose lists may have any known name."""
    first = next(iter(document), None) if isinstance(document, list) else None
    return is_page(first) and not holds_list(first)


def items_of(document: Any) -> Iterator[Any]:
    """Yield the items of a document that may be reviews."""
    is_empty = True
    included = _included(document)
    for item in limited(_gather(document, 0), name="items"):
        is_empty = False
        yield _with_included(item, included) if included else item
    if is_empty and isinstance(document, dict) and not any(name in document for name in _LISTS):
        # The document may be a single review.
        yield _event_subject(document)


def _included(document: Any) -> dict[tuple[str, str], Any]:
    """Attributes of the resources in `included` by reference (JSON:API 1.1, 7.6)."""
    resources = document.get("included") if isinstance(document, dict) else None
    objects = resources if isinstance(resources, list) else ()
    return {_reference(one): one.get("attributes") for one in objects if isinstance(one, dict)}


def _reference(resource: dict[str, Any]) -> tuple[str, str]:
    return str(resource.get("type")), str(resource.get("id"))


def _with_included(item: Any, included: dict[tuple[str, str], Any]) -> Any:
    """Return the item with related resources as members, such as `response`."""
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


def only_list(document: Any) -> list[Any] | None:
    """Return the only list of objects in a document, by any name."""
    lists = list(_lists_in(document, 0)) if isinstance(document, dict) else []
    return lists[0] if len(lists) == 1 else None


def _lists_in(value: Any, depth: int) -> Iterator[list[Any]]:
    if isinstance(value, dict) and depth < _DEPTH:
        place = _place_above(value, [one for one in value.values() if isinstance(one, dict)])
        for inner in value.values():
            for found in _lists_in(inner, depth + 1):
                yield [*with_place(found, place)]
    elif isinstance(value, list) and isinstance(next(iter(value), None), dict):
        yield value


def is_empty_list(document: Any) -> bool:
    """Whether the document is an export without any reviews."""
    if isinstance(document, dict):
        return any(document.get(name) == [] for name in _LISTS)
    return isinstance(document, list) and not document


def _gather(value: Any, depth: int) -> Iterator[Any]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
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
    """Return the review of an event with the name of the event; other items are unchanged."""
    if isinstance(item, dict):
        for data, name in _EVENTS:
            inner = item.get(data)
            if isinstance(inner, dict) and isinstance(item.get(name), str):
                review = inner.get("review")
                return (review if isinstance(review, dict) else inner) | {"eventName": item[name]}
    return item


def with_place(items: Iterable[Any], place: dict[str, str]) -> Iterator[Any]:
    """Add the members of the place to all items that are objects."""
    for item in items:
        yield place | item if place and isinstance(item, dict) else item


def _place_of(value: dict[str, Any]) -> dict[str, str]:
    if not value.keys().isdisjoint(_NAMES["product"]):
        return {}
    place = {}
    for member, names in ((PLACE_MEMBER, "place"), (PLACE_ID_MEMBER, "place_id")):
        named = (value.get(name) for name in _NAMES[names])
        texts = (one.get("text") if isinstance(one, dict) else one for one in named)
        if text := next((one for one in texts if isinstance(one, str) and one.strip()), ""):
            place[member] = text
    return place


def _gather_members(value: dict[str, Any], depth: int) -> Iterator[Any]:
    members = [one for one in value.values() if isinstance(one, dict)]
    if inner := _members_with_reviews(value, members, depth):
        place = _place_above(value, members) if _leads_to_list(value, 0) else {}
        for one in inner:
            yield from with_place(_gather(one, depth + 1), place)
    elif members and len(members) == len(value) and set.intersection(*map(set, members)):
        yield from members  # Reviews by id, as Firebase exports them.
    elif depth:
        yield value


def _members_with_reviews(value: dict[str, Any], members: list[Any], depth: int) -> list[Any]:
    if lists := [one for name in _ALL_COUNT if isinstance(one := value.get(name), list)]:
        return lists
    for name in _LISTS:
        listed = value.get(name)
        if name == "data" and isinstance(listed, dict) and holds_list(value):
            continue  # The parameters of a task.
        if isinstance(listed, list | dict) and listed:
            return [listed]
    return [one for one in members if _leads_to_list(one, depth + 1)][:1]


def _place_above(value: dict[str, Any], members: list[Any]) -> dict[str, str]:
    """Place that an object names beside its list of reviews, itself or in another member."""
    is_place = not value.keys().isdisjoint(_PLACE_SIGNS)
    own = {name: one for name, one in value.items() if is_place or name not in _GENERAL}
    beside = (one for one in members if not _leads_to_list(one, 0))
    return next(filter(None, map(_place_of, (own, *beside))), {})


def _leads_to_list(value: dict[str, Any], depth: int) -> bool:
    """Whether an object holds a list by a known name, at any level."""
    if any(isinstance(value.get(name), list) for name in _LISTS):
        return True
    members = (inner for inner in value.values() if isinstance(inner, dict))
    return depth < _DEPTH and any(_leads_to_list(inner, depth + 1) for inner in members)


def error_message(document: Any) -> str:
    """The message of an error response; empty for other documents."""
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
    """Whether an item is a place with a list of reviews, or a task with a list of results."""
    if not isinstance(value, dict):
        return False
    # A review may have `items` as well; a place has their number beside them.
    names = (*_OF_PLACES, "items") if "items_count" in value else _OF_PLACES
    return any(
        isinstance(inner := value.get(name), list) and any(isinstance(one, dict) for one in inner)
        for name in names
    )
