"""The server's own transport and eras, with fixtures in their tables."""

from collections.abc import Iterable, Mapping

import orjson
from django.http import HttpRequest, HttpResponse

from mcp_server import handshake, methods, stateless, transport
from mcp_server.context import Exchange
from mcp_server.jsonrpc import Json
from mcp_server.methods import Method
from tests.mcp_server.conformance import fixtures

_respond = transport.respond


def respond_with_notes(request: HttpRequest) -> HttpResponse:
    """Return the server's response, as an event stream if there are notifications."""
    fixtures.said.set([])
    response = _respond(request)
    notes = fixtures.said.get()
    if not notes:
        return response
    messages = [*map(orjson.dumps, notes), response.content]
    events = b"".join(b"event: message\ndata: %b\n\n" % message for message in messages)
    return HttpResponse(events, status=response.status_code, content_type="text/event-stream")


def named(key: str, known: Mapping[str, fixtures.Fixture], otherwise: Method) -> Method:
    """Return the method for names in `known`, and the server's own for all others."""

    def method(exchange: Exchange, revision: str, params: Json) -> Json:
        fixture = known.get(params.get(key, ""))
        return fixture(params) if fixture else otherwise(exchange, revision, params)

    return method


def listed(key: str, more: Iterable[Json], own: Method) -> Method:
    """Return the server's own list followed by the fixtures."""

    def method(exchange: Exchange, revision: str, params: Json) -> Json:
        found = own(exchange, revision, params)
        return {**found, key: [*found[key], *more]}

    return method


def complete(exchange: Exchange, revision: str, params: Json) -> Json:
    if params.get("ref", {}).get("name") in fixtures.PROMPTS:
        return {"completion": {"values": ["paris", "park", "party"], "total": 3, "hasMore": False}}
    return methods.complete(exchange, revision, params)


def nothing(exchange: Exchange, revision: str, params: Json) -> Json:
    return {}


SHARED: Mapping[str, Method] = {
    "tools/list": listed("tools", fixtures.listed_tools(), methods.list_tools),
    "tools/call": named("name", fixtures.TOOLS, methods.call_tool),
    "prompts/list": listed("prompts", fixtures.listed_prompts(), methods.list_prompts),
    "prompts/get": named("name", fixtures.PROMPTS, methods.get_prompt),
    "resources/list": listed("resources", fixtures.listed_resources(), methods.list_resources),
    "resources/read": named("uri", fixtures.RESOURCES, methods.read_resource),
    "completion/complete": complete,
}
IN_SESSIONS = dict.fromkeys(
    ("logging/setLevel", "resources/subscribe", "resources/unsubscribe"), nothing
)

transport.respond = respond_with_notes
methods.CAPABILITIES = {**methods.CAPABILITIES, "logging": {}}
handshake.METHODS = {**handshake.METHODS, **SHARED, **IN_SESSIONS}
stateless.METHODS = {**stateless.METHODS, **SHARED}
