"""WSGI middleware that serves the published documents without Django."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from publishing import cache as caches
from publishing.registry import registry
from publishing.responses import CachedDocument, Headers, respond, too_many_unsent
from publishing.slow_readers import LARGE_BYTES, slow_readers

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

METHODS = frozenset({"GET", "HEAD"})

MAX_KNOWN_HOSTS = 100


def no_headers(environ: "WSGIEnvironment") -> Headers:
    return []


class PublishedDocuments:
    """WSGI middleware that responds to GET and HEAD of documents, and passes on the rest.

    `request_headers` returns additional headers of a response, such as the request's id. The thread
    of the cache calls `prepare_thread` before it reads the database.
    """

    def __init__(
        self,
        django: "WSGIApplication",
        cache: caches.DocumentCache = caches.cache,
        *,
        request_headers: Callable[["WSGIEnvironment"], Headers] = no_headers,
        prepare_thread: Callable[[], object] | None = None,
    ) -> None:
        self._django = django
        self._cache = cache
        self._request_headers = request_headers
        self._prepare_thread = prepare_thread
        self._known_hosts: set[str] = set()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        document = self._cache.entries.get(environ["PATH_INFO"])
        if (
            document is None
            or environ["REQUEST_METHOD"] not in METHODS
            or environ.get("HTTP_HOST") not in self._known_hosts
            or "CONTENT_LENGTH" in environ
        ):
            # The slow path, for the first requests and those to Django.
            document = self._find(environ)
            if document is None:
                return self._django(environ, start_response)
        status, headers, body, length = respond(document, environ)
        if length > LARGE_BYTES and not slow_readers.admit(length, environ):
            status, headers, body, _ = too_many_unsent(registry[environ["PATH_INFO"]])
        start_response(status, [*headers, *self._request_headers(environ)])
        return body

    def _find(self, environ: "WSGIEnvironment") -> CachedDocument | None:
        path = environ["PATH_INFO"]
        if not self._cache.is_running:
            self._cache.start(self._prepare_thread)
        if path not in registry or environ["REQUEST_METHOD"] not in METHODS:
            return None
        if environ.get("CONTENT_LENGTH", "").strip("0").isdecimal():
            return None  # Reading the body may take long; Django's requests limit that.
        host: str = environ.get("HTTP_HOST", "")
        if host not in self._known_hosts:
            if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
                return None  # Django responds with an error.
            if len(self._known_hosts) >= MAX_KNOWN_HOSTS:
                self._known_hosts.clear()
            self._known_hosts.add(host)
        self._cache.wait(path)
        return self._cache.entries.get(path)
