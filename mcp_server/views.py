"""Views of the endpoint and of the server card."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from mcp_server import conf, stateless, transport
from mcp_server.encoding import dumps

CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
CARD_TYPE = "application/mcp-server-card+json"


@csrf_exempt
def endpoint(request: HttpRequest) -> HttpResponseBase:
    """Answer one message or batch of the protocol."""
    return transport.respond(request)


@require_safe
def server_card(request: HttpRequest) -> HttpResponse:
    """Answer with the server card, which describes how to connect (SEP-2127)."""
    base_url, seconds = conf.base_url(request), conf.get("MCP_CACHE_SECONDS")
    host = urlsplit(base_url).hostname or ""
    # Names must not contain the colons of an IPv6 address.
    labels = host.split(".") if host and ":" not in host else ["localhost"]
    remote = {
        "type": "streamable-http",
        "url": conf.address(base_url),
        "supportedProtocolVersions": list(stateless.SUPPORTED),
    }
    card = {
        "$schema": CARD_SCHEMA,
        "name": f"{'.'.join(reversed(labels))}/{conf.server('name')}",
        **{name: conf.server(name) for name in ("version", "title", "description")},
        "websiteUrl": base_url,
        "remotes": [remote],
    }
    fresh = {"Cache-Control": f"public, max-age={seconds}, stale-while-revalidate=300"}
    return HttpResponse(dumps(card), content_type=CARD_TYPE, headers=fresh)
