"""The WSGI short-circuit: `POST /mcp` is answered before Django is entered.

Written for the machine: routing, middleware and the request object took more than half of the CPU
of a tool call (`python -m benchmarks.run mcp`). The view gives the same answers, which tests show.
"""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.exceptions import Throttled

from mcp_server import transport
from mcp_server.transport import Reply
from mcp_server.views import McpView
from publishing.asked import Asked, names_our_host
from publishing.request_ids import RequestIds
from reviews.connections import close_old_connections
from reviews.public_headers import public_headers

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

PATHS = frozenset({"/mcp", "/mcp/"})
STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class McpFront:
    """Answers POST of the server's address; hands everything else to Django."""

    throttle_scope = McpView.throttle_scope

    def __init__(self, django: "WSGIApplication", begin: Callable[[str], object]) -> None:
        """`begin` is told the id of each request that is answered here."""
        self._django = django
        self._begin = begin
        self._request_ids = RequestIds()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if (
            environ["PATH_INFO"] not in PATHS
            or environ["REQUEST_METHOD"] != "POST"
            or not names_our_host(environ)
        ):
            return self._django(environ, start_response)
        request_id = self._request_ids.assign(environ)
        self._begin(request_id)
        asked = Asked(environ)
        try:
            reply = self.reply(asked)
        finally:
            close_old_connections()
        headers = [*reply.headers.items(), *public_headers(is_https=settings.IS_HTTPS)]
        if asked.rate_limit is not None:
            headers += asked.rate_limit.headers().items()
        if not reply.body:
            headers.append(("Content-Length", "0"))
        headers.append(("X-Request-Id", request_id))
        start_response(STATUS_LINES[reply.status], headers)
        return [reply.body]  # A list goes out at once; granian streams anything else.

    def reply(self, asked: Asked) -> Reply:
        return transport.respond(asked.META, lambda: self._spend(asked))

    def _spend(self, asked: Any) -> None:
        for throttle in (each() for each in McpView.throttle_classes):
            # It asks for `throttle_scope` alone.
            if not throttle.allow_request(asked, self):  # type: ignore[arg-type]
                raise Throttled(throttle.wait())
