"""Spellings of callbacks that are accepted, and reasons against the others."""

import pytest

from guarded_http.addresses import RESERVED_NAMES, parse_networks
from tests.websub.callbacks import PORTS, PRIVATE, PUBLIC, refusal
from websub.callbacks import RESERVED, Policy, check_callback

LOOPBACK = Policy(
    own_hosts=frozenset({"127.0.0.1"}),
    own_port=8000,
    ports=PORTS,
    allow_nets=parse_networks(["127.0.0.0/8", "::1/128"]),
)

SPELLING = (
    "hub.callback may hold visible ASCII characters alone, without backslashes; "
    "write an international host name in its xn-- form and escape the rest."
)
HOST = "hub.callback has no host name that can be used."
HTTPS = "hub.callback must be an https URL."
USER = "hub.callback must not contain a user name or password."
FRAGMENT = "hub.callback must not contain a fragment."
OWN = "hub.callback must not be an address of this hub itself."
SHORT = "hub.callback needs a full host name, like hooks.example.com."
PORT = "hub.callback has a port that is not a number up to 65535."
LONG = "hub.callback is longer than 2048 bytes."


def port_refused(port):
    return f"hub.callback uses port {port}, which this hub does not contact."


@pytest.mark.parametrize(
    ("callback", "where"),
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
def test_a_callback_in_a_plain_spelling_is_taken(callback, where):
    found = check_callback(callback, PUBLIC)

    assert found == (where or (callback[8:].partition("/")[0], 443))


@pytest.mark.parametrize(
    ("callback", "sentence"),
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
def test_an_odd_spelling_is_refused_with_its_reason(callback, sentence):
    assert refusal(callback) == sentence


def test_a_callback_of_2048_bytes_is_taken_and_one_more_is_not():
    longest = "https://hooks.example.com/" + "a" * (2048 - 26)

    assert check_callback(longest, PUBLIC) == ("hooks.example.com", 443)
    assert refusal(longest + "a") == LONG
    assert refusal("https://hooks.example.com/" + "\u00e9" * 1012) == LONG


@pytest.mark.parametrize(
    "callback",
    [
        "https://reviews.example/api/websub/hub",
        "https://REVIEWS.Example/",
        "https://reviews.example:0443/",
    ],
)
def test_the_hub_does_not_subscribe_to_itself_in_any_spelling(callback):
    assert refusal(callback) == OWN


@pytest.mark.parametrize(
    ("own_host", "callback"),
    [
        ("127.0.0.1", "https://127.0.0.1:8000/"),
        ("127.0.0.1", "https://[::ffff:127.0.0.1]:8000/"),
        ("::1", "https://[::1]:8000/"),
        ("[::1]", "https://[0:0:0:0:0:0:0:1]:8000/"),
        ("Reviews.Example", "https://reviews.example:8000/"),
    ],
)
def test_the_hubs_own_address_is_known_in_any_spelling(own_host, callback):
    policy = Policy(frozenset({own_host}), 8000, PORTS, LOOPBACK.allow_nets)

    assert refusal(callback, policy) == OWN


def test_networks_allowed_on_purpose_open_their_addresses_and_short_names():
    assert check_callback("https://127.0.0.1:9999/", LOOPBACK) == ("127.0.0.1", 9999)
    assert check_callback("https://[::1]:9999/", LOOPBACK) == ("::1", 9999)
    assert check_callback("https://[::ffff:127.0.0.9]:9999/", LOOPBACK) == ("127.0.0.9", 9999)
    assert check_callback("https://localhost:9999/", LOOPBACK) == ("localhost", 9999)
    assert check_callback("https://8.8.8.8/", LOOPBACK) == ("8.8.8.8", 443)
    assert refusal("https://10.0.0.1/", LOOPBACK) == PRIVATE
    assert refusal("https://2130706433/", LOOPBACK) == HOST
    assert refusal("https://127.0.0.1:22/", LOOPBACK) == port_refused(22)
    assert refusal("http://127.0.0.1:9999/", LOOPBACK) == HTTPS


@pytest.mark.parametrize("name", [*RESERVED_NAMES, "Example", "HOME.arpa"])
def test_reserved_host_names_are_refused_unless_private_networks_are_allowed(name):
    for host in (f"hooks.{name}", f"a.b.{name}"):
        assert refusal(f"https://{host}:9999/") == RESERVED
        assert check_callback(f"https://{host}:9999/", LOOPBACK) == (host.lower(), 9999)


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "hooks-example.com",
        "myexample.org",
        "test.example.com",
        "local.net",
        "arpa.de",
    ],
)
def test_host_names_that_only_look_reserved_are_taken(host):
    assert check_callback(f"https://{host}/", PUBLIC) == (host, 443)
