"""Guarded HTTP client: one request to one server, bounded in every way.

It connects to an address that has just been checked and to nothing else, keeps the URL's bytes
as they were given, follows no redirect, adds no credentials, ignores proxies, has one deadline for
request and answer, and turns every failure into an `Outcome` with a sentence for the
administration. No other module of the hub reaches the network. It stands on the standard library,
since `requests` rewrites escapes in URLs and bounds single reads alone.

Other apps may use it for their own requests, by the same rules:

    client = Client("Agent/1.0", peer="source", read_headers=("etag",), allow_nets=networks)
    limits = Limits(connect_seconds=5, total_seconds=30, read_bytes=1_000_000)
    outcome = client.request("GET", url, limits, headers={"If-None-Match": etag})
"""

import errno
import http.client
import logging
import math
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Container, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from websub.addresses import Network, all_allowed, is_in_nets
from websub.deadlines import Deadline, Incoming, begin, send
from websub.tls import NoTrustedAuthorities, tls_context

logger = logging.getLogger(__name__)

Resolve = Callable[[str, int], Sequence[str]]

# A name server decides how many addresses a name has; dialling them all would be its attack.
MAX_ADDRESSES_DIALLED = 4
READ_HEADERS = ("content-encoding", "retry-after")

CUT_OFF = "The callback closed the connection within its answer."
NOT_HTTP = "The callback's answer is not HTTP that can be read."
NOT_ENCRYPTED = (
    "The callback's address begins with http://, which is for networks of one's own; use https://."
)
NOT_PUBLIC = "The callback's host does not resolve to public addresses alone."

_RESOLVER_DOWN = frozenset({socket.EAI_AGAIN, socket.EAI_SYSTEM, socket.EAI_MEMORY})
_MACHINE_SHORT = frozenset(
    {
        *(errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM),
        *(errno.EADDRNOTAVAIL, errno.ENETDOWN, errno.EACCES, errno.EPERM),
    }
)
_LINE_ENDS = frozenset("\r\n")
_OTHER_NAME = frozenset({62, 64})  # X509_V_ERR_HOSTNAME_MISMATCH, _IP_ADDRESS_MISMATCH.


class Fault(Enum):
    """The side that a failure is attributed to; the hub's own never counts for a subscriber."""

    NONE = "none"
    CALLBACK = "callback"
    POLICY = "policy"  # The hub does not contact such a callback.
    OURS = "ours"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one exchange ended. `status` is None when there was no answer.

    `headers` holds the client's `read_headers` of the answer, by lower-case name. `sent_bytes`
    counts the request's body as far as it was written, whether or not the other side has read it.
    """

    status: int | None
    error: str = ""
    fault: Fault = Fault.NONE
    body: bytes = b""  # At most `read_bytes` + 1 of it.
    seconds: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)
    sent_bytes: int = 0

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


class RequestFailed(Exception):
    """A request without an answer; the sentence is shown with the row."""

    def __init__(self, sentence: str, fault: Fault = Fault.CALLBACK) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.fault = fault


def resolve(host: str, port: int) -> list[str]:
    """Every address of the host, as the system's resolver has them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@cache
def _log_once(sentence: str) -> None:
    logger.error(sentence)


def _allow_any(address: str) -> None:
    """The default of `before_dialling`: no limit."""


@dataclass(frozen=True, slots=True)
class Client:
    """The part that all requests share. Safe to use from any thread.

    `before_dialling` is called with each address that is about to be dialled; what it raises ends
    the request. `peer` is what sentences call the other side. With `allows_http` URLs may be plain
    http, but only to addresses in `allow_nets`.
    """

    user_agent: str
    ports: Container[int] = range(1, 65_536)
    allow_nets: tuple[Network, ...] = ()
    peer: str = "callback"
    read_headers: Sequence[str] = READ_HEADERS
    allows_http: bool = False
    ca_bundle: str = ""
    resolve: Resolve = resolve
    before_dialling: Callable[[str], None] = _allow_any

    def connect(self, callback: str, limits: Limits) -> "Connection":
        """A connection to the callback's host for one request after another.

        Nothing is dialled before the first request.
        """
        return Connection(self, callback, limits)

    def is_in_allowed_nets(self, url: str, seconds: float) -> bool:
        """Whether the host resolves within so many seconds, and to `allow_nets` alone."""
        _, host, port = _server(url)
        try:
            found = _resolved(self.resolve, host, port, Deadline(time.monotonic() + seconds))
        except (OSError, UnicodeError, RequestFailed):
            return False
        return bool(found) and all(
            "%" not in address and is_in_nets(ip_address(address), self.allow_nets)
            for address in found
        )

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
    """Requests to one host and port, over one connection while the other side keeps it."""

    def __init__(self, client: Client, url: str, limits: Limits) -> None:
        self._client = client
        self._limits = limits
        self._scheme, self._host, self._port = _server(url)
        self._socket: socket.socket | None = None
        self._sent = 0  # Bytes of the request at hand, its head included.

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def is_same_origin(self, url: str) -> bool:
        """Whether the URL is one of this connection's server."""
        return _server(url) == (self._scheme, self._host, self._port)

    def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        until: float = math.inf,
    ) -> Outcome:
        """Never raises for what the other side or the network does.

        Ends at the limit, or `until` then on the monotonic clock if that is sooner. Raises
        ValueError for the URL of another server, which must not see this request.
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
                # A kept connection may be closed at the very moment of asking: ask once more.
                if not is_reused:
                    raise
                outcome = self._exchange(method, head, body, deadline)
        except RequestFailed as failure:
            self.close()
            sentence = failure.sentence.replace("callback", self._client.peer)
            outcome = Outcome(None, sentence, failure.fault)
        return replace(
            outcome,
            seconds=time.monotonic() - started,
            sent_bytes=max(0, self._sent - len(head)),
        )

    def _exchange(self, method: str, head: bytes, body: bytes, deadline: Deadline) -> Outcome:
        self._sent = 0
        if self._socket is None:
            self._socket = self._dial(deadline)
        stream = self._socket
        incoming = Incoming(stream, deadline, self._limits.read_bytes)
        try:
            # A callback may answer before it has read everything, and close the connection.
            with suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                send(stream, head, body, deadline, self._count)
            response = begin(incoming, method)
            answer = self._read(response)
            if incoming.ended and response.length:
                raise http.client.IncompleteRead(answer)
        except TimeoutError:
            raise RequestFailed("The callback did not answer in time.") from None
        except _DROPS:
            if incoming.received:
                raise RequestFailed(CUT_OFF) from None
            raise ConnectionDropped(
                "The callback closed the connection without an answer."
            ) from None
        except (http.client.HTTPException, ValueError) as error:
            # The library calls a malformed chunk incomplete as well.
            is_cut_off = incoming.ended and isinstance(error, http.client.IncompleteRead)
            raise RequestFailed(CUT_OFF if is_cut_off else NOT_HTTP) from None
        except OSError as error:
            raise RequestFailed(
                f"The connection to the callback failed: {_reason(error)}."
            ) from None
        # A body that was not read to its end would be taken for the next answer.
        if response.will_close or not response.isclosed():
            self.close()
        headers = {name: response.getheader(name, "") for name in self._client.read_headers}
        return Outcome(response.status, body=answer, headers=headers)

    def _count(self, sent: int) -> None:
        self._sent += sent

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        if self._limits.read_bytes:
            return response.read(self._limits.read_bytes + 1)
        if response.length == 0:
            response.read()  # Nothing to read; lets the connection be used again.
        return b""

    def _head(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
        """The request line with the URL's own bytes, which no library may tidy up."""
        if any(map(_LINE_ENDS.intersection, headers.values())):
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
        if method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _dial(self, deadline: Deadline) -> socket.socket:
        if self._scheme != "https" and not self._is_http_allowed:
            raise RequestFailed("The callback's address must begin with https://.", Fault.POLICY)
        if self._port not in self._client.ports:
            raise RequestFailed(f"This hub does not contact port {self._port}.", Fault.POLICY)
        try:
            context = tls_context(self._client.ca_bundle)
        except NoTrustedAuthorities as missing:
            _log_once(str(missing))
            raise RequestFailed(
                "Our system knows no certificate authorities.", Fault.OURS
            ) from None
        except OSError:
            raise RequestFailed("Our certificate bundle cannot be read.", Fault.OURS) from None
        until = Deadline(min(deadline.at, time.monotonic() + self._limits.connect_seconds))
        addresses = self._checked_addresses(until)[:MAX_ADDRESSES_DIALLED]
        failure = RequestFailed("The callback's host has no address.")
        for count, address in enumerate(addresses, start=1):
            # One that swallows packets must not use up the time of the next.
            share = until if count == len(addresses) else until.half()
            self._client.before_dialling(address)
            try:
                return self._dial_one(address, context, share)
            except ssl.SSLCertVerificationError as error:
                raise RequestFailed(_certificate_fault(error)) from None
            except ssl.SSLError as error:
                failure = RequestFailed(f"TLS with the callback failed: {_reason(error)}.")
            except TimeoutError:
                failure = RequestFailed("The callback could not be connected to in time.")
            except OSError as error:
                fault = Fault.OURS if error.errno in _MACHINE_SHORT else Fault.CALLBACK
                failure = RequestFailed(
                    f"The callback could not be connected to: {_reason(error)}.", fault
                )
        raise failure

    @property
    def _is_http_allowed(self) -> bool:
        return self._scheme == "http" and self._client.allows_http

    def _dial_one(self, address: str, context: ssl.SSLContext, until: Deadline) -> socket.socket:
        plain = socket.create_connection((address, self._port), timeout=until.seconds_left())
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            plain.settimeout(until.seconds_left())
            if self._is_http_allowed:
                return plain
            return context.wrap_socket(plain, server_hostname=self._host)
        except BaseException:
            plain.close()
            raise

    def _checked_addresses(self, until: Deadline) -> Sequence[str]:
        """Every address of the host, after all of them passed: a mixed answer is an attack."""
        try:
            addresses = _resolved(self._client.resolve, self._host, self._port, until)
        except TimeoutError:
            raise RequestFailed("Our name resolver did not answer in time.", Fault.OURS) from None
        except socket.gaierror as error:
            if error.errno in _RESOLVER_DOWN:
                raise RequestFailed("Our name resolver did not answer.", Fault.OURS) from None
            raise RequestFailed(
                "The callback's host name does not exist or has no address."
            ) from None
        except UnicodeError:
            raise RequestFailed("The callback's host name cannot be resolved.") from None
        except OSError as error:
            raise RequestFailed(
                f"Our name resolver failed: {_reason(error)}.", Fault.OURS
            ) from None
        if not addresses:
            raise RequestFailed("The callback's host name does not exist or has no address.")
        if not all_allowed(addresses, self._client.allow_nets):
            raise RequestFailed(NOT_PUBLIC, Fault.POLICY)
        nets = self._client.allow_nets
        if self._is_http_allowed and not all(is_in_nets(ip_address(a), nets) for a in addresses):
            raise RequestFailed(NOT_ENCRYPTED, Fault.POLICY)
        return addresses


def _resolved(resolve: Resolve, host: str, port: int, until: Deadline) -> Sequence[str]:
    """`resolve`, waited for until the deadline.

    The system's resolver takes no timeout and may wait for half a minute. A thread of its own
    waits for it then, and ends when the resolver gives up.
    """
    answer: Future[Sequence[str]] = Future()

    def run() -> None:
        try:
            answer.set_result(resolve(host, port))
        except BaseException as error:  # noqa: BLE001  (raised again where it is waited for)
            answer.set_exception(error)

    seconds = until.seconds_left()
    try:
        threading.Thread(target=run, name="resolve a callback", daemon=True).start()
    except RuntimeError:
        raise RequestFailed("Our machine has no room for another thread.", Fault.OURS) from None
    return answer.result(seconds)


def _server(url: str) -> tuple[str, str, int]:
    """Scheme, host and port."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)


def _is_idle(stream: socket.socket) -> bool:
    """Whether nothing has arrived since the last answer, neither more bytes nor the end."""
    arrived = select.poll()
    arrived.register(stream, select.POLLIN)
    is_decrypted = isinstance(stream, ssl.SSLSocket) and bool(stream.pending())
    return not is_decrypted and not arrived.poll(0)


class ConnectionDropped(RequestFailed):
    """The other side closed the connection before the first byte of an answer."""


_DROPS = (
    http.client.RemoteDisconnected,
    ConnectionError,
    ssl.SSLEOFError,
    ssl.SSLZeroReturnError,
)


def _certificate_fault(error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code in _OTHER_NAME:
        return "The callback's certificate is for another host name."
    return f"The callback's certificate is not valid: {error.verify_message.rstrip('.')}."


def _reason(error: OSError) -> str:
    """In words, without the library's own marks."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or "no agreement").replace("_", " ").lower()
    return error.strerror or "no reason given"
