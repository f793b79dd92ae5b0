"""Forwarding headers in unusual spellings."""

import socket
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.web import shipped_nginx, web_processes
from tools.benchmarks.measuring import find, free_port, serving

pytestmark = pytest.mark.slow

LIMIT = 3


@pytest.fixture(
    scope="module",
    params=[{}, {"TRUSTED_PROXY_COUNT": "1", "FORWARDED_HEADER": "Forwarded"}],
    ids=["no proxy", "a proxy that writes Forwarded"],
)
def port(request, tmp_path_factory):
    state = tmp_path_factory.mktemp("forwarded")
    with web_processes(state, RATE_LIMIT_SEARCH=f"{LIMIT}/h", **request.param) as (port,):
        yield port


def search(port, *headers):
    """Send a search with these headers through a proxy. Return its status."""
    lines = [
        "GET /api/reviews/search HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: close",
        "Forwarded: for=198.51.100.7",
        *headers,
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall("\r\n".join([*lines, "", ""]).encode())
        return int(client.makefile("rb").readline().split()[1])


def test_client_cannot_forge_address_with_other_spelling(port):
    spellings = ("X-Forwarded-For", "X_Forwarded_For", "X-Forwarded_For", "x_forwarded-for")

    statuses = [
        search(port, f"{spellings[number % 4]}: 203.0.113.{number}") for number in range(LIMIT + 4)
    ]

    assert statuses == [200] * LIMIT + [429] * 4


@pytest.mark.skipif(not find("nginx"), reason="nginx is not installed.")
@pytest.mark.parametrize("names", ["as shipped", "underscores pass"])
def test_client_behind_nginx_cannot_forge_address(tmp_path, names):
    proxied = {"TRUSTED_PROXY_COUNT": "1", "FORWARDED_HEADER": "Forwarded"}
    spellings = ("X-Forwarded-For: ", "X_Forwarded_For: ", "Forwarded: for=", "forwarded: For=")
    with (
        web_processes(tmp_path, RATE_LIMIT_SEARCH=f"{LIMIT}/h", **proxied) as (web_port,),
        # nginx workers may not write below pytest's folder.
        TemporaryDirectory() as name,
    ):
        folder, port = Path(name) / "nginx", free_port()
        Path(name).chmod(0o755)
        command = shipped_nginx(folder, port, web_port)
        if names == "underscores pass":
            file = folder / "nginx.conf"
            file.write_text(file.read_text().replace("http {", "http { underscores_in_headers on;"))
        with serving("nginx", command, port, ready="/healthz"):
            statuses = [
                search(port, f"{spellings[number % 4]}203.0.113.{number}")
                for number in range(LIMIT + 4)
            ]

    assert statuses == [200] * LIMIT + [429] * 4
