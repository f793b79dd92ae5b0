"""Requests that fail before their body is sent; the rest is never sent."""

import subprocess
import sys
import threading

import pytest

from guarded_http.client import Limits
from tests.guarded_http.clients import LATE, failure, peer_failure

BODY = b"x" * 300_000  # More than the buffers of the operating system hold.
SILENT_SECONDS = 1.0

POST = """
import sys
from guarded_http.addresses import parse_networks
from guarded_http.client import Client, Limits

port, bundle, seconds, size = sys.argv[1:]
client = Client("test", allow_nets=parse_networks(["127.0.0.0/8"]), ca_bundle=bundle)
limits = Limits(5, 60, unacknowledged_seconds=float(seconds))
client.request("POST", f"https://127.0.0.1:{port}/", limits, body=b"x" * int(size))
"""


class LateReader:
    """A server script that reads nothing until `reads` is set, and then everything."""

    def __init__(self) -> None:
        self.connected, self.reads, self.ended = (threading.Event() for _ in range(3))
        self.count = 0

    def __call__(self, server, peer) -> None:
        self.connected.set()
        self.reads.wait(60)
        try:
            while chunk := peer.stream.recv(65_536):
                self.count += len(chunk)
        except OSError:
            pass
        finally:
            self.ended.set()


@pytest.fixture
def reader():
    return LateReader()


def test_request_sends_nothing_after_its_deadline(serve, client, reader):
    server = serve(reader)

    outcome = client.request("POST", server.url(), Limits(5, 0.5), body=BODY)

    assert failure(outcome) == peer_failure(LATE)
    reader.reads.set()
    assert reader.ended.wait(10)
    assert reader.count < len(BODY)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="TCP_USER_TIMEOUT is an option of Linux")
def test_request_of_killed_process_sends_nothing_more(serve, authority, reader):
    server = serve(reader)
    command = [sys.executable, "-c", POST, str(server.port), authority.bundle]
    process = subprocess.Popen([*command, str(SILENT_SECONDS), str(len(BODY))])
    assert reader.connected.wait(60)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.2)  # Long enough to write the whole body to the socket.

    process.kill()
    process.wait(10)

    # The system gives up at a retransmission. Several occur in this time.
    assert not reader.reads.wait(4 * SILENT_SECONDS)
    reader.reads.set()
    assert reader.ended.wait(10)
    assert reader.count < len(BODY)
