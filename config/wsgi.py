"""The web process: documents, searches and MCP are answered before Django is entered."""

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
from config.search_front import SearchFront  # noqa: E402
from core.db.timeouts import REQUEST_TIMEOUT, query_timeout  # noqa: E402
from core.http.request_body import LIMITER, BodyReadLimiter, BoundedInput, drain_body  # noqa: E402
from core.logging import request_id  # noqa: E402
from mcp_server.front import McpFront  # noqa: E402
from publishing.wsgi import METHODS, DocumentMiddleware  # noqa: E402

_searches = SearchFront(McpFront(_django, request_id.set), request_id.set)
_places = BodyReadLimiter(settings.WEB_THREADS - 1)


def _impatient(environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
    """Neither the database nor a client's body is waited for by all threads for long."""
    query_timeout.set(REQUEST_TIMEOUT)
    environ[LIMITER] = _places
    environ["wsgi.input"] = BoundedInput(environ["wsgi.input"], _places)
    if environ["REQUEST_METHOD"] in METHODS:
        drain_body(environ)
    return _searches(environ, start_response)


_front = DocumentMiddleware(_impatient)
# The bound method: to call the object costs a detour through its type.
application: "WSGIApplication" = _front.__call__

if settings.METRICS_TOKEN:
    from metrics.requests import Metered

    application = Metered(application)
