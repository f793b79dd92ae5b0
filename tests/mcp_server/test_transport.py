"""Headers, status codes and limits of the transport (B, C, K, L, N)."""

import gzip
import json
from io import BytesIO

import brotli
import pytest
import zstandard
from django.db import OperationalError
from django.test import Client

from mcp_server import conf, tool
from mcp_server.registry import registry
from tests.mcp_server.mcp_client import (
    ALLOW,
    Session,
    initialize,
    initialize_params,
    preflight,
    request,
    send,
    send_stateless,
)

pytestmark = pytest.mark.django_db

JSON = {"CONTENT_TYPE": "application/json"}


# --- URL and method -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_of_url_are_served(path):
    headers = {"authorization": "Bearer %%%", "cookie": "sessionid=x"}  # B8
    reply = initialize(path=path, **headers)  # C5, C6
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Cache-Control"] == "no-store"  # B11
    assert "Set-Cookie" not in reply.headers  # B9


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "TRACE", "BREW"])
@pytest.mark.parametrize("accept", ["text/html", "text/event-stream", "*/*"])
def test_other_methods_explain_how_to_connect(method, accept):
    reply = send(b"", method=method, accept=accept)  # C1, C2, C3
    assert (reply.status, reply.code, reply.headers["Allow"]) == (405, -32600, ALLOW)
    assert "Add https://reviews.example/mcp to your assistant" in reply.error["message"]
    assert Client().head("/mcp").status_code == 405  # C4


def test_no_csrf_token_is_required():
    client = Client(enforce_csrf_checks=True)  # K5
    body = request("initialize", initialize_params())
    assert client.post("/mcp", body, content_type="application/json").status_code == 200


# --- Media types ----------------------------------------------------------------------------------


ACCEPTED = {
    "content_type": [  # B6
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json ;x=y",
    ],
    "accept": [  # B5
        "application/json, text/event-stream",
        "*/*",
        "text/event-stream, application/json;q=0.1",
        "APPLICATION/JSON; charset=utf-8; q=1.0",
        "*/*;q=0, application/*;q=0.5",
        "",
        "anything",
        "text/event-stream, */*",
    ],
    "content_encoding": ["Identity", ""],
}
REFUSED = {
    "content_type": (415, ["", "text/plain", "application/jsonx", "text/json"]),
    "accept": (
        406,
        ["text/html", "application/json;q=0", "*/*;q=0", "text/event-stream;q=0, text/*"],
    ),
    "content_encoding": (415, ["gzip", "br", "identity, gzip"]),
}
SENTENCES = {
    "content_type": "Content-Type must be application/json.",
    "accept": "Accept must allow application/json or text/event-stream.",
    "content_encoding": "The body must not have a Content-Encoding.",
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in ACCEPTED.items() for value in values]
)
def test_accept_header_with_json_is_served(name, value):
    reply = initialize(**{name: value})
    assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, (_, all_) in REFUSED.items() for value in all_]
)
def test_accept_header_without_json_is_refused(name, value):
    reply = initialize(**{name: value})
    assert (reply.status, reply.code) == (REFUSED[name][0], -32600)
    assert reply.error["message"] == SENTENCES[name]
    if name == "content_encoding":
        assert reply.headers["Accept-Encoding"] == "identity"  # RFC 9110 12.5.3


def stream(body, accept="text/event-stream", **headers):
    """Return status, headers and text of a response that is not parsed as JSON."""
    response = Client().generic(
        "POST", "/mcp", json.dumps(body), headers=headers, **JSON, HTTP_ACCEPT=accept
    )
    return response.status_code, response.headers, b"".join(response).decode()


def event(text):
    """Return the JSON of the only event in the stream."""
    name, data, end, rest = text.split("\n")
    assert (name, data[:6], end, rest) == ("event: message", "data: ", "", "")
    return json.loads(data[6:])


@pytest.mark.parametrize(
    "accept",
    [
        "text/event-stream",
        "text/html, text/*",
        "application/json;q=0, */*",
    ],
)
def test_client_that_accepts_only_streams_gets_one_event(accept):
    body = request("initialize", initialize_params())  # B13
    status, headers, text = stream(body, accept)
    assert (status, headers["Content-Type"]) == (200, "text/event-stream")
    assert int(headers["Content-Length"]) == len(text.encode())
    assert (headers["Cache-Control"], headers["X-Accel-Buffering"]) == ("no-store", "no")
    assert event(text)["result"] == initialize().result
    session = headers["Mcp-Session-Id"]
    _, _, text = stream(request("ping"), accept, **{"Mcp-Session-Id": session})
    assert event(text) == {"jsonrpc": "2.0", "id": 1, "result": {}}


DECODERS = {
    "gzip": gzip.decompress,
    "br": brotli.decompress,
    "zstd": lambda body: zstandard.ZstdDecompressor().decompressobj().decompress(body),
}


@pytest.mark.parametrize("coding", DECODERS)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_response_is_compressed_by_accept_encoding(coding, accept):
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


# --- Size -----------------------------------------------------------------------------------------


def test_body_length_is_limited():
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    session = Session()
    assert session.send(body.ljust(conf.get("MCP_MAX_BODY_BYTES"))).status == 200
    reply = session.send(body.ljust(conf.get("MCP_MAX_BODY_BYTES") + 1))
    assert (reply.status, reply.code) == (413, -32600)
    assert reply.error["message"] == "The body is longer than 262144 bytes."


def test_body_of_unknown_length_is_read_if_server_ends_it():
    def chunked(body, *, is_terminated=True):
        fields = {**JSON, "CONTENT_LENGTH": "", "wsgi.input": BytesIO(body)}
        fields["wsgi.input_terminated"] = is_terminated
        response = Client().generic(
            "POST", "/mcp", body, headers={"Transfer-Encoding": "chunked"}, **fields
        )
        return response.status_code, response.json()["error"]["message"]

    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    assert chunked(body)[1].startswith("Mcp-Session-Id is missing")
    assert chunked(body.ljust(conf.get("MCP_MAX_BODY_BYTES") + 1))[0] == 413
    assert chunked(body, is_terminated=False) == (
        411,
        "The body must come with a Content-Length.",
    )


def test_truncated_body_is_refused():
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    fields = {"CONTENT_LENGTH": str(len(body) + 1), "wsgi.input": BytesIO(body)}
    response = Client().generic(
        "POST", "/mcp", body, headers={"Mcp-Session-Id": Session().id}, **JSON, **fields
    )  # RFC 9112 8
    assert response.status_code == 400
    assert response.json()["error"]["message"] == "The body could not be read to its end."


# --- Limits and faults ----------------------------------------------------------------------------


@pytest.fixture
def limited(settings):
    settings.RATE_LIMITS = {"mcp": (5, 600)}


def test_rate_limited_request_has_retry_after(limited):
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


def test_batch_counts_each_message_for_rate_limit(limited):
    session = Session("2025-03-26")
    assert session.send([request("ping")] * 4).status == 200
    assert session.ask("ping").status == 429


def broken_tool(monkeypatch, error):
    monkeypatch.setattr(registry, "tools", {})

    @tool
    def get_topics() -> str:
        raise error


def test_unreachable_database_is_a_protocol_error(monkeypatch):
    broken_tool(monkeypatch, OperationalError("password=secret"))
    reply = send_stateless("tools/call", {"name": "get_topics"})
    assert (reply.status, reply.code, reply.body["id"]) == (503, -32603, 1)
    assert reply.headers["Retry-After"] == "5"
    assert "secret" not in str(reply.body)


def test_internal_error_hides_details(monkeypatch, caplog):
    broken_tool(monkeypatch, RuntimeError("internals"))
    reply = send_stateless("tools/call", {"name": "get_topics"})  # K7
    assert (reply.status, reply.code, reply.body["id"]) == (500, -32603, 1)
    assert "internals" not in str(reply.body)
    assert reply.error["data"] == {"request_id": reply.headers["X-Request-Id"]}
    assert "An MCP request met a fault" in caplog.text
