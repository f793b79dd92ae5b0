"""Settings of this app with their defaults; see README.md."""

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
    """Value of a setting, or its default."""
    return getattr(settings, name, DEFAULTS[name])


def call(name: str, *arguments: object) -> Any:
    """Call the function whose dotted path a setting holds; None if it is empty."""
    path = get(name)
    return import_string(path)(*arguments) if path else None


def headers(spec: object, status: int) -> list[tuple[str, str]]:
    """Additional headers of the responses of a `DocumentSpec`."""
    return list(call("PUBLISHING_HEADERS", spec, status) or ())


def client(environ: Mapping[str, Any]) -> str:
    """Key of the client of a request, for its share of `MAX_UNSENT_BYTES`."""
    found: str | None = call("PUBLISHING_CLIENT", environ)
    return environ.get("REMOTE_ADDR", "") if found is None else found
