"""The streamable HTTP transport: header fields, status codes, bodies."""

import logging
import math
from collections.abc import Mapping
from typing import Any

import orjson
from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse

from mcp_server import conf, handshake, jsonrpc, server, stateless
from mcp_server.headers import Headers, is_allowed
from mcp_server.jsonrpc import INTERNAL_ERROR, INVALID_REQUEST, Answer, RpcError
from mcp_server.negotiation import EVENT_STREAM, JSON, answer_type
from mcp_server.registry import JsonText, ServiceUnavailable
from mcp_server.sessions import SignedSessions

logger = logging.getLogger(__name__)

MIN_COMPRESSED_BYTES = 1_000  # A shorter answer fits into one packet anyway.
RETRY_AFTER_SECONDS = 5  # After a failure of the database.
ALLOW = "POST, DELETE, OPTIONS"
CUT_OFF = "The body could not be read to its end."

sessions = SignedSessions()


class Refused(Exception):
    """A request that is refused for its method, header fields or body."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


def respond(request: HttpRequest) -> HttpResponse:
    """The response to a request.

    Errors are JSON-RPC responses too. This is the one broad `except` of the protocol.
    """
    value: Any = None  # The message, as soon as it is known.
    headers: Mapping[str, str] = {}
    try:
        if (response := _handle_non_post(request)) is not None:
            return response
        value = jsonrpc.decode(_read_body(request))
        return _answer_response(_answer(request, value), request)
    except RpcError as error:
        problem = error
    except Refused as refusal:
        problem = RpcError(INVALID_REQUEST, str(refusal), status=refusal.status)
        if refusal.status >= 500:
            problem = _fault(refusal.status, str(refusal), request, value)
        headers = refusal.headers
    except DisallowedHost:
        raise  # Django answers it.
    except (OperationalError, InterfaceError, ServiceUnavailable) as error:
        logger.error("An MCP request cannot be served at the moment: %r", error)
        message = "The data cannot be read at the moment. Please try again in a few seconds."
        problem = _fault(503, message, request, value)
        seconds = getattr(error, "retry_after_seconds", RETRY_AFTER_SECONDS)
        headers = {"Retry-After": str(seconds)}
    except Exception:
        logger.exception("An MCP request met a fault")
        message = "Something went wrong on our side. It has been logged under this request_id."
        problem = _fault(500, message, request, value)
    return _error_response(problem, request, value, headers)


def check_throttle(request: HttpRequest) -> None:
    """Count the request against the rate limit. Raises `Refused`."""
    limiter = conf.rate_limiter()
    wait = limiter(request) if limiter else None
    if wait is not None:
        seconds = max(1, math.ceil(wait))
        again = f"Please try again in {seconds} second{'' if seconds == 1 else 's'}."
        message = f"Too many requests from your address. {again}"
        raise Refused(429, message, **{"Retry-After": str(seconds)})


def _handle_non_post(request: HttpRequest) -> HttpResponse | None:
    """The response to a request without a message; None where one is to be read."""
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and not is_allowed(origin, conf.origins(conf.base_url(request))):
        raise Refused(403, "Pages of this origin may not use this server.")
    if request.method == "OPTIONS":
        return _empty(204, {"Allow": ALLOW})
    if request.method not in {"POST", "DELETE"}:
        raise Refused(405, _how_to_connect(request), Allow=ALLOW)
    check_throttle(request)
    if request.method == "DELETE":
        return _end_session(Headers.of(request.META))
    _check_media_types(request)
    return None


def _answer(request: HttpRequest, value: Any) -> Answer:
    if isinstance(value, list):
        # A batch counts as its messages would count one by one.
        for _ in value[1 : handshake.MAX_BATCH]:
            check_throttle(request)
    headers = Headers.of(request.META)
    definition = server.server_definition(conf.base_url(request))
    if stateless.is_stateless_message(value, headers):
        return stateless.answer(value, headers, definition)
    return handshake.answer(value, headers, definition, sessions)


def _how_to_connect(request: HttpRequest) -> str:
    address = server.address(conf.base_url(request))
    guide_url = conf.server("guide_url")
    guide = f" {guide_url} tells more." if guide_url else ""
    return (
        "This is a Model Context Protocol server (streamable HTTP, no token). Add "
        f"{address} to your assistant, or send JSON-RPC by POST.{guide}"
    )


def _check_media_types(request: HttpRequest) -> None:
    media_type = request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if media_type != JSON:
        raise Refused(415, "Content-Type must be application/json.")
    encoding = request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower()
    if encoding not in {"", "identity"}:
        message = "The body must come as it is, without a Content-Encoding."
        raise Refused(415, message, **{"Accept-Encoding": "identity"})
    if answer_type(request.META.get("HTTP_ACCEPT", "")) is None:
        raise Refused(406, "Accept must allow application/json or text/event-stream.")


def _read_body(request: HttpRequest) -> bytes:
    """The whole body of the request, at most `MCP_MAX_BODY_BYTES` long."""
    environ, most = request.META, conf.get("MCP_MAX_BODY_BYTES")
    given, stream = environ.get("CONTENT_LENGTH") or "", request
    expected = int(given[:19]) if given.isdecimal() else 0  # So many digits are too long anyway.
    if expected > most:
        raise _too_long(most)
    if not given and environ.get("HTTP_TRANSFER_ENCODING") and "wsgi.input" in environ:
        # Django reads nothing then. The web server ends such a body, if it is able to.
        if not environ.get("wsgi.input_terminated"):
            raise Refused(411, "The body must come with a Content-Length.")
        stream = environ["wsgi.input"]
    try:
        body: bytes = stream.read(most + 1)
    except OSError:
        raise Refused(400, CUT_OFF) from None
    except SuspiciousOperation as error:
        # The project's stream does not read it now: too many bodies are being received.
        raise Refused(503, str(error), **{"Retry-After": str(RETRY_AFTER_SECONDS)}) from None
    if len(body) > most:
        raise _too_long(most)
    if len(body) < expected:
        raise Refused(400, CUT_OFF)
    return body


def _too_long(most: int) -> Refused:
    return Refused(413, f"The body is longer than {most} bytes.")


def _end_session(headers: Headers) -> HttpResponse:
    if stateless.is_stateless_message(None, headers):
        message = f"Revision {headers.version} has no sessions that could be ended."
        raise Refused(405, message, Allow="POST, OPTIONS")
    handshake.check_protocol_version(headers)
    if headers.session is None:
        raise Refused(400, "Mcp-Session-Id is missing: it names the session to end.")
    if not sessions.end(headers.session):
        raise Refused(404, "This session is unknown or over.")
    return _empty(204)


# --- Responses ------------------------------------------------------------------------------------


def _answer_response(answer: Answer, request: HttpRequest) -> HttpResponse:
    if answer.body is None:
        return _empty(answer.status)
    headers = {} if answer.session is None else {"Mcp-Session-Id": answer.session}
    return _response(answer.status, answer.body, request, headers)


def _fault(status: int, message: str, request: HttpRequest, value: Any) -> RpcError:
    """A fault of the server; with the request's id, so that the log can be searched."""
    data = {"request_id": request.META.get("HTTP_X_REQUEST_ID")}
    request_id = jsonrpc.id_of(value)
    return RpcError(INTERNAL_ERROR, message, data=data, status=status, request_id=request_id)


def _error_response(
    problem: RpcError, request: HttpRequest, value: Any, headers: Mapping[str, str]
) -> HttpResponse:
    response = jsonrpc.error(problem)
    if response["id"] is None and stateless.is_stateless_message(value, Headers.of(request.META)):
        del response["id"]  # Null is no id of that revision.
    return _response(problem.status or 400, response, request, headers)


def _response(
    status: int, value: Any, request: HttpRequest, headers: Mapping[str, str]
) -> HttpResponse:
    """The response in the media type and coding that the client accepts.

    An error is JSON for every client.
    """
    body = orjson.dumps(value, default=_encode_raw_json)
    described = {"Content-Type": JSON}
    if status < 400 and answer_type(request.META.get("HTTP_ACCEPT", "")) == EVENT_STREAM:
        body = b"event: message\ndata: " + body + b"\n\n"  # HTML 9.2.5; the JSON has no line ends.
        described = {"Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no"}
    if len(body) >= MIN_COMPRESSED_BYTES:
        compress = conf.imported("MCP_COMPRESSOR")
        body, coding = compress(body, request.META.get("HTTP_ACCEPT_ENCODING", ""))
        described |= {"Content-Encoding": coding} if coding else {}
    sent = {
        **described,
        **headers,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Vary": "Accept, Accept-Encoding",
    }
    return HttpResponse(body, status=status, headers=sent)


def _empty(status: int, headers: Mapping[str, str] | None = None) -> HttpResponse:
    response = HttpResponse(status=status, headers=headers)
    del response.headers["Content-Type"]
    return response


def _encode_raw_json(value: Any) -> Any:
    if isinstance(value, JsonText):
        return orjson.Fragment(value.text)
    raise TypeError
