"""The streamable HTTP transport: headers and status codes; what is said is decided elsewhere."""

import logging
import math
from collections.abc import Mapping
from typing import Any

import orjson
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from rest_framework.exceptions import APIException, Throttled
from rest_framework.views import APIView

from mcp_server import handshake, jsonrpc, origins, server, stateless
from mcp_server.headers import Headers, takes_json
from mcp_server.jsonrpc import INTERNAL_ERROR, INVALID_REQUEST, Answer, RpcError
from mcp_server.offer import JsonText
from mcp_server.sessions import CannotEnd, SignedSessions
from reviews.public_headers import cache_control

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 256 * 1024
RETRY_AFTER_SECONDS = 5
ALLOW = "POST, DELETE, OPTIONS"
UNREACHABLE = (OperationalError, InterfaceError, CannotEnd)

sessions = SignedSessions()


class Refused(Exception):
    """A request that is refused for what HTTP says of it."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


class McpView(APIView):
    """`POST /mcp`: one message or batch in, one JSON answer out."""

    throttle_scope = "mcp"
    schema = None  # Described as a whole, since its operations are inside the body.

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # As for the search, without the machinery that there is no use for. The one broad border
        # of this protocol: whatever goes wrong, the client reads JSON-RPC.
        self.request, self.args, self.kwargs = request, args, kwargs  # type: ignore[assignment]
        self.value: Any = None
        try:
            return self._answer(request)
        except Refused as refusal:
            problem = RpcError(INVALID_REQUEST, str(refusal))
            return _response(refusal.status, jsonrpc.error(problem), refusal.headers)
        except RpcError as problem:
            return _response(problem.status or 400, jsonrpc.error(problem))
        except Throttled as error:
            seconds = math.ceil(getattr(error, "wait", None) or 1)
            message = f"Too many requests from your address. Try again in {seconds} seconds."
            return self._failure(429, INVALID_REQUEST, message, seconds)
        except (*UNREACHABLE, APIException) as error:
            logger.error("An MCP request cannot be served at the moment: %r", error)  # noqa: TRY400
            message = "The data cannot be read at the moment. Try again in a few seconds."
            return self._failure(503, INTERNAL_ERROR, message, RETRY_AFTER_SECONDS)
        except Exception:
            logger.exception("An MCP request met a fault")
            message = "Something went wrong on our side. It has been logged."
            return self._failure(500, INTERNAL_ERROR, message)

    def _failure(
        self, status: int, code: int, message: str, retry_after: int | None = None
    ) -> HttpResponse:
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        problem = RpcError(code, message)
        return _response(status, jsonrpc.error(problem, jsonrpc.id_of(self.value)), headers)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        origin = request.headers.get("Origin")
        if origin is not None and not _is_welcome(origin):
            raise Refused(403, "Pages of this origin may not use this server.")
        if request.method == "OPTIONS":
            return HttpResponse(headers={"Allow": ALLOW})
        if request.method not in {"POST", "DELETE"}:
            raise Refused(405, _how_to_connect(), Allow=ALLOW)
        self.check_throttles(request)  # type: ignore[arg-type]
        headers = Headers.of(request.headers)
        if request.method == "DELETE":
            return _end(headers)
        _refuse_media(request)
        self.value = value = jsonrpc.decode(_body(request))
        if isinstance(value, list):
            # A batch costs what its messages would cost.
            for _ in value[1 : handshake.MAX_BATCH]:
                self.check_throttles(request)  # type: ignore[arg-type]
        return _written(_served(value, headers))


def _served(value: Any, headers: Headers) -> Answer:
    if stateless.speaks(value, headers):
        return stateless.answer(value, headers, server.offer())
    return handshake.answer(value, headers, server.offer(), sessions)


# --- What HTTP says -------------------------------------------------------------------------------


def _is_welcome(origin: str) -> bool:
    return origins.is_allowed(origin, settings.MCP_ORIGINS)


def _how_to_connect() -> str:
    return (
        "This is a Model Context Protocol server (streamable HTTP, no token). Add "
        f"{server.address()} to your assistant, or send JSON-RPC by POST. "
        f"{settings.BASE_URL}/developers tells more."
    )


def _refuse_media(request: HttpRequest) -> None:
    media_type = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Refused(415, "Content-Type must be application/json.")
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in {"", "identity"}:
        message = "The body must come as it is, without a Content-Encoding."
        raise Refused(415, message, **{"Accept-Encoding": "identity"})
    # The protocol wants clients to accept streams too; an answer without one serves them all.
    if not takes_json(request.headers.get("Accept", "")):
        raise Refused(406, "Accept must allow application/json.")


def _body(request: HttpRequest) -> bytes:
    """At most `MAX_BODY_BYTES`; a longer one is refused by what it says of itself, unread."""
    length = request.headers.get("Content-Length", "")
    source: Any = request
    if not length and request.headers.get("Transfer-Encoding"):
        if not request.META.get("wsgi.input_terminated"):
            raise Refused(411, "The body must come with a Content-Length.")
        source = request.META["wsgi.input"]  # Django reads no body without a length.
    expected = int(length[:20]) if length.isdecimal() else 0
    too_long = Refused(413, f"The body is longer than {MAX_BODY_BYTES} bytes.")
    cut_off = Refused(400, "The body could not be read to its end.")
    if expected > MAX_BODY_BYTES:
        raise too_long
    try:
        body: bytes = source.read(MAX_BODY_BYTES + 1)
    except OSError:
        raise cut_off from None
    if len(body) > MAX_BODY_BYTES:
        raise too_long
    if len(body) < expected:
        raise cut_off
    return body


def _end(headers: Headers) -> HttpResponseBase:
    if headers.session is None:
        raise Refused(400, "Mcp-Session-Id is missing: it names the session to end.")
    if not sessions.end(headers.session):
        raise Refused(404, "This session is unknown or over.")
    # Streaming, or CommonMiddleware gives it a Content-Length (RFC 9110 8.6).
    ended = StreamingHttpResponse((), status=204)
    del ended.headers["Content-Type"]
    return ended


# --- Answers --------------------------------------------------------------------------------------


def _written(answer: Answer) -> HttpResponse:
    if answer.body is None:
        accepted = HttpResponse(status=answer.status)
        del accepted.headers["Content-Type"]
        return accepted
    headers = {} if answer.session is None else {"Mcp-Session-Id": answer.session}
    return _response(answer.status, answer.body, headers)


def _response(status: int, body: Any, headers: Mapping[str, str] | None = None) -> HttpResponse:
    text = orjson.dumps(body, default=_spliced)
    response = HttpResponse(text, status=status, content_type="application/json", headers=headers)
    response.headers["Content-Length"] = str(len(text))
    response.headers["Cache-Control"] = "no-store"
    return response


def _spliced(value: Any) -> Any:
    if isinstance(value, JsonText):
        return orjson.Fragment(value.text)
    raise TypeError


# --- Documents about the server -------------------------------------------------------------------


@require_safe
def server_card(request: HttpRequest) -> HttpResponse:
    return _document(server.card(), server.CARD_TYPE)


@require_safe
def ai_catalog(request: HttpRequest) -> HttpResponse:
    return _document(server.catalog(), server.CATALOG_TYPE)


def _document(members: Mapping[str, Any], media_type: str) -> HttpResponse:
    headers = {"Cache-Control": cache_control(settings.CACHE_MAX_AGE_SECONDS)}
    return HttpResponse(orjson.dumps(members), content_type=media_type, headers=headers)
