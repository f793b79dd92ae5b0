"""Several requests over one connection."""

import threading
from contextlib import closing

import pytest

from tests.guarded_http.clients import AMPLE, HUNG_UP_WITHIN, failure, peer_failure, reset
from tests.guarded_http.tls import OK, always, answering


def test_requests_to_one_host_share_a_connection(serve, client):
    server = serve(always(OK))

    with closing(client.connect(server.url(), AMPLE)) as connection:
        outcomes = [
            connection.request("POST", url, body=b"x")
            for url in (
                server.url("/a"),
                server.url("/b?c"),
                f"HTTPS://HOOKS.example:0{server.port}?d",
            )
        ]

    assert [outcome.status for outcome in outcomes] == [200, 200, 200]
    assert server.connections == 1
    assert [request.split(b" ")[1] for request in server.requests] == [b"/a", b"/b?c", b"/?d"]


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
)
def test_unfinished_response_closes_connection(serve, client, answer):
    server = serve(always(answer))

    with closing(client.connect(server.url(), AMPLE)) as connection:
        statuses = [connection.request("POST", server.url(), body=b"x").status for _ in range(2)]

    assert statuses == [200, 200]
    assert server.connections == 2


@pytest.mark.parametrize(
    "url", ["https://other.example:8443/", "https://hooks.example/", "https://hooks.example:8444/"]
)
def test_connection_is_not_used_for_other_server(client, url):
    with (
        closing(client.connect("https://hooks.example:8443/", AMPLE)) as connection,
        pytest.raises(ValueError, match="another server"),
    ):
        connection.request("POST", url, body=b"x")


@pytest.mark.parametrize("ends", ["closed", "reset"])
def test_stale_connection_is_replaced_once(serve, client, ends):
    gone = threading.Event()

    def script(server, peer):
        server.requests.append(peer.read_request())
        peer.send(OK)
        peer.wait(0.05)
        if ends == "reset":
            reset(peer)
        else:
            peer.stream.close()
        gone.set()

    server = serve(script)

    with closing(client.connect(server.url(), AMPLE)) as connection:
        first = connection.request("POST", server.url("/1"), body=b"x")
        gone.wait(5)
        second = connection.request("POST", server.url("/2"), body=b"x")

    assert (first.status, second.status) == (200, 200)
    assert server.connections == 2
    assert [request.split(b" ")[1] for request in server.requests] == [b"/1", b"/2"]


def test_unsolicited_response_is_discarded(serve, client):
    sent = threading.Event()

    def script(server, peer):
        server.requests.append(peer.read_request())
        peer.send(OK)
        peer.wait(0.05)
        peer.send(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
        sent.set()
        server.requests.append(peer.read_request())

    server = serve(script)

    with closing(client.connect(server.url(), AMPLE)) as connection:
        first = connection.request("POST", server.url("/1"), body=b"x")
        assert sent.wait(5)
        second = connection.request("POST", server.url("/2"), body=b"x")

    assert (first.status, second.status) == (200, 200)
    assert server.connections == 2


def test_post_is_repeated_on_new_connection_if_old_one_was_silent(serve, client):
    server = serve(answering(OK, b""))

    with closing(client.connect(server.url(), AMPLE)) as connection:
        statuses = [connection.request("POST", server.url(), body=b"x").status for _ in range(2)]

    # The persistent connection closed at the second request, and a new one sent it.
    assert statuses == [200, 200]
    assert server.connections == 2
    assert len(server.requests) == 3


def test_request_with_partial_response_is_not_repeated(serve, client):
    """A POST may have had an effect; it is repeated only if no byte was received."""

    def script(server, peer):
        server.requests.append(peer.read_request())
        peer.send(OK)
        server.requests.append(peer.read_request())
        peer.send(b"HTTP/1.1 200 OK\r\nContent-")
        peer.wait(0.1)
        reset(peer)

    server = serve(script)

    with closing(client.connect(server.url(), AMPLE)) as connection:
        connection.request("POST", server.url(), body=b"x")
        outcome = connection.request("POST", server.url(), body=b"x")

    assert failure(outcome) == peer_failure(HUNG_UP_WITHIN)
    assert server.connections == 1
    assert len(server.requests) == 2
