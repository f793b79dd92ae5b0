"""Read request bodies, up to a length and in a limited number of threads.

The web server passes on a request as soon as it has the headers, and nothing interrupts a read of
the body: a client that falls silent keeps a thread. The limiter therefore reserves a thread for
requests without a body. Only a buffering proxy keeps all threads free.
A request that may change data holds its slot to the end, since it may wait for another change, and
a large import takes half a minute. The administration has a part of the slots, and sign-ins have
one of these, so that `/mcp` and the hub always have a slot.
"""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from threading import Condition, local
from time import monotonic
from typing import Any

from django.core.exceptions import SuspiciousOperation

from core.db.errors import RETRY_AFTER_SECONDS

LIMITER = "reviews.body_read_limiter"  # Key in the WSGI environment.
ACQUIRE_TIMEOUT = 0.5

MAX_DRAINED_BYTES = 1024 * 1024

CUT_OFF = "The body could not be read to its end."


class BodyRefused(Exception):
    """Raised for an unacceptable body, with the status and a message for the client."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class TooManyBodies(SuspiciousOperation):
    """Raised if all slots are taken; `handler400` responds with a 503."""

    status = 503
    retry_after_seconds = RETRY_AFTER_SECONDS

    def __init__(self) -> None:
        super().__init__("Too many requests are being received. Please try again in a few seconds.")


class _ThreadLocal(local):
    depth = 0


class BodyReadLimiter:
    """Context manager with `count` slots for reading bodies. Entering raises `TooManyBodies`.

    It is re-entrant, and each slot also takes a slot of `within`. At most `waiting` threads
    (default: `count`) queue for a slot, each for at most `seconds`.
    """

    def __init__(
        self,
        count: int,
        *,
        within: "BodyReadLimiter | None" = None,
        waiting: int | None = None,
        seconds: float = ACQUIRE_TIMEOUT,
    ) -> None:
        self._count = count
        self._within = within
        self._max_waiting = count if waiting is None else waiting
        self._seconds = seconds
        self._changed = Condition()
        self._taken = 0
        self._taken_at = 0.0
        self._waiting: deque[object] = deque()
        self._held = _ThreadLocal()

    def __enter__(self) -> None:
        if not self._held.depth:
            self._take()
            if self._within:
                try:
                    self._within.__enter__()
                except TooManyBodies:
                    self._leave()
                    raise
        self._held.depth += 1

    def __exit__(self, *_: object) -> None:
        self._held.depth -= 1
        if not self._held.depth:
            if self._within:
                self._within.__exit__()
            self._leave()

    def _take(self) -> None:
        with self._changed:
            if self._taken >= self._count or self._waiting:
                self._wait()
            self._taken += 1
            self._taken_at = monotonic()

    def _leave(self) -> None:
        with self._changed:
            self._taken -= 1
            self._changed.notify_all()

    def _wait(self) -> None:
        # Bodies usually follow their headers at once, so that the last slot is soon free. If it was
        # taken long ago, waiting would only occupy the last thread.
        free = self._count - self._taken  # Promised to the first threads in the queue.
        is_stuck = free <= 0 and monotonic() - self._taken_at >= self._seconds
        if is_stuck or len(self._waiting) - free >= self._max_waiting:
            raise TooManyBodies
        own = object()
        self._waiting.append(own)
        has_slot = self._changed.wait_for(
            lambda: self._waiting[0] is own and self._taken < self._count, self._seconds
        )
        self._waiting.remove(own)
        self._changed.notify_all()  # Another thread is first in the queue now.
        if not has_slot:
            raise TooManyBodies


class BoundedInput:
    """A `wsgi.input` whose reads take a slot of the limiter."""

    __slots__ = ("_limiter", "_stream")

    def __init__(self, stream: Any, limiter: BodyReadLimiter) -> None:
        self._stream = stream
        self._limiter = limiter

    def read(self, *size: int) -> bytes:
        with self._limiter:
            data: bytes = self._stream.read(*size)
        return data

    def readline(self, *size: int) -> bytes:
        with self._limiter:
            line: bytes = self._stream.readline(*size)
        return line


def declared_length(environ: Mapping[str, Any]) -> int:
    """Content-Length as a number; 0 if missing or malformed."""
    length = environ.get("CONTENT_LENGTH") or ""
    # The digits after these do not matter: the body is too long anyway.
    return int(length[:19]) if length.isdecimal() else 0


def read_body(environ: Mapping[str, Any], most: int) -> bytes:
    """Read the whole body of a WSGI request. Raises `BodyRefused` if longer than `most` bytes.

    A body without a length is read if the server marks its end.
    """
    expected = declared_length(environ)
    size = expected
    if not environ.get("CONTENT_LENGTH") and environ.get("HTTP_TRANSFER_ENCODING"):
        if not environ.get("wsgi.input_terminated"):
            raise BodyRefused(411, "The body must come with a Content-Length.")
        size = most + 1
    if expected > most:
        raise _too_long(most)
    try:
        body: bytes = environ["wsgi.input"].read(size)
    except OSError:
        raise BodyRefused(400, CUT_OFF) from None
    if len(body) > most:
        raise _too_long(most)
    if len(body) < expected:
        raise BodyRefused(400, CUT_OFF)
    return body


def drain_body(environ: Mapping[str, Any]) -> None:
    """Read and discard a body that the request does not need, if it is short.

    The server closes the connection on an unread body, and the client would lose the rest of the
    response.
    """
    if 0 < (length := declared_length(environ)) <= MAX_DRAINED_BYTES:
        with suppress(TooManyBodies, OSError):
            environ["wsgi.input"].read(length)


def _too_long(most: int) -> BodyRefused:
    return BodyRefused(413, f"The body is longer than {most} bytes.")
