"""Revisions of the protocol that have sessions, which begin with `initialize`."""

from collections.abc import Mapping
from typing import Any

from mcp_server import conf, jsonrpc, methods
from mcp_server.context import Exchange
from mcp_server.headers import Headers
from mcp_server.jsonrpc import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    Answer,
    Json,
    Message,
    RpcError,
    quote_for_message,
)
from mcp_server.methods import Method
from mcp_server.sessions import sessions

# Newest first. The oldest knew another transport; its clients speak this one under its name.
REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
BATCH_REVISION = "2025-03-26"  # The one revision that has batches.
DEFAULT_REVISION = "2025-03-26"  # Of a request without a session that names no revision.
MAX_BATCH = 50
# The one opens a session; the answers of the other are as large as documents.
UNBATCHED = frozenset({"initialize", "resources/read"})


METHODS: Mapping[str, Method] = {"ping": lambda *_: {}, **methods.METHODS}


def answer(value: Any, headers: Headers, exchange: Exchange) -> Answer:
    """The answer to a message or batch. Raises `RpcError` for what belongs to no session."""
    if isinstance(value, list):
        return _answer_batch(value, headers, exchange)
    message = jsonrpc.read(value)
    if message.method == "initialize" and message.id is not None:
        return _initialize(message, message.id, exchange)
    revision = _revision(headers, message.id)
    response = _respond(message, exchange, revision)
    # Errors too: a client of this era takes a 404 for the end of its session.
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
    """The revision that a well-formed `initialize` requests."""
    revision = methods.text_member(params, "protocolVersion")
    client = params.get("clientInfo")
    if not isinstance(params.get("capabilities"), dict):
        raise RpcError(INVALID_PARAMS, "capabilities must be given, as an object.")
    if not isinstance(client, dict):
        raise RpcError(INVALID_PARAMS, "clientInfo must be given, as an object.")
    for name in ("name", "version"):
        if not isinstance(client.get(name), str):
            raise RpcError(INVALID_PARAMS, f"clientInfo.{name} must be given, as a string.")
    return revision


def check_protocol_version(headers: Headers, request_id: jsonrpc.Id | None = None) -> None:
    """Raise `RpcError` for a header with a revision without sessions."""
    if headers.version is not None and headers.version not in REVISIONS:
        spoken = ", ".join(REVISIONS)
        raise _refused(
            f"MCP-Protocol-Version {quote_for_message(headers.version)} is not spoken in sessions; "
            f"use one of {spoken}.",
            request_id,
        )


def _revision(headers: Headers, request_id: jsonrpc.Id | None = None) -> str:
    """The revision that is spoken: the session's, whatever other one a header names."""
    check_protocol_version(headers, request_id)
    if headers.session is None:
        if conf.get("MCP_REQUIRE_SESSION"):
            raise _refused(
                "Mcp-Session-Id is missing. Send initialize, and with every later request the "
                "Mcp-Session-Id of its answer.",
                request_id,
            )
        return headers.version or DEFAULT_REVISION
    revision = sessions.revision(headers.session)
    if revision is None:
        message = "This session is unknown or over. Send initialize to open one."
        raise _refused(message, request_id, status=404)
    return revision


def _refused(message: str, request_id: jsonrpc.Id | None, status: int = 400) -> RpcError:
    return RpcError(INVALID_REQUEST, message, status=status, request_id=request_id)


def _respond(message: Message, exchange: Exchange, revision: str) -> Json | None:
    """The response to a request; None to a notification, known or not, and to a response."""
    if message.method is None or message.id is None:
        return None
    try:
        method = methods.find(METHODS, message.method)
        return jsonrpc.result(message.id, method(exchange, revision, message.params))
    except RpcError as problem:
        return jsonrpc.error(problem, message.id)


def _answer_batch(values: list[Any], headers: Headers, exchange: Exchange) -> Answer:
    """JSON-RPC 2.0 section 6: an answer for each request, none for notifications."""
    revision = _revision(headers)
    if revision != BATCH_REVISION:
        message = f"Revision {revision} has no batches: send one message per request."
        raise RpcError(INVALID_REQUEST, message, status=400)
    if not 0 < len(values) <= MAX_BATCH:
        message = f"A batch must have from 1 to {MAX_BATCH} messages."
        raise RpcError(INVALID_REQUEST, message, status=400)
    responses = [_respond_in_batch(value, exchange, revision) for value in values]
    found = [response for response in responses if response is not None]
    return Answer(200, found) if found else Answer(202)


def _respond_in_batch(value: Any, exchange: Exchange, revision: str) -> Json | None:
    try:
        message = jsonrpc.read(value)
    except RpcError as problem:
        return jsonrpc.error(problem)
    if message.method in UNBATCHED and message.id is not None:
        refused = RpcError(INVALID_REQUEST, f"{message.method} must not be part of a batch.")
        return jsonrpc.error(refused, message.id)
    return _respond(message, exchange, revision)
