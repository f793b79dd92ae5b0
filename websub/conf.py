"""Settings with their defaults and validators, and values derived from them."""

import inspect
import math
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import DatabaseError
from django.urls import reverse
from django.utils.module_loading import import_string

from guarded_http.addresses import parse_networks, parse_ports
from guarded_http.client import Client
from guarded_http.urls import check_url
from websub.protocol import SIGNATURE_METHODS

MAX_SECONDS = 1_000_000_000  # About 31 years, which keeps dates from overflowing.
MAX_TOPIC_CHARACTERS = 500

# --- Rules ----------------------------------------------------------------------------------------

_BASE_URL = re.compile(r"https?://[!#-;=?-~]*[!#-.0-;=?-~]")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 5.6.2.


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. `is_valid` returns False or raises for an invalid value."""

    default: Any
    must_be: str
    is_valid: Callable[[Any], object]
    example: Any = None


def _is_base_url(value: str) -> bool:
    parts = urlsplit(value)
    is_plain = not set("?#@") & set(value) and parts.port != 0
    return bool(_BASE_URL.fullmatch(value) and parts.hostname and is_plain)


def _is_whole(least: float, most: float, value: Any) -> bool:
    return type(value) is int and least <= value <= most


def _is_number(least: float, most: float, value: Any) -> bool:
    return type(value) in {int, float} and least <= value <= most


def _are_waits(values: Any) -> bool:
    each = all(_is_number(0, MAX_SECONDS, value) for value in values)
    return isinstance(values, (list, tuple)) and each and sum(values) <= MAX_SECONDS


def _are_networks(values: Any) -> bool:
    # `ipaddress` also accepts packed bytes, which messages cannot show.
    are_texts = isinstance(values, (list, tuple, set, frozenset)) and all(
        isinstance(value, str) for value in values
    )
    if are_texts:
        parse_networks(values)
    return are_texts


def _are_rates(values: Any) -> bool:
    pairs = [rate for rate in values.values() if rate]
    return {*values} <= {"hub", "verify"} and all(
        _is_whole(1, MAX_SECONDS, limit) and _is_whole(1, MAX_SECONDS, period)
        for limit, period in pairs
    )


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, Path)) and "\0" not in str(value)


def _takes(count: int, value: Any) -> bool:
    """Whether the dotted path names a callable that takes `count` arguments."""
    inspect.signature(import_string(value)).bind(*range(count))
    return True


def _names_topics(value: Any) -> bool:
    read = import_string(value)
    try:
        topics = list(read())
    except DatabaseError:
        return True  # The function reads tables, which may not exist yet.
    for topic in topics:
        url, members = topic.url, (topic.version, topic.content)
        is_url = isinstance(url, str) and url.startswith(("https://", "http://"))
        if not is_url or len(url) > MAX_TOPIC_CHARACTERS or not all(map(callable, members)):
            raise ValueError(f"{url!r} of {topic!r} is no topic's URL")
        if not isinstance(topic.media_type, str):
            raise TypeError(f"media_type of {topic!r} is no text")
    return True


def _whole(least: int, most: int) -> tuple[str, Callable[[Any], object]]:
    return f"a whole number from {least} to {most}", partial(_is_whole, least, most)


def _seconds(least: float, most: int) -> tuple[str, Callable[[Any], object]]:
    return f"a number of seconds from {least} to {most}", partial(_is_number, least, most)


_YES_OR_NO = "True or False", lambda value: isinstance(value, bool)
_LEASE = "a whole number of seconds from 0 to 2147483647", partial(_is_whole, 0, 2**31 - 1)
_WAITS = "a list of numbers of seconds, from 0 and 1,000,000,000 in all", _are_waits

# README.md explains the settings.
SETTINGS: Mapping[str, Setting] = {
    "WEBSUB_BASE_URL": Setting(
        "",
        "the public http or https address of the site, without a slash at the end",
        _is_base_url,
        "https://blog.example.org",
    ),
    "WEBSUB_TOPICS": Setting(
        "",
        "the dotted path of a function that returns topics; see websub's README",
        _names_topics,
        "blog.topics.topics",
    ),
    "WEBSUB_USE_CELERY": Setting(False, *_YES_OR_NO),
    "WEBSUB_SWEEP_SECONDS": Setting(5.0, *_seconds(0.01, 86_400)),
    "WEBSUB_VISIBLE_AFTER_SECONDS": Setting(0.0, *_seconds(0, 10)),
    "WEBSUB_MAX_FAILURES": Setting(3, *_whole(0, 32_767)),
    "WEBSUB_RETRY_SECONDS": Setting((300.0, 3600.0), *_WAITS),
    "WEBSUB_VERIFY_RETRY_SECONDS": Setting((30.0, 300.0), *_WAITS),
    "WEBSUB_LEASE_DEFAULT_SECONDS": Setting(864_000, *_LEASE),
    "WEBSUB_LEASE_MIN_SECONDS": Setting(3_600, *_LEASE),
    "WEBSUB_LEASE_MAX_SECONDS": Setting(2_592_000, *_LEASE),
    "WEBSUB_SIGNATURE_METHOD": Setting(
        "sha256", f"one of {', '.join(SIGNATURE_METHODS)}", SIGNATURE_METHODS.__contains__
    ),
    "WEBSUB_PRODUCT": Setting("WebSub-Hub", "a name without spaces", _TOKEN.fullmatch),
    "WEBSUB_RATE_LIMITER": Setting(
        "websub.rate_limit.hit",
        "the dotted path of a function of a scope and a client",
        partial(_takes, 2),
    ),
    "WEBSUB_RATE_LIMITS": Setting(
        {"hub": (60, 60), "verify": (10, 60)},
        "a dict of (requests, seconds), whole numbers from 1, for hub and verify",
        _are_rates,
    ),
    "WEBSUB_CLIENT_KEY": Setting(
        "websub.rate_limit.remote_address",
        "the dotted path of a function of a request",
        partial(_takes, 1),
    ),
    "WEBSUB_ALLOW_HTTP": Setting(False, *_YES_OR_NO),
    "WEBSUB_ALLOWED_NETWORKS": Setting(
        (), "a list of networks in CIDR notation", _are_networks, ["10.0.0.0/8", "fd00::/8"]
    ),
    "WEBSUB_ALLOWED_PORTS": Setting(
        "443,8443,1024-65535",
        "a text of ports and ranges of ports",
        lambda value: parse_ports(value) and value.strip(", "),
    ),
    "WEBSUB_CA_BUNDLE": Setting("", "the path of a PEM file", _is_path, "/etc/ssl/hub.pem"),
    "WEBSUB_MAX_PER_HOST": Setting(
        100, "a whole number, or 0 for no limit", partial(_is_whole, 0, math.inf)
    ),
    "WEBSUB_THREADS": Setting(96, *_whole(1, 1_024)),
    "WEBSUB_SUBSCRIBER_MAX_BYTES": Setting(
        20_000_000, "a whole number of bytes from 1", partial(_is_whole, 1, math.inf)
    ),
    "WEBSUB_STATE_DIR": Setting(
        tempfile.gettempdir(), "the path of a folder", lambda value: value and _is_path(value)
    ),
}


def setting_errors(*names: str) -> Iterator[CheckMessage]:
    """Yield an error for each named setting with an invalid value."""
    for name in names:
        setting, value, why = SETTINGS[name], get(name), ""
        try:
            if setting.is_valid(value):
                continue
        except Exception as error:  # noqa: BLE001  (an imported module may raise anything)
            why = f" ({error})"
        yield Error(
            f"{name} is {value!r}{why}, not {setting.must_be}.",
            hint=f"Set it like {name} = {setting.example or setting.default!r}.",
            id="websub.E001",
        )


# --- Values ---------------------------------------------------------------------------------------


def get(name: str) -> Any:
    """Return the project's value of a setting, or the default."""
    return getattr(settings, name, SETTINGS[name].default)


def imported(name: str) -> Any:
    """Import the object whose dotted path is the setting's value; raises ImportError."""
    return import_string(get(name))


def hub_url() -> str:
    """Return the public URL of the hub, as topics announce it."""
    return f"{get('WEBSUB_BASE_URL')}{reverse('websub:hub')}"


def moved_reason() -> str:
    """Return the reason for denying a topic that is no longer served."""
    address = get("WEBSUB_BASE_URL")
    return f"This hub serves its topics under {address} now. Subscribe to those."[:300]


def client() -> Client:
    """Return the HTTP client for callbacks, limited to permitted addresses."""
    return Client(
        user_agent=f"{get('WEBSUB_PRODUCT')}/1.0 (+{get('WEBSUB_BASE_URL')})",
        ports=parse_ports(get("WEBSUB_ALLOWED_PORTS")),
        allow_nets=parse_networks(get("WEBSUB_ALLOWED_NETWORKS")),
        allows_http=get("WEBSUB_ALLOW_HTTP"),
        ca_bundle=str(get("WEBSUB_CA_BUNDLE")),
        peer="callback",
    )


def callback_host(callback: str) -> str:
    """Return the callback's host; raises UrlRefused if the hub must not contact it."""
    # A pattern like .example.com may match hosts of other owners.
    names = [host for host in settings.ALLOWED_HOSTS if not host.startswith((".", "*"))]
    base_url = get("WEBSUB_BASE_URL")
    return check_url(callback, client(), base_url=base_url, own_hosts=names)[0]
