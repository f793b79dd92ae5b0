"""Settings of the hub with their defaults, and what follows from them."""

import tempfile
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from guarded_http.addresses import parse_networks, parse_ports
from guarded_http.client import Client
from websub.callbacks import Policy

# README.md says what each of them means.
DEFAULTS: Mapping[str, Any] = {
    "WEBSUB_TOPICS": "",
    "BASE_URL": "",
    "WEBSUB_USE_CELERY": False,
    "WEBSUB_SWEEP_SECONDS": 5.0,
    "WEBSUB_VISIBLE_AFTER_SECONDS": 0.0,
    "WEBSUB_MAX_MISSES": 3,
    "WEBSUB_RETRY_SECONDS": (300.0, 3600.0),
    "WEBSUB_VERIFY_RETRY_SECONDS": (30.0, 300.0),
    "WEBSUB_LEASE_DEFAULT_SECONDS": 864_000,
    "WEBSUB_LEASE_MIN_SECONDS": 3_600,
    "WEBSUB_LEASE_MAX_SECONDS": 2_592_000,
    "WEBSUB_SIGNATURE_METHOD": "sha256",
    "WEBSUB_PRODUCT": "WebSub-Hub",
    "WEBSUB_RATE_LIMITER": "websub.rate_limit.hit",
    "WEBSUB_RATE_LIMITS": {"hub": (60, 60), "verify": (10, 60)},
    "WEBSUB_CLIENT_KEY": "websub.rate_limit.remote_address",
    "HUB_ALLOW_NETS": (),
    "HUB_ALLOWED_PORTS": "443,8443,1024-65535",
    "HUB_CA_BUNDLE": "",
    "HUB_MAX_PER_HOST": 100,
    "HUB_THREADS": 96,
    "STATE_DIR": tempfile.gettempdir(),
}

RESOLVE_SECONDS = 2.0  # A request waits for a name of a private network for so long.


def get(name: str) -> Any:
    """The project's value of a setting, or the default."""
    return getattr(settings, name, DEFAULTS[name])


def imported(name: str) -> Any:
    """The object whose dotted path a setting holds; raises ImportError."""
    return import_string(get(name))


def hub_url() -> str:
    """The public address of the hub, as topics name it."""
    return f"{get('BASE_URL')}{reverse('websub:hub')}"


def moved_reason() -> str:
    """The reason that callbacks get with the denial of a former topic."""
    return f"This hub serves its topics under {get('BASE_URL')} now. Subscribe to those."[:300]


def policy() -> Policy:
    """Which callbacks this installation contacts."""
    return _policy(
        get("BASE_URL"),
        tuple(settings.ALLOWED_HOSTS),
        get("HUB_ALLOWED_PORTS"),
        tuple(get("HUB_ALLOW_NETS")),
    )


def client() -> Client:
    """The client that all requests of this installation go through."""
    allowed = policy()
    return Client(
        user_agent=f"{get('WEBSUB_PRODUCT')}/1.0 (+{get('BASE_URL')})",
        ports=allowed.ports,
        allow_nets=allowed.allow_nets,
        ca_bundle=get("HUB_CA_BUNDLE"),
        peer="callback",
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
