"""The client over real TLS on loopback, against servers that behave as badly as they can."""

import datetime as dt
import errno
import gzip
import os
import socket
import ssl
import struct
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
import trustme
from hypothesis import example, given
from hypothesis import strategies as st

from tests.websub.tls import NAME, OK, Authority, always, answering, server_context, serving
from websub import client as module
from websub.addresses import Policy, check_callback, parse_networks, parse_ports
from websub.client import (
    MAX_ADDRESSES_DIALLED,
    NOT_PUBLIC,
    Blame,
    Client,
    Connection,
    Limits,
)

AGENT = "Reviews (+https://reviews.example/)"
LOOPBACK = parse_networks(["127.0.0.0/8", "::1/128"])
AMPLE = Limits(connect_seconds=10, total_seconds=10)
READING = Limits(connect_seconds=10, total_seconds=10, read_bytes=100)
BRIEF = Limits(connect_seconds=0.6, total_seconds=0.6, read_bytes=100)

LATE = "The callback did not answer in time."
NOT_CONNECTED = "The callback could not be connected to in time."
HUNG_UP = "The callback closed the connection without an answer."
HUNG_UP_WITHIN = "The callback closed the connection within its answer."
NOT_HTTP = "The callback's answer is not HTTP that can be read."
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_NAME = "The callback's host name does not exist or has no address."


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority.make(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def context(authority):
    return authority.context()


@pytest.fixture
def serve(context):
    """Starts a server for the script and gives its `Server`; all stop with the test."""
    with ExitStack() as stack:

        def start(script, tls=context, **options):
            return stack.enter_context(serving(script, tls, **options))

        yield start


@pytest.fixture
def client(authority):
    return make_client(authority)


def make_client(authority, *answers, allow_nets=LOOPBACK, ca_bundle=None):
    """A client whose resolver says 127.0.0.1, or each of the answers in turn."""
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
    return outcome.error, outcome.blame


def missed(sentence):
    return sentence, Blame.CALLBACK


# --- What goes over the wire ----------------------------------------------------------------------


def test_a_post_carries_exactly_these_bytes(serve, client):
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
    assert outcome.blame is Blame.NOBODY
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


@pytest.mark.parametrize(
    ("rest", "target"),
    [
        ("", "/"),
        ("/", "/"),
        ("?a", "/?a"),
        ("?", "/?"),
        ("/a?", "/a?"),
        ("/a?b=c&b=d&", "/a?b=c&b=d&"),
        ("/%7e%7E~/%2f/%41?%7e=%7E", "/%7e%7E~/%2f/%41?%7e=%7E"),
        ("//a//b", "//a//b"),
        ("/./a/../b", "/./a/../b"),
        ("/a;b=c;d?e;f", "/a;b=c;d?e;f"),
        ("/a@b:c/?https://d@e/", "/a@b:c/?https://d@e/"),
        ("/[]|^`{}\"'<>", "/[]|^`{}\"'<>"),
        ("/%zz%", "/%zz%"),
    ],
)
def test_the_target_is_what_the_subscriber_wrote(serve, client, rest, target):
    server = serve(always(OK))

    outcome = client.request("GET", server.url(rest), AMPLE)

    assert outcome.status == 200
    assert server.requests[0].split(b"\r\n")[:2] == [
        f"GET {target} HTTP/1.1".encode(),
        f"Host: hooks.example:{server.port}".encode(),
    ]
    assert b"Content-Length" not in server.requests[0]


def test_an_odd_spelling_of_host_and_scheme_reaches_the_same_place(serve, client):
    server = serve(always(OK))

    outcome = client.request("GET", f"HTTPS://Hooks.EXAMPLE:0{server.port}/A", AMPLE)

    assert outcome.status == 200
    assert server.requests[0].startswith(
        f"GET /A HTTP/1.1\r\nHost: Hooks.EXAMPLE:0{server.port}\r\n".encode()
    )


def test_an_empty_port_is_left_out_of_the_host_header(client):
    connection = client.connect("https://hooks.example:/a", AMPLE)

    assert connection._port == 443
    assert b"\r\nHost: hooks.example\r\n" in connection._head(
        "GET", "https://hooks.example:/a", {}, b""
    )


def test_the_environment_gives_neither_proxy_nor_credentials(serve, client, monkeypatch, tmp_path):
    server = serve(always(OK))
    (tmp_path / ".netrc").write_text(f"machine {NAME} login me password open-sesame\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")

    outcome = client.request("POST", server.url(), AMPLE, body=b"x")

    assert outcome.status == 200
    assert b"Authorization" not in server.requests[0]
    assert b"Cookie" not in server.requests[0]


def test_a_body_of_megabytes_arrives_whole(serve, client):
    server = serve(always(OK))
    body = os.urandom(3_000_000)

    outcome = client.request("POST", server.url(), AMPLE, body=body)

    assert outcome.status == 200
    assert server.requests[0].partition(b"\r\n\r\n")[2] == body


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 131_072])
def test_a_body_of_any_size_arrives_whole(serve, client, size):
    server = serve(always(OK))

    client.request("POST", server.url(), AMPLE, body=b"x" * size)

    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert f"Content-Length: {size}".encode() in head
    assert body == b"x" * size


# --- Answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 201, 202, 204, 226, 299])
def test_any_2xx_is_a_success(serve, client, status):
    server = serve(answering(b"HTTP/1.1 %d x\r\n\r\n" % status))

    outcome = client.request("POST", server.url(), AMPLE, body=b"x")

    assert (outcome.status, outcome.is_success) == (status, True)


@pytest.mark.parametrize("status", [300, 304, 400, 404, 410, 429, 500, 503, 599, 999])
def test_any_other_status_is_an_answer_but_no_success(serve, client, status):
    server = serve(answering(b"HTTP/1.1 %d x\r\n\r\n" % status))

    outcome = client.request("POST", server.url(), AMPLE, body=b"x")

    assert (outcome.status, outcome.is_success) == (status, False)
    assert outcome.error == ""
    assert outcome.blame is Blame.NOBODY


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_returned_and_not_followed(serve, client, status):
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
def test_the_answer_after_interim_ones_counts(serve, client, interim):
    server = serve(always(interim + b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok"))

    outcome = client.request("GET", server.url(), READING)

    assert (outcome.status, outcome.body) == (202, b"ok")


def test_the_body_of_an_acknowledgement_is_not_read(serve, client):
    def script(server, peer):
        peer.read_request()
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        peer.wait()

    outcome = client.request("POST", serve(script).url(), AMPLE, body=b"x")

    assert (outcome.status, outcome.body) == (200, b"")


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
def test_a_body_is_read_up_to_the_cap_and_one_byte_more(serve, client, answer, body):
    outcome = client.request("GET", serve(answering(answer)).url(), READING)

    assert (outcome.status, outcome.body) == (200, body)


def test_a_compressed_body_is_not_unpacked(serve, client):
    bomb = gzip.compress(b"\0" * 10_000_000)
    answer = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)

    outcome = client.request("GET", serve(answering(answer + bomb)).url(), READING)

    assert outcome.body == bomb[:101]


@pytest.mark.parametrize(
    "answer",
    [
        b"\r\n\r\n",
        b"hello\r\n",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"220 mail.example ESMTP\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 -20 OK\r\n\r\n",
        b"HTTP/1.1 20000 OK\r\n\r\n",
        b"HTTP/1.1 2",
        b"\x00" * 1000,
        b"\xff" * 1000,
        b"HTTP/1.1 200 OK" + b"x" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: " + b"x" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\n" + (b"A: " + b"x" * 60_000 + b"\r\n") * 50,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabcde",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5" + b";" * 70_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1"
        + (b";" * 60_000 + b"\r\na\r\n1") * 9,
    ],
)
def test_an_answer_that_is_not_http_is_a_failure(serve, client, answer):
    outcome = client.request("GET", serve(answering(answer)).url(), READING)

    assert failure(outcome) == missed(NOT_HTTP)


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nchallenge",
        b"HTTP/1.1 103 Early Hints\r\n\r\n",
        CHUNKED,
        CHUNKED + b"9",
        CHUNKED + b"9\r\nchall",
        CHUNKED + b"9\r\nchallenge\r\n",
    ],
)
def test_an_answer_that_breaks_off_is_no_answer(serve, client, answer):
    outcome = client.request("GET", serve(answering(answer)).url(), READING)

    assert failure(outcome) == missed(HUNG_UP_WITHIN)


def test_interim_answers_without_end_are_cut_off(serve, client):
    def script(server, peer):
        peer.read_request()
        while True:
            peer.send(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)

    outcome = client.request("GET", serve(script).url(), READING)

    assert failure(outcome) == missed(NOT_HTTP)


def test_a_connection_closed_without_an_answer_is_a_failure(serve, client):
    server = serve(answering(b""))

    assert failure(client.request("POST", server.url(), AMPLE, body=b"x")) == missed(HUNG_UP)
    assert len(server.requests) == 1


def reset(peer):
    """Ends the connection so that the other side gets a reset."""
    peer.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.stream.close()


def test_a_reset_before_the_answer_is_a_failure(serve, client):
    def script(server, peer):
        server.requests.append(peer.read_request())
        reset(peer)

    server = serve(script)

    assert failure(client.request("POST", server.url(), AMPLE, body=b"x")) == missed(HUNG_UP)
    assert len(server.requests) == 1


def test_a_reset_within_the_answer_is_a_failure_of_its_own(serve, client):
    def script(server, peer):
        server.requests.append(peer.read_request())
        peer.send(b"HTTP/1.1 200 OK\r\nContent-")
        peer.wait(0.1)
        reset(peer)

    server = serve(script)

    assert failure(client.request("POST", server.url(), AMPLE, body=b"x")) == missed(HUNG_UP_WITHIN)


def test_an_early_answer_is_heard_although_the_rest_of_the_body_is_refused(serve, client):
    def script(server, peer):
        peer.stream.recv(100)
        peer.send(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")
        peer.stream.shutdown(socket.SHUT_WR)
        while peer.stream.recv(65_536):
            pass

    outcome = client.request("POST", serve(script).url(), AMPLE, body=b"x" * 2_000_000)

    assert outcome.status == 410


# --- One deadline ---------------------------------------------------------------------------------


def drip(data):
    """Sends a byte at a time, each well within any bound on single reads."""

    def script(server, peer):
        peer.read_request()
        for byte in data:
            if peer.wait(0.05):
                return
            peer.send(bytes([byte]))

    return script


def silent(server, peer):
    peer.wait()


def never_reads(server, peer):
    peer.stream.recv(1)
    peer.wait()


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
def test_whoever_drips_or_says_nothing_is_left_at_the_deadline(serve, client, script):
    outcome = client.request("GET", serve(script).url(), BRIEF)

    assert failure(outcome) == missed(LATE)
    assert 0.6 <= outcome.seconds < 5


def test_a_reader_that_does_not_read_is_left_at_the_deadline(serve, client):
    outcome = client.request("POST", serve(never_reads).url(), BRIEF, body=b"x" * 20_000_000)

    assert failure(outcome) == missed(LATE)
    assert 0.6 <= outcome.seconds < 5


def test_a_reader_that_sips_is_left_at_the_deadline(serve, client):
    def script(server, peer):
        while not peer.wait(0.02):
            peer.stream.recv(16_384)

    outcome = client.request("POST", serve(script).url(), BRIEF, body=b"x" * 30_000_000)

    assert failure(outcome) == missed(LATE)
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

    assert failure(outcome) == missed(NOT_CONNECTED)
    assert 0.6 <= outcome.seconds < 5


def test_connecting_has_a_bound_of_its_own(serve, client):
    server = serve(silent, tls=None)

    outcome = client.request("GET", server.url(), Limits(connect_seconds=0.2, total_seconds=60))

    assert failure(outcome) == missed(NOT_CONNECTED)
    assert outcome.seconds < 5


def test_an_address_that_answers_nothing_leaves_time_for_the_next(serve, authority):
    server = serve(always(OK))
    mute = socket.create_server(("127.0.0.2", server.port))
    with closing(mute):
        client = make_client(authority, ["127.0.0.2", "127.0.0.1"])

        outcome = client.request("GET", server.url(), Limits(connect_seconds=1, total_seconds=9))

    assert outcome.status == 200


def test_a_resolver_that_hangs_is_our_fault_and_ends_at_the_deadline(authority):
    release = threading.Event()

    def resolve(host, port):
        release.wait(30)
        return ["127.0.0.1"]

    client = Client(AGENT, allow_nets=LOOPBACK, ca_bundle=authority.bundle, resolve=resolve)

    outcome = client.request("GET", "https://hooks.example/", BRIEF)
    release.set()

    assert failure(outcome) == ("Our name resolver did not answer in time.", Blame.OURS)
    assert outcome.seconds < 5


# --- Kept connections -----------------------------------------------------------------------------


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
def test_an_answer_whose_end_was_not_seen_ends_the_connection(serve, client, answer):
    server = serve(always(answer))

    with closing(client.connect(server.url(), AMPLE)) as connection:
        statuses = [connection.request("POST", server.url(), body=b"x").status for _ in range(2)]

    assert statuses == [200, 200]
    assert server.connections == 2


@pytest.mark.parametrize(
    "url", ["https://other.example:8443/", "https://hooks.example/", "https://hooks.example:8444/"]
)
def test_a_connection_carries_nothing_for_another_server(client, url):
    with (
        closing(client.connect("https://hooks.example:8443/", AMPLE)) as connection,
        pytest.raises(ValueError, match="another server"),
    ):
        connection.request("POST", url, body=b"x")


def test_a_challenge_read_to_its_end_keeps_the_connection(serve, client):
    server = serve(always(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))

    with closing(client.connect(server.url(), READING)) as connection:
        bodies = [connection.request("GET", server.url()).body for _ in range(2)]

    assert bodies == [b"ok", b"ok"]
    assert server.connections == 1


@pytest.mark.parametrize("ends", ["closed", "reset"])
def test_a_kept_connection_that_went_stale_is_replaced_once(serve, client, ends):
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


def test_an_answer_that_nobody_asked_for_is_not_taken_for_the_next(serve, client):
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


def test_a_new_connection_that_hangs_up_is_not_tried_again(serve, client):
    server = serve(answering(b""))

    with closing(client.connect(server.url(), AMPLE)) as connection:
        outcome = connection.request("POST", server.url(), body=b"x")

    assert failure(outcome) == missed(HUNG_UP)
    assert server.connections == 1


def test_a_post_is_repeated_on_a_new_connection_when_the_kept_one_said_nothing(serve, client):
    server = serve(answering(OK, b""))

    with closing(client.connect(server.url(), AMPLE)) as connection:
        statuses = [connection.request("POST", server.url(), body=b"x").status for _ in range(2)]

    # The kept connection hung up on the second request; the new one took it.
    assert statuses == [200, 200]
    assert server.connections == 2
    assert len(server.requests) == 3


def test_an_answer_that_began_is_never_asked_for_again(serve, client):
    """A post may have been acted on; only a connection that said nothing at all is replaced."""

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

    assert failure(outcome) == missed(HUNG_UP_WITHIN)
    assert server.connections == 1
    assert len(server.requests) == 2


def test_a_failed_connection_is_dialled_anew_for_the_next_request(serve, authority):
    server = serve(always(OK))
    client = make_client(authority, ["10.0.0.1"], ["127.0.0.1"])

    with closing(client.connect(server.url(), AMPLE)) as connection:
        outcomes = [connection.request("GET", server.url()) for _ in range(2)]

    assert [outcome.status for outcome in outcomes] == [None, 200]


# --- Names and addresses --------------------------------------------------------------------------


def test_a_name_that_is_bound_to_another_address_later_is_checked_again(serve, authority):
    server = serve(always(OK))
    client = make_client(authority, ["127.0.0.1"], ["10.0.0.1"])

    assert client.request("GET", server.url(), AMPLE).status == 200
    assert failure(client.request("GET", server.url(), AMPLE)) == (NOT_PUBLIC, Blame.POLICY)


def test_the_name_is_resolved_once_per_connection_and_the_answer_dialled(serve, authority):
    server = serve(always(OK))
    asked = []

    def resolve(host, port):
        asked.append((host, port))
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    client = Client(AGENT, allow_nets=LOOPBACK, ca_bundle=authority.bundle, resolve=resolve)

    assert client.request("GET", server.url(host="HOOKS.example"), AMPLE).status == 200
    assert asked == [("hooks.example", server.port)]


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
def test_one_address_that_is_not_allowed_refuses_them_all(serve, authority, answers):
    server = serve(always(OK))

    outcome = make_client(authority, answers).request("GET", server.url(), AMPLE)

    assert failure(outcome) == (NOT_PUBLIC, Blame.POLICY)
    assert server.connections == 0


def test_loopback_is_refused_unless_it_is_allowed(serve, authority):
    server = serve(always(OK))

    outcome = make_client(authority, allow_nets=()).request("GET", server.url(), AMPLE)

    assert failure(outcome) == (NOT_PUBLIC, Blame.POLICY)
    assert server.connections == 0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([], missed(NO_NAME)),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), missed(NO_NAME)),
        (socket.gaierror(socket.EAI_NODATA, "No address"), missed(NO_NAME)),
        (socket.gaierror(socket.EAI_FAIL, "Non-recoverable"), missed(NO_NAME)),
        (UnicodeError("label too long"), missed("The callback's host name cannot be resolved.")),
        (
            socket.gaierror(socket.EAI_AGAIN, "Temporary failure"),
            ("Our name resolver did not answer.", Blame.OURS),
        ),
        (
            socket.gaierror(socket.EAI_SYSTEM, "System error"),
            ("Our name resolver did not answer.", Blame.OURS),
        ),
        (
            OSError(errno.EMFILE, "Too many open files"),
            ("Our name resolver failed: Too many open files.", Blame.OURS),
        ),
    ],
)
def test_what_the_resolver_says_is_told_apart(authority, answer, expected):
    outcome = make_client(authority, answer).request("GET", "https://hooks.example/", AMPLE)

    assert failure(outcome) == expected


def test_an_ipv6_callback_is_reached(serve, authority):
    server = serve(always(OK), address="::1")
    client = make_client(authority, ["::1"], ["::1"])

    assert client.request("GET", server.url(), AMPLE).status == 200
    assert client.request("GET", server.url(host="[::1]"), AMPLE).status == 200
    assert b"\r\nHost: [::1]:%d\r\n" % server.port in server.requests[1]


def test_the_systems_resolver_is_used_for_literals_and_names(serve, authority):
    server = serve(always(OK))
    client = Client(AGENT, allow_nets=LOOPBACK, ca_bundle=authority.bundle)

    assert client.request("GET", server.url(host="127.0.0.1"), AMPLE).status == 200
    assert module.resolve("127.0.0.1", 443) == ["127.0.0.1"]
    assert module.resolve("::1", 443) == ["::1"]
    assert "127.0.0.1" in module.resolve("localhost", 443)


def test_no_more_than_a_few_addresses_are_dialled(authority, monkeypatch):
    dialled = []

    def refuse(address, timeout):
        dialled.append(address[0])
        raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    answers = [f"127.0.0.{n}" for n in range(1, 200)]

    outcome = make_client(authority, answers).request("GET", "https://hooks.example/", AMPLE)

    assert failure(outcome) == missed("The callback could not be connected to: Connection refused.")
    assert dialled == answers[:MAX_ADDRESSES_DIALLED]


def test_the_next_address_is_tried_when_one_refuses(serve, authority):
    server = serve(always(OK))

    outcome = make_client(authority, ["127.0.0.2", "127.0.0.1"]).request("GET", server.url(), AMPLE)

    assert outcome.status == 200


@pytest.mark.parametrize(
    ("number", "blame"),
    [
        (errno.ECONNREFUSED, Blame.CALLBACK),
        (errno.EHOSTUNREACH, Blame.CALLBACK),
        (errno.ENETUNREACH, Blame.CALLBACK),
        (errno.EMFILE, Blame.OURS),
        (errno.ENFILE, Blame.OURS),
        (errno.ENOBUFS, Blame.OURS),
        (errno.EADDRNOTAVAIL, Blame.OURS),
        (errno.ENETDOWN, Blame.OURS),
        (errno.EPERM, Blame.OURS),
    ],
)
def test_a_machine_that_cannot_dial_is_our_own_fault(authority, monkeypatch, number, blame):
    def fail(address, timeout):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(socket, "create_connection", fail)

    outcome = make_client(authority).request("GET", "https://hooks.example/", AMPLE)

    sentence = f"The callback could not be connected to: {os.strerror(number)}."
    assert failure(outcome) == (sentence, blame)


# --- Certificates ---------------------------------------------------------------------------------


def test_a_certificate_of_an_unknown_authority_is_refused(serve, client):
    server = serve(always(OK), server_context(trustme.CA().issue_cert(NAME)))

    error, blame = failure(client.request("GET", server.url(), AMPLE))

    assert error == (
        "The callback's certificate is not valid: unable to get local issuer certificate."
    )
    assert blame is Blame.CALLBACK
    assert server.requests == []


def test_the_systems_authorities_are_the_default(serve, authority):
    server = serve(always(OK))

    error, _ = failure(make_client(authority, ca_bundle="").request("GET", server.url(), AMPLE))

    assert error.startswith("The callback's certificate is not valid: ")


@pytest.mark.parametrize(
    ("certified", "host"),
    [
        (("other.example",), NAME),
        (("example",), NAME),
        (("*.hooks.example",), NAME),
        ((NAME,), "127.0.0.1"),
        (("127.0.0.2",), "127.0.0.1"),
    ],
)
def test_a_certificate_for_another_host_is_refused(serve, client, authority, certified, host):
    server = serve(always(OK), authority.context(*certified))

    outcome = client.request("GET", server.url(host=host), AMPLE)

    assert failure(outcome) == missed("The callback's certificate is for another host name.")
    assert server.requests == []


def test_the_certificate_of_an_address_names_the_address(serve, client, authority):
    server = serve(always(OK), authority.context("127.0.0.1"))

    assert client.request("GET", server.url(host="127.0.0.1"), AMPLE).status == 200


def test_an_expired_certificate_is_refused(serve, client, authority):
    expired = authority.ca.issue_cert(NAME, not_after=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    server = serve(always(OK), server_context(expired))

    outcome = client.request("GET", server.url(), AMPLE)

    assert failure(outcome) == missed(
        "The callback's certificate is not valid: certificate has expired."
    )


def test_a_self_signed_certificate_is_refused(serve, client):
    ca = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    leaf = ca.issue_cert(NAME)
    leaf.configure_cert(context)
    server = serve(always(OK), context)

    assert client.request("GET", server.url(), AMPLE).status is None
    assert server.requests == []


def test_the_name_is_sent_for_servers_of_many_names_and_an_address_is_not(serve, client, authority):
    names = []
    context = authority.context()
    context.sni_callback = lambda stream, name, _: names.append(name)
    server = serve(always(OK), context)

    client.request("GET", server.url(), AMPLE)
    client.request("GET", server.url(host="127.0.0.1"), AMPLE)

    assert names == [NAME, None]


def test_tls_1_1_is_refused(serve, client, authority):
    context = authority.context()
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    server = serve(always(OK), context)

    error, blame = failure(client.request("GET", server.url(), AMPLE))

    assert error.startswith("TLS with the callback failed: ")
    assert "version" in error
    assert "_" not in error
    assert blame is Blame.CALLBACK
    assert server.requests == []


def test_tls_1_2_is_enough(serve, client, authority):
    context = authority.context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2

    assert client.request("GET", serve(always(OK), context).url(), AMPLE).status == 200


def test_a_service_without_tls_is_refused_before_it_is_sent_anything(serve, client):
    heard = bytearray()
    ended = threading.Event()

    def script(server, peer):
        peer.send(b"220 mail.example ESMTP\r\n")
        try:
            while piece := peer.stream.recv(65_536):
                heard.extend(piece)
        finally:
            ended.set()

    error, blame = failure(client.request("POST", serve(script, tls=None).url(), AMPLE, body=b"x"))
    assert ended.wait(5)

    assert error.startswith("TLS with the callback failed: ")
    assert "_" not in error
    assert blame is Blame.CALLBACK
    assert heard
    assert b"POST" not in heard


def test_a_broken_record_is_a_failure(serve, client):
    def script(server, peer):
        peer.read_request()
        os.write(peer.stream.fileno(), b"HTTP/1.1 200 OK\r\n\r\n")

    error, blame = failure(client.request("POST", serve(script).url(), AMPLE, body=b"x"))

    assert error.startswith("The connection to the callback failed: ")
    assert "_" not in error
    assert blame is Blame.CALLBACK


def test_a_hangup_within_the_handshake_is_a_failure(serve, client):
    error, blame = failure(client.request("GET", serve(lambda *_: None, tls=None).url(), AMPLE))

    assert error.startswith(("TLS with the callback failed: ", "The callback could not be "))
    assert blame is Blame.CALLBACK


@pytest.mark.parametrize("content", [None, "rubbish", ""])
def test_a_bundle_that_cannot_be_read_is_our_own_fault(authority, tmp_path, content):
    bundle = tmp_path / "bundle.pem"
    if content is not None:
        bundle.write_text(content)
    client = make_client(authority, ca_bundle=str(bundle))

    outcome = client.request("GET", "https://hooks.example/", AMPLE)

    assert failure(outcome) == ("Our certificate bundle cannot be read.", Blame.OURS)


def test_one_context_serves_all_threads(serve, client, authority):
    server = serve(always(OK))
    other = serve(always(OK), server_context(trustme.CA().issue_cert(NAME)))

    def ask(number):
        url = (other if number % 4 == 0 else server).url(f"/{number}")
        return client.request("POST", url, AMPLE, body=b"%d" % number).status

    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(ask, range(120)))

    assert statuses == [None if number % 4 == 0 else 200 for number in range(120)]
    targets = sorted(int(request.split(b" ")[1][1:]) for request in server.requests)
    assert targets == [number for number in range(120) if number % 4]
    assert module.tls_context(authority.bundle) is module.tls_context(authority.bundle)


# --- Sentences ------------------------------------------------------------------------------------


def test_no_sentence_shows_what_only_the_subscriber_should_know(serve, client):
    secrets = ("open-sesame", "capability", "token")
    scripts = [answering(b""), answering(b"open-sesame\r\n"), lambda *_: None]
    servers = [serve(script) for script in scripts] + [serve(silent, tls=None)]
    rest = "/capability?token=open-sesame"

    sentences = [client.request("POST", s.url(rest), BRIEF, body=b"x").error for s in servers]

    for sentence in sentences:
        assert sentence.endswith(".")
        assert 10 < len(sentence) < 300
        assert not any(secret in sentence for secret in secrets)


def test_the_longest_name_still_makes_a_short_sentence(serve, client):
    host = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61])

    error, _ = failure(client.request("GET", serve(always(OK)).url(host=host), AMPLE))

    assert error == "The callback's certificate is for another host name."


# --- Any callback, any answer ---------------------------------------------------------------------


POLICY = Policy(own_host="reviews.example", own_port=443, ports=parse_ports("443,8443"))


@given(
    st.sampled_from(["https://", "HTTPS://"]),
    st.sampled_from(["hooks.example", "Hooks.EXAMPLE", "8.8.8.8", "[2606:4700:0::1]", "xn--a.b"]),
    st.sampled_from(["", ":", ":443", ":8443", ":08443"]),
    st.one_of(
        st.just(""),
        st.tuples(
            st.sampled_from(["/", "//", "?"]),
            st.text(
                st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="#\\")
            ),
        ).map("".join),
    ),
)
def test_what_was_checked_is_what_is_dialled_and_asked_for(scheme, host, port, rest):
    callback = f"{scheme}{host}{port}{rest}"
    checked_host, checked_port = check_callback(callback, POLICY)

    connection = Client(AGENT).connect(callback, AMPLE)
    line, host_line, *_ = connection._head("GET", callback, {}, b"").decode().split("\r\n")

    assert connection._port == checked_port
    assert connection._host in {checked_host, "2606:4700:0::1"}
    assert line == f"GET {rest if rest.startswith('/') else f'/{rest}'} HTTP/1.1"
    assert host_line == f"Host: {host}{port.rstrip(':')}"


class Played:
    """In place of a TLS socket: takes what is sent, and plays an answer in pieces."""

    def __init__(self, pieces):
        self.pieces = [piece for piece in pieces if piece]

    def settimeout(self, value):
        pass

    def send(self, data):
        return len(data)

    def recv_into(self, buffer):
        if not self.pieces:
            return 0
        piece = self.pieces[0][: len(buffer)]
        self.pieces[0] = self.pieces[0][len(piece) :]
        if not self.pieces[0]:
            del self.pieces[0]
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self):
        pass


class Refusing(Played):
    """Hangs up on whatever is sent to it."""

    def send(self, data):
        raise self.refusal


@pytest.mark.parametrize(
    "refusal", [BrokenPipeError(), ConnectionResetError(), ssl.SSLEOFError(8, "EOF occurred")]
)
@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [(b"HTTP/1.1 413 x\r\nContent-Length: 0\r\n\r\n", 413, ""), (b"", None, HUNG_UP)],
)
def test_an_answer_is_read_even_when_sending_failed(refusal, answer, status, error):
    connection = Client(AGENT).connect("https://hooks.example/", AMPLE)
    played = Refusing([answer])
    played.refusal = refusal
    connection._dial = lambda deadline: played

    outcome = connection.request("POST", "https://hooks.example/", body=b"x" * 100_000)

    assert (outcome.status, outcome.error) == (status, error)


HEADS = [
    b"HTTP/1.1 200 OK\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\n",
    b"Content-Length: 5\r\n",
    b"Content-Length: -5\r\n",
    b"Content-Length: 99999999999999999999\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: \xe9\r\n",
    b"Connection: keep-alive\r\n",
    b"\r\n",
    b"5\r\nabcde\r\n",
    b"-1\r\n",
    b"ffffffffffffffffffffff\r\n",
    b"0\r\n\r\n",
    b": \r\n",
    b" folded\r\n",
    b"\r",
    b"\n",
    b"\0",
]


@given(
    st.lists(st.one_of(st.sampled_from(HEADS), st.binary(max_size=20))),
    st.booleans(),
    st.sampled_from([0, 100]),
)
@example([b"HTTP/1.1 200 OK\r\n", b"Content-Length: " + b"9" * 5000, b"\r\n\r\nabc"], False, 100)
def test_no_answer_makes_the_client_raise(pieces, starts_well, read_bytes):
    client = Client(AGENT, resolve=lambda host, port: [])
    connection = Connection(client, "https://hooks.example/", Limits(9, 9, read_bytes))
    played = Played([b"HTTP/1.1 200 OK\r\n", *pieces] if starts_well else pieces)
    connection._dial = lambda deadline: played

    outcome = connection.request("GET", "https://hooks.example/")

    assert (outcome.status is None) == bool(outcome.error)
    assert outcome.status is None or 200 <= outcome.status <= 999
    assert len(outcome.body) <= read_bytes + 1
