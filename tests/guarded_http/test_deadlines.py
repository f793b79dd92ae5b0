import socket
import threading
from contextlib import closing

import pytest

from guarded_http.client import Client, Fault, Limits
from tests.guarded_http.clients import (
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
    """Send a byte at a time, each within any limit on single reads."""

    def script(server, peer):
        peer.read_request()
        for byte in data:
            if peer.wait(0.05):
                return
            peer.send(bytes([byte]))

    return script


def endless_interim_responses(server, peer):
    peer.read_request()
    while not peer.wait(0.05):
        peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize(
    "script",
    [
        silent,
        endless_interim_responses,
        drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + b"x" * 90),
        drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 90),
    ],
    ids=["silent", "interim", "headers", "body", "chunks"],
)
def test_slow_or_silent_server_ends_at_deadline(serve, client, script):
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
def test_endless_handshake_ends_at_deadline(serve, client, script):
    server = serve(script, tls=None)

    outcome = client.request("GET", server.url(), BRIEF)

    assert failure(outcome) == peer_failure(NOT_CONNECTED)
    assert 0.6 <= outcome.seconds < 5


def test_connecting_has_separate_timeout(serve, client):
    server = serve(silent, tls=None)

    outcome = client.request("GET", server.url(), Limits(connect_seconds=0.2, total_seconds=60))

    assert failure(outcome) == peer_failure(NOT_CONNECTED)
    assert outcome.seconds < 5


def test_silent_address_leaves_time_for_next(serve, authority):
    server = serve(always(OK))
    mute = socket.create_server(("127.0.0.2", server.port))
    with closing(mute):
        client = make_client(authority, ["127.0.0.2", "127.0.0.1"])

        outcome = client.request("GET", server.url(), Limits(connect_seconds=1, total_seconds=9))

    assert outcome.status == 200


def test_hanging_resolver_is_a_hub_error_at_deadline(authority):
    release = threading.Event()

    def resolve(host, port):
        release.wait(30)
        return ["127.0.0.1"]

    client = Client(AGENT, allow_nets=LOOPBACK, ca_bundle=authority.bundle, resolve=resolve)

    outcome = client.request("GET", "https://hooks.example/", BRIEF)
    release.set()

    assert failure(outcome) == ("Our name resolver did not answer in time.", Fault.OURS)
    assert outcome.seconds < 5
