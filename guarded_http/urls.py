"""Checks of untrusted URLs by their spelling, without resolving a name."""

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from guarded_http.addresses import (
    MAX_PORT,
    Address,
    is_allowed,
    is_in_nets,
    is_reserved_name,
    unmap,
)
from guarded_http.connect import Connector, Server

MAX_URL_BYTES = 2048
MAX_HOST_CHARACTERS = 253
NO_HOST = "has no host name that can be used."
NOT_ENCRYPTED = "must be an https URL; plain http is for networks that are allowed by address."
RESERVED = (
    "uses a reserved host name, which no public server has; use one that the whole internet can "
    "resolve."
)

_VISIBLE = re.compile(r"[\x21-\x7e]+")
_AUTHORITY = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<host>[^\[\]:]+))(?::(?P<port>[0-9]*))?")
_DOTTED_QUAD = re.compile(r"(?:(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?!$)|$)){4}")
_LABEL = r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)"
# The last label is no number: some resolvers take 2130706433, 0x7f.1 and 127.1 for addresses.
_NAME = re.compile(rf"(?:{_LABEL}\.)*(?!(?:\d+|0[xX][0-9A-Fa-f]*)$){_LABEL}")


class UrlRefused(ValueError):
    """A URL that may not be contacted. `reason` is a sentence without its subject."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The address {reason}")
        self.reason = reason


def check_url(
    url: str, client: Connector, *, base_url: str = "", own_hosts: Iterable[str] = ()
) -> tuple[str, int]:
    """Check that the client may contact a URL, and return its host and port.

    Host names are returned in lower case, addresses in canonical form. Raises UrlRefused for any
    other URL, and for `own_hosts` and the host of `base_url` at its port. Names with a single label
    and reserved names are accepted if the client has allowed networks, which use such names.
    """
    is_http = client.allows_http and url[:5].lower() == "http:"
    v6, name, digits = _authority(url, "http" if is_http else "https")
    if len(digits) > 5 or int(digits or 0) > MAX_PORT:
        raise UrlRefused(f"has a port that is not a number up to {MAX_PORT}.")
    port = int(digits) if digits else (80 if is_http else 443)
    literal = _literal(v6, name)
    host = str(unmap(literal)) if literal else name.lower()
    own = Server.of(base_url)
    if port == own.port and host in map(_normalise, (own.host, *own_hosts)):
        raise UrlRefused("must not be an address of this site itself.")
    if port not in client.ports:
        raise UrlRefused(f"uses port {port}, which is not contacted.")
    if literal is None:
        if "." not in host and not client.allow_nets:
            raise UrlRefused("needs a full host name, like hooks.example.com.")
        if is_reserved_name(host) and not client.allow_nets:
            raise UrlRefused(RESERVED)
    elif not is_allowed(literal, client.allow_nets):
        raise UrlRefused("must be reachable on the public internet.")
    elif is_http and not is_in_nets(literal, client.allow_nets):
        raise UrlRefused(NOT_ENCRYPTED)
    return host, port


def _authority(url: str, scheme: str) -> tuple[str, str, str]:
    """Return the IPv6 address or the host of a URL, and the digits of its port."""
    if len(url.encode("utf-8", "surrogatepass")) > MAX_URL_BYTES:
        raise UrlRefused(f"is longer than {MAX_URL_BYTES} bytes.")
    if not _VISIBLE.fullmatch(url) or "\\" in url:
        raise UrlRefused(
            "may hold visible ASCII characters alone, without backslashes; "
            "write an international host name in its xn-- form and escape the rest."
        )
    if "#" in url:
        raise UrlRefused("must not contain a fragment.")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise UrlRefused(NO_HOST) from None
    if parts.scheme != scheme:
        raise UrlRefused("must be an https URL.")
    if "@" in parts.netloc:
        raise UrlRefused("must not contain a user name or password.")
    # `urlsplit` is lenient about brackets and ports, and differs between Python versions.
    if not (found := _AUTHORITY.fullmatch(parts.netloc)):
        raise UrlRefused(NO_HOST)
    return found["v6"] or "", found["host"] or "", found["port"] or ""


def _literal(v6: str, host: str) -> Address | None:
    """Return the address in the host, or None for a name. Raises UrlRefused for odd spellings."""
    if _DOTTED_QUAD.fullmatch(host):
        return IPv4Address(host)
    if len(host) <= MAX_HOST_CHARACTERS and _NAME.fullmatch(host):
        return None
    with suppress(ValueError):
        return IPv6Address(v6)
    raise UrlRefused(NO_HOST)


def _normalise(host: str) -> str:
    host = host.strip("[]").lower()
    try:
        return str(unmap(ip_address(host)))
    except ValueError:
        return host
