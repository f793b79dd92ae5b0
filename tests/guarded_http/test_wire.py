import pytest

from guarded_http.connect import Fault
from tests.guarded_http.clients import AMPLE
from tests.guarded_http.tls import OK, always


def test_post_sends_exact_bytes(serve, client):
    server = serve(always(OK))

    outcome = client.request(
        "POST",
        server.url("/cb"),
        AMPLE,
        headers={"Content-Type": "application/json", "X-Hub-Signature": "sha256=abc"},
        body=b'{"a": "\xc3\xa9"}',
    )

    assert outcome.status == 200
    assert outcome.is_success
    assert outcome.error == ""
    assert outcome.fault is Fault.NONE
    assert server.requests == [
        b"POST /cb HTTP/1.1\r\n"
        b"Host: hooks.example:%d\r\n"
        b"User-Agent: Reviews (+https://reviews.example/)\r\n"
        b"Accept: */*\r\n"
        b"Accept-Encoding: identity\r\n"
        b"Content-Type: application/json\r\n"
        b"X-Hub-Signature: sha256=abc\r\n"
        b"Content-Length: 11\r\n"
        b'\r\n{"a": "\xc3\xa9"}' % server.port
    ]


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 131_072])
def test_body_of_any_size_arrives_whole(serve, client, size):
    server = serve(always(OK))

    client.request("POST", server.url(), AMPLE, body=b"x" * size)

    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert f"Content-Length: {size}".encode() in head
    assert body == b"x" * size
