"""One deadline for a request and its answer, and a limit on the size of the answer.

A socket's own timeout bounds each read alone, so a server that sends byte by byte could hold a
thread for ever.
"""

import http.client
import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol, Self

SMALL_BODY_BYTES = 64 * 1024
# Of one answer, with its headers, beside the body that is asked for: no peer can keep us reading.
MAX_ANSWER_BYTES = 128 * 1024


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time by which a request and its answer must be complete."""

    at: float  # On the monotonic clock.

    def seconds_left(self) -> float:
        """More than zero; raises TimeoutError when there is no time left."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def half(self) -> "Deadline":
        """A deadline in the middle of the time that is left."""
        return Deadline((self.at + time.monotonic()) / 2)


class _Socket(Protocol):
    def settimeout(self, value: float | None, /) -> None: ...
    def send(self, data: memoryview, /) -> int: ...
    def recv_into(self, buffer: memoryview, /) -> int: ...


def send(
    to: _Socket, head: bytes, body: bytes, deadline: Deadline, count: Callable[[int], None]
) -> None:
    """Send all of it, or raise TimeoutError. `count` is called with the bytes of each write."""
    if len(body) < SMALL_BODY_BYTES:
        head, body = head + body, b""  # Copying costs less than a packet of its own for the head.
    for data in (head, body):
        left = memoryview(data)
        while left:
            to.settimeout(deadline.seconds_left())
            sent = to.send(left)
            count(sent)
            left = left[sent:]


def begin(incoming: "Incoming", method: str) -> http.client.HTTPResponse:
    """The final answer, its body unread; interim ones come before it (RFC 9110 15.2)."""
    reader = _Reader(incoming)
    while True:
        response = http.client.HTTPResponse(reader, method=method)  # type: ignore[arg-type]
        response.begin()
        if incoming.ended:  # The library takes an answer whose headers break off.
            raise http.client.IncompleteRead(b"")
        if response.status >= HTTPStatus.OK:
            return response


class Incoming(io.RawIOBase):
    """The stream from the other side: the bytes received so far, and whether it has ended."""

    def __init__(self, tls: _Socket, deadline: Deadline, read_bytes: int = 0) -> None:
        self._max_bytes = MAX_ANSWER_BYTES + read_bytes
        self.received = 0
        self.ended = False
        self._tls = tls
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        if self.received > self._max_bytes:
            raise http.client.HTTPException
        self._tls.settimeout(self._deadline.seconds_left())
        count = self._tls.recv_into(buffer)
        self.received += count
        self.ended = not count
        return count


class _Reader(io.BufferedReader):
    """Takes the place of the socket for `HTTPResponse`."""

    def makefile(self, mode: str) -> Self:
        return self

    def close(self) -> None:
        """Stays open for the answer that follows an interim one."""
