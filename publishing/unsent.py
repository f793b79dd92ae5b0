"""Answers that clients do not read: bounds for the bytes that wait, and for the time.

A web server takes an answer whole and keeps it until the client has read it. `UnsentBytes` admits a
large answer while those that wait are few enough. It counts the admitted ones, and asks the kernel
which connections still wait when the count reaches the limit (Linux; elsewhere nothing is refused).
"""

import heapq
import os
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock
from time import monotonic

from publishing import conf

if sys.platform == "linux":
    import fcntl
    import termios

# Smaller answers are bounded by the number of connections that the server takes.
LARGE_BYTES = 256 * 1024
RECOUNT_SECONDS = 0.1
RETRY_AFTER_SECONDS = 10
SENTENCE = (
    "Too many large answers wait for clients that read slowly. "
    f"Please try again in {RETRY_AFTER_SECONDS} seconds, or accept gzip."
)


class TooManyUnsentBytes(Exception):
    """A large answer is not made while too many others wait for their clients."""

    def __init__(self) -> None:
        super().__init__(SENTENCE)


class UnsentBytes:
    """The sizes of the large answers of this process that clients may not have read yet."""

    def __init__(
        self,
        limit: Callable[[], int],
        count_waiting: Callable[[], int],
    ) -> None:
        self._limit = limit
        self._count_waiting = count_waiting
        self._sizes: list[int] = []
        self._total = 0
        self._counted_at = 0.0
        self._is_changed = False  # Whether an answer was admitted since.
        self._lock = Lock()

    def has_room(self, length: int) -> bool:
        """True when an answer of so many bytes would be admitted; to ask before it is made."""
        if length <= LARGE_BYTES:
            return True
        with self._lock:
            return self._has_room(length)

    def admit(self, length: int) -> bool:
        """Count an answer of so many bytes; False when too many bytes wait already.

        One answer is admitted whatever its length when no other waits.
        """
        if length <= LARGE_BYTES:
            return True
        with self._lock:
            is_admitted = self._has_room(length)
            if is_admitted:
                self._sizes.append(length)
                self._total += length
                self._is_changed = True
        return is_admitted

    def _has_room(self, length: int) -> bool:
        if self._is_full(length):
            self._recount()
        return not self._is_full(length)

    def _is_full(self, length: int) -> bool:
        return bool(self._sizes) and self._total + length > self._limit()

    def _recount(self) -> None:
        now = monotonic()
        # Refusals cost no more than so many counts, however many there are.
        if not self._is_changed and now - self._counted_at < RECOUNT_SECONDS:
            return
        self._counted_at, self._is_changed = now, False
        with suppress(OSError):  # As with too many open files: then all are taken to wait.
            # Which ones wait is not known: the largest are the upper bound.
            self._sizes = heapq.nlargest(self._count_waiting(), self._sizes)
            self._total = sum(self._sizes)


def count_waiting_connections() -> int:
    """The connections of this process with bytes that their peer has not acknowledged."""
    return sum(map(_has_unsent_bytes, _descriptors()))


def set_write_timeout(seconds: float) -> None:
    """Have the kernel close connections whose client takes nothing for so long.

    Set on the listening sockets of this process, whose next connections inherit it (tcp(7),
    TCP_USER_TIMEOUT; Linux alone).
    """
    for descriptor in _descriptors():
        with suppress(OSError):  # Not a socket, or closed meanwhile.
            connection = socket.socket(fileno=descriptor)
            try:
                if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    connection.setsockopt(
                        socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000)
                    )
            finally:
                connection.detach()  # It belongs to the web server, and stays open.


def _descriptors() -> Iterator[int]:
    # `Path.iterdir` makes an object of each, and this runs while answers wait.
    return map(int, os.listdir("/proc/self/fd")) if sys.platform == "linux" else iter(())  # noqa: PTH208


def _has_unsent_bytes(descriptor: int) -> bool:
    with suppress(OSError):  # The same.
        waiting = fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4))
        return bool(struct.unpack("i", waiting)[0])
    return False


unsent = UnsentBytes(conf.max_unsent_bytes, count_waiting_connections)
