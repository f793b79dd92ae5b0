"""Clients that request large responses and read nothing: bounded in bytes and time."""

import socket
import sys
from contextlib import ExitStack, contextmanager

import pytest
import requests

from publishing.slow_readers import SENTENCE
from tests.processes import environment, run
from tests.waiting import wait_until
from tests.web import ENLARGE, web_processes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="Only Linux tells a process what its sockets have not sent."
    ),
]

DOCUMENT = "/reviews.json"
SINCE = "/api/reviews/since/2000-01-01"
LENGTH = 2_000_000  # Approximate length of the document. The limit has room for one.


@contextmanager
def server_with_large_document(state, **values):
    """Start a web process with a document of `LENGTH` bytes. Yield its port."""
    with web_processes(state, WRITE_TIMEOUT_SECONDS="5", **values) as (port,):
        assert get(port, DOCUMENT).status_code == 200  # Wait until it is published.
        known = {"SECRET_KEY": "k" * 50, "BASE_URL": f"http://127.0.0.1:{port}"}
        env = environment(state, DJANGO_SETTINGS_MODULE="config.settings", **known)
        done = run("-c", f"import django; django.setup()\n{ENLARGE}", str(LENGTH), env=env)
        assert done.returncode == 0, done.stderr
        wait_until(lambda: len(get(port, DOCUMENT).content) > LENGTH / 2)
        yield port


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    with server_with_large_document(
        tmp_path_factory.mktemp("unread"), MAX_UNSENT_BYTES="3000000"
    ) as port:
        yield port


@pytest.fixture
def ask(port):
    """Return `begin_on` for the port, after clients of the last test have left."""
    wait_until(lambda: get(port, DOCUMENT).status_code == 200)
    with ExitStack() as stack:
        yield lambda path: begin_on(stack, port, path)


def begin_on(stack, port, path, *headers):
    """Send a GET and read the first bytes. Return the connection and the bytes."""
    client = stack.enter_context(socket.socket())
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(60)
    client.connect(("127.0.0.1", port))
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, "", ""]
    client.sendall("\r\n".join(lines).encode())
    return client, client.recv(12).decode()


def get(port, path, **headers):
    headers = {"Accept-Encoding": "identity", **headers}
    return requests.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=60)


def read_to_the_end(reader):
    while reader.recv(65_536):
        pass


@pytest.mark.parametrize("path", [DOCUMENT, SINCE])
def test_unread_large_responses_are_bounded_in_bytes(ask, port, path):
    answers = [ask(path)[1] for _ in range(6)]
    refused = get(port, path)

    assert answers == ["HTTP/1.1 200", *["HTTP/1.1 503"] * 5]
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10")
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert (refused.json()["status"], refused.json()["detail"]) == (503, SENTENCE)


def test_small_responses_are_served_while_large_ones_are_refused(ask, port):
    etag = get(port, DOCUMENT).headers["ETag"]
    ask(DOCUMENT)

    statuses = [
        get(port, DOCUMENT).status_code,
        get(port, DOCUMENT, **{"If-None-Match": etag}).status_code,
        get(port, DOCUMENT, **{"Accept-Encoding": "gzip"}).status_code,
        get(port, "/api/reviews/search?query=great").status_code,
        get(port, "/reviews").status_code,
    ]

    assert statuses == [503, 304, 200, 200, 200]


def test_client_that_reads_nothing_is_disconnected(ask, port):
    reader, status = ask(DOCUMENT)
    assert status == "HTTP/1.1 200"

    wait_until(lambda: get(port, DOCUMENT).status_code == 200)

    with pytest.raises(ConnectionError):
        read_to_the_end(reader)
