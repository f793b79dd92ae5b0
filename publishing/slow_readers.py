"""Answers that clients do not read: bounds for the bytes that wait, and for the time.

A web server takes an answer whole and keeps it until the client has read it. `UnsentBytes` admits a
large answer while those that wait are few enough, of all clients and of this one. It counts the
admitted ones, and asks the kernel how many connections still wait when the count reaches a limit
(Linux; elsewhere nothing is refused).
"""

import heapq
import os
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

from publishing import conf

if sys.platform == "linux":
    import fcntl
    import termios

# Smaller answers are bounded by the number of connections that the server takes.
LARGE_BYTES = 256 * 1024
SHARES = 4  # A client may hold one of so many equal parts of the limit.
RECOUNT_SECONDS = 0.1
RETRY_AFTER_SECONDS = 10
SENTENCE = (
    "Too many large answers wait for clients that read slowly. "
    f"Please try again in {RETRY_AFTER_SECONDS} seconds, or accept gzip."
)


class TooManyUnsentBytes(Exception):
    """A large answer is refused while too many others wait."""

    def __init__(self) -> None:
        super().__init__(SENTENCE)


class Answer(NamedTuple):
    """A large answer that its client may not have read yet."""

    length: int
    number: int  # In the order of admission.
    client: str


class UnsentBytes:
    """The large answers of this process that clients may still read."""

    def __init__(
        self,
        limit: Callable[[], int],
        count_waiting: Callable[[], int],
        client_of: Callable[[Mapping[str, Any]], str],
    ) -> None:
        self._limit = limit
        self._count_waiting = count_waiting
        self._client_of = client_of
        self._answers: list[Answer] = []
        self._total = 0
        self._held: Counter[str] = Counter()  # Bytes of each client.
        self._number = 0
        self._counted_at = 0.0
        self._is_changed = False  # Whether an answer was admitted since.
        self._lock = Lock()

    def has_room(self, length: int, environ: Mapping[str, Any]) -> bool:
        """True when an answer of so many bytes would be admitted; to ask before it is made."""
        return self.admit(length, environ, is_counted=False)

    def admit(self, length: int, environ: Mapping[str, Any], *, is_counted: bool = True) -> bool:
        """Count an answer of so many bytes; False when too many bytes wait already.

        One answer is admitted whatever its length when no other waits, and one of each client
        whatever its share.
        """
        if length <= LARGE_BYTES:
            return True
        client = self._client_of(environ)
        with self._lock:
            if self._is_full(length, client):
                self._recount()
            is_admitted = not self._is_full(length, client)
            if is_admitted and is_counted:
                self._number += 1
                self._answers.append(Answer(length, self._number, client))
                self._total += length
                self._held[client] += length
                self._is_changed = True
        return is_admitted

    def _is_full(self, length: int, client: str) -> bool:
        limit, held = self._limit(), self._held.get(client, 0)
        is_over_share = bool(held) and held + length > limit / SHARES
        return is_over_share or (bool(self._total) and self._total + length > limit)

    def _recount(self) -> None:
        now = monotonic()
        # Refusals cost no more than so many counts, however many there are.
        if not self._is_changed and now - self._counted_at < RECOUNT_SECONDS:
            return
        self._counted_at, self._is_changed = now, False
        with suppress(OSError):  # As with too many open files: then all are taken to wait.
            self._keep(self._count_waiting())

    def _keep(self, count: int) -> None:
        """Forget all but so many answers that wait.

        Which ones wait is not known, least of all behind a proxy. The largest are the upper bound
        of all bytes. Likely are those of clients with much, and of these the one that came first:
        a client that reads is forgotten, and one that does not keeps its share filled.
        """
        much = self._limit() / SHARES / 2
        came: dict[str, int] = {}
        for each in self._answers:
            came.setdefault(each.client, each.number)
        likely = sorted(
            self._answers,
            key=lambda each: (-min(self._held[each.client], much), came[each.client], each.number),
        )
        # The likely ones of equal length.
        largest = heapq.nlargest(count, likely, key=lambda each: each.length)
        self._total = sum(each.length for each in largest)
        self._answers = sorted({*largest, *likely[:count]}, key=lambda each: each.number)
        self._held.clear()
        for each in self._answers:
            self._held[each.client] += each.length


def count_waiting_connections() -> int:
    """The number of connections with bytes that their peer has not acknowledged."""
    return sum(map(_has_unsent_bytes, _descriptors()))


def set_write_timeout(seconds: float) -> None:
    """Have the kernel close connections whose client takes nothing for so long.

    Connections inherit it from this process's listening sockets (tcp(7), TCP_USER_TIMEOUT; Linux).
    """
    for descriptor in _descriptors():
        with suppress(OSError):  # Not a socket, or closed meanwhile.
            connection = socket.socket(fileno=descriptor)
            try:
                if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    timeout = socket.TCP_USER_TIMEOUT, int(seconds * 1000)
                    connection.setsockopt(socket.IPPROTO_TCP, *timeout)
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


slow_readers = UnsentBytes(
    lambda: conf.get("MAX_UNSENT_BYTES"), count_waiting_connections, conf.client
)
