"""Addresses that may be contacted, and their settings."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guarded_http.addresses import (
    SERVICE_PORTS,
    all_allowed,
    is_allowed,
    parse_networks,
    parse_ports,
)
from guarded_http.urls import UrlRefused, check_url
from tests.guarded_http.test_urls import PRIVATE, PUBLIC, refusal

# --- Addresses ------------------------------------------------------------------------------------

PRIVATE_ADDRESSES = [
    *("0.0.0.0", "10.0.0.1", "127.0.0.1", "169.254.169.254", "192.168.0.1", "224.0.0.1"),
    *("::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1"),
    *("::ffff:100.64.0.1", "::ffff:168.63.129.16", "::ffff:192.88.99.1", "::ffff:0:8.8.8.8"),
    *("64:ff9b::1.1.1.1", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1"),
    *("2001:10::1", "2001:20::1", "2001:1::1", "2001:4:112::1", "2001:db8::1"),
    *("2002:7f00:1::", "2002:808:808::1", "3fff::1", "3fff:fff:ffff::1", "5f00::1"),
    *("4000::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "feff::1"),
    *("ff02::1", "ff0e::1"),
]


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_private_address_is_refused_as_literal_and_as_answer(address):
    literal = f"[{address}]" if ":" in address else address

    assert refusal(f"https://{literal}/") == PRIVATE
    assert not is_allowed(ip_address(address))
    assert not all_allowed([address])
    assert not all_allowed(["8.8.8.8", address, "1.1.1.1"])


@pytest.mark.parametrize("answer", ["fe80::1%eth0", "2606::1%1", "", "8.8.8", "hooks.example"])
def test_malformed_resolver_answer_is_refused(answer):
    assert not all_allowed([answer])
    assert not all_allowed([answer], parse_networks(["0.0.0.0/0", "::/0"]))


# An independent list of all ranges that the registries reserve, as numbers.
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
def test_ipv4_address_is_allowed_exactly_if_not_reserved(address):
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
def test_accepted_ipv6_literal_is_global_unicast_without_embedded_address(address):
    try:
        check_url(f"https://[{address}]/", PUBLIC)
    except UrlRefused:
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


# --- Settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("443", {443}),
        (" 443 , 8443,", {443, 8443}),
        ("6378-6381", {6378, 6381}),
        ("6378-6381,6379", {6378, 6379, 6381}),
        ("1-65535", set(range(1, 65_536)) - SERVICE_PORTS),
        ("443-443", {443}),
        ("", set()),
    ],
)
def test_port_ranges_exclude_services_and_single_ports_do_not(text, allowed):
    ports = parse_ports(text)

    assert {port for port in range(65_537) if port in ports} == allowed


@pytest.mark.parametrize("text", ["https", "0", "65536", "443;8443", "1024-", "4_43", "\u0664"])
def test_invalid_port_is_refused_with_a_sentence(text):
    wrong = text.removeprefix("1024-")
    with pytest.raises(
        ValueError, match=f"^'{wrong}' is not a port: write a number from 1 to 65535"
    ):
        parse_ports(text)
    with pytest.raises(ValueError, match="'2000-1000' is not a range: write the lower port first"):
        parse_ports("2000-1000")
