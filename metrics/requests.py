"""Counts and times every request at the door, before the front and Django."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from metrics import meters
from publishing.registry import registry

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "DELETE"})
# The first that a path starts with names its resource; strangers choose paths, never labels.
RESOURCES = (
    ("/api/reviews/search", "search"),
    ("/api/reviews/since/", "since"),
    (HUB_PATH, "hub"),
    (HUB_STATUS_PATH, "hub"),
    ("/mcp", "mcp"),
    ("/admin", "admin"),
    ("/reviews/", "permalink"),
    ("/static/", "static"),
)
OTHER = "other"


class Metered:
    """The application as it is, with its requests counted."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        started = time.perf_counter()
        resource = resource_of(environ["PATH_INFO"])
        method = environ["REQUEST_METHOD"]

        def counted(status: str, *args: Any) -> Any:
            label = method if method in METHODS else OTHER
            meters.requests.labels(resource, label, status[:3]).inc()
            return start_response(status, *args)

        body = self._application(environ, counted)
        meters.request_seconds.labels(resource).observe(time.perf_counter() - started)
        return body


def resource_of(path: str) -> str:
    """One of a few names: the path of a published document, or what kind of thing it is."""
    if path in registry:
        return path
    return next((name for start, name in RESOURCES if path.startswith(start)), OTHER)
