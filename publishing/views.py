"""Django views of the published documents, with the same responses as the middleware."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.generic import View

from publishing.registry import registry
from publishing.responses import StaticResponse, respond, too_many_unsent
from publishing.selectors import RETRY_AFTER_SECONDS, DocumentUnavailable, get_document
from publishing.slow_readers import slow_readers


class DocumentView(View):
    """View of a document; responds with a 503 while the document is not published."""

    path = ""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = document_response(self.path, request.META)
        except DocumentUnavailable:
            return HttpResponse(status=503, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})
        if not slow_readers.admit(len(response.content), request.META):
            return to_django(too_many_unsent(registry[self.path]))
        return response


def document_response(path: str, environ: Mapping[str, Any]) -> HttpResponse:
    """Response of a document to a WSGI request. Raises `DocumentUnavailable`."""
    return to_django(respond(get_document(path), environ))


def to_django(static: StaticResponse) -> HttpResponse:
    """Convert to a response of Django."""
    response = HttpResponse(b"".join(static.body), status=int(static.status[:3]))
    if response.status_code == 304:
        del response.headers["Content-Type"]
    for name, value in static.headers:
        response.headers[name] = value
    return response
