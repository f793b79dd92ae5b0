"""The body of a request: read up to a bound, by so many threads of a process at once.

The web server hands a request over with its headers, and nothing interrupts a read of the body: a
client that falls silent in the middle keeps the thread for as long as it likes. So one thread is
always left for requests that have no body. It takes a proxy that buffers to leave all of them.
A request that may change something holds its place to the end: the database may let it wait for
another change, and a large import takes half a minute. The administration has places of its own
among them, and sign-ins one of those, so that neither takes the last from /mcp and the hub.
"""

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from threading import Condition, local
from time import monotonic
from typing import Any

from django.core.exceptions import SuspiciousOperation

from core.db.errors import RETRY_AFTER_SECONDS

LIMITER = "reviews.body_read_limiter"  # The key of a request's limiter in its environment.
ACQUIRE_TIMEOUT = 0.5

MAX_DRAINED_BYTES = 1024 * 1024

CUT_OFF = "The body could not be read to its end."


class BodyRefused(Exception):
    """A body that is not taken: the status that HTTP has for it, and a sentence for the client."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class TooManyBodies(SuspiciousOperation):
    """As many bodies are waited for as may be. Who does not catch it leaves it to `handler400`."""

    status = 503
    retry_after_seconds = RETRY_AFTER_SECONDS

    def __init__(self) -> None:
        super().__init__("Too many requests are being received. Please try again in a few seconds.")


class _ThreadLocal(local):
    depth = 0


class BodyReadLimiter:
    """Held while a thread waits for a body; to enter raises `TooManyBodies`.

    A place of `within` is held with each place. A thread that holds one enters again at once. At
    most `waiting` threads wait for a place, the first one first, each for at most `seconds`;
    None: `ACQUIRE_TIMEOUT`.
    """

    def __init__(
        self,
        count: int,
        *,
        within: "BodyReadLimiter | None" = None,
        waiting: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self._count = count
        self._within = within
        self._most_waiting = count if waiting is None else waiting
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
        # A body comes with its headers or right behind them, so the thread that took the last place
        # soon leaves it. If not, to wait for it would only take the last thread.
        free = self._count - self._taken  # Those are given to the first who wait.
        is_stuck = self._taken >= self._count and not self._is_fresh
        if is_stuck or len(self._waiting) - free >= self._most_waiting:
            raise TooManyBodies
        own = object()
        self._waiting.append(own)
        has_place = self._changed.wait_for(
            lambda: self._waiting[0] is own and self._taken < self._count, self._longest_wait
        )
        self._waiting.remove(own)
        self._changed.notify_all()  # Another one is the first now.
        if not has_place:
            raise TooManyBodies

    @property
    def _is_fresh(self) -> bool:
        return monotonic() - self._taken_at < self._longest_wait

    @property
    def _longest_wait(self) -> float:
        return ACQUIRE_TIMEOUT if self._seconds is None else self._seconds


class BoundedInput:
    """A `wsgi.input` that is read in one of the places."""

    __slots__ = ("_places", "_stream")

    def __init__(self, stream: Any, places: BodyReadLimiter) -> None:
        self._stream = stream
        self._places = places

    def read(self, *size: int) -> bytes:
        with self._places:
            data: bytes = self._stream.read(*size)
        return data

    def readline(self, *size: int) -> bytes:
        with self._places:
            line: bytes = self._stream.readline(*size)
        return line


def declared_length(environ: Mapping[str, Any]) -> int:
    """Content-Length as a number; 0 where it is missing or malformed."""
    length = environ.get("CONTENT_LENGTH") or ""
    # Longer than 18 digits is too long whatever it is.
    return int(length[:19]) if length.isdecimal() else 0


def read_body(environ: Mapping[str, Any], most: int) -> bytes:
    """The body of a WSGI request, whole; raises `BodyRefused`.

    One of more than `most` bytes is refused by what it says of itself, unread; one without a length
    is read where the server ends it.
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
    """Read the body of a request to which it means nothing, if it is not too long.

    The server closes the connection on an unread body, and the client loses with it what
    it has not received yet of its answer.
    """
    if 0 < (length := declared_length(environ)) <= MAX_DRAINED_BYTES:
        with suppress(TooManyBodies, OSError):
            environ["wsgi.input"].read(length)


def _too_long(most: int) -> BodyRefused:
    return BodyRefused(413, f"The body is longer than {most} bytes.")
