"""A session of `requests` that is guarded."""

import pytest
import requests

from guarded_http import AddressRefused, AnswerRefused, Session
from tests.guarded_http.tls import NAME, Authority, always, answering, serving

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Kind: a\r\n\r\nhello"


@pytest.fixture
def session(authority: Authority):
    with Session(allow=["127.0.0.0/8"], ca_bundle=authority.bundle, max_bytes=100) as session:
        yield session


def url(server, path="/"):
    return server.url(path, host="127.0.0.1")


def test_answer_is_one_of_requests(session, serve):
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


def test_plain_http_is_spoken_to_allowed_networks_alone(session, authority):
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


def test_dripping_answer_ends_at_the_timeout(session, serve):
    def drip(server, peer):
        peer.read_request()
        while not peer.wait(0.05):
            peer.send(b"H")

    with pytest.raises(requests.ConnectionError, match="in time"):
        session.get(url(serve(drip)), timeout=0.4)


def test_certificate_is_verified_whatever_the_caller_says(serve):
    server = serve(always(OK))

    with (
        Session(allow=["127.0.0.0/8"]) as session,
        pytest.raises(requests.ConnectionError, match="certificate"),
    ):
        session.get(url(server), verify=False)


def test_environment_gives_no_proxy_and_no_password(session, serve, monkeypatch, tmp_path):
    server = serve(always(OK))
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login a password b", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTPS_PROXY", f"http://{NAME}:1")

    assert session.get(url(server)).ok
    assert b"Authorization" not in server.requests[0]
