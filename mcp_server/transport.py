"""Streamable HTTP transport: header fields, status codes, bodies."""

import logging
import math
from collections.abc import Callable
from typing import Any

from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from mcp_server import conf, handshake, jsonrpc, oauth, stateless, streaming
from mcp_server.context import LOG_LEVEL_KEY, Exchange, Notify
from mcp_server.encoding import dumps
from mcp_server.headers import Headers, is_allowed
from mcp_server.jsonrpc import INTERNAL_ERROR, Answer, RpcError, invalid_request
from mcp_server.negotiation import EVENT_STREAM, JSON, allows, answer_type
from mcp_server.registry import ServiceUnavailable, SignInRequired, registry
from mcp_server.sessions import sessions

logger = logging.getLogger(__name__)

MIN_COMPRESSED_BYTES = 1_000  # Shorter answers fit into one packet anyway.
RETRY_AFTER_SECONDS = 5
ALLOW = "POST, DELETE, OPTIONS"
CUT_OFF = "The body could not be read to its end."


def respond(request: HttpRequest) -> HttpResponseBase:
    """Respond to a request. Errors are JSON-RPC responses too."""
    found = _guarded(request, None, lambda: _handle(request))
    return found if isinstance(found, HttpResponseBase) else _response(found, request)


def _guarded(request: HttpRequest, value: Any, run: Callable[[], Any]) -> Any:
    """Return the result of `run`, or an answer with its error."""
    try:
        return run()
    except RpcError as error:
        problem = error
    except SignInRequired as error:
        challenge = oauth.challenge(conf.base_url(request))
        problem = invalid_request(str(error), 401, **{"WWW-Authenticate": challenge})
    except DisallowedHost:
        raise  # Django answers with status 400.
    except (OperationalError, InterfaceError, ServiceUnavailable) as error:
        logger.error("An MCP request cannot be served at the moment: %r", error)
        message = "The data cannot be read at the moment. Please try again in a few seconds."
        seconds = getattr(error, "retry_after_seconds", RETRY_AFTER_SECONDS)
        problem = _fault(503, message, request, value, **{"Retry-After": str(seconds)})
    except Exception:
        logger.exception("An MCP request met a fault")
        message = "Something went wrong on our side. It has been logged under this request_id."
        problem = _fault(500, message, request, value)
    response = jsonrpc.error(problem)
    if response["id"] is None and stateless.is_stateless_message(value, Headers.of(request.META)):
        del response["id"]  # The revision without sessions has no id of null.
    return Answer(problem.status or 400, response, problem.headers)


def check_throttle(request: HttpRequest) -> None:
    """Count the request against the rate limit. Raises `RpcError`."""
    limiter = conf.optional("MCP_RATE_LIMITER")
    wait = limiter(request) if limiter else None
    if wait is not None:
        seconds = max(1, math.ceil(wait))
        again = f"Please try again in {seconds} second{'' if seconds == 1 else 's'}."
        message = f"Too many requests from your address. {again}"
        raise invalid_request(message, 429, **{"Retry-After": str(seconds)})


def _handle(request: HttpRequest) -> Any:
    """Return an `Answer` or a streaming response. Raises `RpcError`."""
    origin = request.META.get("HTTP_ORIGIN")
    if origin is not None and not is_allowed(origin, conf.origins(conf.base_url(request))):
        raise invalid_request("Pages of this origin may not use this server.", 403)
    if request.method == "OPTIONS":
        return Answer(204, headers={"Allow": ALLOW})
    if request.method not in {"POST", "DELETE"}:
        raise invalid_request(_how_to_connect(request), 405, Allow=ALLOW)
    check_throttle(request)
    permission = conf.optional("MCP_PERMISSION")
    if permission and not permission(request):
        if conf.get("MCP_OAUTH"):
            raise SignInRequired("Send an access token in the header Authorization.")
        raise invalid_request("You may not use this server.", 403)
    if request.method == "DELETE":
        return _end_session(Headers.of(request.META))
    _check_media_types(request)
    value = jsonrpc.decode(_read_body(request))

    def serve(notify: Notify | None) -> Any:
        return _guarded(request, value, lambda: _answer(request, value, notify))

    if _is_waiting_for_messages(request, value):
        return streaming.answer_or_stream(request, serve, lambda answer: answer.body)
    return serve(None)


def _answer(request: HttpRequest, value: Any, notify: Notify | None) -> Answer:
    if isinstance(value, list):
        # Each message of a batch counts.
        for _ in value[1 : handshake.MAX_BATCH]:
            check_throttle(request)
    headers = Headers.of(request.META)
    exchange = Exchange(request, conf.base_url(request), headers.session, notify)
    if stateless.is_stateless_message(value, headers):
        return stateless.answer(value, headers, exchange)
    return handshake.answer(value, headers, exchange)


def _is_waiting_for_messages(request: HttpRequest, value: Any) -> bool:
    """Whether the called tool may send messages and the client accepts them."""
    if not {"progressToken", LOG_LEVEL_KEY} & set(jsonrpc.meta_of(value)):
        return False
    tool = registry.tools.get(str(value["params"].get("name")))
    accept = request.META.get("HTTP_ACCEPT", "")
    return tool is not None and tool.takes_context and allows(accept, EVENT_STREAM)


def _how_to_connect(request: HttpRequest) -> str:
    address = conf.address(conf.base_url(request))
    guide_url = conf.server("guide_url")
    guide = f" See {guide_url}." if guide_url else ""
    return (
        "This is a Model Context Protocol server (streamable HTTP, no token). Add "
        f"{address} to your assistant, or send JSON-RPC by POST.{guide}"
    )


def _check_media_types(request: HttpRequest) -> None:
    media_type = request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if media_type != JSON:
        raise invalid_request("Content-Type must be application/json.", 415)
    encoding = request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower()
    if encoding not in {"", "identity"}:
        message = "The body must not have a Content-Encoding."
        raise invalid_request(message, 415, **{"Accept-Encoding": "identity"})
    if answer_type(request.META.get("HTTP_ACCEPT", "")) is None:
        raise invalid_request("Accept must allow application/json or text/event-stream.", 406)


def _read_body(request: HttpRequest) -> bytes:
    """Read the whole body, which has at most `MCP_MAX_BODY_BYTES`. Raises `RpcError`."""
    environ, most = request.META, conf.get("MCP_MAX_BODY_BYTES")
    too_long = invalid_request(f"The body is longer than {most} bytes.", 413)
    given, stream = environ.get("CONTENT_LENGTH") or "", request
    expected = int(given[:19]) if given.isdecimal() else 0  # More digits exceed any limit.
    if expected > most:
        raise too_long
    if not given and environ.get("HTTP_TRANSFER_ENCODING") and "wsgi.input" in environ:
        # Django reads nothing without a length, so read the web server's stream if it has an end.
        if not environ.get("wsgi.input_terminated"):
            raise invalid_request("The body must come with a Content-Length.", 411)
        stream = environ["wsgi.input"]
    try:
        body: bytes = stream.read(most + 1)
    except OSError:
        raise invalid_request(CUT_OFF, 400) from None
    except SuspiciousOperation as error:
        # The project's stream refuses to read: too many bodies are being received.
        again = {"Retry-After": str(RETRY_AFTER_SECONDS)}
        raise _fault(503, str(error), request, None, **again) from None
    if len(body) > most:
        raise too_long
    if len(body) < expected:
        raise invalid_request(CUT_OFF, 400)
    return body


def _end_session(headers: Headers) -> Answer:
    if stateless.is_stateless_message(None, headers):
        message = f"Revision {headers.version} has no sessions that could be ended."
        raise invalid_request(message, 405, Allow="POST, OPTIONS")
    handshake.check_protocol_version(headers)
    if headers.session is None:
        raise invalid_request("Mcp-Session-Id is missing: it names the session to end.", 400)
    if not sessions.end(headers.session):
        raise invalid_request("This session is unknown or over.", 404)
    return Answer(204)


# --- Responses ------------------------------------------------------------------------------------


def _fault(status: int, message: str, request: HttpRequest, value: Any, **headers: str) -> RpcError:
    """Return an error of the server with the request id, by which the log can be searched."""
    data, request_id = {"request_id": request.META.get("HTTP_X_REQUEST_ID")}, jsonrpc.id_of(value)
    return RpcError(
        INTERNAL_ERROR, message, data=data, status=status, request_id=request_id, headers=headers
    )


def _response(answer: Answer, request: HttpRequest) -> HttpResponse:
    """Encode an answer in a media type and coding that `request` accepts."""
    if answer.body is None:
        response = HttpResponse(status=answer.status, headers=answer.headers)
        del response.headers["Content-Type"]
        return response
    if answer.status < 400 and answer_type(request.META.get("HTTP_ACCEPT", "")) == EVENT_STREAM:
        body, described = streaming.event(answer.body), streaming.HEADERS
    else:
        body, described = dumps(answer.body), {"Content-Type": JSON}
    if len(body) >= MIN_COMPRESSED_BYTES:
        compress = conf.imported("MCP_COMPRESSOR")
        body, coding = compress(body, request.META.get("HTTP_ACCEPT_ENCODING", ""))
        described = {**described, "Content-Encoding": coding} if coding else described
    sent = {
        **described,
        **answer.headers,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Vary": "Accept, Accept-Encoding",
    }
    return HttpResponse(body, status=answer.status, headers=sent)
