"""Cached responses built from `/embed.json` and options.

Equal options give equal bytes, so all processes and machines send the same ETag.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from core.http.headers import service_desc_link
from embed.documents import DOCUMENT
from publishing import variants
from publishing.conditional import CODINGS
from publishing.responses import CachedDocument
from publishing.selectors import get_document
from publishing.views import to_django

Build = Callable[..., bytes]


def current_content() -> Mapping[str, Any]:
    """Load the document's current content; raises DocumentUnavailable."""
    return _content(get_document(DOCUMENT.path))


@lru_cache(maxsize=2)
def _content(document: CachedDocument) -> Mapping[str, Any]:
    content: Mapping[str, Any] = orjson.loads(document.identity)
    return content


def _build(document: CachedDocument, build: Build, *arguments: Any) -> bytes:
    return build(_content(document), *arguments)


def respond(
    request: HttpRequest,
    build: Build,
    *arguments: Any,
    media_type: str,
    codings: tuple[str, ...] = CODINGS,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Respond with the body that `build` makes; raises DocumentUnavailable."""
    shared = {"Link": service_desc_link(settings.BASE_URL), **(headers or {})}
    return to_django(
        variants.respond(
            request.META,
            DOCUMENT.path,
            _build,
            build,
            *arguments,
            media_type=media_type,
            codings=codings,
            headers=shared.items(),
        )
    )
