"""A maker's server on loopback, with scripted responses and stored requests."""

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from guarded_http.addresses import SERVICE_PORTS


@dataclass
class Reply:
    """One response of the server."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Requested:
    """One request to the server."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


Script = Callable[[Requested], Reply]


class MakerServer:
    """`reply` is the response to all requests, or a function of the request."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests: list[Requested] = []
        self.reply: Reply | Script = Reply()

    def url(self, path: str = "/reviews.json", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def answer(self, requested: Requested) -> Reply:
        self.requests.append(requested)
        return self.reply if isinstance(self.reply, Reply) else self.reply(requested)


def conditional(body: bytes) -> Script:
    """Respond with an ETag, and with 304 to a request that has it."""
    etag = f'"{len(body)}-{hash(body)}"'

    def script(requested: Requested) -> Reply:
        if requested.headers.get("If-None-Match") == etag:
            return Reply(status=304)
        return Reply(body, headers={"ETag": etag})

    return script


def in_sequence(*replies: Reply) -> Script:
    """Respond with each of the replies, then always with the last one."""
    left = itertools.chain(replies, itertools.repeat(replies[-1]))
    return lambda requested: next(left)


@contextlib.contextmanager
def maker_server() -> Iterator[MakerServer]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self) -> None:
            # The script handles every method.
            self.do_GET = self.do_POST = self.do_PUT = self._answer
            with contextlib.suppress(ConnectionResetError):  # The client was killed.
                super().handle_one_request()

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            requested = Requested(
                self.command, self.path, dict(self.headers), self.rfile.read(length)
            )
            reply = maker.answer(requested)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 304:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(b"" if reply.status == 304 else reply.body)

        def log_message(self, *args: Any) -> None:
            """Log nothing, since tests read the stored requests."""

    while True:
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if server.server_address[1] not in SERVICE_PORTS:
            break
        server.server_close()
    server.daemon_threads = True
    maker = MakerServer(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield maker
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
