"""The settings of this app, each with a default."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

DEFAULT_MAX_AGE_SECONDS = 60
DEFAULT_POLL_MS = 250
SHORTEST_POLL_SECONDS = 0.01
DEFAULT_MAX_UNSENT_BYTES = 256 * 1024 * 1024


def base_url() -> str:
    """`BASE_URL`: the public address without a slash at its end; empty where there is none."""
    url: str = getattr(settings, "BASE_URL", "")
    return url


def max_age_seconds() -> int:
    """`CACHE_MAX_AGE_SECONDS`: for how long caches may use a document without asking."""
    seconds: int = getattr(settings, "CACHE_MAX_AGE_SECONDS", DEFAULT_MAX_AGE_SECONDS)
    return seconds


def poll_seconds() -> float:
    """`VERSION_POLL_MS`: how often a web process looks for new versions."""
    milliseconds: int = getattr(settings, "VERSION_POLL_MS", DEFAULT_POLL_MS)
    return max(milliseconds / 1000, SHORTEST_POLL_SECONDS)


def max_unsent_bytes() -> int:
    """`MAX_UNSENT_BYTES`: so much of large answers may wait in a process for clients to read it."""
    limit: int = getattr(settings, "MAX_UNSENT_BYTES", DEFAULT_MAX_UNSENT_BYTES)
    return limit


def headers(spec: object, status: int) -> list[tuple[str, str]]:
    """Further headers of the answers of a `DocumentSpec`, of status 200 or 304.

    `PUBLISHING_HEADERS` is the dotted path of a callable `(spec, status)`; there are none without.
    """
    return list(call("PUBLISHING_HEADERS", spec, status) or ())


def error_hint(error: BaseException) -> str | None:
    """The advice for an operator about an error of the database.

    `PUBLISHING_ERROR_HINT` is the dotted path of a callable `(error)`; there is none without.
    """
    hint: str | None = call("PUBLISHING_ERROR_HINT", error)
    return hint


def client(environ: Mapping[str, Any]) -> str:
    """The client of a WSGI environment, as `MAX_UNSENT_BYTES` is divided among them.

    `PUBLISHING_CLIENT` is the dotted path of a callable `(environ)`; without it, the address of
    the connection.
    """
    found: str | None = call("PUBLISHING_CLIENT", environ)
    return environ.get("REMOTE_ADDR", "") if found is None else found


def call(setting: str, *arguments: object) -> Any:
    """The result of the callable that the setting names; None without one."""
    path = getattr(settings, setting, "")
    return import_string(path)(*arguments) if path else None
