"""The envelope: what is a message, and what is said to bytes that are none (A1-A14)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.jsonrpc import RpcError, decode, quote_for_message, read, truncate
from tests.mcp_server.talking import MODERN, Session, modern, request, send

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
TOO_DEEP = b"[" * 100_000


@pytest.mark.parametrize("request_id", ["", "a", "ü\0", 0, -7, 1, 2**53 - 1, "1"])
def test_the_answer_repeats_the_id_in_its_type(request_id, db):
    for reply in (  # A1
        Session().send(request("ping", request_id=request_id)),
        Session().send(request("nothing", request_id=request_id)),
    ):
        assert reply.body["id"] == request_id
        assert type(reply.body["id"]) is type(request_id)


@pytest.mark.parametrize("request_id", [None, True, 1.0, 1.5, [], {}, 2**53, -(2**53), "\ud800"])
@pytest.mark.parametrize("headers", [{}, {"mcp_protocol_version": MODERN}])
def test_an_id_that_no_answer_could_repeat_is_refused(request_id, headers):
    reply = send(request("ping", request_id=request_id), **headers)  # A2
    assert (reply.status, reply.code, reply.body.get("id")) == (400, -32600, None)
    assert reply.error["message"] == "id must be a string or an integer of at most 53 bits."


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ({"id": 1, "method": "ping"}, -32600, 'jsonrpc must be "2.0".'),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600, 'jsonrpc must be "2.0".'),
        ({"jsonrpc": "2.0", "id": 1}, -32600, "method is missing."),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, -32600, "method must be a string."),
        (request("ping", []), -32602, "params must be an object."),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"mcp_protocol_version": MODERN}])
def test_a_message_that_is_none_is_told_why(body, code, message, headers):
    reply = send(body, **headers)  # A3
    assert (reply.status, reply.code, reply.body["id"]) == (400, code, 1)
    assert reply.error["message"] == message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "The body is not JSON."),
        (b"{", "The body is not JSON."),
        (b'{"a":1}x', "The body is not JSON."),
        (b"\xef\xbb\xbf{}", "The body is not JSON."),
        (b'{"id":NaN}', "The body is not JSON."),
        (b'"\xff"', "The body must be JSON in UTF-8."),
        (b'"\xed\xa0\x80"', "The body must be JSON in UTF-8."),
        ("{}".encode("utf-16"), "The body must be JSON in UTF-8."),
        (TOO_DEEP, "The body is nested too deeply to be read."),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"mcp_protocol_version": MODERN}])
def test_what_cannot_be_read_is_a_parse_error(body, message, headers):
    reply = send(body, **headers)  # A4, A10-A14
    assert (reply.status, reply.code, reply.body.get("id")) == (400, -32700, None)
    assert ("id" in reply.body) == (headers == {})  # A16
    assert reply.error["message"] == message


@pytest.mark.parametrize(
    "message",
    [
        request("tools/call", {"name": "get_faq", "arguments": {"query": "NESTED"}}),
        request("tools/call", {"name": "NESTED"}),
        request("NESTED"),
        request("ping", request_id="NESTED"),
        {"jsonrpc": "2.0", "id": 1, "result": "NESTED"},
    ],
)
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("levels", [500, 5_000, 40_000])
def test_a_value_that_is_nested_however_deeply_is_answered(db, message, opening, closing, levels):
    """The depth that cannot be read, which differs between Python versions."""
    nested = f"{opening * levels}1{closing * levels}"

    reply = Session().send(json.dumps(message).replace('"NESTED"', nested).encode())

    assert reply.status in {200, 202, 400}
    assert "error" not in (reply.body or {}) or reply.code in {-32700, -32602, -32600}


@pytest.mark.parametrize("body", [b"1", b"null", b'"ping"', b"true", b"{}"])
def test_a_scalar_or_an_empty_object_is_not_a_message(body):
    reply = send(body)  # A5
    assert (reply.status, reply.code) == (400, -32600)


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"b":1}}}',
    ],
)
def test_a_member_given_twice_is_refused(body):
    reply = send(body)
    assert (reply.status, reply.code) == (400, -32600)
    assert reply.error["message"] == "An object in the body names a member twice."


@pytest.mark.parametrize("method", ["nothing", "logging/setLevel", "resources/subscribe", "\ud800"])
def test_an_unknown_method_is_not_found(method, db):
    # A8, A9: clients of sessions take a 404 for the end of theirs. J1: nothing undeclared.
    legacy = Session().send(request(method, request_id="x"))
    assert (legacy.status, legacy.code, legacy.body["id"]) == (200, -32601, "x")
    assert modern("nothing").status == 404


# --- By itself ------------------------------------------------------------------------------------


@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_a_message_or_an_error(body):
    try:
        found = read(decode(body))
    except RpcError as problem:
        found = problem
    if isinstance(found, RpcError):
        assert (found.status, found.code in {-32700, -32600, -32602}) == (400, True)
    else:
        assert found.method is None or isinstance(found.method, str)


@given(st.text(st.characters(exclude_categories=[])))
def test_what_is_repeated_is_short_and_valid(text):
    assert len(truncate(text)) <= 101
    assert json.loads(quote_for_message(text)) == truncate(text)
    quote_for_message(text).encode()


# --- Whatever a stranger sends --------------------------------------------------------------------

METHODS = [
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "resources/read",
    "prompts/get",
    "completion/complete",
    "notifications/initialized",
]
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "1.0"])},
    optional={
        "id": st.integers() | st.text() | st.none(),
        "method": st.sampled_from(METHODS) | st.text(),
        "params": st.dictionaries(
            st.sampled_from(["_meta", "name", "uri", "arguments", "cursor", "ref", "argument"]),
            JSON,
            max_size=3,
        ),
        "result": JSON,
    },
)
FIELD = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=20)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "mcp_protocol_version": FIELD | st.sampled_from([MODERN, "2025-06-18", "2025-03-26"]),
        "mcp_method": FIELD | st.sampled_from(METHODS),
        "mcp_name": FIELD | st.just("=?base64?!?="),
        "mcp_session_id": FIELD | st.just("SESSION"),
        "accept": FIELD,
        "origin": FIELD,
    },
)


@pytest.mark.slow
@pytest.mark.django_db
@given(
    body=st.binary(max_size=100) | MESSAGES | st.lists(MESSAGES, max_size=3) | JSON,
    fields=FIELDS,
)
def test_no_body_and_no_header_makes_a_fault(body, fields):
    if fields.get("mcp_session_id") == "SESSION":
        fields["mcp_session_id"] = Session("2025-03-26").id

    reply = send(body, **fields)

    assert reply.status in {200, 202, 400, 404, 406}
    assert (reply.body is None) == (reply.status == 202)


@pytest.mark.parametrize("method", ["ping", "resources/templates/list", "prompts/list"])
def test_params_of_null_are_none(method):
    session = Session()
    null = session.send({**request(method), "params": None})
    assert null.result == session.send(request(method)).result
    note = {"jsonrpc": "2.0", "method": "notifications/initialized", "params": None}
    assert session.send(note).status == 202
