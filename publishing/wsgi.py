"""The WSGI short-circuit: published documents are answered before Django is entered.

Written for the machine: an answer is a dictionary look-up and a list of finished headers, since a
Django view costs ten times as much as everything here. Tests show that Django's views give the
same answers.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import orjson
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from core.db.errors import RETRY_AFTER_SECONDS
from core.http.headers import public_headers
from core.http.request_body import declared_length
from publishing import cache as caches
from publishing.header_cache import cached_by_header
from publishing.registry import CATALOG
from publishing.request_ids import RequestIds
from publishing.responses import StaticResponse, respond

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

METHODS = frozenset({"GET", "HEAD"})

REMEMBERED_HOSTS = 100


class DocumentMiddleware:
    """Answers GET and HEAD of the published documents; hands everything else to Django."""

    def __init__(
        self, django: "WSGIApplication", shelf: caches.DocumentCache = caches.cache
    ) -> None:
        self._django = django
        self._shelf = shelf
        self._known_hosts: set[str] = set()
        self._request_ids = RequestIds()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        entry = self._shelf.entries.get(environ["PATH_INFO"])
        if (
            entry is None
            or environ["REQUEST_METHOD"] not in METHODS
            or environ.get("HTTP_HOST") not in self._known_hosts
            or "CONTENT_LENGTH" in environ
        ):
            if not self._is_ours(environ):
                return self._django(environ, start_response)
            entry = self._shelf.entries.get(environ["PATH_INFO"])
        request_id = self._request_ids.choose(environ.get("HTTP_X_REQUEST_ID"))
        status, headers, body = respond(entry, environ) if entry else unavailable(request_id)
        start_response(status, [*headers, ("X-Request-Id", request_id)])
        return body

    def _is_ours(self, environ: "WSGIEnvironment") -> bool:
        """The long way of what `__call__` looks up: a first request, or one for Django."""
        if not self._shelf.is_running:
            self._shelf.keep()
        if environ["PATH_INFO"] not in CATALOG or environ["REQUEST_METHOD"] not in METHODS:
            return False
        if declared_length(environ):
            return False  # A body takes its turn, and this is no place to wait.
        host: str = environ.get("HTTP_HOST", "")
        if host not in self._known_hosts:
            if not is_allowed_host(environ):
                return False
            if len(self._known_hosts) >= REMEMBERED_HOSTS:
                self._known_hosts.clear()
            self._known_hosts.add(host)
        self._shelf.wait(environ["PATH_INFO"])
        return True


def is_allowed_host(environ: "WSGIEnvironment") -> bool:
    """Whether the request names an allowed host; Django answers every other."""
    return _is_allowed(environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS))


@cached_by_header
def _is_allowed(host: str, allowed: tuple[str, ...]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)


def unavailable(request_id: str) -> StaticResponse:
    """There is nothing to serve yet: a new process, and a database that cannot be read."""
    problem = {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "This document cannot be read at the moment. Please try again shortly.",
        "request_id": request_id,
    }
    body = orjson.dumps(problem)
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Retry-After", str(RETRY_AFTER_SECONDS)),
        *public_headers(is_https=settings.IS_HTTPS),
    ]
    return StaticResponse("503 Service Unavailable", headers, [body])
