"""The published documents through Django: the same answers as the middleware's."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.generic import View

from publishing.registry import registry
from publishing.responses import StaticResponse, respond, too_many_unsent
from publishing.selectors import RETRY_AFTER_SECONDS, DocumentUnavailable, get_document
from publishing.slow_readers import slow_readers


class DocumentView(View):
    """GET and HEAD of one document; a 503 while it is not published."""

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
    """The answer to the request of a WSGI environment. Raises `DocumentUnavailable`."""
    return to_django(respond(get_document(path), environ))


def to_django(static: StaticResponse) -> HttpResponse:
    """The response in the form of Django."""
    response = HttpResponse(b"".join(static.body), status=int(static.status[:3]))
    if response.status_code == 304:
        del response.headers["Content-Type"]
    for name, value in static.headers:
        response.headers[name] = value
    return response
