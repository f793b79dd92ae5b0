"""The published documents as they are now, and what they say, read once per version."""

from collections.abc import Callable, Iterable
from typing import Any

import orjson
from rest_framework.exceptions import APIException

from core.db.errors import RETRY_AFTER_SECONDS
from insights.evidence import without_evidence
from publishing.cache import cache
from publishing.responses import CachedDocument
from reviews.documents import REVIEWS

_read: dict[str, tuple[CachedDocument, dict[str, Any]]] = {}


class DocumentUnavailable(APIException):
    status_code = 503
    wait = RETRY_AFTER_SECONDS


def get_document(path: str) -> CachedDocument:
    """The document as it is now: out of memory where a thread keeps that new, else looked up."""
    if cache.is_running:
        cache.wait(path)
    else:
        cache.refresh()
    entry = cache.entries.get(path)
    if entry is None:
        raise DocumentUnavailable
    return entry


def sizes(paths: Iterable[str]) -> dict[str, int]:
    """The length in bytes of each of the documents that is published."""
    if not cache.is_running:
        cache.refresh()
    entries = cache.entries
    return {path: len(entries[path].identity) for path in paths if path in entries}


def dataset_summary() -> dict[str, Any]:
    """`/reviews.json` without its reviews."""
    return _parsed("/reviews.json", get_document("/reviews.json"), _without_reviews)


def insights() -> dict[str, Any]:
    """`/insights.json` without `per_review`."""
    return insights_and_bytes()[0]


def insights_and_bytes() -> tuple[dict[str, Any], bytes]:
    """The same, and the document of which it is a part: both of one version."""
    entry = get_document("/insights.json")
    return _parsed("/insights.json", entry, without_evidence), entry.identity


def _parsed(path: str, entry: CachedDocument, cut: Callable[[bytes], bytes]) -> dict[str, Any]:
    held = _read.get(path)
    if held is None or held[0] is not entry:
        # The long lists are cut out as bytes: parsed, those of 100,000 reviews would take more
        # memory than everything else in the process.
        held = _read[path] = (entry, orjson.loads(cut(entry.identity)))
    return held[1]


def _without_reviews(document: bytes) -> bytes:
    return document[: document.index(REVIEWS)] + b"}"
