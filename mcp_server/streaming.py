"""Streams of server-sent events (HTML 9.2): messages of a call before its answer."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from mcp_server.context import Notify
from mcp_server.encoding import dumps
from mcp_server.jsonrpc import Json
from mcp_server.negotiation import EVENT_STREAM

HEADERS = {"Content-Type": EVENT_STREAM, "X-Accel-Buffering": "no", "Cache-Control": "no-store"}


class ClientGone(BaseException):
    """Raised when a call sends a message and the client has disconnected."""


def event(value: Any) -> bytes:
    return b"event: message\ndata: " + dumps(value) + b"\n\n"


def answer_or_stream(
    request: HttpRequest, serve: Callable[[Notify], Any], body_of: Callable[[Any], Any]
) -> Any:
    """Return the result of `serve`, or a stream if `serve` sends messages.

    `serve` runs in a new thread with its own database connections. Inside a transaction
    (`ATOMIC_REQUESTS`, a test) it runs in this thread, and the messages are sent with the answer.
    """
    if any(each.in_atomic_block for each in connections.all(initialized_only=True)):
        messages: list[Json] = []
        answer = serve(messages.append)
        body = b"".join(map(event, [*messages, body_of(answer)])) if messages else b""
        return HttpResponse(body, headers=HEADERS) if messages else answer
    return _stream(request, serve, body_of)


def _stream(
    request: HttpRequest, serve: Callable[[Notify], Any], body_of: Callable[[Any], Any]
) -> HttpResponseBase | Any:
    queue: SimpleQueue[tuple[Json | None, Any]] = SimpleQueue()
    is_gone = Event()

    def notify(message: Json) -> None:
        if is_gone.is_set():
            raise ClientGone
        queue.put((message, None))

    def run() -> None:
        try:
            queue.put((None, serve(notify)))
        except BaseException as error:  # noqa: BLE001  (`following` raises it again)
            queue.put((None, error))
        finally:
            connections.close_all()

    def following() -> tuple[Json | None, Any]:
        message, answer = queue.get()
        if isinstance(answer, BaseException):
            raise answer
        return message, answer

    def events(message: Json | None) -> Iterator[bytes]:
        try:
            while message is not None:
                yield event(message)
                message, answer = following()
            yield event(body_of(answer))
        finally:
            is_gone.set()

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    first, answer = following()
    if first is None:
        return answer
    is_asynchronous = hasattr(request, "scope")
    stream = _asynchronous(events(first), is_gone) if is_asynchronous else events(first)
    return StreamingHttpResponse(stream, headers=HEADERS)


async def _asynchronous(events: Iterator[bytes], is_gone: Event) -> AsyncIterator[bytes]:
    following = sync_to_async(lambda: next(events, b""), thread_sensitive=False)
    try:
        while found := await following():
            yield found
    finally:
        is_gone.set()
