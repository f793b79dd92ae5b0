"""Responses of documents: status, headers and body, made once for each stored version."""

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
    LONGEST,
    MAX_CACHED,
    choose_coding,
    is_not_modified,
)
from publishing.models import Document
from publishing.registry import DocumentSpec, registry
from publishing.slow_readers import RETRY_AFTER_SECONDS, SENTENCE

Headers = list[tuple[str, str]]


class StaticResponse(NamedTuple):
    status: str
    headers: Headers  # Shared by all who are given it, as the body is: never change them.
    body: Iterable[bytes]  # A list goes out at once; granian streams any other, for a third more.
    length: int = 0  # Of the body of a document.


class Representation(NamedTuple):
    """One coding of a document and the three answers it can give."""

    etag: str
    get: StaticResponse
    head: StaticResponse
    not_modified: StaticResponse


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class CachedDocument:
    """A published document, held in memory, never changed."""

    version: int
    digest: str
    changed_at: dt.datetime
    last_modified: int  # Unix seconds.
    codings: tuple[str, ...]  # Best first, without identity.
    representations: Mapping[str, Representation]
    identity: bytes
    chosen: dict[str | None, Representation] = field(default_factory=dict)  # By Accept-Encoding.


def respond(entry: CachedDocument, environ: Mapping[str, Any]) -> StaticResponse:
    """The answer to a GET or HEAD of the document; `environ` is that of WSGI."""
    accept_encoding = environ.get("HTTP_ACCEPT_ENCODING")
    chosen = entry.chosen.get(accept_encoding) or _choose(entry, accept_encoding)
    etag, get, head, not_modified = chosen
    if_none_match = environ.get("HTTP_IF_NONE_MATCH")
    # What most conditional requests send is compared first, as it stands.
    if if_none_match == etag or is_not_modified(
        if_none_match, environ.get("HTTP_IF_MODIFIED_SINCE"), etag, entry.last_modified
    ):
        return not_modified
    return head if environ["REQUEST_METHOD"] == "HEAD" else get


def _choose(entry: CachedDocument, accept_encoding: str | None) -> Representation:
    chosen = entry.representations[choose_coding(accept_encoding, entry.codings)]
    if len(entry.chosen) < MAX_CACHED and len(accept_encoding or "") <= LONGEST:
        entry.chosen[accept_encoding] = chosen
    return chosen


def cached_document(document: Document) -> CachedDocument:
    """The answers that this published document gives from now on."""
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
    """The 503 of a document while too many large answers wait."""
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
    """A strong ETag: each coding has bytes, and so a tag, of its own (RFC 9110 8.8.3.3)."""
    return f'"{digest}"' if coding == IDENTITY else f'"{digest}-{coding}"'


def content_headers(media_type: str, coding: str, length: int) -> Headers:
    """The headers that only a 200 carries; a 304 has no content to describe."""
    encoding = [] if coding == IDENTITY else [("Content-Encoding", coding)]
    return [("Content-Type", media_type), *encoding, ("Content-Length", str(length))]


def shared_headers(last_modified: int) -> Headers:
    """The headers of a 200 and its 304 (RFC 9110 15.4.5), beside the ETag."""
    seconds = conf.get("CACHE_MAX_AGE_SECONDS")
    fresh = f"public, max-age={seconds}, stale-while-revalidate=300"
    return [
        ("Last-Modified", http_date(last_modified)),
        ("Cache-Control", fresh),
        ("Vary", "Accept-Encoding"),
    ]
