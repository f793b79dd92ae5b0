"""HTTP/1.1 client with a deadline, a size limit and checked addresses for each request."""

import datetime as dt
import http.client
import math
import re
import select
import socket
import ssl
import struct
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from guarded_http.addresses import all_in_nets
from guarded_http.connect import (
    Connector,
    Fault,
    RequestFailed,
    Server,
    describe_error,
    resolve_until,
)
from guarded_http.deadlines import Deadline, Incoming, read_head, send

CUT_OFF = "The server closed the connection within its answer."
NOT_HTTP = "The server's answer is not HTTP that can be read."
RESET = struct.pack("ii", 1, 0)  # `struct linger`: enabled, with a linger time of 0 seconds.


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one request. `status` is None if there was no response.

    `headers` has lower-case names. `sent_bytes` counts the bytes of the request's body that were
    written to the socket.
    """

    status: int | None
    error: str = ""
    fault: Fault = Fault.NONE
    body: bytes = b""  # At most `read_bytes` + 1 bytes.
    seconds: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)
    sent_bytes: int = 0

    @property
    def is_success(self) -> bool:
        """Whether the answer is a 2xx."""
        return self.status is not None and 200 <= self.status <= 299


@dataclass(frozen=True, slots=True)
class Limits:
    """Time and size limits of each request on a connection.

    TCP closes a connection whose peer acknowledges nothing for `unacknowledged_seconds`, even
    after this process was killed. It works on Linux only; 0 keeps the system's default.
    """

    connect_seconds: float
    total_seconds: float
    read_bytes: int = 0
    unacknowledged_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Client(Connector):
    """Thread-safe HTTP client. Failures of the network or the peer are part of an `Outcome`."""

    def connect(self, url: str, limits: Limits) -> "Connection":
        """Return a connection for consecutive requests to the URL's host."""
        return Connection(self, url, limits)

    def is_in_allowed_nets(self, url: str, seconds: float) -> bool:
        """Whether the host resolves in time, and to addresses in `allow_nets` only."""
        server, until = Server.of(url), Deadline(time.monotonic() + seconds)
        try:
            found = resolve_until(self.resolve, server.host, server.port, until)
        except (OSError, UnicodeError, RequestFailed):
            return False
        return all_in_nets(found, self.allow_nets)

    def request(
        self,
        method: str,
        url: str,
        limits: Limits,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Outcome:
        """Send one request on a new connection."""
        with closing(self.connect(url, limits)) as connection:
            return connection.request(method, url, headers=headers, body=body)


class Connection:
    """Requests to one host and port. The connection is kept open as long as the peer allows."""

    def __init__(self, client: Client, url: str, limits: Limits) -> None:
        self._client = client
        self._limits = limits
        self._server = Server.of(url)
        self._socket: socket.socket | None = None
        self._sent = 0  # Bytes of the current request, including its head.

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _abort(self) -> None:
        """Reset the connection.

        After an ordinary close TCP continues to send the buffered request, which could arrive long
        after its deadline.
        """
        if self._socket is not None:
            with suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.close()

    def is_same_origin(self, url: str) -> bool:
        return Server.of(url) == self._server

    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        until: float = math.inf,
    ) -> Outcome:
        """Send a request. Failures of the network or the peer are part of the outcome.

        The request ends after `total_seconds`, or at `until` on the monotonic clock if that is
        earlier. Raises ValueError for a URL of another server.
        """
        if not self.is_same_origin(url):
            raise ValueError("This connection is to another server.")
        started = time.monotonic()
        deadline = Deadline(min(started + self._limits.total_seconds, until))
        if self._socket is not None and not _is_idle(self._socket):
            self.close()
        is_reused = self._socket is not None
        head = self._head(method, url, headers or {}, body)
        try:
            try:
                outcome = self._exchange(method, head, body, deadline)
            except ConnectionDropped:
                self.close()
                # The peer may close a kept connection while the request is sent: retry once.
                if not is_reused:
                    raise
                outcome = self._exchange(method, head, body, deadline)
        except RequestFailed as failure:
            self._abort()
            sentence = failure.sentence.replace("server", self._client.peer)
            outcome = Outcome(None, sentence, failure.fault)
        return replace(
            outcome,
            seconds=time.monotonic() - started,
            sent_bytes=max(0, self._sent - len(head)),
        )

    def _exchange(self, method: str, head: bytes, body: bytes, deadline: Deadline) -> Outcome:
        self._sent = 0
        if self._socket is None:
            within = time.monotonic() + self._limits.connect_seconds
            self._socket = self._client.open_socket(
                self._server,
                Deadline(min(deadline.at, within)),
                self._limits.unacknowledged_seconds,
            )
        stream = self._socket
        incoming = Incoming(stream, deadline, self._limits.read_bytes)
        try:
            # A server may answer before it has read everything, and close the connection.
            with suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                send(stream, head, body, deadline, self._count)
            response = read_head(incoming, method)
            received = self._read(response)
            if incoming.ended and response.length:
                raise http.client.IncompleteRead(received)
        except TimeoutError:
            raise RequestFailed("The server did not answer in time.") from None
        except _DROPS:
            if incoming.received:
                raise RequestFailed(CUT_OFF) from None
            raise ConnectionDropped("The server closed the connection without an answer.") from None
        except (http.client.HTTPException, ValueError) as error:
            # `http.client` raises IncompleteRead for a malformed chunk as well.
            is_cut_off = incoming.ended and isinstance(error, http.client.IncompleteRead)
            raise RequestFailed(CUT_OFF if is_cut_off else NOT_HTTP) from None
        except OSError as error:
            raise RequestFailed(
                f"The connection to the server failed: {describe_error(error)}."
            ) from None
        # The unread rest of a body would be taken for the next response.
        if response.will_close or not response.isclosed():
            self.close()
        headers = {name.lower(): response.getheader(name, "") for name in response.headers}
        return Outcome(response.status, body=received, headers=headers)

    def _count(self, sent: int) -> None:
        self._sent += sent

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        if self._limits.read_bytes:
            return response.read(self._limits.read_bytes + 1)
        if response.length == 0:
            response.read()  # Closes the empty response, so that the connection can be reused.
        return b""

    def _head(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """Return the request's head. The URL is sent exactly as given, not normalised."""
        if any("\r" in value or "\n" in value for value in headers.values()):
            raise ValueError("A header's value must not contain a line break.")
        authority = urlsplit(url).netloc
        target = url.partition("//")[2][len(authority) :]
        target = target if target.startswith("/") else f"/{target}"
        given = {"Accept": "*/*", "Accept-Encoding": "identity", **headers}
        lines = [
            f"{method} {target} HTTP/1.1",
            f"Host: {authority.removesuffix(':')}",
            f"User-Agent: {self._client.user_agent}",
            *(f"{name}: {value}" for name, value in given.items()),
        ]
        if body or method in {"POST", "PUT", "PATCH"}:
            lines.append(f"Content-Length: {len(body)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _is_idle(stream: socket.socket) -> bool:
    """Whether nothing has arrived since the last response, not even the stream's end."""
    arrived = select.poll()
    arrived.register(stream, select.POLLIN)
    is_decrypted = isinstance(stream, ssl.SSLSocket) and bool(stream.pending())
    return not is_decrypted and not arrived.poll(0)


class ConnectionDropped(RequestFailed):
    """The peer closed the connection before it sent a response."""


_DROPS = (
    http.client.RemoteDisconnected,
    ConnectionError,
    ssl.SSLEOFError,
    ssl.SSLZeroReturnError,
)


def retry_after_seconds(text: str, now: dt.datetime) -> float:
    """Parse `Retry-After` as seconds from now (RFC 9110 10.2.3), 0 if it is malformed."""
    text = text.strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text[:12])
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    at = at if at.tzinfo else at.replace(tzinfo=dt.UTC)
    return max(0.0, (at - now).total_seconds())
