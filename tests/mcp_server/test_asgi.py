"""The endpoint under Django's ASGI handler, without WSGI variables."""

import json

import pytest

from mcp_server import conf
from tests.asgi import post
from tests.mcp_server.mcp_client import initialize_params, request

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _the_library_alone(settings):
    settings.MIDDLEWARE = []
    settings.ROOT_URLCONF = "mcp_server.urls"
    settings.MCP_RATE_LIMITER = ""


def send(*chunks, **headers):
    """Send a body in chunks. Return status, session and JSON of the response."""
    fields = {"host": "reviews.example", "content-type": "application/json"} | headers
    status, found, body = post("/mcp", *chunks, **fields)
    return status, found.get(b"Mcp-Session-Id", b"").decode(), json.loads(body)


BODY = json.dumps(request("initialize", initialize_params())).encode()


@pytest.mark.parametrize(
    ("chunks", "headers"),
    [
        ([BODY], {"content-length": str(len(BODY))}),
        ([BODY[:20], BODY[20:]], {"transfer-encoding": "chunked"}),
        ([BODY], {}),
    ],
)
def test_post_is_served(chunks, headers):
    status, session, answer = send(*chunks, **headers)
    assert (status, answer["result"]["protocolVersion"]) == (200, "2025-06-18")
    ping = json.dumps(request("ping")).encode()
    assert send(ping, **{"mcp-session-id": session})[2]["result"] == {}


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"", {}, 400),
        (BODY, {"content-length": str(len(BODY) + 1)}, 400),
        (b"{}", {"content-length": "9" * 30}, 413),
        (b" " * (conf.DEFAULTS["MCP_MAX_BODY_BYTES"] + 1), {"transfer-encoding": "chunked"}, 413),
        (BODY, {"content-type": "text/plain"}, 415),
    ],
)
def test_unusable_body_is_refused(body, headers, status):
    assert send(body, **headers)[0] == status
