"""The guarded session of `requests`, and the client of `httpx`."""

import asyncio
import time

import httpx
import pytest
import requests

from guarded_http import AddressRefused, AnswerRefused, Session
from guarded_http.async_client import AsyncAddressRefused, AsyncAnswerRefused, AsyncClient
from tests.guarded_http.tls import NAME, Authority, always, answering, serving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Kind: a\r\n\r\nhello"


@pytest.fixture
def session(authority: Authority):
    with Session(allow=["127.0.0.0/8"], ca_bundle=authority.bundle, max_bytes=100) as session:
        yield session


def url(server, path="/"):
    return server.url(path, host="127.0.0.1")


def get_async(authority, address, **options):
    """Return the response of an `AsyncClient`, on a new event loop."""

    async def answer():
        options.setdefault("timeout", 5.0)
        guards = {"allow": ["127.0.0.0/8"], "ca_bundle": authority.bundle, "max_bytes": 100}
        async with AsyncClient(**guards | options) as client:
            return await client.post(address, json={"a": 1}, headers={"X-Key": "k"})

    return asyncio.run(answer())


def test_response_is_one_of_requests(session, serve):
    server = serve(always(OK))

    answer = session.post(url(server, "/a?b=c"), json={"a": 1}, headers={"X-Key": "k"})

    assert (answer.status_code, answer.text, answer.headers["X-Kind"]) == (200, "hello", "a")
    [request] = server.requests
    assert request.startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert request.endswith(b'\r\n\r\n{"a": 1}')
    assert b"X-Key: k\r\n" in request


def test_address_that_is_not_public_is_refused_unless_allowed(serve):
    server = serve(always(OK))

    with Session() as session, pytest.raises(AddressRefused, match="public addresses"):
        session.get(url(server))

    assert server.connections == 0


def test_redirect_to_an_address_that_is_not_public_is_refused(session, serve):
    location = b"https://10.0.0.1/"
    head = b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: "
    server = serve(answering(head + location + b"\r\n\r\n"))

    with pytest.raises(AddressRefused):
        session.get(url(server))


def test_plain_http_is_limited_to_allowed_networks(session, authority):
    with serving(always(OK), None) as server:
        plain = f"http://127.0.0.1:{server.port}/"
        assert session.get(plain).text == "hello"
        with Session() as other, pytest.raises(AddressRefused):
            other.get(plain)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + b"x" * 101,
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Encoding: gzip\r\n\r\nx",
    ],
)
def test_long_or_compressed_answer_is_refused(session, serve, answer):
    with pytest.raises(AnswerRefused):
        session.get(url(serve(always(answer))))


def test_certificate_is_always_verified(serve):
    server = serve(always(OK))

    with (
        Session(allow=["127.0.0.0/8"]) as session,
        pytest.raises(requests.ConnectionError, match="certificate"),
    ):
        session.get(url(server), verify=False)


def test_environment_proxy_and_password_are_ignored(session, serve, monkeypatch, tmp_path):
    server = serve(always(OK))
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTPS_PROXY", f"http://{NAME}:1")

    assert session.get(url(server)).ok
    assert b"Authorization" not in server.requests[0]


def slow_redirects(server, peer):
    while peer.read_request() and not peer.wait(0.3):
        peer.send(b"HTTP/1.1 302 x\r\nContent-Length: 0\r\nLocation: /\r\n\r\n")


def test_redirects_share_the_deadline_of_their_request(session, authority, serve):
    server = serve(slow_redirects)
    started = time.monotonic()

    with pytest.raises(requests.ConnectionError, match="in time"):
        session.get(url(server), timeout=0.5)
    with pytest.raises(httpx.ConnectError, match="in time"):
        get_async(authority, url(server), timeout=0.5)

    assert time.monotonic() - started < 1.9  # Three redirects take 1.2 seconds.


def test_plain_http_to_public_addresses_is_optional(monkeypatch):
    monkeypatch.setattr("guarded_http.connect.all_allowed", lambda answers, nets: True)
    with serving(always(OK), None) as server:
        plain = f"http://127.0.0.1:{server.port}/"
        with Session() as session, pytest.raises(AddressRefused, match="https"):
            session.get(plain)
        with Session(plain_http=True) as session:
            assert session.get(plain).text == "hello"


def test_async_response_is_one_of_httpx(authority, serve):
    server = serve(always(OK.replace(b"X-Kind", b"Set-Cookie: a=b\r\nX-Kind")))

    answer = get_async(authority, url(server, "/a?b=c"))

    assert (answer.status_code, answer.text, answer.headers["X-Kind"]) == (200, "hello", "a")
    assert not answer.cookies
    [request] = server.requests
    assert request.startswith(b"POST /a?b=c HTTP/1.1\r\n")
    assert request.endswith(b'\r\n\r\n{"a":1}')
    assert b"x-key: k\r\n" in request.lower()


def test_async_request_is_refused_like_session_request(authority, serve):
    server = serve(answering(b"HTTP/1.1 302 x\r\nLocation: https://10.0.0.1/\r\n\r\n"))
    long = serve(always(b"HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + b"x" * 101))

    with pytest.raises(AsyncAddressRefused, match="public addresses"):
        get_async(authority, url(server))
    with pytest.raises(AsyncAddressRefused, match="public addresses"):
        get_async(authority, url(server), allow=[])
    with pytest.raises(AsyncAnswerRefused, match="longer than 100 bytes"):
        get_async(authority, url(long))
    assert server.connections == 1
