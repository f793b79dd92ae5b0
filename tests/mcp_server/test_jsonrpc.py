"""JSON-RPC messages, and answers to malformed ones (A1-A14)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.jsonrpc import RpcError, decode, read
from tests.mcp_server.mcp_client import ANY_JSON, MODERN, Session, request, send, send_stateless


@pytest.mark.parametrize("request_id", ["", "a", "ü\0", 0, -7, 1, 2**53 - 1, "1"])
def test_response_repeats_id_in_its_type(request_id, db):
    for reply in (  # A1
        Session().send(request("ping", request_id=request_id)),
        Session().send(request("nothing", request_id=request_id)),
    ):
        assert reply.body["id"] == request_id
        assert type(reply.body["id"]) is type(request_id)


PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
NO_ID = "id must be a string or an integer of at most 53 bits."
NO_VERSION = 'jsonrpc must be "2.0".'
NO_JSON = "The body is not JSON."
NO_UTF_8 = "The body must be JSON in UTF-8."
TWICE = "An object in the body names a member twice."
NO_MESSAGES = {
    # A2: ids that no answer could repeat.
    **{
        json.dumps(request("ping", request_id=wrong)): (INVALID_REQUEST, NO_ID)
        for wrong in (None, True, 1.0, 1.5, [], {}, 2**53, -(2**53), "\ud800")
    },
    # A3: members of a message.
    '{"id": 1, "method": "ping"}': (INVALID_REQUEST, NO_VERSION),
    '{"jsonrpc": "1.0", "id": 1, "method": "ping"}': (INVALID_REQUEST, NO_VERSION),
    '{"jsonrpc": "2.0", "id": 1}': (INVALID_REQUEST, "method is missing."),
    '{"jsonrpc": "2.0", "id": 1, "method": 5}': (INVALID_REQUEST, "method must be a string."),
    json.dumps(request("ping", [])): (INVALID_PARAMS, "params must be an object."),
    # A4, A10-A14: bytes that cannot be read.
    **dict.fromkeys(["", "{", '{"a":1}x', "\ufeff{}", '{"id":NaN}'], (PARSE_ERROR, NO_JSON)),
    **dict.fromkeys([b'"\xff"', b'"\xed\xa0\x80"', "{}".encode("utf-16")], (PARSE_ERROR, NO_UTF_8)),
    b"[" * 100_000: (PARSE_ERROR, "The body is nested too deeply to be read."),
    # A5: values that are not messages.
    **dict.fromkeys(
        ["1", "null", '"ping"', "true"],
        (INVALID_REQUEST, "The body must be one JSON-RPC message, an object."),
    ),
    "{}": (INVALID_REQUEST, NO_VERSION),
    # RFC 8259 4: a proxy may have used the other one.
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}': (INVALID_REQUEST, TWICE),
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"b":1}}}': (
        INVALID_REQUEST,
        TWICE,
    ),
}


@pytest.mark.parametrize("body", NO_MESSAGES, ids=lambda body: repr(body[:40]))
@pytest.mark.parametrize("headers", [{}, {"mcp_protocol_version": MODERN}])
def test_malformed_message_is_explained(body, headers):
    reply = send(body if isinstance(body, bytes) else body.encode(), **headers)

    assert (reply.status, (reply.code, reply.error["message"])) == (400, NO_MESSAGES[body])
    is_known = '"id": 1' in str(body) and NO_MESSAGES[body][1] != NO_ID
    assert reply.body.get("id") == (1 if is_known else None)
    assert ("id" in reply.body) == (is_known or headers == {})  # A16


@pytest.mark.parametrize("method", ["nothing", "logging/setLevel", "resources/subscribe", "\ud800"])
def test_unknown_method_is_not_found(method, db):
    # A8, A9: clients with sessions treat a 404 as the session's end. J1: nothing undeclared.
    legacy = Session().send(request(method, request_id="x"))
    assert (legacy.status, legacy.code, legacy.body["id"]) == (200, -32601, "x")
    assert send_stateless("nothing").status == 404


# --- The parser -----------------------------------------------------------------------------------


@given(st.binary(max_size=200) | ANY_JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_message_or_an_error(body):
    try:
        found = read(decode(body))
    except RpcError as problem:
        found = problem
    if isinstance(found, RpcError):
        assert (found.status, found.code in {-32700, -32600, -32602}) == (400, True)
    else:
        assert found.method is None or isinstance(found.method, str)


# --- Random input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["ping", "resources/templates/list", "prompts/list"])
def test_null_params_are_omitted(method):
    session = Session()
    null = session.send({**request(method), "params": None})
    assert null.result == session.send(request(method)).result
    note = {"jsonrpc": "2.0", "method": "notifications/initialized", "params": None}
    assert session.send(note).status == 202
