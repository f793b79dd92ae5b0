"""What the published documents say, for tools and pages: each is read once per version."""

from collections.abc import Callable
from typing import Any

import orjson

from insights.evidence import without_evidence
from publishing.answers import Entry
from publishing.shelf import shelf
from publishing.views import entry_at

# It cannot occur inside a JSON string, where every quotation mark follows a backslash.
_REVIEWS = b',"reviews":['

_read: dict[str, tuple[Entry, dict[str, Any]]] = {}


def published(path: str) -> Entry:
    """The published document at this path, as it is now."""
    if shelf.is_kept:
        shelf.wait(path)
    return entry_at(path)


def reviews_head() -> dict[str, Any]:
    """`/reviews.json` without its reviews."""
    return _remembered("/reviews.json", published("/reviews.json"), _without_reviews)


def insights() -> dict[str, Any]:
    """`/insights.json` without `per_review`."""
    return insights_and_bytes()[0]


def insights_and_bytes() -> tuple[dict[str, Any], bytes]:
    """The same, and the document of which it is a part: both of one version."""
    entry = published("/insights.json")
    return _remembered("/insights.json", entry, without_evidence), entry.identity


def _remembered(path: str, entry: Entry, cut: Callable[[bytes], bytes]) -> dict[str, Any]:
    held = _read.get(path)
    if held is None or held[0] is not entry:
        # The long lists are cut out as bytes: parsed, those of 100,000 reviews would take more
        # memory than everything else in the process.
        held = _read[path] = (entry, orjson.loads(cut(entry.identity)))
    return held[1]


def _without_reviews(document: bytes) -> bytes:
    return document[: document.index(_REVIEWS)] + b"}"
