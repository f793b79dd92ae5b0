"""Send requests with chunked bodies to Django's ASGI handler."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_finished
from django.db import connections


def post(path: str, *chunks: bytes, **headers: str) -> tuple[int, dict[bytes, bytes], bytes]:
    """Return status, headers and body of the response."""
    with _closed_connections():
        return _post(path, *chunks, **headers)


@contextmanager
def _closed_connections() -> Iterator[None]:
    """Close the connections of the thread of a request, which ends with the request."""

    def close(**kwargs: Any) -> None:
        connections.close_all()

    request_finished.connect(close)
    try:
        yield
    finally:
        request_finished.disconnect(close)


@async_to_sync
async def _post(path: str, *chunks: bytes, **headers: str) -> tuple[int, dict[bytes, bytes], bytes]:
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    communicator = ApplicationCommunicator(ASGIHandler(), scope)
    for number, chunk in enumerate(chunks, start=1):
        message = {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        await communicator.send_input(message)
    start: Any = await communicator.receive_output(10)
    answer: Any = await communicator.receive_output(10)
    await communicator.wait()
    return start["status"], dict(start["headers"]), answer["body"]
