"""Revision of the protocol without sessions: each request names its revision."""

from collections.abc import Mapping
from typing import Any

from mcp_server import conf, handshake, jsonrpc, methods
from mcp_server.context import LOG_LEVEL_KEY, LOG_LEVELS, Exchange
from mcp_server.headers import Headers, decode_value
from mcp_server.jsonrpc import (
    METHOD_NOT_FOUND,
    Answer,
    Json,
    Message,
    RpcError,
    invalid_params,
    invalid_request,
    quote_for_message,
    truncate,
)
from mcp_server.methods import MODERN, Method

REVISIONS = (MODERN,)
SUPPORTED = (*REVISIONS, *handshake.REVISIONS)

HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"


def _discover(exchange: Exchange, revision: str, params: Json) -> Json:
    return {
        "supportedVersions": list(SUPPORTED),
        "capabilities": methods.capabilities(revision),
        "instructions": conf.instructions(exchange.base_url),
    }


METHODS: Mapping[str, Method] = {"server/discover": _discover, **methods.METHODS}
# Methods whose results are the same for all users, so that shared caches may store them.
CACHEABLE = frozenset(
    {
        *("server/discover", "tools/list", "prompts/list"),
        *("resources/list", "resources/templates/list", "resources/read"),
    }
)
# The parameter that `Mcp-Name` mirrors.
NAMED_BY: Mapping[str, str] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
}


def is_stateless_message(value: Any, headers: Headers) -> bool:
    """Whether a message has no session, by its `_meta`, else by its method or header."""
    if {VERSION_KEY, CAPABILITIES_KEY} & set(jsonrpc.meta_of(value)):
        return True
    method = value.get("method") if isinstance(value, dict) else None
    if method in ("initialize", "server/discover"):
        return bool(method == "server/discover")
    return headers.version in REVISIONS


def answer(value: Any, headers: Headers, exchange: Exchange) -> Answer:
    """Answer a message. Raises `RpcError` if it is neither a request nor a notification."""
    message = jsonrpc.read(value)
    if message.method is None:
        raise invalid_request("A client sends no responses.")
    if message.id is None:
        return Answer(202)
    try:
        members = _serve(message, message.method, headers, exchange)
    except RpcError as problem:
        status = 404 if problem.code == METHOD_NOT_FOUND else 400
        return Answer(status, jsonrpc.error(problem, message.id))
    return Answer(200, jsonrpc.result(message.id, members))


def _serve(message: Message, name: str, headers: Headers, exchange: Exchange) -> Json:
    _check_meta(message.params, headers)
    _check_mirror("Mcp-Method", headers.method, name)
    if name in NAMED_BY:
        mirrored = methods.text_member(message.params, NAMED_BY[name])
        _check_mirror("Mcp-Name", headers.name, mirrored)
    method = methods.find(METHODS, name)
    members = {"resultType": "complete", **method(exchange, MODERN, message.params)}
    if name in CACHEABLE:
        members |= {"ttlMs": conf.get("MCP_CACHE_SECONDS") * 1000, "cacheScope": "public"}
    members["_meta"] = {SERVER_INFO_KEY: methods.server_info(exchange, MODERN)}
    return members


def _check_meta(params: Json, headers: Headers) -> None:
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise invalid_params("params._meta must be given, as an object.")
    version = meta.get(VERSION_KEY)
    if not isinstance(version, str):
        raise invalid_params(f"_meta must have {VERSION_KEY}, a string.")
    if not isinstance(meta.get(CAPABILITIES_KEY), dict):
        raise invalid_params(f"_meta must have {CAPABILITIES_KEY}, an object.")
    _check_mirror("MCP-Protocol-Version", headers.version, version)
    if version not in REVISIONS:
        problem = "is not supported."
        if version in handshake.REVISIONS:
            problem = f"needs a session, which initialize opens; without one use {MODERN}."
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"Revision {quote_for_message(version)} {problem}",
            data={"supported": list(SUPPORTED), "requested": truncate(version)},
        )
    if str(meta.get(LOG_LEVEL_KEY, "info")) not in LOG_LEVELS:
        raise invalid_params(f"{LOG_LEVEL_KEY} must be one of {', '.join(LOG_LEVELS)}.")


def _check_mirror(header: str, value: str | None, mirrored: str) -> None:
    if value is None:
        raise RpcError(HEADER_MISMATCH, f"The header {header} is missing.")
    if decode_value(value) != mirrored:
        raise RpcError(HEADER_MISMATCH, f"The header {header} does not match the body.")
