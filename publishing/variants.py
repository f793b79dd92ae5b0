"""Variants of a published document: answers that a function makes of it and of some arguments.

Equal arguments give the same bytes, so that each process gives the same ETag.
"""

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

Build = Callable[..., bytes]  # Of a `CachedDocument` and the arguments.

FAST_GZIP = 1  # A large variant is compressed for one answer alone.
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
    """The answer to a GET or HEAD, whose body is `build(document, *arguments)`.

    `is_dated` for a variant that nothing but the document changes: it has its `Last-Modified`.
    Without `is_cached` it is built for each request, as one that is large or rare should be. Raises
    `DocumentUnavailable`, and `TooManyUnsentBytes` before a large variant is compressed.
    """
    document = get_document(path)
    make = _made if is_cached else _made.__wrapped__
    made = make(document, conf.get("BASE_URL"), build, arguments)
    is_large = len(made.plain) > LARGE
    offered = tuple(coding for coding in codings if coding == "gzip" or not is_large)
    coding = choose_coding(environ.get("HTTP_ACCEPT_ENCODING"), offered)
    etag = entity_tag(made.digest, coding)
    dated, fresh, vary = shared_headers(document.last_modified)
    chosen = [*([dated] if is_dated else []), fresh, *([vary] if codings else [])]
    shared = [("ETag", etag), *chosen, *headers]
    since = environ.get("HTTP_IF_MODIFIED_SINCE") if is_dated else None
    etags = environ.get("HTTP_IF_NONE_MATCH")
    if is_not_modified(etags, since, etag, document.last_modified):
        return StaticResponse("304 Not Modified", shared, [])
    if not slow_readers.has_room(len(made.plain), environ):
        raise TooManyUnsentBytes
    body = made.body(coding)
    described = content_headers(media_type, coding, len(body))
    sent = [] if environ["REQUEST_METHOD"] == "HEAD" else [body]
    return StaticResponse("200 OK", [*described, *shared], sent, len(body))


class _Made:
    """The bytes of a variant, in each coding once."""

    def __init__(self, plain: bytes) -> None:
        self.plain = plain
        self.digest = digest(plain)
        self._coded = {IDENTITY: plain}

    def body(self, coding: str) -> bytes:
        if coding not in self._coded:
            is_large = len(self.plain) > LARGE
            self._coded[coding] = (
                zlib.compress(self.plain, FAST_GZIP, wbits=GZIP)
                if is_large
                else ENCODERS[coding](self.plain)
            )
        return self._coded[coding]


# Anybody may ask for any arguments, so that they must not fill the memory.
@lru_cache(maxsize=MAX_CACHED)
def _made(
    document: CachedDocument, base_url: str, build: Build, arguments: tuple[Any, ...]
) -> _Made:
    return _Made(build(document, *arguments))
