"""The endpoint of the server, and the documents that describe it."""

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from mcp_server import conf, server, transport
from mcp_server.encoding import dumps
from mcp_server.jsonrpc import Json


@csrf_exempt
def endpoint(request: HttpRequest) -> HttpResponseBase:
    """Answer one message or batch of the protocol."""
    return transport.respond(request)


@require_safe
def server_card(request: HttpRequest) -> HttpResponse:
    return _document(server.card(conf.base_url(request)), server.CARD_TYPE)


def _document(members: Json, media_type: str) -> HttpResponse:
    seconds = conf.get("MCP_CACHE_SECONDS")
    fresh = f"public, max-age={seconds}, stale-while-revalidate=300"
    return HttpResponse(dumps(members), content_type=media_type, headers={"Cache-Control": fresh})
