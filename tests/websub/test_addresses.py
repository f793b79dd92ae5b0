from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from websub.addresses import (
    SERVICE_PORTS,
    CallbackRefused,
    Policy,
    all_allowed,
    check_callback,
    is_allowed,
    parse_networks,
    parse_ports,
)

PORTS = parse_ports("443,8443,1024-65535")
PUBLIC = Policy(own_hosts=frozenset({"reviews.example"}), own_port=443, ports=PORTS)
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
PRIVATE = "hub.callback must be reachable on the public internet."
PORT = "hub.callback has a port that is not a number up to 65535."
LONG = "hub.callback is longer than 2048 bytes."


def port_refused(port):
    return f"hub.callback uses port {port}, which this hub does not contact."


def refusal(callback, policy=PUBLIC):
    with pytest.raises(CallbackRefused) as refused:
        check_callback(callback, policy)
    return str(refused.value)


# --- Spellings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("callback", "where"),
    [
        ("https://hooks.example.com", ("hooks.example.com", 443)),
        ("https://hooks.example.com/", ("hooks.example.com", 443)),
        ("https://hooks.example.com?a=1", ("hooks.example.com", 443)),
        ("https://hooks.example.com/a?b=c&d", ("hooks.example.com", 443)),
        ("HTTPS://Hooks.Example.COM/A", ("hooks.example.com", 443)),
        ("https://hooks.example.com:/a", ("hooks.example.com", 443)),
        ("https://hooks.example.com:443/a", ("hooks.example.com", 443)),
        ("https://hooks.example.com:00443/a", ("hooks.example.com", 443)),
        ("https://hooks.example.com:8443/a", ("hooks.example.com", 8443)),
        ("https://hooks.example.com:1024/a", ("hooks.example.com", 1024)),
        ("https://hooks.example.com:65535/a", ("hooks.example.com", 65_535)),
        ("https://hooks.example.com/user@host:1/%7e%7E;x//y?@[]|^`{}\"'<>", None),
        ("https://xn--bcher-kva.example/a", ("xn--bcher-kva.example", 443)),
        ("https://a_b.example/", ("a_b.example", 443)),
        ("https://1.2.3.4.example/", ("1.2.3.4.example", 443)),
        ("https://" + ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61]) + "/", None),
        ("https://8.8.8.8/a", ("8.8.8.8", 443)),
        ("https://8.8.8.8:8443/a", ("8.8.8.8", 8443)),
        ("https://[2606:4700:4700::1111]/a", ("2606:4700:4700::1111", 443)),
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
        ("//hooks.example.com/", HTTPS),
        ("http://hooks.example.com/", HTTPS),
        ("ftp://hooks.example.com/", HTTPS),
        ("javascript:alert(1)", HTTPS),
        ("httpss://hooks.example.com/", HTTPS),
        ("https:", HOST),
        ("https://", HOST),
        ("https:///a", HOST),
        ("https:////hooks.example.com/", HOST),
        ("https:/hooks.example.com/", HOST),
        ("https:hooks.example.com", HOST),
        ("https://?a", HOST),
        ("https://:443/", HOST),
        # Characters that some reader drops, folds or decodes.
        (" https://hooks.example.com/", SPELLING),
        ("https://hooks.example.com/ ", SPELLING),
        ("https://hooks.example.com/a b", SPELLING),
        ("https://hooks.exa\tmple.com/", SPELLING),
        ("https://hooks.example.com/\r\nX: y", SPELLING),
        ("https://hooks.example.com/\n", SPELLING),
        ("https://hooks.example.com/\0", SPELLING),
        ("https://hooks.example.com/\x7f", SPELLING),
        ("https://hooks.example.com/\ud800", SPELLING),
        ("https://b\u00fccher.example/", SPELLING),
        ("https://hooks.example.com/\u00e9", SPELLING),
        ("https://\uff11\uff12\uff17.0.0.1/", SPELLING),
        ("https://hooks\u3002example.com/", SPELLING),
        ("https://hooks.example.com\\@127.0.0.1/", SPELLING),
        ("https://hooks.example.com/a\\b", SPELLING),
        # User names and fragments, empty ones too.
        ("https://user@hooks.example.com/", USER),
        ("https://user:secret@hooks.example.com/", USER),
        ("https://@hooks.example.com/", USER),
        ("https://hooks.example.com@127.0.0.1/", USER),
        ("https://hooks.example.com/#a", FRAGMENT),
        ("https://hooks.example.com/#", FRAGMENT),
        ("https://hooks.example.com#@127.0.0.1/", FRAGMENT),
        # Hosts that are not names.
        ("https://hooks.example.com./", HOST),
        ("https://.hooks.example.com/", HOST),
        ("https://hooks..example.com/", HOST),
        ("https://-hooks.example.com/", HOST),
        ("https://hooks-.example.com/", HOST),
        ("https://hooks%2Eexample.com/", HOST),
        ("https://%31%32%37.0.0.1/", HOST),
        ("https://hooks.example.com%00/", HOST),
        ("https://hooks,example.com/", HOST),
        ("https://hooks.example.com;a/", HOST),
        ("https://hooks.example.com:80:443/", HOST),
        (f"https://{'a' * 64}.example/", HOST),
        ("https://" + ".".join(["a" * 63] * 4) + "/", HOST),
        ("https://hooks/", SHORT),
        ("https://localhost/", SHORT),
        ("https://localhost:8443/", SHORT),
        # Addresses by another spelling than the one.
        ("https://2130706433/", HOST),
        ("https://134744072/", HOST),
        ("https://0x7f000001/", HOST),
        ("https://0X7F.1/", HOST),
        ("https://0x7f.0.0.0x1/", HOST),
        ("https://0x/", HOST),
        ("https://hooks.example.0x7f/", HOST),
        ("https://hooks.example.1/", HOST),
        ("https://017700000001/", HOST),
        ("https://0177.0.0.1/", HOST),
        ("https://127.0.0.01/", HOST),
        ("https://08.8.8.8/", HOST),
        ("https://127.1/", HOST),
        ("https://127.0.1/", HOST),
        ("https://127.0.0.1.1/", HOST),
        ("https://127.0.0.256/", HOST),
        ("https://8.8.8.8./", HOST),
        ("https://0/", HOST),
        # Brackets.
        ("https://[/", HOST),
        ("https://]/", HOST),
        ("https://[]/", HOST),
        ("https://[::1/", HOST),
        ("https://::1/", HOST),
        ("https://[fe80::1%25eth0]/", HOST),
        ("https://[fe80::1%eth0]/", HOST),
        ("https://[2606:4700:4700::1111%251]/", HOST),
        ("https://[8.8.8.8]/", HOST),
        ("https://[hooks.example.com]/", HOST),
        ("https://[v1.2606:4700::1]/", HOST),
        ("https://[2606:4700:4700::1111]a/", HOST),
        ("https://[2606:4700:4700::1111]evil.example:443/", HOST),
        ("https://evil.example[2606:4700:4700::1111]/", HOST),
        ("https://[2606:4700:4700::1111]]/", HOST),
        ("https://[2606:4700::1111::1]/", HOST),
        ("https://[::ffff:127.0.0.01]/", HOST),
        # Ports.
        ("https://hooks.example.com:65536/", PORT),
        ("https://hooks.example.com:99999/", PORT),
        ("https://hooks.example.com:000443/", PORT),
        ("https://hooks.example.com:" + "4" * 1000 + "/", PORT),
        ("https://hooks.example.com:-1/", HOST),
        ("https://hooks.example.com:+443/", HOST),
        ("https://hooks.example.com:4_43/", HOST),
        ("https://hooks.example.com:0x1bb/", HOST),
        ("https://hooks.example.com:https/", HOST),
        ("https://hooks.example.com:0/", port_refused(0)),
        ("https://hooks.example.com:22/", port_refused(22)),
        ("https://hooks.example.com:25/", port_refused(25)),
        ("https://hooks.example.com:80/", port_refused(80)),
        ("https://hooks.example.com:1023/", port_refused(1023)),
        ("https://hooks.example.com:5432/", port_refused(5432)),
        ("https://hooks.example.com:6379/", port_refused(6379)),
        ("https://hooks.example.com:11211/", port_refused(11_211)),
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
        "https://reviews.example",
        "https://reviews.example/api/websub/hub",
        "https://REVIEWS.Example/",
        "HTTPS://reviews.example:443/",
        "https://reviews.example:/",
        "https://reviews.example:0443/",
        "https://reviews.example?a",
    ],
)
def test_the_hub_does_not_subscribe_to_itself_in_any_spelling(callback):
    assert refusal(callback) == OWN


@pytest.mark.parametrize(
    ("own_host", "callback"),
    [
        ("127.0.0.1", "https://127.0.0.1:8000/"),
        ("127.0.0.1", "https://[::ffff:127.0.0.1]:8000/"),
        ("127.0.0.1", "https://[::ffff:7f00:1]:8000/"),
        ("::1", "https://[::1]:8000/"),
        ("[::1]", "https://[0:0:0:0:0:0:0:1]:8000/"),
        ("0:0:0:0:0:0:0:1", "https://[::1]:8000/"),
        ("Reviews.Example", "https://reviews.example:8000/"),
    ],
)
def test_the_hubs_own_address_is_known_in_any_spelling(own_host, callback):
    policy = Policy(frozenset({own_host}), 8000, PORTS, LOOPBACK.allow_nets)

    assert refusal(callback, policy) == OWN


def test_another_port_of_the_same_host_is_another_service():
    assert check_callback("https://reviews.example:8443/", PUBLIC) == ("reviews.example", 8443)
    assert check_callback("https://127.0.0.1:9999/", LOOPBACK) == ("127.0.0.1", 9999)


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


# --- Addresses ------------------------------------------------------------------------------------

PRIVATE_ADDRESSES = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255"),
    *("127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255"),
    *("192.0.0.1", "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.0.2.1", "192.88.99.1"),
    *("192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9"),
    *("168.63.129.16", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    *("::ffff:100.64.0.1", "::ffff:168.63.129.16", "::ffff:192.88.99.1", "::ffff:0:8.8.8.8"),
    *("64:ff9b::1.1.1.1", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1"),
    *("2001:10::1", "2001:20::1", "2001:1::1", "2001:4:112::1", "2001:db8::1"),
    *("2002:7f00:1::", "2002:808:808::1", "3fff::1", "3fff:fff:ffff::1", "5f00::1"),
    *("4000::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "feff::1"),
    *("ff02::1", "ff0e::1"),
]
PUBLIC_ADDRESSES = [
    *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1"),
    *("168.63.129.15", "168.63.129.17", "172.15.255.255", "172.32.0.1", "192.0.1.1"),
    *("192.88.98.1", "192.88.100.1", "198.17.255.255", "198.20.0.1", "223.255.255.255"),
    *("2606:4700:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2a00::1"),
    *("2001:db7:ffff::1", "2001:db9::1", "3ffe::1", "::ffff:8.8.8.8"),
]


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_an_address_that_is_not_public_is_refused_as_literal_and_as_answer(address):
    literal = f"[{address}]" if ":" in address else address

    assert refusal(f"https://{literal}/") == PRIVATE
    assert not is_allowed(ip_address(address))
    assert not all_allowed([address])
    assert not all_allowed(["8.8.8.8", address, "1.1.1.1"])


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_a_public_address_is_allowed_as_literal_and_as_answer(address):
    literal = f"[{address}]" if ":" in address else address

    assert check_callback(f"https://{literal}/", PUBLIC)[1] == 443
    assert is_allowed(ip_address(address))
    assert all_allowed([address])


def test_every_answer_must_be_allowed_and_there_must_be_one():
    assert all_allowed(["8.8.8.8", "2606:4700:4700::1111"])
    assert not all_allowed(["8.8.8.8", "10.0.0.1"])
    assert not all_allowed([])


@pytest.mark.parametrize("answer", ["fe80::1%eth0", "2606::1%1", "", "8.8.8", "hooks.example"])
def test_an_answer_that_is_no_plain_address_is_refused(answer):
    assert not all_allowed([answer])
    assert not all_allowed([answer], parse_networks(["0.0.0.0/0", "::/0"]))


def test_allowed_networks_hold_for_answers_too():
    networks = parse_networks(["10.0.0.0/8", " fd00::/8 ", ""])

    assert networks == (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    assert all_allowed(["10.1.2.3", "fd12::1", "::ffff:10.0.0.1", "8.8.8.8"], networks)
    assert not all_allowed(["10.1.2.3", "192.168.0.1"], networks)
    assert not all_allowed(["fe80::1"], networks)


# An independent list: everything the registries keep from the public, written as ranges of numbers.
NEVER = [
    IPv4Network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32"),
        *("169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"),
        *("192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4"),
    )
]
V4_EDGES = [
    int(edge) + offset
    for network in NEVER
    for edge in (network.network_address, network.broadcast_address)
    for offset in (-1, 0, 1)
    if 0 <= int(edge) + offset < 2**32
]


@given(st.one_of(st.sampled_from(V4_EDGES), st.integers(0, 2**32 - 1)).map(IPv4Address))
def test_an_ipv4_address_is_allowed_exactly_when_no_registry_keeps_it(address):
    is_kept = any(
        int(network.network_address) <= int(address) <= int(network.broadcast_address)
        for network in NEVER
    )

    assert is_allowed(address) == (not is_kept)
    assert is_allowed(IPv6Address(f"::ffff:{address}")) == (not is_kept)


@given(
    st.one_of(
        st.integers(0, 2**128 - 1),
        st.integers(0, 2**125 - 1).map(lambda n: n + (1 << 125)),
        st.integers(0, 2**64 - 1).map(lambda n: (0x2001 << 112) + n),
        st.integers(0, 2**96 - 1).map(lambda n: (0x20010DB8 << 96) + n),
    ).map(IPv6Address)
)
@example(IPv6Address("::"))
def test_an_accepted_ipv6_literal_is_global_unicast_and_carries_no_other_address(address):
    try:
        check_callback(f"https://[{address}]/", PUBLIC)
    except CallbackRefused:
        assert not is_allowed(address)
        return

    number = int(address)
    if address.ipv4_mapped:
        assert is_allowed(address.ipv4_mapped)
        return
    assert number >> 125 == 0b001
    assert number >> 112 != 0x2002
    assert number >> 105 != 0x20010000 >> 9
    assert number >> 96 != 0x20010DB8
    assert number >> 108 != 0x3FFF0


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
def test_no_text_raises_anything_but_a_refusal(callback):
    try:
        host, port = check_callback(callback, PUBLIC)
    except CallbackRefused:
        return

    assert callback.isascii()
    assert host in callback.lower() or ":" in host or host[0].isdigit()
    assert port in PORTS


# --- Settings -------------------------------------------------------------------------------------


def test_ranges_of_ports_leave_out_services_and_single_ports_do_not():
    assert parse_ports("443") == {443}
    assert parse_ports(" 443 , 8443,") == {443, 8443}
    assert parse_ports("6378-6381") == {6378, 6381}
    assert parse_ports("6378-6381,6379") == {6378, 6379, 6381}
    assert parse_ports("1-65535") == frozenset(range(1, 65_536)) - SERVICE_PORTS
    assert parse_ports("443-443") == {443}
    assert parse_ports("") == frozenset()
    assert 443 in PORTS
    assert 8443 in PORTS
    assert 5432 not in PORTS
    assert 6010 not in PORTS


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("https", "'https' is not a port: write a number from 1 to 65535."),
        ("0", "'0' is not a port: write a number from 1 to 65535."),
        ("65536", "'65536' is not a port: write a number from 1 to 65535."),
        ("443;8443", "'443;8443' is not a port: write a number from 1 to 65535."),
        ("1024-", "'' is not a port: write a number from 1 to 65535."),
        ("-1", "'' is not a port: write a number from 1 to 65535."),
        ("4_43", "'4_43' is not a port: write a number from 1 to 65535."),
        ("\u0664", "'\u0664' is not a port: write a number from 1 to 65535."),
        ("2000-1000", "'2000-1000' is not a range: write the lower port first."),
    ],
)
def test_what_is_no_port_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(ValueError) as refused:
        parse_ports(text)

    assert str(refused.value) == sentence


@pytest.mark.parametrize("text", ["10.0.0.0/33", "hooks.example", "10.0.0", "/8"])
def test_what_is_no_network_is_refused(text):
    with pytest.raises(ValueError):
        parse_networks([text])


def test_a_network_may_be_written_by_any_of_its_addresses():
    assert parse_networks(["10.1.2.3/8", "::1"]) == (
        IPv4Network("10.0.0.0/8"),
        IPv6Network("::1/128"),
    )
