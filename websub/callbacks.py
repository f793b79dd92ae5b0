"""Callbacks that the hub takes: refused by their spelling, before any name is resolved."""

import re
from collections.abc import Container
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NoReturn
from urllib.parse import urlsplit

from guarded_http.addresses import (
    MAX_PORT,
    Address,
    Network,
    is_allowed,
    is_in_nets,
    is_reserved_name,
    reduced,
)

MAX_CALLBACK_BYTES = 2048
MAX_HOST_CHARACTERS = 253
NOT_ENCRYPTED = (
    "hub.callback must be an https URL; plain http is for networks that this hub names by address."
)
RESERVED = (
    "hub.callback uses a reserved host name, which no public server has; use one that the whole "
    "internet can resolve."
)


class CallbackRefused(Exception):
    """A callback that may not be contacted; the message is a sentence for its developer."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The callbacks that this installation allows.

    `own_hosts` are the names and addresses of this hub, in any spelling. `allow_nets` are networks
    that may be contacted although they are not public; while there are any, names of a single label
    and reserved names are allowed as well, since private networks use them. `allows_http` lets
    callbacks in those networks be plain http.
    """

    own_hosts: frozenset[str]
    own_port: int
    ports: Container[int]
    allow_nets: tuple[Network, ...] = ()
    allows_http: bool = False


_VISIBLE = re.compile(r"[\x21-\x7e]+")
_AUTHORITY = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<host>[^\[\]:]+))(?::(?P<port>[0-9]*))?")
_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
_DOTTED_QUAD = re.compile(r"(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}")
_NUMBER = re.compile(r"\d+|0[xX][0-9A-Fa-f]*")


def check_callback(callback: str, policy: Policy) -> tuple[str, int]:
    """Host and port of a callback that may be contacted; raises CallbackRefused for any other.

    One host has one spelling: names are in lower case, addresses in their canonical form.
    """
    is_http = policy.allows_http and callback[:5].lower() == "http:"
    authority = _authority(callback, "http" if is_http else "https")
    port = _callback_port(authority["port"], 80 if is_http else 443)
    literal = _literal(authority["v6"], authority["host"])
    host = _canonical(literal) if literal else authority["host"].lower()
    if port == policy.own_port and host in map(_one_spelling, policy.own_hosts):
        raise CallbackRefused("hub.callback must not be an address of this hub itself.")
    if port not in policy.ports:
        raise CallbackRefused(f"hub.callback uses port {port}, which this hub does not contact.")
    if literal is None:
        if "." not in host and not policy.allow_nets:
            raise CallbackRefused("hub.callback needs a full host name, like hooks.example.com.")
        if is_reserved_name(host) and not policy.allow_nets:
            raise CallbackRefused(RESERVED)
    elif not is_allowed(literal, policy.allow_nets):
        raise CallbackRefused("hub.callback must be reachable on the public internet.")
    elif is_http and not is_in_nets(literal, policy.allow_nets):
        raise CallbackRefused(NOT_ENCRYPTED)
    return host, port


def _authority(callback: str, scheme: str) -> re.Match[str]:
    """Host and port of a callback of this scheme."""
    if len(callback.encode("utf-8", "surrogatepass")) > MAX_CALLBACK_BYTES:
        raise CallbackRefused(f"hub.callback is longer than {MAX_CALLBACK_BYTES} bytes.")
    if not _VISIBLE.fullmatch(callback) or "\\" in callback:
        raise CallbackRefused(
            "hub.callback may hold visible ASCII characters alone, without backslashes; "
            "write an international host name in its xn-- form and escape the rest."
        )
    if "#" in callback:
        raise CallbackRefused("hub.callback must not contain a fragment.")
    try:
        parts = urlsplit(callback)
    except ValueError:
        _refuse_host()
    if parts.scheme != scheme:
        raise CallbackRefused("hub.callback must be an https URL.")
    if "@" in parts.netloc:
        raise CallbackRefused("hub.callback must not contain a user name or password.")
    # `urlsplit` reads brackets and ports more leniently, and each Python version in its own way.
    return _AUTHORITY.fullmatch(parts.netloc) or _refuse_host()


def _callback_port(text: str | None, default: int) -> int:
    if not text:
        return default
    if len(text) > 5 or int(text) > MAX_PORT:
        raise CallbackRefused(f"hub.callback has a port that is not a number up to {MAX_PORT}.")
    return int(text)


def _literal(v6: str | None, host: str) -> Address | None:
    """The address that the host is spelt as, None for a name; refuses every odd spelling."""
    if v6 is not None:
        try:
            return IPv6Address(v6)
        except ValueError:
            _refuse_host()
    if _DOTTED_QUAD.fullmatch(host):
        return IPv4Address(host)
    labels = host.split(".")
    if len(host) > MAX_HOST_CHARACTERS or not all(_LABEL.fullmatch(label) for label in labels):
        _refuse_host()
    # 2130706433, 0x7f.1 and 127.1 are addresses to some resolvers.
    if _NUMBER.fullmatch(labels[-1]):
        _refuse_host()
    return None


def _one_spelling(host: str) -> str:
    host = host.strip("[]").lower()
    try:
        return _canonical(ip_address(host))
    except ValueError:
        return host


def _canonical(address: Address) -> str:
    return str(reduced(address))


def _refuse_host() -> NoReturn:
    raise CallbackRefused("hub.callback has no host name that can be used.")
