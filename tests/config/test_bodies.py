"""Limits of threads that wait for slow request bodies."""

import json
import socket
import sqlite3
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager

import pytest
import requests

from tests.mcp_server.mcp_client import initialize_params, request
from tests.waiting import wait_until
from tests.web import web_processes

CALL = request("initialize", initialize_params())
ACCEPT = {"Accept": "application/json, text/event-stream"}
LOGIN = "/admin/login/"
HUB = "/api/websub/hub"
COOKIE = {"Cookie": f"csrftoken={'c' * 32}"}  # Without a session a form is refused unread.


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    return tmp_path_factory.mktemp("bodies")


@pytest.fixture(scope="module")
def port(state):
    with web_processes(state, GRANIAN_BLOCKING_THREADS="3") as (port,):
        yield port


@pytest.fixture
def slow_client(port):
    """Send requests that promise a body and send one byte. They close after the test."""
    with ExitStack() as stack:

        def fall_silent(path, media_type):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), 30))
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000\r\n"
            head += f"Content-Type: {media_type}\r\nCookie: {COOKIE['Cookie']}\r\nAccept: */*\r\n"
            client.sendall(f"{head}\r\n{{".encode())
            return client

        yield fall_silent


@pytest.fixture
def full_server(port, slow_client):
    """Send slow requests until the limit is reached, to MCP and a form. Return the first."""
    wait_until(lambda: call(port).status_code == 200)  # The clients of the test before have left.
    first = slow_client("/mcp", "application/json")
    wait_until(
        lambda: call(port).status_code == 503,
        meanwhile=lambda: slow_client(LOGIN, "application/x-www-form-urlencoded"),
    )
    return first


def call(port):
    return requests.post(f"http://127.0.0.1:{port}/mcp", json=CALL, headers=ACCEPT, timeout=30)


@pytest.mark.slow
def test_reading_goes_on_while_clients_are_slow(port, full_server):
    paths = ("/reviews.json", "/api/reviews/search?query=great", "/reviews", LOGIN)

    read = [requests.get(f"http://127.0.0.1:{port}{path}", timeout=30) for path in paths]

    assert [answer.status_code for answer in read] == [200, 200, 200, 200]


@pytest.mark.slow
def test_body_over_limit_is_refused_in_format_of_url(port, full_server):
    base = f"http://127.0.0.1:{port}"
    sentence = "Too many requests are being received. Please try again in a few seconds."

    mcp = call(port)
    hub = requests.post(f"{base}{HUB}", {"hub.mode": "subscribe"}, timeout=30)
    login = requests.post(f"{base}{LOGIN}", {"username": "a"}, headers=COOKIE, timeout=30)

    for answer in (mcp, hub, login):
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert mcp.json()["error"] == {
        "code": -32603,
        "message": sentence,
        "data": {"request_id": mcp.headers["X-Request-Id"]},
    }
    assert hub.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert hub.text == f"{sentence}\nrequest_id: {hub.headers['X-Request-Id']}\n"
    assert login.headers["Content-Type"] == "text/html; charset=utf-8"
    assert sentence in login.text


@pytest.mark.slow
def test_many_bodies_after_their_headers_are_accepted(port):
    body = json.dumps(CALL).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n"
        "Content-Type: application/json\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    )
    with ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
            for _ in range(16)
        ]
        for client in clients:
            client.sendall(head.encode())
        for client in clients:
            client.sendall(body)
        answers = [client.makefile("rb").read() for client in clients]

    assert {answer.partition(b"\r\n")[0] for answer in answers} == {b"HTTP/1.1 200 OK"}


@pytest.mark.slow
@pytest.mark.parametrize("length", [2, 100_000])
@pytest.mark.parametrize(
    "path",
    ["/reviews.json", "/api/reviews/search?limit=100", "/api/reviews/since/2000-01-01", "/reviews"],
)
def test_ignored_body_does_not_truncate_response(port, path, length):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
        # The server closes the connection while the response is still being sent.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n"
        client.sendall(f"{head}Connection: close\r\n\r\n".encode())
        client.sendall(b"x" * length)
        answer = client.makefile("rb").read()

    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert f"content-length: {len(body)}" in head.decode().lower().split("\r\n")


@contextmanager
def write_lock(state):
    """Hold SQLite's write lock, as a large import does."""
    database = sqlite3.connect(state / "reviews.sqlite3", isolation_level=None)
    with closing(database):
        database.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.slow
def test_reading_goes_on_while_changes_wait_for_lock(port, state):
    base = f"http://127.0.0.1:{port}"
    form = {"hub.mode": "subscribe", "hub.topic": f"{base}/feed.xml"}

    def subscribe(number):
        callback = f"https://subscriber-{number}.example.org/"
        return requests.post(f"{base}{HUB}", {**form, "hub.callback": callback}, timeout=60)

    assert requests.get(f"{base}/reviews.json", timeout=60).status_code == 200
    with ThreadPoolExecutor(3) as pool:
        with write_lock(state):
            changes = [pool.submit(subscribe, number) for number in range(3)]
            _, waiting = wait(changes, return_when=FIRST_COMPLETED)
            read = [requests.get(base + path, timeout=60) for path in ("/reviews.json", "/reviews")]
            are_waiting = not any(change.done() for change in waiting)
        answers = [change.result() for change in changes]

    assert [answer.status_code for answer in read] == [200, 200]
    assert are_waiting
    assert sorted(answer.status_code for answer in answers) == [202, 202, 503]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lengths", "status"),
    [
        (["Content-Length: 4", "Transfer-Encoding: chunked"], None),  # Answered, then closed.
        (["Content-Length: 4", "Content-Length: 5"], 400),
        (["Content-Length: +5"], 400),
        (["Transfer-Encoding: xchunked"], 400),
    ],
)
def test_ambiguous_length_closes_connection(port, lengths, status):
    head = ["POST /reviews.json HTTP/1.1", f"Host: 127.0.0.1:{port}", *lengths]
    smuggled = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
    message = "\r\n".join([*head, "", f"0\r\n\r\n{smuggled}"])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(message.encode())
        answer = client.makefile("rb").read()

    assert answer.count(b"HTTP/1.1 ") == 1
    assert int(answer.split()[1]) == (status or 405)
