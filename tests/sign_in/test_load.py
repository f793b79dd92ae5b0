"""The rest of the service responds as before under password loops."""

import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from threading import Event
from urllib.parse import urlsplit

import pytest
import requests

from tests.mcp_server.mcp_client import initialize_params, request
from tests.waiting import wait_until
from tests.web import web_processes

pytestmark = pytest.mark.slow

LOGIN = "/admin/login/"
CALL = request("initialize", initialize_params())
ACCEPT = {"Accept": "application/json, text/event-stream"}
LOOPS = 12
ROUNDS = 25


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    state = tmp_path_factory.mktemp("sign-ins")
    # Without the limit of ten a minute, which alone would end the loops of one network.
    values = {
        "TRUSTED_PROXY_COUNT": "1",
        "FORWARDED_HEADER": "X-Forwarded-For",
        "RATE_LIMIT_SIGN_IN": "",
    }
    with web_processes(state, **values) as (port,):
        base = f"http://127.0.0.1:{port}"
        wait_until(lambda: requests.get(f"{base}/reviews.json", timeout=60).status_code == 200)
        yield base


@pytest.fixture
def passwords(base):
    """Run twelve loops of sign-ins from many networks during the test."""
    is_over, statuses, numbers = Event(), Counter(), count(1)

    def guess():
        while not is_over.is_set():
            number = next(numbers)
            statuses[sign_in(base, f"2001:db8:0:{number % 65_536:x}::1", f"name-{number}")] += 1

    with ThreadPoolExecutor(LOOPS) as pool:
        loops = [pool.submit(guess) for _ in range(LOOPS)]
        try:
            wait_until(lambda: statuses[503])  # One password is hashed and one waits.
            yield
        finally:
            is_over.set()
        for loop in loops:
            loop.result()
    # Sign-ins were tried and refused during the requests.
    assert set(statuses) <= {200, 503}, statuses
    assert statuses[200]


def sign_in(base, address, name="nobody-here"):
    """Return the status of a sign-in with a wrong password."""
    token = "c" * 32
    form = {"csrfmiddlewaretoken": token, "username": name, "password": "wrong"}
    headers = {"X-Forwarded-For": address, "Cookie": f"csrftoken={token}"}
    answer = requests.post(
        f"{base}{LOGIN}", form, headers=headers, timeout=60, allow_redirects=False
    )
    return answer.status_code


def test_reading_mcp_and_hub_respond_under_twelve_password_loops(base, passwords):
    def subscribe(number):
        callback = f"https://subscriber-{number}.example.org/"
        topic = f"{base}/feed.xml"
        form = {"hub.mode": "subscribe", "hub.topic": topic, "hub.callback": callback}
        return requests.post(f"{base}/api/websub/hub", form, timeout=60)

    def read(path):
        return requests.get(f"{base}{path}", timeout=60)

    requested = {
        "mcp": lambda _: requests.post(f"{base}/mcp", json=CALL, headers=ACCEPT, timeout=60),
        "hub": subscribe,
        "search": lambda _: read("/api/reviews/search?query=great"),
        "document": lambda _: read("/reviews.json"),
        "page": lambda _: read("/reviews"),
    }

    answers = Counter(
        (name, send(number).status_code)
        for number in range(ROUNDS)
        for name, send in requested.items()
    )

    assert answers == {
        ("mcp", 200): ROUNDS,
        ("hub", 202): ROUNDS,
        ("search", 200): ROUNDS,
        ("document", 200): ROUNDS,
        ("page", 200): ROUNDS,
    }


@contextmanager
def silent(base, path, address):
    """Send a request that promises a body, sends one byte and stops."""
    host = urlsplit(base).netloc
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n"
    head += f"X-Forwarded-For: {address}\r\nCookie: csrftoken={'c' * 32}\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n"
    with socket.create_connection((host.split(":")[0], int(host.split(":")[1])), 60) as client:
        client.sendall(f"{head}\r\nu".encode())
        yield client


def test_silent_client_blocks_only_its_network(base):
    with silent(base, LOGIN, "203.0.113.1"):
        wait_until(lambda: sign_in(base, "203.0.113.1") == 503)
        with silent(base, LOGIN, "203.0.113.1") as second:
            assert second.makefile("rb").readline().split()[1] == b"503"

        assert [sign_in(base, f"203.0.113.{n}") for n in range(2, 5)] == [200] * 3


def test_form_without_session_does_not_wait_for_body(base):
    with silent(base, "/admin/imports/importbatch/add/", "203.0.113.1") as client:
        assert client.makefile("rb").readline().split()[1] == b"302"
