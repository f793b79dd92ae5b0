"""The resources: every published document by its address, and each review by its own."""

import re
from collections.abc import Mapping

from django.conf import settings

from mcp_server.registry import Content, Resource, Template
from publishing import contents
from publishing.registry import CATALOG, JSON
from reviews.selectors import fragments_of
from reviews.ulids import ULID_PATTERN

# More than a model reads at once; a program takes the whole from its address.
MAX_BYTES = 256 * 1024
PLAIN_TEXT = "text/plain"  # Of a beginning: as JSON or Atom it would be taken for the whole.

WORDS: Mapping[str, tuple[str, str, str]] = {
    "/reviews.json": (
        "reviews",
        "All reviews",
        "The business, its aggregate rating and every review, newest first.",
    ),
    "/insights.json": (
        "insights",
        "Insights",
        "What the reviews say, in numbers, with the evidence for each of them.",
    ),
    "/api/feed.json": ("json-feed", "JSON Feed", "The 50 newest reviews as JSON Feed 1.1."),
    "/feed.xml": ("atom-feed", "Atom feed", "The 50 newest reviews as Atom."),
    "/.well-known/openapi.json": (
        "openapi",
        "OpenAPI description",
        "The same data over HTTP: every operation, with examples.",
    ),
}

_INSIGHTS_TOOLS = (
    "the tools get_summary, get_aspect_sentiment, get_technician, get_service, get_topics, "
    "get_trend and get_faq"
)
_SEARCH_TOOLS = "the tools search_reviews and get_review"
# The tools that tell the same as a document, piece by piece.
TOOLS_OF: Mapping[str, str] = {
    "/reviews.json": "the tools get_business, search_reviews and get_review",
    "/insights.json": _INSIGHTS_TOOLS,
    "/api/feed.json": _SEARCH_TOOLS,
    "/feed.xml": _SEARCH_TOOLS,
    "/.well-known/openapi.json": "the tools of this server, which read the same data",
}


def resources() -> tuple[Resource, ...]:
    return tuple(
        Resource(CATALOG[path].url, *words, CATALOG[path].media_type)
        for path, words in WORDS.items()
    )


def templates() -> tuple[Template, ...]:
    return (
        Template(
            f"{settings.BASE_URL}/reviews/{{id}}",
            "review",
            "One review",
            "One review by its id, as JSON.",
            JSON,
            variable="id",
        ),
    )


def size(uri: str) -> int | None:
    """The bytes of the document at `uri`; None while it is not published."""
    try:
        return len(contents.get_document(uri.removeprefix(settings.BASE_URL)).identity)
    except contents.DocumentUnavailable:
        return None


def read(uri: str) -> list[Content] | None:
    """The contents of the resource at `uri`; None when there is none."""
    if not uri.startswith(f"{settings.BASE_URL}/"):
        return None
    path = uri.removeprefix(settings.BASE_URL)
    if path in WORDS:
        return _document(path)
    found = re.fullmatch(f"/reviews/({ULID_PATTERN})", path)
    if found is None:
        return None
    fragments = fragments_of([found[1]])
    return [Content(JSON, fragments[0])] if fragments else None


def _document(path: str) -> list[Content]:
    """The contents of a document; a large one is cut.

    Then they are a sentence and the beginning of the document, both as plain text.
    """
    body = contents.get_document(path).identity
    if len(body) <= MAX_BYTES:
        return [Content(CATALOG[path].media_type, body.decode())]
    sentence = (
        f"This document has {len(body)} bytes. Only the first {MAX_BYTES} follow, cut off where "
        "they end: they are not the whole document and no valid one. "
        f"For the rest use {TOOLS_OF[path]}, or fetch {CATALOG[path].url}."
    )
    beginning = body[:MAX_BYTES].decode(errors="ignore")  # The last character may be cut.
    return [Content(PLAIN_TEXT, sentence), Content(PLAIN_TEXT, beginning)]
