"""Responses of documents, prepared once for each stored version."""

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.http import http_date

from publishing import conf
from publishing.conditional import (
    CODINGS,
    IDENTITY,
    MAX_CACHED,
    MAX_CACHED_LENGTH,
    choose_coding,
    is_not_modified,
)
from publishing.models import Document
from publishing.registry import DocumentSpec, registry
from publishing.slow_readers import RETRY_AFTER_SECONDS, SENTENCE

Headers = list[tuple[str, str]]


class StaticResponse(NamedTuple):
    status: str
    headers: Headers  # Shared by all requests; do not change the list.
    body: Iterable[bytes]  # A list, since granian streams other iterables, which takes longer.
    length: int = 0  # Length of a document's body.


class Representation(NamedTuple):
    """The responses of a document in one coding."""

    etag: str
    get: StaticResponse
    head: StaticResponse
    not_modified: StaticResponse


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class CachedDocument:
    """A published document in memory; immutable."""

    version: int
    digest: str
    changed_at: dt.datetime
    last_modified: int  # Unix seconds.
    codings: tuple[str, ...]  # Best first, without identity.
    representations: Mapping[str, Representation]
    identity: bytes
    chosen: dict[str | None, Representation] = field(default_factory=dict)  # By Accept-Encoding.


def respond(entry: CachedDocument, environ: Mapping[str, Any]) -> StaticResponse:
    """Response to a GET or HEAD of the document; `environ` is the WSGI environment."""
    accept_encoding = environ.get("HTTP_ACCEPT_ENCODING")
    chosen = entry.chosen.get(accept_encoding) or _choose(entry, accept_encoding)
    etag, get, head, not_modified = chosen
    if_none_match = environ.get("HTTP_IF_NONE_MATCH")
    # Most conditional requests send exactly one ETag.
    if if_none_match == etag or is_not_modified(
        if_none_match, environ.get("HTTP_IF_MODIFIED_SINCE"), etag, entry.last_modified
    ):
        return not_modified
    return head if environ["REQUEST_METHOD"] == "HEAD" else get


def _choose(entry: CachedDocument, accept_encoding: str | None) -> Representation:
    chosen = entry.representations[choose_coding(accept_encoding, entry.codings)]
    if len(entry.chosen) < MAX_CACHED and len(accept_encoding or "") <= MAX_CACHED_LENGTH:
        entry.chosen[accept_encoding] = chosen
    return chosen


def cached_document(document: Document) -> CachedDocument:
    """Prepare the responses of a published document."""
    spec = registry[document.path]
    bodies = document.bodies()
    changed_at = document.changed_at or dt.datetime.fromtimestamp(0, dt.UTC)
    last_modified = int(changed_at.timestamp())
    return CachedDocument(
        version=document.version,
        digest=document.digest,
        changed_at=changed_at,
        last_modified=last_modified,
        codings=tuple(coding for coding in CODINGS if coding in bodies),
        representations={
            coding: _representation(spec, document.digest, coding, body, last_modified)
            for coding, body in bodies.items()
        },
        identity=bodies[IDENTITY],
    )


def _representation(
    spec: DocumentSpec, digest: str, coding: str, body: bytes, last_modified: int
) -> Representation:
    etag = entity_tag(digest, coding)
    shared = [("ETag", etag), *shared_headers(last_modified)]
    headers = [
        *content_headers(spec.media_type, coding, len(body)),
        *shared,
        *conf.headers(spec, 200),
    ]
    return Representation(
        etag=etag,
        get=StaticResponse("200 OK", headers, [body], len(body)),
        head=StaticResponse("200 OK", headers, []),
        not_modified=StaticResponse("304 Not Modified", [*shared, *conf.headers(spec, 304)], []),
    )


def too_many_unsent(spec: DocumentSpec) -> StaticResponse:
    """503 of a document while too many large responses wait."""
    problem = {"type": "about:blank", "title": "Service Unavailable", "status": 503}
    body = json.dumps(problem | {"detail": SENTENCE}).encode()
    headers = [
        *content_headers("application/json", IDENTITY, len(body)),
        ("Retry-After", str(RETRY_AFTER_SECONDS)),
        ("Cache-Control", "no-store"),
        *conf.headers(spec, 503),
    ]
    return StaticResponse("503 Service Unavailable", headers, [body])


def entity_tag(digest: str, coding: str) -> str:
    """Strong ETag, which differs between codings (RFC 9110 8.8.3.3)."""
    return f'"{digest}"' if coding == IDENTITY else f'"{digest}-{coding}"'


def content_headers(media_type: str, coding: str, length: int) -> Headers:
    """Headers of a 200 that a 304 does not have."""
    encoding = [] if coding == IDENTITY else [("Content-Encoding", coding)]
    return [("Content-Type", media_type), *encoding, ("Content-Length", str(length))]


def shared_headers(last_modified: int) -> Headers:
    """Headers of a 200 and its 304, beside the ETag (RFC 9110 15.4.5)."""
    seconds = conf.get("CACHE_MAX_AGE_SECONDS")
    fresh = f"public, max-age={seconds}, stale-while-revalidate=300"
    return [
        ("Last-Modified", http_date(last_modified)),
        ("Cache-Control", fresh),
        ("Vary", "Accept-Encoding"),
    ]
