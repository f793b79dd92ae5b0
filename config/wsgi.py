"""The WSGI application, which serves published documents without entering Django."""

import os
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()

# These imports need loaded apps.
from django.urls import get_resolver  # noqa: E402

from config.middleware import is_public  # noqa: E402
from core.db.transactions import REQUEST_TIMEOUT, TASK_TIMEOUT, query_timeout  # noqa: E402
from core.http.request_body import LIMITER, BodyReadLimiter, BoundedInput, drain_body  # noqa: E402
from core.logging import RequestIds  # noqa: E402
from publishing.slow_readers import LARGE_BYTES, set_write_timeout  # noqa: E402
from publishing.wsgi import METHODS, PublishedDocuments  # noqa: E402
from sign_in.limits import is_sign_in  # noqa: E402

PUSH_PATHS = "/api/sources/"
PUSH_WAIT_SECONDS = 3.0
SIGN_IN_WAIT_SECONDS = 10.0  # On a busy machine a password hash takes several seconds.
_request_ids = RequestIds()
# Load all views now: the first requests would take half a second, and others would be refused.
get_resolver().url_patterns  # noqa: B018
# One thread stays free for reading, and one slot for /mcp and the hub: the admin cannot occupy them
# all. Sign-ins have one slot of the admin, since each hash keeps a processor busy. A second sign-in
# waits for that slot in a thread.
_body_limiter = BodyReadLimiter(settings.WEB_THREADS - 1)
_administration = BodyReadLimiter(max(1, settings.WEB_THREADS - 2), within=_body_limiter)
_sign_ins = BodyReadLimiter(1, within=_administration, waiting=1, seconds=SIGN_IN_WAIT_SECONDS)
# Pushes of sources leave slots for the admin. They wait for each other, so that a hundred
# concurrent pushes succeed one after another.
_pushes = BodyReadLimiter(
    max(1, settings.WEB_THREADS - 3),
    within=_body_limiter,
    waiting=settings.WEB_THREADS,
    seconds=PUSH_WAIT_SECONDS,
)


def _bounded(environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
    """Call Django with timeouts for the database and the body."""
    if settings.FORWARDED_HEADER != "X-Forwarded-For":
        # The web server also maps X_Forwarded_For to this name, which proxies do not replace.
        environ.pop("HTTP_X_FORWARDED_FOR", None)
    query_timeout.set(REQUEST_TIMEOUT)
    path = environ["PATH_INFO"]
    limiter = _pushes if path.startswith(PUSH_PATHS) else _body_limiter
    environ[LIMITER] = limiter
    if not is_public(path):
        environ[LIMITER] = limiter = _administration
        # The body of a sign-in is read first, so that a silent client does not hold its one slot.
        if is_sign_in(path):
            environ[LIMITER] = _sign_ins
    environ["wsgi.input"] = BoundedInput(environ["wsgi.input"], limiter)
    if environ["REQUEST_METHOD"] in METHODS:
        drain_body(environ)
    response = _django(environ, start_response)
    if isinstance(response, HttpResponse) and len(response.content) > LARGE_BYTES:
        # The server copies the body. A request of Django REST framework is a reference cycle that
        # includes the response, and would keep the bytes until the next garbage collection.
        body = [response.content]
        response.close()
        response.content = b""
        return body
    return response


def _request_id(environ: "WSGIEnvironment") -> list[tuple[str, str]]:
    # Caches store documents, so the id of a client would reach other clients.
    return [("X-Request-Id", _request_ids.new())]


def _prepare_thread() -> None:
    query_timeout.set(TASK_TIMEOUT)
    # The server opens its listening socket after it has loaded this module.
    set_write_timeout(settings.WRITE_TIMEOUT_SECONDS)


_documents = PublishedDocuments(
    _bounded,
    request_headers=_request_id,
    prepare_thread=_prepare_thread,
)
# The bound method, since a call of the object takes a detour through its type.
application: "WSGIApplication" = _documents.__call__

if settings.METRICS_TOKEN:
    from metrics.counting import MetricsMiddleware

    application = MetricsMiddleware(application)
