"""The WSGI short-circuit: `POST /mcp` is answered before Django is entered.

Written for the machine: routing, middleware and the request object took more than half of the CPU
of a tool call (`python -m benchmarks.run mcp`). The view gives the same answers, which tests show.
"""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from rest_framework.exceptions import Throttled

from mcp_server import transport
from mcp_server.transport import Reply
from mcp_server.views import McpView
from publishing.answers import Answer
from publishing.asked import Asked
from publishing.shortcut import Shortcut
from reviews.public_headers import public_headers

STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class McpFront(Shortcut):
    """Answers POST of the server's address."""

    paths = frozenset({"/mcp", "/mcp/"})
    methods = frozenset({"POST"})
    throttle_scope = McpView.throttle_scope

    def answer(self, asked: Asked) -> Answer:
        reply = self.reply(asked)
        headers = [*reply.headers.items(), *public_headers(is_https=settings.IS_HTTPS)]
        if not reply.body:
            headers.append(("Content-Length", "0"))
        return Answer(STATUS_LINES[reply.status], headers, [reply.body])

    def reply(self, asked: Asked) -> Reply:
        return transport.respond(asked.META, lambda: self._spend(asked))

    def _spend(self, asked: Any) -> None:
        for kind in McpView.throttle_classes:
            throttle = kind()
            # It asks for `throttle_scope` alone.
            if not throttle.allow_request(asked, self):  # type: ignore[arg-type]
                raise Throttled(throttle.wait())
