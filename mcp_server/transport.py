"""The streamable HTTP transport: headers and status codes; what is said is decided elsewhere."""

import logging
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson
from django.conf import settings
from rest_framework.exceptions import APIException, Throttled

from core.db.errors import DATABASE_AWAY, RETRY_AFTER_SECONDS
from core.http.rate_limit import try_again
from core.http.request_body import BodyRefused, TooManyBodies, read_body
from mcp_server import handshake, jsonrpc, origins, server, stateless
from mcp_server.headers import EVENT_STREAM, JSON, Headers, answer_type
from mcp_server.jsonrpc import INTERNAL_ERROR, INVALID_REQUEST, Answer, RpcError
from mcp_server.registry import JsonText
from mcp_server.sessions import CannotEnd, SignedSessions
from publishing.conditional import CODINGS, IDENTITY, choose_coding
from publishing.publisher import ENCODERS

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 256 * 1024
LEAST_COMPRESSED_BYTES = 1_000  # A shorter answer goes into one packet anyhow.
ALLOW = "POST, DELETE, OPTIONS"
Environ = Mapping[str, Any]

sessions = SignedSessions()


class Reply(NamedTuple):
    """What HTTP sends back, without the headers that every public answer has."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""  # JSON; empty where there is none.


class Refused(Exception):
    """A request that is refused for what HTTP says of it."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


def respond(environ: Environ, spend: Callable[[], object]) -> Reply:
    """The reply to the request of a WSGI environment.

    `spend` takes one request from the client's budget, or raises `Throttled`. Whatever goes wrong,
    the client reads JSON-RPC: this is the one broad border of the protocol.
    """
    value: Any = None  # What the request says, as soon as that is known.
    headers: Mapping[str, str] = {}
    try:
        if (reply := _handle_non_post(environ, spend)) is not None:
            return reply
        value = jsonrpc.decode(_body(environ))
        return _written(_served(value, Headers.of(environ), spend), environ)
    except RpcError as error:
        problem = error
    except Refused as refusal:
        problem = RpcError(INVALID_REQUEST, str(refusal), status=refusal.status)
        headers = refusal.headers
    except Throttled as error:
        seconds = math.ceil(getattr(error, "wait", None) or 1)
        message = f"Too many requests from your address. {try_again(seconds)}"
        problem = RpcError(INVALID_REQUEST, message, status=429)
        headers = {"Retry-After": str(seconds)}
    except TooManyBodies as error:
        problem = _fault(error.status, str(error), environ, value)
        headers = {"Retry-After": str(error.retry_after_seconds)}
    except (*DATABASE_AWAY, CannotEnd, APIException) as error:
        logger.error("An MCP request cannot be served at the moment: %r", error)
        message = "The data cannot be read at the moment. Please try again in a few seconds."
        problem = _fault(503, message, environ, value)
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS)}
    except Exception:
        logger.exception("An MCP request met a fault")
        message = "Something went wrong on our side. It has been logged under this request_id."
        problem = _fault(500, message, environ, value)
    return _error(problem, environ, value, headers)


def _handle_non_post(environ: Environ, spend: Callable[[], object]) -> Reply | None:
    """The reply to a request that brings no message; None where one is to be read and answered."""
    method = environ["REQUEST_METHOD"]
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and not origins.is_allowed(origin, settings.MCP_ORIGINS):
        raise Refused(403, "Pages of this origin may not use this server.")
    if method == "OPTIONS":
        return Reply(204, {"Allow": ALLOW})
    if method not in {"POST", "DELETE"}:
        raise Refused(405, _how_to_connect(), Allow=ALLOW)
    spend()
    if method == "DELETE":
        return _end(Headers.of(environ))
    _refuse_media(environ)
    return None


def _served(value: Any, headers: Headers, spend: Callable[[], object]) -> Answer:
    if isinstance(value, list):
        # A batch costs what its messages would cost.
        for _ in value[1 : handshake.MAX_BATCH]:
            spend()
    if stateless.is_stateless_message(value, headers):
        return stateless.answer(value, headers, server.offer())
    return handshake.answer(value, headers, server.offer(), sessions)


# --- What HTTP says -------------------------------------------------------------------------------


def _how_to_connect() -> str:
    return (
        "This is a Model Context Protocol server (streamable HTTP, no token). Add "
        f"{server.address()} to your assistant, or send JSON-RPC by POST. "
        f"{settings.BASE_URL}/developers/mcp tells more."
    )


def _refuse_media(environ: Environ) -> None:
    media_type = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Refused(415, "Content-Type must be application/json.")
    encoding = environ.get("HTTP_CONTENT_ENCODING", "").strip().lower()
    if encoding not in {"", "identity"}:
        message = "The body must come as it is, without a Content-Encoding."
        raise Refused(415, message, **{"Accept-Encoding": "identity"})
    if _answer_type(environ) is None:
        raise Refused(406, "Accept must allow application/json or text/event-stream.")


def _body(environ: Environ) -> bytes:
    try:
        return read_body(environ, MAX_BODY_BYTES)
    except BodyRefused as refusal:
        raise Refused(refusal.status, str(refusal)) from None


def _end(headers: Headers) -> Reply:
    if stateless.is_stateless_message(None, headers):
        message = f"Revision {headers.version} has no sessions that could be ended."
        raise Refused(405, message, Allow="POST, OPTIONS")
    handshake.check_protocol_version(headers)
    if headers.session is None:
        raise Refused(400, "Mcp-Session-Id is missing: it names the session to end.")
    if not sessions.end(headers.session):
        raise Refused(404, "This session is unknown or over.")
    return Reply(204)


# --- Replies --------------------------------------------------------------------------------------


def _answer_type(environ: Environ) -> str | None:
    return answer_type(environ.get("HTTP_ACCEPT", ""))


def _written(answer: Answer, environ: Environ) -> Reply:
    if answer.body is None:
        return Reply(answer.status)
    headers = {} if answer.session is None else {"Mcp-Session-Id": answer.session}
    return _reply(answer.status, answer.body, environ, headers)


def _fault(status: int, message: str, environ: Environ, value: Any) -> RpcError:
    """A fault of ours; the request is named, so that the log can be searched."""
    data = {"request_id": environ.get("HTTP_X_REQUEST_ID")}
    request_id = jsonrpc.id_of(value)
    return RpcError(INTERNAL_ERROR, message, data=data, status=status, request_id=request_id)


def _error(problem: RpcError, environ: Environ, value: Any, headers: Mapping[str, str]) -> Reply:
    response = jsonrpc.error(problem)
    if response["id"] is None and stateless.is_stateless_message(value, Headers.of(environ)):
        del response["id"]  # Null is no id of that revision.
    return _reply(problem.status or 400, response, environ, headers)


def _reply(
    status: int, value: Any, environ: Environ, headers: Mapping[str, str] | None = None
) -> Reply:
    """The reply in the media type and coding that the client accepts.

    An error is JSON for every client.
    """
    body = orjson.dumps(value, default=_encode_raw_json)
    described = {"Content-Type": JSON}
    if status < 400 and _answer_type(environ) == EVENT_STREAM:
        body = _event(body)
        described = {"Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no"}
    coding = IDENTITY
    if len(body) >= LEAST_COMPRESSED_BYTES:
        coding = choose_coding(environ.get("HTTP_ACCEPT_ENCODING"), CODINGS)
    if coding != IDENTITY:
        body = ENCODERS[coding](body)
        described["Content-Encoding"] = coding
    return Reply(
        status,
        {
            **described,
            **(headers or {}),
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Vary": "Accept, Accept-Encoding",
        },
        body,
    )


def _event(body: bytes) -> bytes:
    """One server-sent event with this JSON, which has no line ends (HTML 9.2.5)."""
    return b"event: message\ndata: " + body + b"\n\n"


def _encode_raw_json(value: Any) -> Any:
    if isinstance(value, JsonText):
        return orjson.Fragment(value.text)
    raise TypeError
