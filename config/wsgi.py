"""The web process: published documents are answered before Django is entered."""

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

# Their models need the apps to be loaded.
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
SIGN_IN_WAIT_SECONDS = 10.0  # On a busy machine a hash takes several.
_request_ids = RequestIds()
# Loads every view: the first requests would wait half a second for that, and refuse others.
get_resolver().url_patterns  # noqa: B018
# One thread is left for reading, and one place for /mcp and the hub: the administration never has
# them all, and of its own sign-ins have one, since each keeps a processor busy with a hash. One
# more sign-in waits for that one in a thread.
_body_limiter = BodyReadLimiter(settings.WEB_THREADS - 1)
_administration = BodyReadLimiter(max(1, settings.WEB_THREADS - 2), within=_body_limiter)
_sign_ins = BodyReadLimiter(1, within=_administration, waiting=1, seconds=SIGN_IN_WAIT_SECONDS)
# Pushes of sources leave the administration its places, and all wait for each other: a hundred that
# come at once are taken one after another.
_pushes = BodyReadLimiter(
    max(1, settings.WEB_THREADS - 3),
    within=_body_limiter,
    waiting=settings.WEB_THREADS,
    seconds=PUSH_WAIT_SECONDS,
)


def _bounded(environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
    """Django, with timeouts for the database and for a client's body."""
    if settings.FORWARDED_HEADER != "X-Forwarded-For":
        # The web server takes X_Forwarded_For for the same name, which proxies do not replace.
        environ.pop("HTTP_X_FORWARDED_FOR", None)
    query_timeout.set(REQUEST_TIMEOUT)
    path = environ["PATH_INFO"]
    limiter = _pushes if path.startswith(PUSH_PATHS) else _body_limiter
    environ[LIMITER] = limiter
    if not is_public(path):
        environ[LIMITER] = limiter = _administration
        # Of a sign-in the body is read first: a silent client must not hold the one hash.
        if is_sign_in(path):
            environ[LIMITER] = _sign_ins
    environ["wsgi.input"] = BoundedInput(environ["wsgi.input"], limiter)
    if environ["REQUEST_METHOD"] in METHODS:
        drain_body(environ)
    response = _django(environ, start_response)
    if isinstance(response, HttpResponse) and len(response.content) > LARGE_BYTES:
        # The server copies it. A request of Django REST framework refers to itself and to the
        # response, which would keep the bytes until the garbage collector comes.
        body = [response.content]
        response.close()
        response.content = b""
        return body
    return response


def _request_id(environ: "WSGIEnvironment") -> list[tuple[str, str]]:
    # Caches store documents, so that a client's own id would reach other clients.
    return [("X-Request-Id", _request_ids.new())]


def _prepare_thread() -> None:
    query_timeout.set(TASK_TIMEOUT)
    # The server has opened its listening socket only now, after it has loaded this module.
    set_write_timeout(settings.WRITE_TIMEOUT_SECONDS)


_documents = PublishedDocuments(
    _bounded,
    request_headers=_request_id,
    prepare_thread=_prepare_thread,
)
# The bound method: to call the object costs a detour through its type.
application: "WSGIApplication" = _documents.__call__

if settings.METRICS_TOKEN:
    from metrics.counting import MetricsMiddleware

    application = MetricsMiddleware(application)
