"""Spellings of URLs that are accepted, and reasons against the others."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guarded_http.addresses import RESERVED_NAMES, parse_networks, parse_ports
from guarded_http.urls import RESERVED, Policy, UrlRefused, check_url

PORTS = parse_ports("443,8443,1024-65535")
PUBLIC = Policy(own_hosts=frozenset({"reviews.example"}), own_port=443, ports=PORTS)
LOOPBACK = Policy(
    own_hosts=frozenset({"127.0.0.1"}),
    own_port=8000,
    ports=PORTS,
    allow_nets=parse_networks(["127.0.0.0/8", "::1/128"]),
)

SPELLING = (
    "may hold visible ASCII characters alone, without backslashes; "
    "write an international host name in its xn-- form and escape the rest."
)
HOST = "has no host name that can be used."
HTTPS = "must be an https URL."
USER = "must not contain a user name or password."
FRAGMENT = "must not contain a fragment."
OWN = "must not be an address of this site itself."
SHORT = "needs a full host name, like hooks.example.com."
PRIVATE = "must be reachable on the public internet."
PORT = "has a port that is not a number up to 65535."
LONG = "is longer than 2048 bytes."


def refusal(url, policy=PUBLIC):
    with pytest.raises(UrlRefused) as refused:
        check_url(url, policy)
    assert str(refused.value) == f"The address {refused.value.reason}"
    return refused.value.reason


def port_refused(port):
    return f"uses port {port}, which is not contacted."


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("https://hooks.example.com", ("hooks.example.com", 443)),
        ("https://hooks.example.com?a=1", ("hooks.example.com", 443)),
        ("HTTPS://Hooks.Example.COM/A", ("hooks.example.com", 443)),
        ("https://hooks.example.com:/a", ("hooks.example.com", 443)),
        ("https://hooks.example.com:00443/a", ("hooks.example.com", 443)),
        ("https://hooks.example.com:8443/a", ("hooks.example.com", 8443)),
        ("https://hooks.example.com:65535/a", ("hooks.example.com", 65_535)),
        ("https://hooks.example.com/user@host:1/%7e%7E;x//y?@[]|^`{}\"'<>", None),
        ("https://xn--bcher-kva.example.com/a", ("xn--bcher-kva.example.com", 443)),
        ("https://a_b.example.com/", ("a_b.example.com", 443)),
        ("https://" + ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61]) + "/", None),
        ("https://8.8.8.8/a", ("8.8.8.8", 443)),
        ("https://[2606:4700:4700:0:0:0:0:1111]:8443", ("2606:4700:4700::1111", 8443)),
        ("https://[2606:4700:4700::ABCD]/", ("2606:4700:4700::abcd", 443)),
        ("https://[::ffff:8.8.8.8]/", ("8.8.8.8", 443)),
    ],
)
def test_a_url_in_a_plain_spelling_is_taken(url, where):
    found = check_url(url, PUBLIC)

    assert found == (where or (url[8:].partition("/")[0], 443))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        # Not a URL, or not https.
        ("", SPELLING),
        ("hooks.example.com", HTTPS),
        ("http://hooks.example.com/", HTTPS),
        ("javascript:alert(1)", HTTPS),
        ("https://", HOST),
        ("https:///a", HOST),
        ("https:hooks.example.com", HOST),
        ("https://:443/", HOST),
        # Characters that some reader drops, folds or decodes.
        ("https://hooks.example.com/ ", SPELLING),
        ("https://hooks.exa\tmple.com/", SPELLING),
        ("https://hooks.example.com/\r\nX: y", SPELLING),
        ("https://hooks.example.com/\0", SPELLING),
        ("https://hooks.example.com/\ud800", SPELLING),
        ("https://b\u00fccher.example/", SPELLING),
        ("https://\uff11\uff12\uff17.0.0.1/", SPELLING),
        ("https://hooks.example.com\\@127.0.0.1/", SPELLING),
        # User names and fragments, empty ones too.
        ("https://user@hooks.example.com/", USER),
        ("https://hooks.example.com@127.0.0.1/", USER),
        ("https://hooks.example.com/#", FRAGMENT),
        ("https://hooks.example.com#@127.0.0.1/", FRAGMENT),
        # Hosts that are not names.
        ("https://hooks.example.com./", HOST),
        ("https://hooks..example.com/", HOST),
        ("https://-hooks.example.com/", HOST),
        ("https://%31%32%37.0.0.1/", HOST),
        ("https://hooks,example.com/", HOST),
        ("https://hooks.example.com:80:443/", HOST),
        (f"https://{'a' * 64}.example/", HOST),
        ("https://" + ".".join(["a" * 63] * 4) + "/", HOST),
        ("https://hooks/", SHORT),
        ("https://localhost/", SHORT),
        # Addresses by another spelling than the one.
        ("https://2130706433/", HOST),
        ("https://0x7f000001/", HOST),
        ("https://0x/", HOST),
        ("https://hooks.example.1/", HOST),
        ("https://0177.0.0.1/", HOST),
        ("https://127.0.0.01/", HOST),
        ("https://127.1/", HOST),
        ("https://127.0.0.256/", HOST),
        ("https://0/", HOST),
        # Brackets.
        ("https://[/", HOST),
        ("https://[]/", HOST),
        ("https://::1/", HOST),
        ("https://[fe80::1%25eth0]/", HOST),
        ("https://[8.8.8.8]/", HOST),
        ("https://[hooks.example.com]/", HOST),
        ("https://[2606:4700:4700::1111]evil.example:443/", HOST),
        ("https://[2606:4700:4700::1111]]/", HOST),
        ("https://[::ffff:127.0.0.01]/", HOST),
        # Ports.
        ("https://hooks.example.com:65536/", PORT),
        ("https://hooks.example.com:000443/", PORT),
        ("https://hooks.example.com:" + "4" * 1000 + "/", PORT),
        ("https://hooks.example.com:-1/", HOST),
        ("https://hooks.example.com:4_43/", HOST),
        ("https://hooks.example.com:0/", port_refused(0)),
        ("https://hooks.example.com:22/", port_refused(22)),
        ("https://hooks.example.com:80/", port_refused(80)),
        ("https://hooks.example.com:5432/", port_refused(5432)),
        ("https://hooks.example.com:6379/", port_refused(6379)),
    ],
)
def test_an_odd_spelling_is_refused_with_its_reason(url, sentence):
    assert refusal(url) == sentence


def test_a_url_of_2048_bytes_is_taken_and_one_more_is_not():
    longest = "https://hooks.example.com/" + "a" * (2048 - 26)

    assert check_url(longest, PUBLIC) == ("hooks.example.com", 443)
    assert refusal(longest + "a") == LONG
    assert refusal("https://hooks.example.com/" + "\u00e9" * 1012) == LONG


@pytest.mark.parametrize(
    ("own_host", "url"),
    [
        ("127.0.0.1", "https://127.0.0.1:8000/"),
        ("127.0.0.1", "https://[::ffff:127.0.0.1]:8000/"),
        ("::1", "https://[::1]:8000/"),
        ("[::1]", "https://[0:0:0:0:0:0:0:1]:8000/"),
        ("Reviews.Example", "https://reviews.example:8000/"),
    ],
)
def test_own_address_may_be_configured_in_any_spelling(own_host, url):
    policy = Policy(frozenset({own_host}), 8000, PORTS, LOOPBACK.allow_nets)

    assert refusal(url, policy) == OWN


def test_networks_allowed_on_purpose_open_their_addresses_and_short_names():
    assert check_url("https://127.0.0.1:9999/", LOOPBACK) == ("127.0.0.1", 9999)
    assert check_url("https://[::1]:9999/", LOOPBACK) == ("::1", 9999)
    assert check_url("https://[::ffff:127.0.0.9]:9999/", LOOPBACK) == ("127.0.0.9", 9999)
    assert check_url("https://localhost:9999/", LOOPBACK) == ("localhost", 9999)
    assert check_url("https://8.8.8.8/", LOOPBACK) == ("8.8.8.8", 443)
    assert refusal("https://10.0.0.1/", LOOPBACK) == PRIVATE
    assert refusal("https://2130706433/", LOOPBACK) == HOST
    assert refusal("https://127.0.0.1:22/", LOOPBACK) == port_refused(22)
    assert refusal("http://127.0.0.1:9999/", LOOPBACK) == HTTPS


@pytest.mark.parametrize("name", [*RESERVED_NAMES, "Example", "HOME.arpa"])
def test_reserved_host_names_are_refused_unless_private_networks_are_allowed(name):
    for host in (f"hooks.{name}", f"a.b.{name}"):
        assert refusal(f"https://{host}:9999/") == RESERVED
        assert check_url(f"https://{host}:9999/", LOOPBACK) == (host.lower(), 9999)


@given(
    st.one_of(
        st.text(),
        st.text().map(lambda text: f"https://{text}"),
        st.text(alphabet="0123456789abcdefx.:[]%@/?#\\-_ vV").map(lambda text: f"https://{text}/"),
    )
)
@example("https://[")
@example("https://[::1]:\u0661/")
@example("https://\u2100.example/")
def test_no_text_raises_anything_but_a_refusal(url):
    try:
        host, port = check_url(url, PUBLIC)
    except UrlRefused:
        return

    assert url.isascii()
    assert host in url.lower() or ":" in host or host[0].isdigit()
    assert port in PORTS
