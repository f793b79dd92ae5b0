"""Connections to checked addresses: resolve, check, connect, start TLS."""

import errno
import logging
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Container, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from guarded_http.addresses import MAX_PORT, Network, all_allowed, all_in_nets
from guarded_http.deadlines import Deadline

logger = logging.getLogger(__name__)

Resolve = Callable[[str, int], Sequence[str]]

# A hostile name server could return thousands of addresses.
MAX_ADDRESSES_TRIED = 4

NOT_ENCRYPTED = (
    "The server's address begins with http://, which is for networks of one's own; use https://."
)
NO_ADDRESS = "The server's host name does not exist or has no address."
NOT_PUBLIC = "The server's host does not resolve to public addresses alone."

_RESOLVER_DOWN = frozenset({socket.EAI_AGAIN, socket.EAI_SYSTEM, socket.EAI_MEMORY})
_LOCAL_ERRORS = frozenset(
    {
        *(errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM),
        *(errno.EADDRNOTAVAIL, errno.ENETDOWN, errno.EACCES, errno.EPERM),
    }
)
_NAME_MISMATCH = frozenset({62, 64})  # X509_V_ERR_HOSTNAME_MISMATCH, _IP_ADDRESS_MISMATCH.


class Fault(Enum):
    """Party responsible for a failed request."""

    NONE = "none"
    PEER = "peer"
    POLICY = "policy"  # The address may not be contacted.
    OURS = "ours"


class Server(NamedTuple):
    """Scheme, host and port of a URL."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> "Server":
        parts = urlsplit(url)
        port = parts.port or (80 if parts.scheme == "http" else 443)
        return cls(parts.scheme, parts.hostname or "", port)


class RequestFailed(Exception):
    """A request without a response. `sentence` describes the failure to people."""

    def __init__(self, sentence: str, fault: Fault = Fault.PEER) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.fault = fault


# --- TLS ------------------------------------------------------------------------------------------


class NoTrustedAuthorities(OSError):
    """No certificate authority is installed, so no certificate can be verified."""


@cache
def tls_context(ca_bundle: str) -> ssl.SSLContext:
    """Return the TLS context of a bundle, cached because parsing certificates is slow.

    Raises NoTrustedAuthorities, or another OSError for a bundle that cannot be read.
    """
    context = ssl.create_default_context(cafile=ca_bundle or None)
    if not context.cert_store_stats()["x509_ca"] and not _has_folder_of_authorities():
        raise NoTrustedAuthorities(
            "No certificate authorities are known, so nothing can be contacted: install the "
            "system's ca-certificates, or name a file with them."
        )
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])  # A service of another protocol refuses TLS then.
    return context


def _has_folder_of_authorities() -> bool:
    # OpenSSL reads the files in this folder one by one on demand, so the store looks empty.
    folder = ssl.get_default_verify_paths().capath
    return bool(folder) and any(Path(folder).glob("*.[0-9]"))


@cache
def _log_once(sentence: str) -> None:
    logger.error(sentence)


def _trusted_context(ca_bundle: str) -> ssl.SSLContext:
    try:
        return tls_context(ca_bundle)
    except NoTrustedAuthorities as missing:
        _log_once(str(missing))
        raise RequestFailed("Our system knows no certificate authorities.", Fault.OURS) from None
    except OSError:
        raise RequestFailed("Our certificate bundle cannot be read.", Fault.OURS) from None


# --- Addresses ------------------------------------------------------------------------------------


def resolve(host: str, port: int) -> list[str]:
    """Return every address of the host by the system's resolver."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


def resolve_until(resolve: Resolve, host: str, port: int, until: Deadline) -> Sequence[str]:
    """Call `resolve` and raise TimeoutError at the deadline.

    The system's resolver takes no timeout and may block for half a minute. A thread calls it, and
    outlives the deadline until the resolver returns.
    """
    answer: Future[Sequence[str]] = Future()

    def run() -> None:
        try:
            answer.set_result(resolve(host, port))
        except BaseException as error:  # noqa: BLE001  (`answer.result` raises it again)
            answer.set_exception(error)

    seconds = until.seconds_left()
    try:
        threading.Thread(target=run, name="resolve a host", daemon=True).start()
    except RuntimeError:
        raise RequestFailed("Our machine has no room for another thread.", Fault.OURS) from None
    return answer.result(seconds)


# --- Connecting -----------------------------------------------------------------------------------


def _allow_any(address: str) -> None:
    """Default of `before_connecting`."""


@dataclass(frozen=True, slots=True)
class Connector:
    """Options and checks of outgoing connections.

    `peer` is the word for the server in the sentences of failures. `before_connecting` is called
    with each address before a connection to it; its exceptions end the request. `allows_http`
    permits plain http to addresses in `allow_nets`, `allows_public_http` to all others too.
    """

    user_agent: str
    ports: Container[int] = range(1, MAX_PORT + 1)
    allow_nets: tuple[Network, ...] = ()
    peer: str = "server"
    allows_http: bool = False
    allows_public_http: bool = False
    ca_bundle: str = ""
    resolve: Resolve = resolve
    before_connecting: Callable[[str], None] = _allow_any

    def open_socket(
        self, server: Server, until: Deadline, unacknowledged_seconds: float
    ) -> socket.socket:
        """Connect to a checked address of the server. Raises RequestFailed."""
        is_http = server.scheme == "http" and self.allows_http
        if server.scheme != "https" and not is_http:
            raise RequestFailed("The server's address must begin with https://.", Fault.POLICY)
        if server.port not in self.ports:
            raise RequestFailed(f"Port {server.port} is not contacted.", Fault.POLICY)
        context = None if is_http else _trusted_context(self.ca_bundle)
        addresses = self._checked_addresses(server, until)[:MAX_ADDRESSES_TRIED]
        needs_allowed_nets = is_http and not self.allows_public_http
        if needs_allowed_nets and not all_in_nets(addresses, self.allow_nets):
            raise RequestFailed(NOT_ENCRYPTED, Fault.POLICY)
        failure = RequestFailed(NO_ADDRESS)
        for count, address in enumerate(addresses, start=1):
            # Leave time for the next address if this one drops packets.
            deadline = until if count == len(addresses) else until.half()
            self.before_connecting(address)
            try:
                return _connect_one(address, server, context, deadline, unacknowledged_seconds)
            except ssl.SSLCertVerificationError as error:
                raise RequestFailed(_certificate_fault(error)) from None
            except ssl.SSLError as error:
                failure = RequestFailed(f"TLS with the server failed: {describe_error(error)}.")
            except TimeoutError:
                failure = RequestFailed("The server could not be connected to in time.")
            except OSError as error:
                fault = Fault.OURS if error.errno in _LOCAL_ERRORS else Fault.PEER
                failure = RequestFailed(
                    f"The server could not be connected to: {describe_error(error)}.", fault
                )
        raise failure

    def _checked_addresses(self, server: Server, until: Deadline) -> Sequence[str]:
        """Resolve the host and require every address to be allowed."""
        try:
            addresses = resolve_until(self.resolve, server.host, server.port, until)
        except TimeoutError:
            raise RequestFailed("Our name resolver did not answer in time.", Fault.OURS) from None
        except socket.gaierror as error:
            if error.errno in _RESOLVER_DOWN:
                raise RequestFailed("Our name resolver did not answer.", Fault.OURS) from None
            raise RequestFailed(NO_ADDRESS) from None
        except UnicodeError:
            raise RequestFailed("The server's host name cannot be resolved.") from None
        except OSError as error:
            raise RequestFailed(
                f"Our name resolver failed: {describe_error(error)}.", Fault.OURS
            ) from None
        if not addresses:
            raise RequestFailed(NO_ADDRESS)
        if not all_allowed(addresses, self.allow_nets):
            raise RequestFailed(NOT_PUBLIC, Fault.POLICY)
        return addresses


def _connect_one(
    address: str,
    server: Server,
    context: ssl.SSLContext | None,
    until: Deadline,
    unacknowledged_seconds: float,
) -> socket.socket:
    plain = socket.create_connection((address, server.port), timeout=until.seconds_left())
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if unacknowledged_seconds and sys.platform == "linux":
            milliseconds = int(unacknowledged_seconds * 1000)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)  # RFC 5482.
        plain.settimeout(until.seconds_left())
        return context.wrap_socket(plain, server_hostname=server.host) if context else plain
    except BaseException:
        plain.close()
        raise


def _certificate_fault(error: ssl.SSLCertVerificationError) -> str:
    if error.verify_code in _NAME_MISMATCH:
        return "The server's certificate is for another host name."
    return f"The server's certificate is not valid: {error.verify_message.rstrip('.')}."


def describe_error(error: OSError) -> str:
    """Describe an error in words, without error numbers and OpenSSL's codes."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or "no agreement").replace("_", " ").lower()
    return error.strerror or "no reason given"
