"""Dialled addresses are checked at every connection."""

import errno
import os
import socket

import pytest

from guarded_http.connect import MAX_ADDRESSES_TRIED, NOT_PUBLIC, Fault
from tests.guarded_http.clients import AMPLE, NO_NAME, failure, make_client, peer_failure
from tests.guarded_http.tls import OK, always


def test_rebound_name_is_checked_again(serve, authority):
    server = serve(always(OK))
    client = make_client(authority, ["127.0.0.1"], ["10.0.0.1"])

    assert client.request("GET", server.url(), AMPLE).status == 200
    assert failure(client.request("GET", server.url(), AMPLE)) == (NOT_PUBLIC, Fault.POLICY)


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1", "10.0.0.1"],
        ["10.0.0.1", "127.0.0.1"],
        ["127.0.0.1", "::ffff:10.0.0.1"],
        ["127.0.0.1", "fe80::1%lo"],
        ["127.0.0.1", "64:ff9b::7f00:1"],
        ["127.0.0.1"] * 9 + ["10.0.0.1"],
        ["169.254.169.254"],
    ],
)
def test_one_forbidden_address_refuses_all(serve, authority, answers):
    server = serve(always(OK))

    outcome = make_client(authority, answers).request("GET", server.url(), AMPLE)

    assert failure(outcome) == (NOT_PUBLIC, Fault.POLICY)
    assert server.connections == 0


@pytest.mark.parametrize(
    ("answer", "sentence", "fault"),
    [
        ([], NO_NAME, Fault.PEER),
        *(
            (socket.gaierror(code, "failed"), NO_NAME, Fault.PEER)
            for code in (socket.EAI_NONAME, socket.EAI_NODATA, socket.EAI_FAIL)
        ),
        (UnicodeError("too long"), "The server's host name cannot be resolved.", Fault.PEER),
        *(
            (socket.gaierror(code, "failed"), "Our name resolver did not answer.", Fault.OURS)
            for code in (socket.EAI_AGAIN, socket.EAI_SYSTEM)
        ),
        (OSError(errno.EMFILE, "No room"), "Our name resolver failed: No room.", Fault.OURS),
    ],
)
def test_errors_of_the_resolver_are_distinguished(authority, answer, sentence, fault):
    outcome = make_client(authority, answer).request("GET", "https://hooks.example/", AMPLE)

    assert failure(outcome) == (sentence, fault)


def has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_ipv6_callback_is_reached(serve, authority):
    server = serve(always(OK), address="::1")
    client = make_client(authority, ["::1"], ["::1"])

    assert client.request("GET", server.url(), AMPLE).status == 200
    assert client.request("GET", server.url(host="[::1]"), AMPLE).status == 200
    assert b"\r\nHost: [::1]:%d\r\n" % server.port in server.requests[1]


def test_number_of_dialled_addresses_is_limited(authority, monkeypatch):
    dialled = []

    def refuse(address, timeout):
        dialled.append(address[0])
        raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    answers = [f"127.0.0.{n}" for n in range(1, 200)]

    outcome = make_client(authority, answers).request("GET", "https://hooks.example/", AMPLE)

    assert failure(outcome) == peer_failure(
        "The server could not be connected to: Connection refused."
    )
    assert dialled == answers[:MAX_ADDRESSES_TRIED]


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.ECONNREFUSED, Fault.PEER),
        (errno.EHOSTUNREACH, Fault.PEER),
        (errno.ENETUNREACH, Fault.PEER),
        (errno.EMFILE, Fault.OURS),
        (errno.ENFILE, Fault.OURS),
        (errno.ENOBUFS, Fault.OURS),
        (errno.EADDRNOTAVAIL, Fault.OURS),
        (errno.ENETDOWN, Fault.OURS),
        (errno.EPERM, Fault.OURS),
    ],
)
def test_machine_without_resources_is_a_hub_error(authority, monkeypatch, number, fault):
    def fail(address, timeout):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(socket, "create_connection", fail)

    outcome = make_client(authority).request("GET", "https://hooks.example/", AMPLE)

    sentence = f"The server could not be connected to: {os.strerror(number)}."
    assert failure(outcome) == (sentence, fault)
