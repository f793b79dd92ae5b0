"""Accepted and refused spellings of URLs."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guarded_http.addresses import RESERVED_NAMES, parse_networks, parse_ports
from guarded_http.client import Client
from guarded_http.urls import RESERVED, UrlRefused, check_url

PORTS = parse_ports("443,8443,1024-65535")
PUBLIC = Client("tests", ports=PORTS)
NETWORKS = parse_networks(["127.0.0.0/8", "::1/128"])
LOOPBACK = Client("tests", ports=PORTS, allow_nets=NETWORKS)

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
LONGEST_NAME = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61])


def refusal(url, client=PUBLIC, **own):
    with pytest.raises(UrlRefused) as refused:
        check_url(url, client, **own)
    assert str(refused.value) == f"The address {refused.value.reason}"
    return refused.value.reason


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("https://hooks.example.com?a=1", ("hooks.example.com", 443)),
        ("HTTPS://Hooks.Example.COM:/A", ("hooks.example.com", 443)),
        ("https://hooks.example.com:00443/a", ("hooks.example.com", 443)),
        ("https://hooks.example.com:65535/a", ("hooks.example.com", 65_535)),
        ("https://h.example.com/user@host:1/%7e%7E;x//y?@[]|^`{}\"'<>", ("h.example.com", 443)),
        ("https://xn--bcher-kva.a_b.example.com/a", ("xn--bcher-kva.a_b.example.com", 443)),
        (f"https://{LONGEST_NAME}/", (LONGEST_NAME, 443)),
        ("https://8.8.8.8/a", ("8.8.8.8", 443)),
        ("https://[2606:4700:4700:0:0:0:0:ABCD]:8443", ("2606:4700:4700::abcd", 8443)),
        ("https://[::ffff:8.8.8.8]/", ("8.8.8.8", 443)),
    ],
)
def test_plain_url_is_accepted(url, where):
    assert check_url(url, PUBLIC) == where


ODD = {
    # Characters that some parsers drop, fold or decode.
    SPELLING: [
        *("", "https://a.example.com/ ", "https://a.exa\tmple.com/", "https://a.example.com/\0"),
        *("https://a.example.com/\r\nX: y", "https://a.example.com/\ud800", "https://b\u00fc.com/"),
        *("https://\uff11\uff12\uff17.0.0.1/", "https://a.example.com\\@127.0.0.1/"),
    ],
    HTTPS: ["a.example.com", "http://a.example.com/", "javascript:alert(1)"],
    # User names and fragments, including empty ones.
    USER: ["https://user@a.example.com/", "https://a.example.com@127.0.0.1/"],
    FRAGMENT: ["https://a.example.com/#", "https://a.example.com#@127.0.0.1/"],
    HOST: [
        # Invalid host names.
        *("https://", "https:///a", "https:a.example.com", "https://:443/", "https://a..com/"),
        *("https://a.example.com./", "https://-a.example.com/", "https://%31%32%37.0.0.1/"),
        *("https://a,example.com/", "https://a.com:80:443/", f"https://{'a' * 64}.example/"),
        f"https://{LONGEST_NAME}dd/",
        # Addresses in another than the canonical form.
        *("https://2130706433/", "https://0x7f000001/", "https://0x/", "https://a.example.1/"),
        *("https://0177.0.0.1/", "https://127.0.0.01/", "https://127.1/", "https://127.0.0.256/"),
        *("https://[/", "https://[]/", "https://::1/", "https://[fe80::1%25eth0]/"),
        *("https://[8.8.8.8]/", "https://[a.example.com]/", "https://[2606:4700::1]evil.com:443/"),
        *("https://[2606:4700::1]]/", "https://[::ffff:127.0.0.01]/", "https://a.com:-1/"),
        "https://a.com:4_43/",
    ],
    SHORT: ["https://hooks/", "https://localhost/"],
    PORT: ["https://a.com:65536/", "https://a.com:000443/", f"https://a.com:{'4' * 1000}/"],
    **{
        f"uses port {port}, which is not contacted.": [f"https://a.example.com:{port}/"]
        for port in (0, 22, 80, 5432, 6379)
    },
}


@pytest.mark.parametrize("sentence", ODD)
def test_odd_spelling_is_refused_with_reason(sentence):
    for url in ODD[sentence]:
        assert refusal(url) == sentence, url


def test_url_length_is_limited_to_2048_bytes():
    longest = "https://hooks.example.com/" + "a" * (2048 - 26)

    assert check_url(longest, PUBLIC) == ("hooks.example.com", 443)
    assert refusal(longest + "a") == LONG
    assert refusal("https://hooks.example.com/" + "\u00e9" * 1012) == LONG


@pytest.mark.parametrize(
    ("own_host", "url"),
    [
        ("127.0.0.1", "https://127.0.0.1:8000/"),
        ("127.0.0.1", "https://[::ffff:127.0.0.1]:8000/"),
        ("[::1]", "https://[0:0:0:0:0:0:0:1]:8000/"),
        ("Reviews.Example", "https://REVIEWS.example:08000/"),
    ],
)
def test_own_address_is_refused_in_any_spelling(own_host, url):
    assert refusal(url, LOOPBACK, base_url=f"http://{own_host}:8000") == OWN
    assert refusal(url, LOOPBACK, base_url="http://a.com:8000", own_hosts=[own_host]) == OWN


def test_networks_allowed_on_purpose_open_their_addresses_and_short_names():
    assert check_url("https://127.0.0.1:9999/", LOOPBACK) == ("127.0.0.1", 9999)
    assert check_url("https://[::1]:9999/", LOOPBACK) == ("::1", 9999)
    assert check_url("https://[::ffff:127.0.0.9]:9999/", LOOPBACK) == ("127.0.0.9", 9999)
    assert check_url("https://localhost:9999/", LOOPBACK) == ("localhost", 9999)
    assert check_url("https://8.8.8.8/", LOOPBACK) == ("8.8.8.8", 443)
    assert refusal("https://10.0.0.1/", LOOPBACK) == PRIVATE
    assert refusal("https://2130706433/", LOOPBACK) == HOST
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
def test_any_text_is_accepted_or_refused(url):
    try:
        host, port = check_url(url, PUBLIC)
    except UrlRefused:
        return

    assert url.isascii()
    assert host in url.lower() or ":" in host or host[0].isdigit()
    assert port in PORTS
