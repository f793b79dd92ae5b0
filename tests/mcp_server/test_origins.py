"""Preflights and origins of browser pages (L)."""

import pytest
from django.test import Client

from tests.mcp_server.mcp_client import ALLOW, PAGE, Session, initialize, preflight, request, send

pytestmark = pytest.mark.django_db

JSON = {"CONTENT_TYPE": "application/json"}


# --- Pages ----------------------------------------------------------------------------------------


def test_preflight_is_granted():
    response = preflight()  # L1
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == ALLOW
    granted = response.headers["Access-Control-Allow-Headers"].split(", ")
    assert {
        "content-type",
        "accept",
        "authorization",
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "last-event-id",
    } <= set(granted)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/reviews.json"])
def test_preflight_allows_headers_of_tracing_and_extensions(path):
    requested = (
        "traceparent, tracestate, baggage, sentry-trace, X-Api-Key, x-stainless-os, "
        "Mcp-Param-City,x-request-id"
    )
    response = Client().options(
        path,
        headers={
            "Origin": PAGE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": requested,
        },
    )
    granted = response.headers["Access-Control-Allow-Headers"].split(", ")
    assert {name.strip().lower() for name in requested.split(",")} <= set(granted)
    assert len(granted) == len(set(granted))


def test_page_may_read_responses_errors_and_session():
    for reply in (
        initialize(origin=PAGE),
        send(b"", origin=PAGE),
        send(request("ping"), origin=PAGE, mcp_session_id="x"),
        send(b"", method="GET", origin=PAGE),
    ):  # L2, L3
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert "Mcp-Session-Id" in reply.headers["Access-Control-Expose-Headers"]


ALLOWED = "https://app.example, https://reviews.example"


@pytest.mark.parametrize(
    "origin",
    [
        "https://app.example",
        "https://APP.example:443",
        "https://reviews.example",
    ],
)
def test_configured_and_own_origins_are_allowed(origin, settings):
    settings.MCP_ALLOWED_ORIGINS = ALLOWED  # K1, K2
    assert initialize(origin=origin).status == 200
    assert preflight(Origin=origin).status_code == 204


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://app.example",
        "https://app.example.evil.example",
        "https://app.example@evil.example",
        "https://app.example/",
    ],
)
def test_other_origins_are_forbidden_if_configured(origin, settings):
    settings.MCP_ALLOWED_ORIGINS = ALLOWED  # K1, K3
    reply = initialize(origin=origin)
    assert (reply.status, reply.code) == (403, -32600)
    assert preflight(Origin=origin).status_code == 403
    assert send(b"", method="DELETE", origin=origin, mcp_session_id=Session().id).status == 403


def test_foreign_host_is_refused():
    assert initialize(host="evil.example").status == 400  # K4
