"""TLS servers on loopback that run a test's script."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import trustme

NAME = "hooks.example"

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


@dataclass
class Peer:
    """One accepted connection, as a server's script sees it."""

    stream: socket.socket
    stopped: threading.Event

    def read_request(self) -> bytes:
        """Read one request with its body. Return b"" if the client has closed."""
        data = b""
        while b"\r\n\r\n" not in data:
            if not (chunk := self.stream.recv(65_536)):
                return b""
            data += chunk
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        while len(body) < length:
            if not (chunk := self.stream.recv(65_536)):
                return b""
            body += chunk
        return head + b"\r\n\r\n" + body

    def send(self, data: bytes) -> None:
        self.stream.sendall(data)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the server stops, or so many seconds. Return whether it has stopped."""
        return self.stopped.wait(seconds)


@dataclass
class Server:
    port: int
    requests: list[bytes] = field(default_factory=list)
    connections: int = 0

    def url(self, rest: str = "/", host: str = NAME) -> str:
        return f"https://{host}:{self.port}{rest}"


Script = Callable[[Server, Peer], None]


def answering(*answers: bytes) -> Script:
    """Answer each request with the next response, then close the connection."""

    def script(server: Server, peer: Peer) -> None:
        for answer in answers:
            if not (request := peer.read_request()):
                return
            server.requests.append(request)
            peer.send(answer)

    return script


def always(answer: bytes) -> Script:
    """Give every request on a connection the same response."""

    def script(server: Server, peer: Peer) -> None:
        while request := peer.read_request():
            server.requests.append(request)
            peer.send(answer)

    return script


def server_context(certificate: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


@contextlib.contextmanager
def serving(
    script: Script, context: ssl.SSLContext | None, *, address: str = "127.0.0.1"
) -> Iterator[Server]:
    """Run the script on every connection. Without a context the server uses no TLS."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.create_server((address, 0), family=family)
    server = Server(listener.getsockname()[1])
    stopped = threading.Event()
    streams: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def play(plain: socket.socket) -> None:
        stream = plain
        with contextlib.suppress(OSError):  # The client may disconnect at any moment.
            if context:
                stream = context.wrap_socket(plain, server_side=True)
                streams.append(stream)
            script(server, Peer(stream, stopped))
        stream.close()

    def accept() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            server.connections += 1
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            streams.append(plain)
            threads.append(threading.Thread(target=play, args=(plain,), daemon=True))
            threads[-1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield server
    finally:
        stopped.set()
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)  # Wakes `accept`, which closing does not.
        listener.close()
        accepting.join(5)
        for stream in streams:
            with contextlib.suppress(OSError):
                stream.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(5)
        for stream in streams:
            stream.close()


@dataclass(frozen=True)
class Authority:
    """A certificate authority for tests."""

    ca: trustme.CA
    bundle: str  # The path of its certificate.

    @classmethod
    def make(cls, folder: Path) -> "Authority":
        ca = trustme.CA()
        path = folder / "authority.pem"
        ca.cert_pem.write_to_path(str(path))
        return cls(ca, str(path))

    def context(self, *names: str) -> ssl.SSLContext:
        return server_context(self.ca.issue_cert(*(names or (NAME, "127.0.0.1", "::1"))))
