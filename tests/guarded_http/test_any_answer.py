"""Random servers and random responses."""

from hypothesis import example, given
from hypothesis import strategies as st

from guarded_http.client import Client, Limits
from guarded_http.urls import check_url
from tests.guarded_http.clients import AGENT, AMPLE


@given(
    st.sampled_from(["https://", "HTTPS://"]),
    st.sampled_from(
        ["hooks.example.com", "Hooks.EXAMPLE.com", "8.8.8.8", "[2606:4700:0::1]", "xn--a.b"]
    ),
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
def test_checked_address_is_dialled_with_the_servers_own_name(scheme, host, port, rest):
    callback = f"{scheme}{host}{port}{rest}"
    checked_host, checked_port = check_url(callback, Client(AGENT, ports={443, 8443}))

    connection = Client(AGENT).connect(callback, AMPLE)
    line, host_line, *_ = connection._head("GET", callback, {}, b"").decode().split("\r\n")

    assert connection._server.port == checked_port
    assert connection._server.host in {checked_host, "2606:4700:0::1"}
    assert line == f"GET {rest if rest.startswith('/') else f'/{rest}'} HTTP/1.1"
    assert host_line == f"Host: {host}{port.rstrip(':')}"


class FakeSocket:
    """Replacement for a TLS socket that plays an answer in chunks."""

    def __init__(self, chunks):
        self.chunks = [chunk for chunk in chunks if chunk]

    def settimeout(self, value):
        pass

    def setsockopt(self, *option):
        pass

    def send(self, data):
        return len(data)

    def recv_into(self, buffer):
        if not self.chunks:
            return 0
        chunk = self.chunks[0][: len(buffer)]
        self.chunks[0] = self.chunks[0][len(chunk) :]
        if not self.chunks[0]:
            del self.chunks[0]
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def close(self):
        pass


def playing(played):
    """A connection over such a socket."""

    class Playing(Client):
        def open_socket(self, *args):
            return played

    return Playing(AGENT)


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
def test_any_response_is_a_result(chunks, starts_well, read_bytes):
    played = FakeSocket([b"HTTP/1.1 200 OK\r\n", *chunks] if starts_well else chunks)

    outcome = playing(played).request("GET", "https://hooks.example/", Limits(9, 9, read_bytes))

    assert (outcome.status is None) == bool(outcome.error)
    assert outcome.status is None or 200 <= outcome.status <= 999
    assert len(outcome.body) <= read_bytes + 1
