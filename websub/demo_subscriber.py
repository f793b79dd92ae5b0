"""A subscriber to try the hub with: a TLS listener on loopback that says what it receives.

It does what every subscriber should: it confirms nothing that it did not ask for, and checks the
signature before it believes a delivery. Nothing of a delivery's content is shown, since it holds
texts from the internet and the output is a terminal.
"""

import hashlib
import hmac
import secrets
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websub.addresses import SERVICE_PORTS

LOOPBACK = "127.0.0.1"
TIMEOUT_SECONDS = 30.0
IN_ORDER_SECONDS = 3.0
MAX_DELIVERY_BYTES = 512 * 1024 * 1024
METHODS = {"sha1", "sha256", "sha384", "sha512"}  # WebSub 7.1.
SHOWN_CHARACTERS = 300


class PortTaken(Exception):
    """Something else listens there."""


@dataclass
class Subscriber:
    """A subscription that is tried: the request, what has come back, and where to print it.

    `wanted` is the mode that the next verification of intent is expected for; None: none is.
    `answered` is set when the hub's answer to the request has been told: a verification that is
    faster waits a little, so that things are told in their order. `confirmed` is set by a
    verification, `has_refused_us` when the hub does not trust our certificate.
    """

    topic: str
    secret: str
    say: Callable[[str], None]
    wanted: str | None = None
    path: str = field(default_factory=lambda: f"/callback/{secrets.token_urlsafe(16)}")
    answered: threading.Event = field(default_factory=threading.Event)
    confirmed: threading.Event = field(default_factory=threading.Event)
    has_refused_us: threading.Event = field(default_factory=threading.Event)
    deliveries: int = 0

    def verify(self, query: dict[str, str]) -> tuple[int, bytes]:
        """Status and body for a GET of the hub (WebSub 5.3)."""
        mode, topic = query.get("hub.mode", ""), query.get("hub.topic", "")
        if mode == "denied":
            self.say(f"The hub ended or denied the subscription: {_shown(query, 'hub.reason')}")
            return 200, b""
        if topic != self.topic or mode != self.wanted:
            self.say(f"Somebody wants a {_shown(query, 'hub.mode')} confirmed that was not asked.")
            return 404, b""
        self.answered.wait(IN_ORDER_SECONDS)
        self.say(f"The hub asks whether we really want to {mode}. Echoing its challenge.")
        if mode == "subscribe":
            lease = _shown(query, "hub.lease_seconds")
            self.say(f"Subscribed for {lease} seconds; subscribe again before they are over.")
        self.wanted = None
        self.confirmed.set()
        return 200, query.get("hub.challenge", "").encode()

    def receive(self, body: bytes, media_type: str, signature: str) -> int:
        """Status for a POST of the hub (WebSub 7)."""
        self.deliveries += 1
        self.say(f"Delivery {self.deliveries}: {len(body):,} bytes of {_plain(media_type)}.")
        if not self.secret:
            self.say("  It is not signed, since no secret was agreed upon.")
        elif is_signed(body, signature, self.secret):
            self.say(f"  The {signature.partition('=')[0]} signature is right.")
        else:
            # WebSub 7.1: ignored, and acknowledged all the same.
            self.say("  The signature is WRONG or missing: the content is ignored.")
        return 204


def is_signed(body: bytes, signature: str, secret: str) -> bool:
    """Whether `X-Hub-Signature` fits the body (WebSub 7.1), compared in constant time."""
    method, _, given = signature.partition("=")
    if method not in METHODS:
        return False
    expected = hmac.new(secret.encode(), body, getattr(hashlib, method)).hexdigest()
    return hmac.compare_digest(expected.encode(), given.encode())


def _shown(query: dict[str, str], name: str) -> str:
    return _plain(query.get(name, "")) or "nothing"


def _plain(text: str) -> str:
    """Without what a terminal would act upon."""
    return "".join(c if c.isprintable() else "?" for c in text[:SHOWN_CHARACTERS])


# --- The listener ---------------------------------------------------------------------------------


class Listener(ThreadingHTTPServer):
    """Answers the hub for one subscriber over TLS on loopback."""

    daemon_threads = True

    def __init__(self, subscriber: Subscriber, certificate: Path, port: int) -> None:
        """Listens as soon as it exists; port 0 takes a free one that a hub may contact."""
        self.subscriber = subscriber
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        try:
            super().__init__((LOOPBACK, port or _free_port()), _Handler)
        except (OSError, OverflowError) as error:
            raise PortTaken(f"Port {port} cannot be used: {error}.") from None

    @property
    def callback(self) -> str:
        return f"https://{LOOPBACK}:{self.server_port}{self.subscriber.path}"

    def start(self) -> None:
        threading.Thread(target=self.serve_forever, name="subscriber", daemon=True).start()

    def finish_request(self, request: Any, client_address: Any) -> None:
        # The handshake is each connection's own affair, so that none holds up the others.
        request.settimeout(TIMEOUT_SECONDS)
        try:
            with self._context.wrap_socket(request, server_side=True) as tls:
                super().finish_request(tls, client_address)
        except ssl.SSLError as error:
            if "UNKNOWN_CA" in (error.reason or ""):
                self.subscriber.has_refused_us.set()
        except OSError:
            pass  # Gone again.


def _free_port() -> int:
    while True:
        with socket.socket() as probe:
            probe.bind((LOOPBACK, 0))
            port = int(probe.getsockname()[1])
        if port not in SERVICE_PORTS:
            return port


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Listener

    def do_GET(self) -> None:
        path, query = self._target()
        if path != self.server.subscriber.path:
            return self._answer(404)
        parameters = {name: values[0] for name, values in query.items()}
        return self._answer(*self.server.subscriber.verify(parameters))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()) or int(length) > MAX_DELIVERY_BYTES:
            self.close_connection = True
            return self._answer(411)
        body = self.rfile.read(int(length))
        if self._target()[0] != self.server.subscriber.path or len(body) < int(length):
            return self._answer(404)
        media_type = self.headers.get("Content-Type", "an unnamed type")
        signature = self.headers.get("X-Hub-Signature", "")
        return self._answer(self.server.subscriber.receive(body, media_type, signature))

    def _target(self) -> tuple[str, dict[str, list[str]]]:
        parts = urlsplit(self.path)
        return parts.path, parse_qs(parts.query)

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        if status != 204:  # RFC 9110 8.6: a 204 has no Content-Length.
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (http.server's name)
        """The subscriber says what is worth saying."""
