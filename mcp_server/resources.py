"""The resources: every published document by its address, and each review by its own."""

import re
from collections.abc import Mapping

from django.conf import settings

from mcp_server.offer import CannotAnswer, Resource, Template
from publishing import contents
from publishing.catalog import CATALOG, JSON
from reviews.selectors import fragments_of
from reviews.ulids import ULID_PATTERN

# More than a model can read; a program takes it from its address, where it comes compressed.
MAX_BYTES = 8 * 1024 * 1024

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


def read(uri: str) -> tuple[str, str] | None:
    """Media type and text of the resource at `uri`; None when there is none."""
    if not uri.startswith(f"{settings.BASE_URL}/"):
        return None
    path = uri.removeprefix(settings.BASE_URL)
    if path in WORDS:
        return CATALOG[path].media_type, _document(path)
    found = re.fullmatch(f"/reviews/({ULID_PATTERN})", path)
    if found is None:
        return None
    fragments = fragments_of([found[1]])
    return (JSON, fragments[0]) if fragments else None


def _document(path: str) -> str:
    body = contents.published(path).identity
    if len(body) > MAX_BYTES:
        raise CannotAnswer(
            f"This document has {len(body)} bytes, too many for an answer. Ask search_reviews, or "
            f"fetch it from {CATALOG[path].url}."
        )
    return body.decode()
