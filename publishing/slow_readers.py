"""Limit the memory and time of large responses to slow clients.

A web server holds a whole response until the client has read it. `UnsentBytes` admits a large
response if those that wait are below a limit, over all clients and for this client. It counts the
admitted responses. At the limit it asks the kernel how many connections have unsent bytes (on Linux
alone; elsewhere none are found, and nothing is refused).
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

# The server's limit of connections bounds smaller responses.
LARGE_BYTES = 256 * 1024
SHARES = 4  # Each client may use one of these equal parts of the limit.
RECOUNT_SECONDS = 0.1
RETRY_AFTER_SECONDS = 10
SENTENCE = (
    "Too many large answers wait for clients that read slowly. "
    f"Please try again in {RETRY_AFTER_SECONDS} seconds, or accept gzip."
)


class TooManyUnsentBytes(Exception):
    """Raised to refuse a large response while too many wait."""

    def __init__(self) -> None:
        super().__init__(SENTENCE)


class Unsent(NamedTuple):
    """A large response that its client may not have read yet."""

    length: int
    number: int  # In the order of admission.
    client: str


class UnsentBytes:
    """Large responses of this process that clients may not have read yet."""

    def __init__(
        self,
        limit: Callable[[], int],
        count_waiting: Callable[[], int],
        client_of: Callable[[Mapping[str, Any]], str],
    ) -> None:
        self._limit = limit
        self._count_waiting = count_waiting
        self._client_of = client_of
        self._responses: list[Unsent] = []
        self._total = 0
        self._held: Counter[str] = Counter()  # Bytes of each client.
        self._number = 0
        self._counted_at = 0.0
        self._is_changed = False  # Whether a response was admitted since.
        self._lock = Lock()

    def has_room(self, length: int, environ: Mapping[str, Any]) -> bool:
        """Whether a response of this length would be admitted."""
        return self.admit(length, environ, is_counted=False)

    def admit(self, length: int, environ: Mapping[str, Any], *, is_counted: bool = True) -> bool:
        """Count a response of this length. Return False if too many bytes wait already.

        A response of any length is admitted if no other waits, and beyond a client's share if no
        other of this client waits.
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
                self._responses.append(Unsent(length, self._number, client))
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
        # Limits the cost of many refusals.
        if not self._is_changed and now - self._counted_at < RECOUNT_SECONDS:
            return
        self._counted_at, self._is_changed = now, False
        with suppress(OSError):  # For example with too many open files: assume that all wait.
            self._keep(self._count_waiting())

    def _keep(self, count: int) -> None:
        """Keep the `count` responses that probably wait.

        Nothing tells which responses wait, least of all behind a proxy. The largest ones are an
        upper bound of the total. For the shares of clients, assume those of clients with many
        bytes, and of these clients the earliest: a client that does not read keeps its share full.
        """
        many = self._limit() / SHARES / 2
        first: dict[str, int] = {}
        for each in self._responses:
            first.setdefault(each.client, each.number)
        likely = sorted(
            self._responses,
            key=lambda each: (-min(self._held[each.client], many), first[each.client], each.number),
        )
        # Sorting is stable: of equal lengths the likely ones.
        largest = heapq.nlargest(count, likely, key=lambda each: each.length)
        self._total = sum(each.length for each in largest)
        self._responses = sorted({*largest, *likely[:count]}, key=lambda each: each.number)
        self._held.clear()
        for each in self._responses:
            self._held[each.client] += each.length


def count_waiting_connections() -> int:
    """Count the connections with unacknowledged bytes."""
    return sum(map(_has_unsent_bytes, _descriptors()))


def set_write_timeout(seconds: float) -> None:
    """Let the kernel close connections whose client reads nothing for this time.

    Connections inherit the option from the listening sockets (tcp(7), TCP_USER_TIMEOUT; Linux).
    """
    for descriptor in _descriptors():
        with suppress(OSError):  # Not a socket, or closed in the meantime.
            connection = socket.socket(fileno=descriptor)
            try:
                if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    timeout = socket.TCP_USER_TIMEOUT, int(seconds * 1000)
                    connection.setsockopt(socket.IPPROTO_TCP, *timeout)
            finally:
                connection.detach()  # Keep the web server's socket open.


def _descriptors() -> Iterator[int]:
    # Faster than `Path.iterdir`.
    return map(int, os.listdir("/proc/self/fd")) if sys.platform == "linux" else iter(())  # noqa: PTH208


def _has_unsent_bytes(descriptor: int) -> bool:
    with suppress(OSError):  # As above.
        waiting = fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4))
        return bool(struct.unpack("i", waiting)[0])
    return False


slow_readers = UnsentBytes(
    lambda: conf.get("MAX_UNSENT_BYTES"), count_waiting_connections, conf.client
)
