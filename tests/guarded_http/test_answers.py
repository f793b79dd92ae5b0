"""Responses of servers: their status, and the part that is read."""

import gzip
import socket

import pytest

from tests.guarded_http.clients import (
    AMPLE,
    BRIEF,
    CHUNKED,
    HUNG_UP,
    HUNG_UP_WITHIN,
    NOT_HTTP,
    READING,
    failure,
    peer_failure,
    reset,
    silent,
)
from tests.guarded_http.tls import OK, always, answering


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_is_not_followed(serve, client, status):
    target = serve(always(OK))
    location = target.url("/stolen").encode()
    server = serve(
        always(b"HTTP/1.1 %d x\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % (status, location))
    )

    outcome = client.request("POST", server.url(), AMPLE, body=b"x")

    assert outcome.status == status
    assert target.connections == 0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "interim",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 102 Processing\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\n\r\n",
    ],
)
def test_response_after_interim_ones_is_returned(serve, client, interim):
    server = serve(always(interim + b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok"))

    outcome = client.request("GET", server.url(), READING)

    assert (outcome.status, outcome.body) == (202, b"ok")


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nchallenge", b"challenge"),
        (b"HTTP/1.1 200 OK\r\n\r\nchallenge", b"challenge"),
        (b"HTTP/1.0 200 OK\r\n\r\nchallenge", b"challenge"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nchallenge and more", b"challenge"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nchallenge", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nchallenge", b"challenge"),
        (CHUNKED + b"4\r\nchal\r\n5;a=b\r\nlenge\r\n0\r\n\r\n", b"challenge"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + b"x" * 101, b"x" * 101),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000, b"x" * 101),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 500_000, b"x" * 101),
        (b"HTTP/1.1 200\r\ncontent-length:9\r\n\r\nchallenge", b"challenge"),
    ],
)
def test_body_is_read_one_byte_beyond_limit(serve, client, answer, body):
    outcome = client.request("GET", serve(answering(answer)).url(), READING)

    assert (outcome.status, outcome.body) == (200, body)


def test_compressed_body_is_not_decompressed(serve, client):
    bomb = gzip.compress(b"\0" * 10_000_000)
    answer = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)

    outcome = client.request("GET", serve(answering(answer + bomb)).url(), READING)

    assert outcome.body == bomb[:101]


NO_HTTP = [
    *(b"\r\n\r\n", b"hello\r\n", b"SSH-2.0-OpenSSH_9.9\r\n", b"220 mail.example ESMTP\r\n"),
    *(b"HTTP/2 200\r\n\r\n", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n", b"HTTP/1.1 2"),
    *(b"HTTP/1.1 -20 OK\r\n\r\n", b"HTTP/1.1 20000 OK\r\n\r\n", b"\x00" * 1000, b"\xff" * 1000),
    b"HTTP/1.1 200 OK" + b"x" * 70_000 + b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000 + b"\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n",
    b"HTTP/1.1 200 OK\r\n" + (b"A: " + b"x" * 60_000 + b"\r\n") * 50,
    *(CHUNKED + b"zz\r\n", CHUNKED + b"-5\r\nabcde", CHUNKED + b"5" + b";" * 70_000),
    CHUNKED + b"1" + (b";" * 60_000 + b"\r\na\r\n1") * 9,
]
BROKEN_OFF = [
    *(b"HTTP/1.1 200 OK", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nchallenge",
    *(CHUNKED, CHUNKED + b"9", CHUNKED + b"9\r\nchall", CHUNKED + b"9\r\nchallenge\r\n"),
]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [*((each, NOT_HTTP) for each in NO_HTTP), *((each, HUNG_UP_WITHIN) for each in BROKEN_OFF)],
)
def test_malformed_or_truncated_response_is_an_error(serve, client, answer, sentence):
    outcome = client.request("GET", serve(answering(answer)).url(), READING)

    assert failure(outcome) == peer_failure(sentence)


def test_endless_interim_responses_are_cut_off(serve, client):
    def script(server, peer):
        peer.read_request()
        while True:
            peer.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)

    outcome = client.request("GET", serve(script).url(), READING)

    assert failure(outcome) == peer_failure(NOT_HTTP)


@pytest.mark.parametrize(
    ("answer", "sentence"), [(b"", HUNG_UP), (b"HTTP/1.1 200 OK\r\nContent-", HUNG_UP_WITHIN)]
)
def test_reset_before_or_within_response_is_an_error(serve, client, answer, sentence):
    def script(server, peer):
        server.requests.append(peer.read_request())
        peer.send(answer)
        peer.wait(0.1)
        reset(peer)

    server = serve(script)

    assert failure(client.request("POST", server.url(), AMPLE, body=b"x")) == peer_failure(sentence)
    assert len(server.requests) == 1


def test_early_response_is_read_though_body_is_refused(serve, client):
    def script(server, peer):
        peer.stream.recv(100)
        peer.send(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")
        peer.stream.shutdown(socket.SHUT_WR)
        while peer.stream.recv(65_536):
            pass

    outcome = client.request("POST", serve(script).url(), AMPLE, body=b"x" * 2_000_000)

    assert outcome.status == 410


# --- Descriptions of failures ---------------------------------------------------------------------


def test_messages_hide_subscriber_details(serve, client):
    secrets = ("open-sesame", "capability", "token")
    scripts = [answering(b""), answering(b"open-sesame\r\n"), lambda *_: None]
    servers = [serve(script) for script in scripts] + [serve(silent, tls=None)]
    rest = "/capability?token=open-sesame"

    sentences = [client.request("POST", s.url(rest), BRIEF, body=b"x").error for s in servers]

    for sentence in sentences:
        assert sentence.endswith(".")
        assert 10 < len(sentence) < 300
        assert not any(secret in sentence for secret in secrets)
