"""IP addresses and ports that may be contacted.

`ipaddress.is_global` lets too much through on the supported Python versions, so this module lists
further ranges.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

MAX_PORT = 65_535

# The registries call these ranges global, but no public server has an address in them.
_V4_REFUSED = tuple(
    IPv4Network(network)
    for network in (
        "192.0.0.0/24",  # IETF protocol assignments (RFC 6890).
        "192.88.99.0/24",  # 6to4 relays (RFC 7526).
        "168.63.129.16/32",  # Metadata and DNS service of Azure.
    )
)
_V6_ALLOWED = IPv6Network("2000::/3")
_V6_REFUSED = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # Protocol assignments, including Teredo (RFC 2928).
        "2001:db8::/32",  # Documentation (RFC 3849).
        "2002::/16",  # 6to4: an IPv4 address inside (RFC 3056).
        "3fff::/20",  # Documentation (RFC 9637).
    )
)

# Ports above 1023 of services that read lines of text and could take a request for commands.
SERVICE_PORTS = frozenset(
    {
        *(1080, 1099, 1433, 1434, 1521, 1883, 2049, 2181, 2375, 2376, 2379, 2380),
        *(3128, 3260, 3306, 3389, 4222, 4369, 4444, 5060, 5061, 5222, 5269, 5432, 5433, 5671),
        *(5672, 5900, 5901, 5984, 6379, 6380, 6432, 6443, 6660, 6667, 6697, 7000, 7001, 7199),
        *(7474, 7687, 8020, 8086, 8125, 8300, 8301, 8500, 8883, 9042, 9092, 9100, 9160, 9200),
        *(9300, 9418, 10250, 10255, 11211, 15672, 16379, 25565, 25672, 26257, 26379, 27017),
        *(27018, 27019, 28015, 50000, 50070, 61613, 61616),
        *range(6000, 6064),  # X11.
    }
)


# RFC 2606, 6761, 6762, 7686, 8375 and 9476; .internal is reserved by ICANN.
RESERVED_NAMES = (
    *("localhost", "local", "internal", "test", "invalid", "example", "onion", "alt"),
    "home.arpa",
)


def is_reserved_name(host: str) -> bool:
    """Whether a host name, in lower case, is or ends in a reserved name."""
    return any(host == name or host.endswith(f".{name}") for name in RESERVED_NAMES)


@dataclass(frozen=True, slots=True)
class Ports:
    """Single ports and port ranges. A range does not include `SERVICE_PORTS`."""

    single: frozenset[int] = frozenset()
    ranges: tuple[range, ...] = ()

    def __contains__(self, port: object) -> bool:
        if port in self.single:
            return True
        return port not in SERVICE_PORTS and any(port in span for span in self.ranges)


_PORT = re.compile(r"[0-9]{1,5}")


def parse_ports(text: str) -> Ports:
    """Parse a list of ports and ranges, like `443,8443,1024-65535`. Raises ValueError."""
    single: set[int] = set()
    ranges: list[range] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        first, dash, last = part.partition("-")
        if dash:
            span = range(_port(first), _port(last) + 1)
            if not span:
                raise ValueError(f"{part!r} is not a range: write the lower port first.")
            ranges.append(span)
        else:
            single.add(_port(first))
    return Ports(frozenset(single), tuple(ranges))


def _port(text: str) -> int:
    if not (_PORT.fullmatch(text) and 1 <= int(text) <= MAX_PORT):
        raise ValueError(f"{text!r} is not a port: write a number from 1 to {MAX_PORT}.")
    return int(text)


def parse_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Parse networks in CIDR notation and skip empty texts. Raises ValueError."""
    return tuple(ip_network(text.strip(), strict=False) for text in texts if text.strip())


def is_allowed(address: Address, allow_nets: Sequence[Network] = ()) -> bool:
    """Whether the address is public or in one of the allowed networks."""
    if is_in_nets(address, allow_nets):
        return True
    address = unmap(address)
    if isinstance(address, IPv4Address):
        return (
            address.is_global
            and not address.is_multicast
            and not address.is_reserved
            and not any(address in network for network in _V4_REFUSED)
        )
    return address in _V6_ALLOWED and not any(address in network for network in _V6_REFUSED)


def is_in_nets(address: Address, nets: Iterable[Network]) -> bool:
    """Whether the address, or the IPv4 address mapped into it, is in one of the networks."""
    address = unmap(address)
    return any(address in network for network in nets)


def all_allowed(answers: Sequence[str], allow_nets: Sequence[Network] = ()) -> bool:
    """Whether all DNS answers are allowed; False without an answer."""
    return _all(answers, lambda address: is_allowed(address, allow_nets))


def all_in_nets(answers: Sequence[str], nets: Sequence[Network]) -> bool:
    """Whether the networks contain all DNS answers; False without an answer."""
    return _all(answers, lambda address: is_in_nets(address, nets))


def _all(answers: Sequence[str], is_good: Callable[[Address], bool]) -> bool:
    # An address with a zone, like fe80::1%eth0, is link-local.
    if not answers or any("%" in answer for answer in answers):
        return False
    try:
        return all(is_good(ip_address(answer)) for answer in answers)
    except ValueError:
        return False


def is_loopback_host(host: str) -> bool:
    """Whether the host is a loopback address or `localhost` (RFC 6761 6.3)."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def network_prefix(address: str) -> str:
    """Return the IPv4 address itself, or the /64 network of an IPv6 address."""
    found = unmap(ip_address(address))
    return str(ip_network((found, 64), strict=False) if found.version == 6 else found)


def unmap(address: Address) -> Address:
    """Return the IPv4 address in an IPv4-mapped one (::ffff:a.b.c.d), any other unchanged."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
