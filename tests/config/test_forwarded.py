"""Forwarding headers under other spellings, as the web server hands them to the application."""

import socket

import pytest

from tests.web import web_processes

LIMIT = 3


@pytest.fixture(
    scope="module",
    params=[
        {},
        {"TRUSTED_PROXY_COUNT": "1", "FORWARDED_HEADER": "Forwarded"},
    ],
    ids=["no proxy", "a proxy that writes Forwarded"],
)
def port(request, tmp_path_factory):
    state = tmp_path_factory.mktemp("forwarded")
    with web_processes(state, RATE_LIMIT_SEARCH=f"{LIMIT}/h", **request.param) as (port,):
        yield port


def search(port, *headers):
    """The status of a search with these header lines, after those of a proxy."""
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


def test_client_cannot_choose_its_address_by_another_spelling(port):
    spellings = ("X-Forwarded-For", "X_Forwarded_For", "X-Forwarded_For", "x_forwarded-for")

    statuses = [
        search(port, f"{spellings[number % 4]}: 203.0.113.{number}") for number in range(LIMIT + 4)
    ]

    assert statuses == [200] * LIMIT + [429] * 4
