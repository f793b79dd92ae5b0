"""Headers, status codes and limits of the transport (B, C, K, L, N)."""

import gzip
import json
import re
from dataclasses import replace
from io import BytesIO

import brotli
import pytest
import zstandard
from django.db import OperationalError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from config.env import SettingRefused
from mcp_server.conf import conf
from mcp_server.headers import is_allowed, parse_origin, parse_origins
from mcp_server.registry import registry
from publishing.selectors import DocumentUnavailable
from tests.mcp_server.talking import Session, initialize, initialize_params, modern, request, send

pytestmark = pytest.mark.django_db

ALLOW = "POST, DELETE, OPTIONS"
PAGE = "https://app.example"
JSON = {"CONTENT_TYPE": "application/json"}


# --- Address and method ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_of_the_address_serve(path):
    reply = initialize(path=path)  # C5, C6
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Cache-Control"] == "no-store"  # B11
    assert "Set-Cookie" not in reply.headers  # B9


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "TRACE", "BREW"])
@pytest.mark.parametrize("accept", ["text/html", "text/event-stream", "*/*"])
def test_any_other_method_is_told_how_to_connect(method, accept):
    reply = send(b"", method=method, accept=accept)  # C1, C2, C3
    assert (reply.status, reply.code, reply.headers["Allow"]) == (405, -32600, ALLOW)
    assert "Add https://reviews.example/mcp to your assistant" in reply.error["message"]


def test_head_is_refused_like_get():
    response = Client().head("/mcp")  # C4
    assert (response.status_code, response.headers["Allow"]) == (405, ALLOW)


def test_authorization_and_cookies_change_nothing():
    reply = initialize(authorization="Bearer %%%", cookie="sessionid=x")  # B8
    assert reply.status == 200


def test_no_token_against_forgery_is_asked_for():
    client = Client(enforce_csrf_checks=True)  # K5
    body = request("initialize", initialize_params())
    assert client.post("/mcp", body, content_type="application/json").status_code == 200


# --- Media types ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content_type", ["application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"]
)
def test_json_is_taken_however_it_is_spelt(content_type):
    assert initialize(content_type=content_type).status == 200  # B6


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/jsonx", "text/json"])
def test_another_type_of_body_is_refused(content_type):
    reply = initialize(content_type=content_type)
    assert (reply.status, reply.code) == (415, -32600)
    assert reply.error["message"] == "Content-Type must be application/json."


@pytest.mark.parametrize(
    "accept",
    [
        "application/json, text/event-stream",
        "application/json",
        "*/*",
        "application/*",
        "text/event-stream, application/json;q=0.1",
        "APPLICATION/JSON; charset=utf-8; q=1.0",
        "*/*;q=0, application/*;q=0.5",
        "application/*;q=0, application/json",
        "application/json;q=high",
        "",
        " , ;q=0",
        "anything",
        "text/html, */*;q=0.1",
        "text/event-stream, */*",
    ],
)
def test_whoever_takes_json_is_served(accept):
    reply = initialize(accept=accept)  # B5
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert initialize().headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    "accept",
    [
        "text/html",
        "application/xml, image/*",
        "application/json;q=0",
        "application/json, text/event-stream;q=0, application/json;q=0",
        "*/*;q=0",
        "text/event-stream;q=0, text/*",
    ],
)
def test_whoever_takes_no_json_is_refused(accept):
    reply = initialize(accept=accept)
    assert (reply.status, reply.code) == (406, -32600)


def stream(body, accept="text/event-stream", **headers):
    """Status, headers and text of an answer that is not read as JSON."""
    response = Client().generic(
        "POST", "/mcp", json.dumps(body), headers=headers, **JSON, HTTP_ACCEPT=accept
    )
    return response.status_code, response.headers, b"".join(response).decode()


def event(text):
    """The JSON of the one event that is the whole stream."""
    name, data, end, rest = text.split("\n")
    assert (name, data[:6], end, rest) == ("event: message", "data: ", "", "")
    return json.loads(data[6:])


@pytest.mark.parametrize(
    "accept",
    [
        "text/event-stream",
        "text/html, text/*",
        "application/json;q=0, */*",
        "application/*; Q=0.000, text/event-stream",
    ],
)
def test_client_of_streams_alone_gets_one_event_and_the_end(accept):
    body = request("initialize", initialize_params())  # B13
    status, headers, text = stream(body, accept)
    assert (status, headers["Content-Type"]) == (200, "text/event-stream")
    assert int(headers["Content-Length"]) == len(text.encode())
    assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
    assert event(text)["result"] == initialize().result
    session = headers["Mcp-Session-Id"]
    _, _, text = stream(request("ping"), accept, **{"Mcp-Session-Id": session})
    assert event(text) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_client_of_streams_alone_gets_a_batch_in_one_event():
    session = Session("2025-03-26")
    _, _, text = stream([request("ping"), request("x", None, 2)], **{"Mcp-Session-Id": session.id})
    assert [each["id"] for each in event(text)] == [1, 2]


def test_client_of_streams_alone_gets_refusals_as_json():
    status, headers, text = stream(request("ping"))
    assert (status, headers["Content-Type"]) == (400, "application/json")
    assert "Send initialize" in json.loads(text)["error"]["message"]


def test_client_of_streams_alone_gets_no_body_for_a_notification():
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    status, headers, text = stream(note, **{"Mcp-Session-Id": Session().id})
    assert (status, text) == (202, "")
    assert "Content-Type" not in headers


DECODERS = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompressobj().decompress(body),
}


@pytest.mark.parametrize("coding", DECODERS)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_answer_is_compressed_for_those_who_ask(coding, accept):
    body = request("tools/list")  # B14
    session = Session().id

    def answered(**headers):
        fields = {"Mcp-Session-Id": session, "Accept": accept, **headers}
        response = Client().generic("POST", "/mcp", json.dumps(body), headers=fields, **JSON)
        return response.headers, b"".join(response)

    plain_headers, plain = answered()
    headers, content = answered(**{"Accept-Encoding": f"{coding}, compress"})

    assert "Content-Encoding" not in plain_headers
    assert headers["Content-Encoding"] == coding
    assert int(headers["Content-Length"]) == len(content) < len(plain) / 2
    assert headers["Content-Type"] == plain_headers["Content-Type"] == accept
    assert headers["Vary"] == plain_headers["Vary"] == "Accept, Accept-Encoding"
    assert DECODERS[coding](content) == plain


@pytest.mark.parametrize("accept_encoding", ["identity", "gzip;q=0", "compress", "", "x y"])
def test_answer_is_plain_for_those_who_do_not_ask(accept_encoding):
    reply = Session().send(request("tools/list"), accept_encoding=accept_encoding)
    assert "Content-Encoding" not in reply.headers


def test_short_answer_is_not_compressed():
    reply = Session().send(request("ping"), accept_encoding="gzip, br, zstd")
    assert reply.result == {}
    assert "Content-Encoding" not in reply.headers


@pytest.mark.parametrize("encoding", ["gzip", "br", "identity, gzip"])
def test_a_body_that_is_encoded_is_refused(encoding):
    reply = initialize(content_encoding=encoding)
    assert (reply.status, reply.code) == (415, -32600)
    assert reply.error["message"] == "The body must come as it is, without a Content-Encoding."
    assert reply.headers["Accept-Encoding"] == "identity"  # RFC 9110 12.5.3
    assert initialize(content_encoding="Identity").status == 200


# --- Size -----------------------------------------------------------------------------------------


def test_a_body_may_be_as_long_as_the_limit_and_no_longer():
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    session = Session()
    assert session.send(body.ljust(conf.max_body_bytes)).status == 200
    reply = session.send(body.ljust(conf.max_body_bytes + 1))
    assert (reply.status, reply.code) == (413, -32600)
    assert reply.error["message"] == "The body is longer than 262144 bytes."


def test_a_body_of_unknown_length_is_read_where_the_server_ends_it():
    def chunked(body, *, is_terminated=True):
        fields = {**JSON, "CONTENT_LENGTH": "", "wsgi.input": BytesIO(body)}
        fields["wsgi.input_terminated"] = is_terminated
        response = Client().generic(
            "POST", "/mcp", body, headers={"Transfer-Encoding": "chunked"}, **fields
        )
        return response.status_code, response.json()["error"]["message"]

    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert chunked(body)[1].startswith("Mcp-Session-Id is missing")
    assert chunked(body.ljust(conf.max_body_bytes + 1))[0] == 413
    assert chunked(body, is_terminated=False) == (
        411,
        "The body must come with a Content-Length.",
    )


@pytest.mark.parametrize("length", ["9" * 19, "9" * 5_000])
def test_a_length_beyond_all_measure_is_too_long(length):
    response = Client().generic("POST", "/mcp", b"{}", **JSON, CONTENT_LENGTH=length)
    assert response.status_code == 413


def test_a_body_that_ends_too_early_is_not_taken_for_the_message():
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    fields = {"CONTENT_LENGTH": str(len(body) + 1), "wsgi.input": BytesIO(body)}
    response = Client().generic(
        "POST", "/mcp", body, headers={"Mcp-Session-Id": Session().id}, **JSON, **fields
    )  # RFC 9112 8
    assert response.status_code == 400
    assert response.json()["error"]["message"] == "The body could not be read to its end."


# --- Pages ----------------------------------------------------------------------------------------


def preflight(**headers):
    return Client().options(
        "/mcp",
        headers={
            "Origin": PAGE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type, mcp-session-id, mcp-method",
            **headers,
        },
    )


def test_a_preflight_is_granted():
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
def test_a_preflight_grants_headers_of_tracing_and_extensions(path):
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


@pytest.mark.parametrize(
    "requested", ["cookie", "x-", "x-a b", "mcp", "x-\u00e9", "x-" + "a" * 200, ","]
)
def test_a_preflight_grants_no_other_header(requested):
    plain = preflight(**{"Access-Control-Request-Headers": ""})
    response = preflight(**{"Access-Control-Request-Headers": requested})
    assert response.status_code == 204
    name = "Access-Control-Allow-Headers"
    assert response.headers[name] == plain.headers[name]


def test_a_preflight_grants_so_many_headers_and_no_more():
    response = preflight(
        **{"Access-Control-Request-Headers": ",".join(f"x-{n}" for n in range(1000))}
    )
    assert "x-49," in response.headers["Access-Control-Allow-Headers"] + ","
    assert "x-50" not in response.headers["Access-Control-Allow-Headers"]


def test_a_page_may_read_answers_and_errors_and_the_session():
    for reply in (
        initialize(origin=PAGE),
        send(b"", origin=PAGE),
        send(request("ping"), origin=PAGE, mcp_session_id="x"),
        send(b"", method="GET", origin=PAGE),
    ):  # L2, L3
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert "Mcp-Session-Id" in reply.headers["Access-Control-Expose-Headers"]


ALLOWED = parse_origins("https://app.example, https://reviews.example")


@pytest.mark.parametrize(
    "origin",
    [
        "https://app.example",
        "https://APP.example:443",
        "https://reviews.example",
    ],
)
def test_pages_of_the_setting_and_our_own_are_welcome(origin, settings):
    settings.MCP_ORIGINS = ALLOWED  # K1, K2
    assert initialize(origin=origin).status == 200
    assert preflight(Origin=origin).status_code == 204


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://app.example",
        "https://app.example:8443",
        "https://app.example.evil.example",
        "https://evil.example/https://app.example",
        "https://app.example@evil.example",
        "https://user@app.example",
        "https://app.example/",
        "https://evilapp.example",
    ],
)
def test_other_pages_are_forbidden_where_the_setting_names_some(origin, settings):
    settings.MCP_ORIGINS = ALLOWED  # K1, K3
    reply = initialize(origin=origin)
    assert (reply.status, reply.code) == (403, -32600)
    assert preflight(Origin=origin).status_code == 403
    assert send(b"", method="DELETE", origin=origin, mcp_session_id=Session().id).status == 403


def test_programs_name_no_origin_and_are_welcome(settings):
    settings.MCP_ORIGINS = ALLOWED
    assert initialize().status == 200


def test_a_foreign_host_is_refused():
    assert initialize(host="evil.example").status == 400  # K4


@pytest.mark.parametrize("text", ["https://a.example/path", "app.example", "null", "*.example"])
def test_a_setting_that_is_no_origin_is_refused(text):
    with pytest.raises(ValueError, match="is not an origin"):
        parse_origins(f"https://ok.example,{text}")


def test_any_origin_is_welcome_where_the_setting_is_a_star():
    assert is_allowed("null", parse_origins("*"))


@given(st.text(max_size=30))
def test_an_origin_has_one_spelling(text):
    origin = parse_origin(text)
    assert origin is None or parse_origin(origin) == origin


def test_the_process_does_not_start_with_a_setting_that_is_no_origin(monkeypatch):
    from config.env import readable

    monkeypatch.setenv("MCP_ALLOWED_ORIGINS", "app.example")
    with pytest.raises(SettingRefused, match=r"^MCP_ALLOWED_ORIGINS is 'app.example'"):
        readable("MCP_ALLOWED_ORIGINS", "*", parse_origins, "Set it.")


# --- Limits and faults ----------------------------------------------------------------------------


@pytest.fixture
def limited(settings):
    settings.RATE_LIMITS = {"mcp": (5, 600)}


def test_too_many_requests_are_told_when_to_come_back(limited):
    replies = [initialize() for _ in range(6)]  # K6
    assert [reply.status for reply in replies] == [200] * 5 + [429]
    refused = replies[-1]
    assert int(refused.headers["Retry-After"]) in range(1, 601)
    assert refused.headers["RateLimit-Policy"] == '"mcp";q=5;w=600'
    assert refused.code == -32600
    assert refused.error["message"].startswith(
        "Too many requests from your address. Please try again in "
    )
    assert preflight().status_code == 204
    assert send(b"", method="GET").status == 405


def test_a_batch_costs_what_its_messages_would_cost(limited):
    session = Session("2025-03-26")
    assert session.send([request("ping")] * 4).status == 200
    assert session.ask("ping").status == 429


def broken_tool(monkeypatch, error):
    def run():
        raise error

    broken = replace(registry.tools["get_topics"], run=run)
    monkeypatch.setitem(registry.tools, "get_topics", broken)


def test_a_database_that_is_away_is_told_in_the_words_of_the_protocol(monkeypatch):
    broken_tool(monkeypatch, OperationalError("password=secret"))
    reply = modern("tools/call", {"name": "get_topics"})
    assert (reply.status, reply.code, reply.body["id"]) == (503, -32603, 1)
    assert reply.headers["Retry-After"] == "5"
    assert "secret" not in str(reply.body)


def test_a_fault_of_ours_shows_nothing_of_its_inside(monkeypatch, caplog):
    broken_tool(monkeypatch, RuntimeError("internals"))
    reply = modern("tools/call", {"name": "get_topics"})  # K7
    assert (reply.status, reply.code, reply.body["id"]) == (500, -32603, 1)
    assert "internals" not in str(reply.body)
    assert reply.error["data"] == {"request_id": reply.headers["X-Request-Id"]}
    assert "An MCP request met a fault" in caplog.text


def test_documents_that_are_not_published_yet_are_told_as_such(monkeypatch):
    def missing(path):
        raise DocumentUnavailable

    monkeypatch.setattr("insights.documents.get_document", missing)
    reply = modern("tools/call", {"name": "get_topics"})
    assert (reply.status, reply.code) == (503, -32603)


# --- Discovery ------------------------------------------------------------------------------------


def test_the_server_card_says_how_to_connect():
    response = Client().get("/mcp/server-card")
    assert response.headers["Content-Type"] == "application/mcp-server-card+json"
    assert response.json() == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "name": "example.reviews/reviews",
        "version": "1.0.0",
        "title": "Reviews",
        "description": "The customer reviews of one business and what they say, read-only.",
        "websiteUrl": "https://reviews.example",
        "remotes": [
            {
                "type": "streamable-http",
                "url": "https://reviews.example/mcp",
                "supportedProtocolVersions": [
                    "2026-07-28",
                    "2025-11-25",
                    "2025-06-18",
                    "2025-03-26",
                    "2024-11-05",
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("https://reviews.example.com", "com.example.reviews/reviews"),
        ("http://127.0.0.1:8000", "1.0.0.127/reviews"),
        ("http://[::1]:8000", "localhost/reviews"),
    ],
)
def test_the_card_keeps_to_its_schema_at_every_address(base_url, name, settings):
    settings.MCP_SERVER = {**settings.MCP_SERVER, "base_url": base_url}
    card = Client().get("/mcp/server-card").json()
    assert card["name"] == name
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", name)
    assert len(card["description"]) <= 100
    assert len(card["title"]) <= 100
    assert card["remotes"][0]["url"] == f"{base_url}/mcp"


def test_the_catalog_names_the_card():
    response = Client().get("/.well-known/ai-catalog.json")
    assert response.headers["Content-Type"] == "application/ai-catalog+json"
    (entry,) = response.json()["entries"]
    assert entry["url"] == "https://reviews.example/mcp/server-card"
    assert entry["type"] == "application/mcp-server-card+json"


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/mcp",
        "/mcp/.well-known/oauth-protected-resource",
        "/mcp/.well-known/oauth-authorization-server",
        "/mcp/.well-known/openid-configuration",
        "/mcp/register",
        "/mcp/authorize",
        "/mcp/token",
        "/mcp/sse",
        "/mcp/anything",
        "/authorize",
        "/device_authorization",
        "/introspect",
        "/register",
        "/revoke",
        "/token",
        "/userinfo",
        "/oauth/authorize",
        "/oauth/token",
        "/oauth2/token",
        "/oauth",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_there_is_nothing_to_authorize_at(path, method):
    response = Client().generic(method, path)  # C7
    assert response.status_code == 404
    assert response.headers["Content-Type"] == "application/json"
    assert list(response.json()) == ["type", "title", "status", "detail"]
    assert response.json()["status"] == 404
    assert response.headers["Access-Control-Allow-Origin"] == "*"
