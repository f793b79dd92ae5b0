"""A subscriber over TLS on loopback, with scripted responses and a log of requests."""

import contextlib
import itertools
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from guarded_http.addresses import SERVICE_PORTS

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Received:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query).items()}


def echo(received: Received) -> bytes:
    return received.query["hub.challenge"].encode()


@dataclass
class Behaviour:
    """Behaviour of one callback. A test may change it at any time."""

    status: int = 204  # Of the response to a delivery.
    headers: dict[str, str] = field(default_factory=dict)
    verify_status: int = 200
    verify_body: Callable[[Received], bytes] = echo
    delay: float = 0.0
    hangs_up: bool = False
    meanwhile: Callable[[], None] = lambda: None  # Called before a delivery is answered.


class Sink:
    def __init__(self, port: int, scheme: str) -> None:
        self.port = port
        self.scheme = scheme
        self.received: list[Received] = []
        self.manners: dict[str, Behaviour] = {}
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()

    def url(self, query: str = "", **manners: Any) -> str:
        """Return the URL of a new callback with this behaviour."""
        path = f"/callback-{next(_numbers)}"
        self.manners[path] = Behaviour(**manners)
        return f"{self.scheme}://127.0.0.1:{self.port}{path}{query}"

    def of(self, url: str) -> Behaviour:
        return self.manners[urlsplit(url).path]

    def sent(self, method: str, url: str) -> list[Received]:
        path = urlsplit(url).path
        return [r for r in self.received if r.method == method and r.path == path]

    def posts(self, url: str) -> list[Received]:
        return self.sent("POST", url)

    def bodies(self, url: str) -> list[bytes]:
        return [received.body for received in self.posts(url)]

    def gets(self, url: str, mode: str = "") -> list[Received]:
        return [r for r in self.sent("GET", url) if mode in ("", r.query.get("hub.mode"))]

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        yield
        with self._lock:
            self._at_once -= 1


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    sink: Sink

    def do_GET(self) -> None:
        received, manners = self._receive()
        if received.query.get("hub.mode") == "denied":
            self._answer(200, b"")
        else:
            time.sleep(manners.delay)
            self._answer(manners.verify_status, manners.verify_body(received), manners.headers)

    def do_POST(self) -> None:
        with (
            self.sink.counted()
        ):  # The client may send its next request immediately after the response.
            _, manners = self._receive()
            manners.meanwhile()
            time.sleep(manners.delay)
        if manners.hangs_up:
            self.close_connection = True
        else:
            self._answer(manners.status, b"thanks", manners.headers)

    def _receive(self) -> tuple[Received, Behaviour]:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        received = Received(
            self.command, self.path, dict(self.headers), body, self.client_address[1]
        )
        self.sink.received.append(received)
        return received, self.sink.manners.get(received.path, Behaviour())

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        body = b"" if status == 204 else body
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):  # The hub need not wait for the body.
            self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """A test looks at what was received."""


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def finish_request(self, request: Any, client_address: Any) -> None:
        if self.context is None:
            super().finish_request(request, client_address)
            return
        # Handshake in the connection's thread, so that a slow one does not block others.
        with (
            contextlib.suppress(OSError),
            self.context.wrap_socket(request, server_side=True) as tls,
        ):
            super().finish_request(tls, client_address)

    def shutdown_request(self, request: Any) -> None:
        with contextlib.suppress(OSError):
            super().shutdown_request(request)

    context: ssl.SSLContext | None


@contextlib.contextmanager
def start_sink(context: ssl.SSLContext | None) -> Iterator[Sink]:
    """Start a sink on a free port. Without a context it uses plain HTTP."""
    while True:
        server = Server(("127.0.0.1", 0), Handler)
        if server.server_address[1] not in SERVICE_PORTS:
            break
        server.server_close()
    server.context = context
    sink = Sink(server.server_address[1], "https" if context else "http")
    server.RequestHandlerClass = type("SinkHandler", (Handler,), {"sink": sink})
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
