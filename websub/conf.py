"""This hub as its settings make it: its address, its topics, and whom it may contact how."""

from functools import cache
from urllib.parse import urlsplit

from django.conf import settings

from core.http.headers import HUB_PATH
from publishing.registry import DocumentSpec, registry
from websub.addresses import Policy, parse_networks, parse_ports
from websub.client import Client

PRODUCT = "Reviews-Hub"
RESOLVE_SECONDS = 2.0  # A request waits for a name of a private network for so long.


def hub_url() -> str:
    return f"{settings.BASE_URL}{HUB_PATH}"


def topics() -> dict[str, DocumentSpec]:
    """What can be followed, by topic URL."""
    return {spec.url: spec for spec in registry.small_first() if spec.is_topic}


def moved_reason() -> str:
    """What callbacks are told that have or want a subscription to a former topic."""
    return f"This hub serves its topics under {settings.BASE_URL} now. Subscribe to those."[:300]


def policy() -> Policy:
    """Which callbacks this installation contacts."""
    return _policy(
        settings.BASE_URL,
        tuple(settings.ALLOWED_HOSTS),
        settings.HUB_ALLOWED_PORTS,
        tuple(settings.HUB_ALLOW_NETS),
    )


def client() -> Client:
    """The client that all requests of this installation go through."""
    allowed = policy()
    return Client(
        user_agent=f"{PRODUCT}/1.0 (+{settings.BASE_URL})",
        ports=allowed.ports,
        allow_nets=allowed.allow_nets,
        ca_bundle=settings.HUB_CA_BUNDLE,
    )


def is_in_allowed_nets(callback: str) -> bool:
    """Whether the callback's host resolves to addresses in `HUB_ALLOW_NETS` alone."""
    return client().is_in_allowed_nets(callback, RESOLVE_SECONDS)


@cache
def _policy(
    base_url: str, hosts: tuple[str, ...], ports: str, allow_nets: tuple[str, ...]
) -> Policy:
    base = urlsplit(base_url)
    return Policy(
        # A pattern like .example.com stands for others' hosts as well.
        own_hosts=frozenset({base.hostname or "", *(h for h in hosts if h[0] not in ".*")}),
        own_port=base.port or (443 if base.scheme == "https" else 80),
        ports=parse_ports(ports),
        allow_nets=parse_networks(allow_nets),
    )
