"""Deadline for a request with its response, and size limit of the response.

A socket's timeout applies to each read separately, so a server that sends byte by byte could
occupy a thread forever.
"""

import http.client
import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol, Self

SMALL_BODY_BYTES = 64 * 1024
# Limit for the heads, the chunk sizes and the trailers of a response, in addition to its body.
MAX_ANSWER_BYTES = 128 * 1024


@dataclass(frozen=True, slots=True)
class Deadline:
    """Time at which an exchange must be complete."""

    at: float  # On the monotonic clock.

    def seconds_left(self) -> float:
        """Return a positive number of seconds. Raises TimeoutError if there are none."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def half(self) -> "Deadline":
        """Return the deadline after half of the remaining time."""
        return Deadline((self.at + time.monotonic()) / 2)


class _Socket(Protocol):
    def settimeout(self, value: float | None, /) -> None: ...
    def send(self, data: memoryview, /) -> int: ...
    def recv_into(self, buffer: memoryview, /) -> int: ...


def send(
    to: _Socket, head: bytes, body: bytes, deadline: Deadline, count: Callable[[int], None]
) -> None:
    """Send head and body or raise TimeoutError. `count` receives the length of each write."""
    if len(body) < SMALL_BODY_BYTES:
        head, body = head + body, b""  # Copying costs less than a separate packet for the head.
    for data in (head, body):
        left = memoryview(data)
        while left:
            to.settimeout(deadline.seconds_left())
            sent = to.send(left)
            count(sent)
            left = left[sent:]


def read_head(incoming: "Incoming", method: str) -> http.client.HTTPResponse:
    """Read the head of the final response. Interim responses are skipped (RFC 9110 15.2)."""
    reader = _Reader(incoming)
    while True:
        response = http.client.HTTPResponse(reader, method=method)  # type: ignore[arg-type]
        response.begin()
        if incoming.ended:  # `http.client` accepts a head that breaks off.
            raise http.client.IncompleteRead(b"")
        if response.status >= HTTPStatus.OK:
            return response


class Incoming(io.RawIOBase):
    """Stream of received bytes with a deadline and a size limit."""

    def __init__(self, connection: _Socket, deadline: Deadline, read_bytes: int) -> None:
        self._max_bytes = MAX_ANSWER_BYTES + read_bytes
        self.received = 0
        self.ended = False
        self._connection = connection
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        if self.received > self._max_bytes:
            raise http.client.HTTPException
        self._connection.settimeout(self._deadline.seconds_left())
        count = self._connection.recv_into(buffer)
        self.received += count
        self.ended = not count
        return count


class _Reader(io.BufferedReader):
    """Reader with the part of a socket's interface that `HTTPResponse` uses."""

    def makefile(self, mode: str) -> Self:
        return self

    def close(self) -> None:
        """Stay open for the response that follows an interim one."""
