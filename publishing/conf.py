"""Settings of this app with their defaults, and the callables that they name; see README.md."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

DEFAULTS: Mapping[str, Any] = {
    "BASE_URL": "",
    "CACHE_MAX_AGE_SECONDS": 60,
    "VERSION_POLL_MS": 250,
    "MAX_UNSENT_BYTES": 256 * 1024 * 1024,
    "PUBLISHING_HEADERS": "",
    "PUBLISHING_ERROR_HINT": "",
    "PUBLISHING_CLIENT": "",
}


def get(name: str) -> Any:
    """The project's value of a setting, or the default."""
    return getattr(settings, name, DEFAULTS[name])


def call(name: str, *arguments: object) -> Any:
    """The result of the callable whose dotted path a setting holds; None without one."""
    path = get(name)
    return import_string(path)(*arguments) if path else None


def headers(spec: object, status: int) -> list[tuple[str, str]]:
    """Further headers of the answers of a `DocumentSpec`."""
    return list(call("PUBLISHING_HEADERS", spec, status) or ())


def client(environ: Mapping[str, Any]) -> str:
    """The client of a WSGI environment, as `MAX_UNSENT_BYTES` is divided among them."""
    found: str | None = call("PUBLISHING_CLIENT", environ)
    return environ.get("REMOTE_ADDR", "") if found is None else found
