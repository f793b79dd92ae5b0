"""Revisions of the protocol with sessions, which begin with `initialize`."""

from collections.abc import Mapping
from typing import Any

from mcp_server import conf, jsonrpc, methods
from mcp_server.context import Exchange
from mcp_server.headers import Headers
from mcp_server.jsonrpc import (
    Answer,
    Json,
    Message,
    RpcError,
    invalid_params,
    invalid_request,
    quote_for_message,
)
from mcp_server.methods import Method
from mcp_server.sessions import sessions

# Newest first. 2024-11-05 defines another transport, but its clients use streamable HTTP too.
REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
BATCH_REVISION = "2025-03-26"  # The only revision with batches.
DEFAULT_REVISION = "2025-03-26"  # For requests with neither a session nor a revision.
MAX_BATCH = 50
# `initialize` opens a session, and the answer of `resources/read` is as large as a document.
UNBATCHED = frozenset({"initialize", "resources/read"})


METHODS: Mapping[str, Method] = {"ping": lambda *_: {}, **methods.METHODS}


def answer(value: Any, headers: Headers, exchange: Exchange) -> Answer:
    """Answer a message or batch. Raises `RpcError` if it belongs to no session."""
    if isinstance(value, list):
        return _answer_batch(value, headers, exchange)
    message = jsonrpc.read(value)
    if message.method == "initialize" and message.id is not None:
        return _initialize(message, message.id, exchange)
    revision = _revision(headers, message.id)
    response = _respond(message, exchange, revision)
    # Status 200 for errors as well: clients take a 404 for the end of their session.
    return Answer(202) if response is None else Answer(200, response)


def _initialize(message: Message, request_id: jsonrpc.Id, exchange: Exchange) -> Answer:
    try:
        requested = _requested_revision(message.params)
    except RpcError as problem:
        return Answer(200, jsonrpc.error(problem, request_id))
    revision = requested if requested in REVISIONS else REVISIONS[0]
    described = {
        "protocolVersion": revision,
        "capabilities": methods.capabilities(revision),
        "serverInfo": methods.server_info(exchange, revision),
        "instructions": conf.instructions(exchange.base_url),
    }
    opened = {"Mcp-Session-Id": sessions.open(revision)}
    return Answer(200, jsonrpc.result(request_id, described), opened)


def _requested_revision(params: Json) -> str:
    """Return the revision that `initialize` requests. Raises `RpcError` if it is malformed."""
    revision = methods.text_member(params, "protocolVersion")
    client = params.get("clientInfo")
    if not isinstance(params.get("capabilities"), dict):
        raise invalid_params("capabilities must be given, as an object.")
    if not isinstance(client, dict):
        raise invalid_params("clientInfo must be given, as an object.")
    for name in ("name", "version"):
        if not isinstance(client.get(name), str):
            raise invalid_params(f"clientInfo.{name} must be given, as a string.")
    return revision


def check_protocol_version(headers: Headers, request_id: jsonrpc.Id | None = None) -> None:
    """Raise `RpcError` if a header names a revision without sessions."""
    if headers.version is not None and headers.version not in REVISIONS:
        raise invalid_request(
            f"MCP-Protocol-Version {quote_for_message(headers.version)} has no sessions; "
            f"use one of {', '.join(REVISIONS)}.",
            request_id=request_id,
        )


def _revision(headers: Headers, request_id: jsonrpc.Id | None = None) -> str:
    """Return the revision of the session, even if a header names another one."""
    check_protocol_version(headers, request_id)
    if headers.session is None:
        if conf.get("MCP_REQUIRE_SESSION"):
            raise invalid_request(
                "Mcp-Session-Id is missing. Send initialize, and with every later request the "
                "Mcp-Session-Id of its answer.",
                request_id=request_id,
            )
        return headers.version or DEFAULT_REVISION
    revision = sessions.revision(headers.session)
    if revision is None:
        message = "This session is unknown or over. Send initialize to open one."
        raise invalid_request(message, 404, request_id=request_id)
    return revision


def _respond(message: Message, exchange: Exchange, revision: str) -> Json | None:
    """Return the response to a request, None for a notification or a response."""
    if message.method is None or message.id is None:
        return None
    try:
        method = methods.find(METHODS, message.method)
        return jsonrpc.result(message.id, method(exchange, revision, message.params))
    except RpcError as problem:
        return jsonrpc.error(problem, message.id)


def _answer_batch(values: list[Any], headers: Headers, exchange: Exchange) -> Answer:
    """Answer each request of a batch (JSON-RPC 2.0 section 6)."""
    revision = _revision(headers)
    if revision != BATCH_REVISION:
        message = f"Revision {revision} has no batches: send one message per request."
        raise invalid_request(message)
    if not 0 < len(values) <= MAX_BATCH:
        raise invalid_request(f"A batch must have from 1 to {MAX_BATCH} messages.")
    responses = [_respond_in_batch(value, exchange, revision) for value in values]
    found = [response for response in responses if response is not None]
    return Answer(200, found) if found else Answer(202)


def _respond_in_batch(value: Any, exchange: Exchange, revision: str) -> Json | None:
    try:
        message = jsonrpc.read(value)
    except RpcError as problem:
        return jsonrpc.error(problem)
    if message.method in UNBATCHED and message.id is not None:
        refused = invalid_request(f"{message.method} must not be part of a batch.")
        return jsonrpc.error(refused, message.id)
    return _respond(message, exchange, revision)
