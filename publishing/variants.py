"""Variants of a published document, built from the document and some arguments."""

import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from publishing import conf
from publishing.conditional import CODINGS, IDENTITY, choose_coding, is_not_modified
from publishing.models import GZIP
from publishing.publisher import ENCODERS, LARGE, digest
from publishing.responses import (
    CachedDocument,
    StaticResponse,
    content_headers,
    entity_tag,
    shared_headers,
)
from publishing.selectors import get_document
from publishing.slow_readers import TooManyUnsentBytes, slow_readers

Build = Callable[..., bytes]  # Takes a `CachedDocument` and the arguments.

MAX_CACHED = 300


def respond(
    environ: Mapping[str, Any],
    path: str,
    build: Build,
    *arguments: Hashable,
    media_type: str,
    codings: tuple[str, ...] = CODINGS,
    headers: Iterable[tuple[str, str]] = (),
    is_dated: bool = False,
    is_cached: bool = True,
) -> StaticResponse:
    """Respond to a GET or HEAD with the body `build(document, *arguments)`.

    Set `is_dated` to send the document's `Last-Modified` if the variant depends on nothing else.
    Unset `is_cached` for large or rare variants. Raises `DocumentUnavailable`, and
    `TooManyUnsentBytes` before a large variant is compressed.
    """
    document = get_document(path)
    built = _built if is_cached else _built.__wrapped__
    body, digested = built(document, conf.get("BASE_URL"), build, arguments)
    offered = tuple(coding for coding in codings if coding == "gzip" or len(body) <= LARGE)
    coding = choose_coding(environ.get("HTTP_ACCEPT_ENCODING"), offered)
    etag = entity_tag(digested, coding)
    dated, fresh, vary = shared_headers(document.last_modified)
    chosen = [*([dated] if is_dated else []), fresh, *([vary] if codings else [])]
    shared = [("ETag", etag), *chosen, *headers]
    since = environ.get("HTTP_IF_MODIFIED_SINCE") if is_dated else None
    etags = environ.get("HTTP_IF_NONE_MATCH")
    if is_not_modified(etags, since, etag, document.last_modified):
        return StaticResponse("304 Not Modified", shared, [])
    if not slow_readers.has_room(len(body), environ):
        raise TooManyUnsentBytes
    if coding != IDENTITY:
        body = (_compressed if is_cached else _compressed.__wrapped__)(body, coding)
    described = content_headers(media_type, coding, len(body))
    sent = [] if environ["REQUEST_METHOD"] == "HEAD" else [body]
    return StaticResponse("200 OK", [*described, *shared], sent, len(body))


@lru_cache(maxsize=MAX_CACHED)
def _built(
    document: CachedDocument, base_url: str, build: Build, arguments: tuple[Any, ...]
) -> tuple[bytes, str]:
    plain = build(document, *arguments)
    return plain, digest(plain)


@lru_cache(maxsize=MAX_CACHED)
def _compressed(plain: bytes, coding: str) -> bytes:
    # The result for a large variant is used once.
    fast = len(plain) > LARGE
    return zlib.compress(plain, 1, wbits=GZIP) if fast else ENCODERS[coding](plain)
