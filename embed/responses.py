"""Answers made of `/embed.json` and options, with ETag and coding, cached.

Equal options give the same bytes, so that each process and each machine gives the same ETag.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.http.headers import cache_control, service_desc_link
from embed.documents import DOCUMENT
from publishing.conditional import CODINGS, IDENTITY, choose_coding, is_not_modified
from publishing.publisher import ENCODERS
from publishing.responses import CachedDocument, content_headers, entity_tag
from publishing.selectors import get_document

Build = Callable[..., bytes]


def current_content() -> Mapping[str, Any]:
    """The content of the current version of the document. Raises `DocumentUnavailable`."""
    return _content(get_document(DOCUMENT.path))


@lru_cache(maxsize=2)
def _content(document: CachedDocument) -> Mapping[str, Any]:
    content: Mapping[str, Any] = orjson.loads(document.identity)
    return content


# Anybody may ask for any options, so that they must not fill the memory.
@lru_cache(maxsize=300)
def _body(
    document: CachedDocument, base_url: str, coding: str, build: Build, arguments: tuple[Any, ...]
) -> tuple[str, bytes]:
    plain = build(_content(document), *arguments)
    etag = entity_tag(hashlib.sha256(plain).hexdigest()[:32], coding)
    return etag, plain if coding == IDENTITY else ENCODERS[coding](plain)


def respond(
    request: HttpRequest,
    build: Build,
    *arguments: Any,
    media_type: str,
    codings: tuple[str, ...] = CODINGS,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The answer of which `build` makes the body, from the document and the arguments.

    Raises `DocumentUnavailable` while the document is not published.
    """
    coding = choose_coding(request.META.get("HTTP_ACCEPT_ENCODING"), codings)
    document = get_document(DOCUMENT.path)
    etag, body = _body(document, settings.BASE_URL, coding, build, arguments)
    shared = {
        "ETag": etag,
        "Cache-Control": cache_control(settings.CACHE_MAX_AGE_SECONDS),
        **({"Vary": "Accept-Encoding"} if codings else {}),
        "Link": service_desc_link(settings.BASE_URL),
        **(headers or {}),
    }
    if is_not_modified(request.META.get("HTTP_IF_NONE_MATCH"), None, etag, 0):
        return HttpResponse(status=304, headers=shared)
    described = dict(content_headers(media_type, coding, len(body)))
    return HttpResponse(body, headers={**described, **shared})
