"""Certificates of servers: trusted, refused and replaced."""

import ssl
import threading
import warnings

import pytest
import trustme

from guarded_http.connect import Fault
from tests.guarded_http.clients import AMPLE, failure, make_client, peer_failure
from tests.guarded_http.tls import NAME, OK, always, server_context


def test_certificate_of_unknown_authority_is_refused(serve, client):
    server = serve(always(OK), server_context(trustme.CA().issue_cert(NAME)))

    error, fault = failure(client.request("GET", server.url(), AMPLE))

    assert error == (
        "The server's certificate is not valid: unable to get local issuer certificate."
    )
    assert fault is Fault.PEER
    assert server.requests == []


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
def test_certificate_for_other_host_is_refused(serve, client, authority, certified, host):
    server = serve(always(OK), authority.context(*certified))

    outcome = client.request("GET", server.url(host=host), AMPLE)

    assert failure(outcome) == peer_failure("The server's certificate is for another host name.")
    assert server.requests == []


def test_sni_is_sent_for_names_but_not_addresses(serve, client, authority):
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

    error, fault = failure(client.request("GET", server.url(), AMPLE))

    assert error.startswith("TLS with the server failed: ")
    assert "version" in error
    assert "_" not in error
    assert fault is Fault.PEER
    assert server.requests == []


def test_server_without_tls_receives_nothing(serve, client):
    heard = bytearray()
    ended = threading.Event()

    def script(server, peer):
        peer.send(b"220 mail.example ESMTP\r\n")
        try:
            while chunk := peer.stream.recv(65_536):
                heard.extend(chunk)
        finally:
            ended.set()

    error, fault = failure(client.request("POST", serve(script, tls=None).url(), AMPLE, body=b"x"))
    assert ended.wait(5)

    assert error.startswith("TLS with the server failed: ")
    assert "_" not in error
    assert fault is Fault.PEER
    assert heard
    assert b"POST" not in heard


@pytest.mark.parametrize("content", [None, "rubbish", ""])
def test_unreadable_bundle_is_a_hub_error(authority, tmp_path, content):
    bundle = tmp_path / "bundle.pem"
    if content is not None:
        bundle.write_text(content)
    client = make_client(authority, ca_bundle=str(bundle))

    outcome = client.request("GET", "https://hooks.example/", AMPLE)

    assert failure(outcome) == ("Our certificate bundle cannot be read.", Fault.OURS)
