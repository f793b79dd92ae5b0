"""nginx with the shipped configuration, in front of a server with a large response."""

import socket
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.sources.servers import Reply, maker_server
from tests.waiting import wait_until
from tests.web import shipped_nginx
from tools.benchmarks.measuring import find, free_port, serving

pytestmark = pytest.mark.skipif(not find("nginx"), reason="nginx is not installed.")

CONNECTIONS = 20  # Addresses of one network by `deploy/nginx.conf`.
BODY = b"x" * 30_000_000


@pytest.fixture
def web():
    with maker_server() as server:
        server.reply = lambda requested: Reply(BODY if requested.target == "/large" else b"small")
        yield server.port


@pytest.fixture
def folder():
    # nginx workers may not write below pytest's folder.
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def ask(web, folder):
    """Send a GET from a loopback address and return the status."""
    with ExitStack() as stack:
        port = free_port()
        command = shipped_nginx(folder / "nginx", port, web)
        stack.enter_context(serving("nginx", command, port, ready="/small"))

        def begin(path, address):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(60)
            client.bind((address, 0))
            client.connect(("127.0.0.1", port))
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: reviews.example.com\r\n\r\n".encode())
            return client.recv(12).decode()

        yield begin


def test_one_address_cannot_use_all_connections(ask):
    held = [ask("/large", "127.0.1.1") for _ in range(CONNECTIONS)]

    beyond = ask("/small", "127.0.1.1")
    other = ask("/small", "127.0.1.2")

    assert held == ["HTTP/1.1 200"] * CONNECTIONS
    assert beyond == "HTTP/1.1 429"
    assert other == "HTTP/1.1 200"


def test_token_in_source_url_is_not_logged(ask, folder):
    for path in ("/api/sources/5/token", "/api//sources/5/token", "/api/%73ources/5/token", "/x"):
        ask(path, "127.0.1.1")

    log = folder / "nginx/access.log"
    wait_until(lambda: "GET /x " in log.read_text())
    assert "token" not in log.read_text()
    assert "token" not in (folder / "nginx/error.log").read_text()
