"""schema.org reviews as JSON-LD, from a file or from the script blocks of a saved page."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from review_exports.formats.base import Format, columns
from review_exports.readers.json_documents import bounded
from review_exports.values import shown
from review_exports.vocabulary import word_sets

SCHEMA_ORG = Format(
    name="schema.org",
    label="schema.org JSON-LD, file or saved page",
    columns=columns(
        review_id="id",
        author="author",
        author_avatar_url="image",
        rating="rating",
        _best_rating="best",
        date="date",
        title="title",
        text="text",
        language="language",
        source_url="url",
        owner_reply="reply",
        owner_reply_date="reply_date",
    ),
    source="website",
)

_COUNT = re.compile(r"[0-9]{1,9}")
_START = 10_000  # Characters that tell what a page is.
_TITLE = re.compile(r"<title>([^<]{1,200})", re.IGNORECASE)
_TYPES = word_sets("vocabulary/schema_org.toml", "types")
_WEB_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def is_json_ld(document: Any) -> bool:
    """Whether a JSON document is JSON-LD about things of schema.org."""
    if isinstance(document, list):
        return any(is_json_ld(node) for node in document[:10] if isinstance(node, dict))
    return isinstance(document, dict) and not document.keys().isdisjoint(
        {"@context", "@graph", "@type"}
    )


def title_of(page: str) -> str:
    """The title of a page; empty where it has none."""
    found = _TITLE.search(page[:_START])
    return shown(html.unescape(found[1]).strip()) if found else ""


def reviews_in(documents: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """The reviews of some JSON-LD documents in their order, each as a flat object."""
    for document in documents:
        nodes = list(_nodes(document))
        by_id: dict[str, dict[str, Any]] = {}
        for node in nodes:
            # A mere reference has nothing but its @id.
            if isinstance(name := node.get("@id"), str) and len(node) > 1:
                by_id.setdefault(name, node)
        parents = {
            id(review): node
            for node in nodes
            for name in ("review", "reviews")
            for inner in (node.get(name),)
            for review in (inner if isinstance(inner, list) else [inner])
            if isinstance(review, dict)
        }
        for node in nodes:
            if not _TYPES["reviews"].isdisjoint(_types(node)):
                yield _flat(node, by_id, parents.get(id(node), {}))


def total_in(documents: Iterable[Any]) -> int:
    """How many reviews a page says there are, in the largest of its aggregate ratings; 0: none."""
    counts = (
        node.get("reviewCount")
        for document in documents
        for node in _nodes(document)
        if "AggregateRating" in _types(node)
    )
    return max((int(count) for count in map(str, counts) if _COUNT.fullmatch(count)), default=0)


def _nodes(document: Any) -> Iterator[dict[str, Any]]:
    """Every object in the document, in reading order, without recursion."""
    stack = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield value
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))


def _types(node: dict[str, Any]) -> set[str]:
    types = node.get("@type")
    return {
        re.split(r"[/#:]", name)[-1]
        for name in (types if isinstance(types, list) else [types])
        if isinstance(name, str)
    }


def _flat(
    node: dict[str, Any], by_id: dict[str, dict[str, Any]], parent: dict[str, Any]
) -> dict[str, Any]:
    rating = _object(node.get("reviewRating"), by_id)
    reply = _object(node.get("comment"), by_id)
    if "Person" in _types(_object(reply.get("author"), by_id)):
        reply = {"text": None}  # Anybody may comment on a review.
    author = _object(node.get("author"), by_id)
    name = node.get("@id") or node.get("identifier")
    address = node.get("url")
    if not address and isinstance(name, str) and _WEB_ADDRESS.match(name):
        address = name
    text = _plain(node.get("reviewBody")) or _plain(node.get("description"))
    reviewed = _object(node.get("itemReviewed"), by_id) or parent
    is_place = _TYPES["no_places"].isdisjoint(_types(reviewed))
    return {
        "id": name if isinstance(name, str | int) else None,
        "author": _plain(author.get("name")) if author else _plain(node.get("author")),
        "image": _address(author.get("image")),
        "rating": rating.get("ratingValue") if rating else _plain(node.get("reviewRating")),
        "best": rating.get("bestRating"),
        "date": _plain(node.get("datePublished")) or _plain(node.get("dateCreated")),
        "title": _plain(node.get("name")) or _plain(node.get("headline")),
        "text": text,
        "language": _plain(node.get("inLanguage")),
        "url": _address(address),
        "reply": _plain(reply.get("text")) if reply else _plain(node.get("comment")),
        "business": _plain(reviewed.get("name")) if is_place else None,
        "replydate": _plain(reply.get("datePublished")) or _plain(reply.get("dateCreated")),
    }


def _object(value: Any, by_id: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The object a property has: itself, the first one of a list, or the one it refers to."""
    if isinstance(value, list):
        value = next((inner for inner in value if isinstance(inner, dict)), None)
    if not isinstance(value, dict):
        return {}
    if len(value) == 1 and isinstance(name := value.get("@id"), str):
        return by_id.get(name, {})
    return value


def _plain(value: Any) -> Any:
    """The text or number of a property: itself, the first one of a list, or a value object's."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("@value", value.get("name"))
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _address(value: Any) -> Any:
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
    return value if isinstance(value, str) else None


# A comment or the start of a script element, whichever comes first. Attributes end at any bracket,
# so that a page of nothing but openings costs no more than its length.
_OPENING = re.compile(r"<!--|<script\b(?P<attributes>[^<>]*)>", re.IGNORECASE)
_CLOSING = re.compile(r"</script", re.IGNORECASE)
_JSON_LD = re.compile(r"""\btype\s*=\s*["']?\s*application/ld\+json\b""", re.IGNORECASE)
_WRAPPINGS = (("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"))


def documents_of_page(page: str) -> tuple[list[Any], int]:
    """The JSON-LD documents of an HTML page, and how many script blocks could not be read."""
    documents, broken = [], 0
    for block in _script_blocks(page):
        try:
            # Pages in the wild have bare line breaks inside texts.
            documents.append(bounded(json.loads(_unwrapped(block), strict=False)))
        except (ValueError, RecursionError):
            broken += 1
    return documents, broken


def _script_blocks(page: str) -> Iterator[str]:
    position = 0
    while opening := _OPENING.search(page, position):
        if opening[0] == "<!--":
            end = page.find("-->", opening.end())
            if end < 0:
                return
            position = end
            continue
        closing = _CLOSING.search(page, opening.end())
        position = closing.end() if closing else len(page)
        if _JSON_LD.search(opening["attributes"]):
            yield page[opening.end() : closing.start() if closing else len(page)]


def _unwrapped(block: str) -> str:
    block = block.strip()
    for start, end in _WRAPPINGS:
        if block.startswith(start):
            block = block.removeprefix(start).strip().removesuffix(end).strip()
    return block.removesuffix(";")
