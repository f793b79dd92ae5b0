"""One deadline for the whole exchange."""

import socket
import threading
from contextlib import closing

import pytest

from guarded_http.client import Client, Fault, Limits
from tests.guarded_http.asking import (
    AGENT,
    BRIEF,
    LATE,
    LOOPBACK,
    NOT_CONNECTED,
    failure,
    make_client,
    peer_failure,
    silent,
)
from tests.guarded_http.tls import OK, always


def drip(data):
    """Sends a byte at a time, each well within any bound on single reads."""

    def script(server, peer):
        peer.read_request()
        for byte in data:
            if peer.wait(0.05):
                return
            peer.send(bytes([byte]))

    return script


def interim_for_ever(server, peer):
    peer.read_request()
    while not peer.wait(0.05):
        peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize(
    "script",
    [
        silent,
        interim_for_ever,
        drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + b"x" * 90),
        drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 90),
    ],
    ids=["silent", "interim", "headers", "body", "chunks"],
)
def test_dripping_or_silent_server_is_left_at_the_deadline(serve, client, script):
    outcome = client.request("GET", serve(script).url(), BRIEF)

    assert failure(outcome) == peer_failure(LATE)
    assert 0.6 <= outcome.seconds < 5


def drip_handshake(server, peer):
    # The first bytes of a TLS record that claims to be long.
    for byte in b"\x16\x03\x03\x40\x00" + b"\x02" * 1000:
        if peer.wait(0.05):
            return
        peer.send(bytes([byte]))


@pytest.mark.parametrize("script", [silent, drip_handshake])
def test_a_handshake_without_end_is_left_at_the_deadline(serve, client, script):
    server = serve(script, tls=None)

    outcome = client.request("GET", server.url(), BRIEF)

    assert failure(outcome) == peer_failure(NOT_CONNECTED)
    assert 0.6 <= outcome.seconds < 5


def test_connecting_has_a_bound_of_its_own(serve, client):
    server = serve(silent, tls=None)

    outcome = client.request("GET", server.url(), Limits(connect_seconds=0.2, total_seconds=60))

    assert failure(outcome) == peer_failure(NOT_CONNECTED)
    assert outcome.seconds < 5


def test_an_address_that_answers_nothing_leaves_time_for_the_next(serve, authority):
    server = serve(always(OK))
    mute = socket.create_server(("127.0.0.2", server.port))
    with closing(mute):
        client = make_client(authority, ["127.0.0.2", "127.0.0.1"])

        outcome = client.request("GET", server.url(), Limits(connect_seconds=1, total_seconds=9))

    assert outcome.status == 200


def test_hanging_resolver_is_a_hub_error_and_ends_at_the_deadline(authority):
    release = threading.Event()

    def resolve(host, port):
        release.wait(30)
        return ["127.0.0.1"]

    client = Client(AGENT, allow_nets=LOOPBACK, ca_bundle=authority.bundle, resolve=resolve)

    outcome = client.request("GET", "https://hooks.example/", BRIEF)
    release.set()

    assert failure(outcome) == ("Our name resolver did not answer in time.", Fault.OURS)
    assert outcome.seconds < 5
