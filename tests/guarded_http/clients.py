"""Clients with short deadlines, and their errors as sentences."""

import socket
import struct

from guarded_http.addresses import parse_networks
from guarded_http.client import Client, Fault, Limits

AGENT = "Reviews (+https://reviews.example/)"
LOOPBACK = parse_networks(["127.0.0.0/8", "::1/128"])
AMPLE = Limits(connect_seconds=10, total_seconds=10)
READING = Limits(connect_seconds=10, total_seconds=10, read_bytes=100)
BRIEF = Limits(connect_seconds=0.6, total_seconds=0.6, read_bytes=100)

LATE = "The server did not answer in time."
NOT_CONNECTED = "The server could not be connected to in time."
HUNG_UP = "The server closed the connection without an answer."
HUNG_UP_WITHIN = "The server closed the connection within its answer."
NOT_HTTP = "The server's answer is not HTTP that can be read."
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_NAME = "The server's host name does not exist or has no address."


def make_client(authority, *answers, allow_nets=LOOPBACK, ca_bundle=None):
    """A client whose resolver returns 127.0.0.1, or the answers one by one."""
    left = list(answers)

    def resolve(host, port):
        answer = left.pop(0) if left else ["127.0.0.1"]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    bundle = authority.bundle if ca_bundle is None else ca_bundle
    return Client(AGENT, allow_nets=allow_nets, ca_bundle=bundle, resolve=resolve)


def failure(outcome):
    assert outcome.status is None
    assert not outcome.is_success
    assert outcome.body == b""
    return outcome.error, outcome.fault


def peer_failure(sentence):
    return sentence, Fault.PEER


# --- What servers do ----------------------------------------------------------------------------


def reset(peer):
    """End the connection with a reset."""
    peer.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.stream.close()


def silent(server, peer):
    peer.wait()
