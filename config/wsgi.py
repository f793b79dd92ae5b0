"""The web process: published documents are answered before Django is entered."""

import os
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_django = get_wsgi_application()

# Their models need the apps to be loaded.
from core.db.transactions import REQUEST_TIMEOUT, TASK_TIMEOUT, query_timeout  # noqa: E402
from core.http.request_body import LIMITER, BodyReadLimiter, BoundedInput, drain_body  # noqa: E402
from core.logging import RequestIds  # noqa: E402
from publishing.wsgi import METHODS, PublishedDocuments  # noqa: E402

_request_ids = RequestIds()
_body_limiter = BodyReadLimiter(settings.WEB_THREADS - 1)


def _bounded(environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
    """Django, with timeouts for the database and for a client's body."""
    query_timeout.set(REQUEST_TIMEOUT)
    environ[LIMITER] = _body_limiter
    environ["wsgi.input"] = BoundedInput(environ["wsgi.input"], _body_limiter)
    if environ["REQUEST_METHOD"] in METHODS:
        drain_body(environ)
    return _django(environ, start_response)


def _request_id(environ: "WSGIEnvironment") -> list[tuple[str, str]]:
    return [("X-Request-Id", _request_ids.choose(environ.get("HTTP_X_REQUEST_ID")))]


_documents = PublishedDocuments(
    _bounded,
    request_headers=_request_id,
    prepare_thread=lambda: query_timeout.set(TASK_TIMEOUT),
)
# The bound method: to call the object costs a detour through its type.
application: "WSGIApplication" = _documents.__call__

if settings.METRICS_TOKEN:
    from metrics.counting import Metered

    application = Metered(application)
