"""The address of the server, and the documents about it."""

from collections.abc import Mapping
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from rest_framework.views import APIView

from core.http.headers import cache_control
from mcp_server import server, transport


class McpView(APIView):
    """`POST /mcp`: one message or batch in, one JSON answer out."""

    throttle_scope = "mcp"
    schema = None  # Described as a whole, since its operations are inside the body.

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.request, self.args, self.kwargs = request, args, kwargs  # type: ignore[assignment]  # Django's.
        reply = transport.respond(
            request.META,
            lambda: self.check_throttles(request),  # type: ignore[arg-type]  # Django's own will do.
        )
        response = HttpResponse(reply.body, status=reply.status)
        if not reply.body:
            del response.headers["Content-Type"]
        for name, value in reply.headers.items():
            response.headers[name] = value
        return response


@require_safe
def server_card(request: HttpRequest) -> HttpResponse:
    return _document(server.card(), server.CARD_TYPE)


@require_safe
def ai_catalog(request: HttpRequest) -> HttpResponse:
    return _document(server.catalog(), server.CATALOG_TYPE)


def _document(members: Mapping[str, Any], media_type: str) -> HttpResponse:
    headers = {"Cache-Control": cache_control(settings.CACHE_MAX_AGE_SECONDS)}
    return HttpResponse(orjson.dumps(members), content_type=media_type, headers=headers)
