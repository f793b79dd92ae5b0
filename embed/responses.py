"""Answers made of `/embed.json` and options, with ETag and coding, cached.

Equal options give the same bytes, so that each process and each machine gives the same ETag. They
are made once for each version of the document; of one version no more than `MAX_CACHED` are kept.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.http.headers import cache_control, service_desc_link
from embed.documents import DOCUMENT
from publishing.conditional import CODINGS, IDENTITY, choose_coding, is_not_modified
from publishing.publisher import ENCODERS
from publishing.responses import CachedDocument, StaticResponse, content_headers, entity_tag
from publishing.selectors import get_document
from publishing.views import to_django

MAX_CACHED = 300
HTML = "text/html; charset=utf-8"

Build = Callable[[Mapping[str, Any]], bytes]


@dataclass(slots=True)
class Bodies:
    """The bodies of one version of the document, and the document's content."""

    content: Mapping[str, Any]
    _coded: dict[tuple[Hashable, str], tuple[str, bytes]] = field(default_factory=dict)

    def body(self, key: Hashable, coding: str, build: Build) -> tuple[str, bytes]:
        """The ETag and the body in a coding."""
        found = self._coded.get((key, coding))
        if found is None:
            plain = build(self.content)
            etag = entity_tag(hashlib.sha256(plain).hexdigest()[:32], coding)
            found = etag, plain if coding == IDENTITY else ENCODERS[coding](plain)
            # Anybody may ask for any options, so that they must not fill the memory.
            if len(self._coded) >= MAX_CACHED:
                self._coded.clear()
            self._coded[key, coding] = found
        return found


_bodies: WeakKeyDictionary[CachedDocument, Bodies] = WeakKeyDictionary()


def current_content() -> Mapping[str, Any]:
    """The content of the current version of the document. Raises `DocumentUnavailable`."""
    return _current().content


def respond(
    request: HttpRequest,
    key: Hashable,
    build: Build,
    media_type: str,
    *,
    codings: tuple[str, ...] = CODINGS,
    headers: Iterable[tuple[str, str]] = (),
) -> HttpResponse:
    """The answer of which `build` makes the body; `key` tells it from all others.

    Raises `DocumentUnavailable` while the document is not published.
    """
    coding = choose_coding(request.META.get("HTTP_ACCEPT_ENCODING"), codings)
    etag, body = _current().body((settings.BASE_URL, key), coding, build)
    shared = [
        ("ETag", etag),
        ("Cache-Control", cache_control(settings.CACHE_MAX_AGE_SECONDS)),
        *([("Vary", "Accept-Encoding")] if codings else []),
        ("Link", service_desc_link(settings.BASE_URL)),
        *headers,
    ]
    if is_not_modified(request.META.get("HTTP_IF_NONE_MATCH"), None, etag, 0):
        return to_django(StaticResponse("304 Not Modified", shared, []))
    described = [*content_headers(media_type, coding, len(body)), *shared]
    return to_django(StaticResponse("200 OK", described, [body]))


def _current() -> Bodies:
    document = get_document(DOCUMENT.path)
    # Two threads may make one each; the loser's is forgotten with its answer.
    return _bodies.get(document) or _bodies.setdefault(
        document, Bodies(orjson.loads(document.identity))
    )
