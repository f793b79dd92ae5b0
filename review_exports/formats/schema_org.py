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
        review_id="@id,identifier",
        author="author.name,author",
        author_avatar_url="author.image.url,author.image.contentUrl,author.image.@id,author.image",
        rating="reviewRating.ratingValue,reviewRating",
        _best_rating="reviewRating.bestRating",
        date="datePublished,dateCreated",
        title="name,headline",
        text="reviewBody,description",
        language="inLanguage.name,inLanguage",
        source_url="url.@id,url,address of review",
        owner_reply="comment.text,comment",
        owner_reply_date="comment.datePublished,comment.dateCreated",
        _place="place reviewed",
    ),
    source="website",
)

_DEPTH = 5
_COUNT = re.compile(r"[0-9]{1,9}")
_START = 10_000  # Characters in which the title of a page is looked for.
_TITLE = re.compile(r"<title>([^<]{1,200})", re.IGNORECASE)
_TYPES = word_sets("vocabulary/schema_org.toml", "types")
_WEB_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def is_json_ld(document: Any) -> bool:
    """Whether a JSON document is JSON-LD."""
    if isinstance(document, list):
        return any(is_json_ld(node) for node in document[:10] if isinstance(node, dict))
    return isinstance(document, dict) and not document.keys().isdisjoint(
        {"@context", "@graph", "@type"}
    )


def title_of(page: str) -> str:
    """The title of a page, or an empty text."""
    found = _TITLE.search(page[:_START])
    return shown(html.unescape(found[1]).strip()) if found else ""


def reviews_in(documents: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Yield the reviews of JSON-LD documents in reading order."""
    for document in documents:
        nodes = list(_nodes(document))
        by_id: dict[str, dict[str, Any]] = {}
        for node in nodes:
            # A reference has no member but `@id`.
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
                yield _review(node, by_id, parents.get(id(node), {}))


def total_in(documents: Iterable[Any]) -> int:
    """The largest `reviewCount` of the aggregate ratings; 0 if there is none."""
    counts = (
        node.get("reviewCount")
        for document in documents
        for node in _nodes(document)
        if "AggregateRating" in _types(node)
    )
    return max((int(count) for count in map(str, counts) if _COUNT.fullmatch(count)), default=0)


def _nodes(document: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in the document in reading order, without recursion."""
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


def _simple(value: Any, by_id: dict[str, dict[str, Any]], depth: int = 0) -> Any:
    """Simplify a value: the first of each list, resolved references, bare values."""
    if isinstance(value, list):
        value = next(iter(value), None)
    if not isinstance(value, dict) or depth > _DEPTH:
        return value
    if len(value) == 1 and isinstance(name := value.get("@id"), str):
        value = by_id.get(name, value)
    if "@value" in value:
        return value["@value"]
    return {name: _simple(inner, by_id, depth + 1) for name, inner in value.items()}


def _review(
    node: dict[str, Any], by_id: dict[str, dict[str, Any]], parent: dict[str, Any]
) -> dict[str, Any]:
    review: dict[str, Any] = _simple(node, by_id)
    reviewed = review.pop("itemReviewed", None) or _simple(parent, by_id)
    comment = review.get("comment")
    author = comment.get("author") if isinstance(comment, dict) else None
    if isinstance(author, dict) and "Person" in _types(author):
        del review["comment"]  # Anyone may comment on a review.
    if isinstance(name := node.get("@id"), str) and _WEB_ADDRESS.match(name):
        review["address of review"] = name
    if isinstance(reviewed, dict) and _TYPES["no_places"].isdisjoint(_types(reviewed)):
        review["place reviewed"] = reviewed.get("name")
    return review


# A comment or the start of a script element. Attributes end at any bracket, so that matching takes
# linear time.
_OPENING = re.compile(r"<!--|<script\b(?P<attributes>[^<>]*)>", re.IGNORECASE)
_CLOSING = re.compile(r"</script", re.IGNORECASE)
_JSON_LD = re.compile(r"""\btype\s*=\s*["']?\s*application/ld\+json\b""", re.IGNORECASE)
_WRAPPINGS = (("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"))


def documents_of_page(page: str) -> tuple[list[Any], int]:
    """Return the JSON-LD documents of an HTML page, and the number of broken script blocks."""
    documents, broken = [], 0
    for block in _script_blocks(page):
        try:
            # Real pages have bare line breaks inside texts.
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
