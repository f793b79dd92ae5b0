"""The only module that reaches the network: one request to one callback, bounded in every way.

It dials an address that has just been checked and nothing else, keeps the callback's bytes as they
were given, follows no redirect, sends no credentials, ignores proxies, holds to a deadline for the
whole exchange however slowly the other side drips, and turns every failure into an `Outcome` with a
sentence for whoever looks at the row. The standard library's HTTP client does it: `requests`
rewrites escapes in URLs and bounds single reads alone.
"""

import http.client
import io
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Protocol
from urllib.parse import urlsplit

from websub.addresses import Network, all_allowed

Resolve = Callable[[str, int], Sequence[str]]

SEND_BYTES = 64 * 1024


class Blame(Enum):
    """Whose failure it was: only the callback's own counts as a miss."""

    NOBODY = "nobody"
    CALLBACK = "callback"
    OURS = "ours"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one exchange ended. `status` is None when there was no answer."""

    status: int | None
    error: str = ""
    blame: Blame = Blame.NOBODY
    body: bytes = b""  # At most `read_bytes` + 1 of it.
    seconds: float = 0.0

    @property
    def is_success(self) -> bool:
        """Any 2xx (WebSub 5.3, 7)."""
        return self.status is not None and 200 <= self.status <= 299


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for connecting and for everything, and how much of an answer is read."""

    connect_seconds: float
    total_seconds: float
    read_bytes: int = 0


class Failed(Exception):
    def __init__(self, sentence: str, blame: Blame = Blame.CALLBACK) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.blame = blame


def resolve(host: str, port: int) -> list[str]:
    """Every address of the host, as the system's resolver has them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@cache
def tls_context(ca_bundle: str) -> ssl.SSLContext:
    """One context for all connections: parsing the certificates costs more than a delivery."""
    context = ssl.create_default_context(cafile=ca_bundle or None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


@dataclass(frozen=True, slots=True)
class Client:
    """What all requests share. Safe to use from any thread."""

    user_agent: str
    allow_nets: tuple[Network, ...] = ()
    ca_bundle: str = ""
    resolve: Resolve = resolve

    def connect(self, callback: str, limits: Limits) -> "Connection":
        """A connection to the callback's host for one request after another.

        Nothing is dialled before the first request.
        """
        return Connection(self, callback, limits)

    def request(
        self,
        method: str,
        url: str,
        limits: Limits,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Outcome:
        """One request on a connection of its own."""
        with closing(self.connect(url, limits)) as connection:
            return connection.request(method, url, headers=headers, body=body)


class Connection:
    """Requests to one host and port, over one TLS connection while the other side keeps it."""

    def __init__(self, client: Client, url: str, limits: Limits) -> None:
        parts = urlsplit(url)
        self._client = client
        self._limits = limits
        self._netloc = parts.netloc
        self._host = parts.hostname or ""
        self._port = parts.port or 443
        self._socket: ssl.SSLSocket | None = None

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def request(
        self, method: str, url: str, *, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Outcome:
        """Never raises for what the other side or the network does."""
        started = time.monotonic()
        deadline = Deadline(started + self._limits.total_seconds)
        is_reused = self._socket is not None
        try:
            try:
                status, answer = self._exchange(method, url, headers or {}, body, deadline)
            except Hungup:
                self.close()
                # A kept connection may have been closed while it was idle: ask once more.
                if not is_reused:
                    raise
                status, answer = self._exchange(method, url, headers or {}, body, deadline)
        except Failed as failure:
            self.close()
            seconds = time.monotonic() - started
            return Outcome(None, failure.sentence, failure.blame, seconds=seconds)
        return Outcome(status, body=answer, seconds=time.monotonic() - started)

    def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, deadline: "Deadline"
    ) -> tuple[int, bytes]:
        if self._socket is None:
            self._socket = self._dial(deadline)
        tls = self._socket
        head = self._head(method, url, headers, body)
        try:
            _send(tls, head + body if len(body) < SEND_BYTES else head, deadline)
            if len(body) >= SEND_BYTES:
                _send(tls, body, deadline)
            response = http.client.HTTPResponse(_Timed(tls, deadline), method=method)  # type: ignore[arg-type]
            response.begin()
            answer = self._read(response)
        except TimeoutError:
            raise Failed("The callback did not answer in time.") from None
        except (http.client.RemoteDisconnected, ConnectionError, ssl.SSLEOFError):
            raise Hungup("The callback closed the connection without an answer.") from None
        except (http.client.HTTPException, ValueError):
            raise Failed("The callback's answer is not HTTP that can be read.") from None
        except OSError as error:
            raise Failed(f"The connection to the callback failed: {_reason(error)}.") from None
        # A body that was not read to its end would be taken for the next answer.
        if response.will_close or not response.isclosed():
            self.close()
        return response.status, answer

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        if self._limits.read_bytes:
            return response.read(self._limits.read_bytes + 1)
        if response.length == 0:
            response.read()  # Nothing to read; lets the connection be used again.
        return b""

    def _head(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """The request line with the callback's own bytes, which no library may tidy up."""
        target = url.split("//", 1)[1][len(self._netloc) :]
        target = target if target.startswith("/") else f"/{target}"
        lines = [
            f"{method} {target} HTTP/1.1",
            f"Host: {self._netloc}",
            f"User-Agent: {self._client.user_agent}",
            "Accept: */*",
            "Accept-Encoding: identity",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        if method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _dial(self, deadline: "Deadline") -> ssl.SSLSocket:
        failure = Failed("The callback's host has no address.")
        until = Deadline(min(deadline.at, time.monotonic() + self._limits.connect_seconds))
        for address in self._checked_addresses():
            try:
                return self._dial_one(address, until)
            except ssl.SSLCertVerificationError as error:
                raise Failed(
                    f"The callback's certificate is not valid: {error.verify_message}."
                ) from None
            except ssl.SSLError as error:
                failure = Failed(f"TLS with the callback failed: {_reason(error)}.")
            except TimeoutError:
                failure = Failed("The callback could not be connected to in time.")
            except OSError as error:
                failure = Failed(f"The callback could not be connected to: {_reason(error)}.")
        raise failure

    def _dial_one(self, address: str, until: "Deadline") -> ssl.SSLSocket:
        plain = socket.create_connection((address, self._port), timeout=until.seconds_left())
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            plain.settimeout(until.seconds_left())
            context = tls_context(self._client.ca_bundle)
            return context.wrap_socket(plain, server_hostname=self._host)
        except BaseException:
            plain.close()
            raise

    def _checked_addresses(self) -> Sequence[str]:
        """Every address of the host, after all of them passed: a mixed answer is an attack."""
        try:
            addresses = self._client.resolve(self._host, self._port)
        except socket.gaierror as error:
            if error.errno in {socket.EAI_AGAIN, socket.EAI_SYSTEM, socket.EAI_MEMORY}:
                raise Failed("Our name resolver did not answer.", Blame.OURS) from None
            raise Failed("The callback's host name does not exist.") from None
        except (OSError, UnicodeError) as error:
            raise Failed(f"The callback's host name cannot be resolved: {error}.") from None
        if not all_allowed(addresses, self._client.allow_nets):
            raise Failed("The callback's host does not resolve to public addresses alone.")
        return addresses


class Hungup(Failed):
    """The other side closed the connection before it answered."""


def _reason(error: OSError) -> str:
    return (error.strerror or str(error) or type(error).__name__).rstrip(".")


# --- One deadline for everything ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deadline:
    at: float  # On the monotonic clock.

    def seconds_left(self) -> float:
        """More than zero; raises TimeoutError when there is no time left."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _Socket(Protocol):
    def settimeout(self, value: float | None, /) -> None: ...
    def send(self, data: memoryview, /) -> int: ...
    def recv_into(self, buffer: memoryview, /) -> int: ...


def _send(to: _Socket, data: bytes, deadline: Deadline) -> None:
    """`sendall` bounds each piece alone; this bounds them together."""
    for start, end in _pieces(len(data)):
        piece = memoryview(data)[start:end]
        while piece:
            to.settimeout(deadline.seconds_left())
            piece = piece[to.send(piece) :]


def _pieces(length: int) -> Iterator[tuple[int, int]]:
    for start in range(0, length, SEND_BYTES):
        yield start, min(start + SEND_BYTES, length)


class _Timed:
    """A socket for `HTTPResponse`, whose reads all end at the deadline."""

    def __init__(self, tls: _Socket, deadline: Deadline) -> None:
        self._reader = io.BufferedReader(_TimedReads(tls, deadline))

    def makefile(self, mode: str) -> io.BufferedIOBase:
        return self._reader


class _TimedReads(io.RawIOBase):
    def __init__(self, tls: _Socket, deadline: Deadline) -> None:
        self._tls = tls
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        self._tls.settimeout(self._deadline.seconds_left())
        return self._tls.recv_into(buffer)
