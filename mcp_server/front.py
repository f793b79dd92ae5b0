"""The WSGI short-circuit: `POST /mcp` is answered before Django is entered.

Written for the machine: routing, middleware and the request object took more than half of the CPU
of a tool call (`python -m tools.benchmarks.run mcp`). The view gives the same answers, which tests
show.
"""

from http import HTTPStatus

from django.conf import settings

from core.http.headers import public_headers
from mcp_server import PATHS, transport
from mcp_server.transport import Reply
from mcp_server.views import McpView
from publishing.fast_path import FastPath
from publishing.minimal_request import MinimalRequest
from publishing.responses import StaticResponse

STATUS_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class McpFront(FastPath):
    """Answers POST of the server's address."""

    paths = PATHS
    methods = frozenset({"POST"})

    def answer(self, asked: MinimalRequest) -> StaticResponse:
        reply = self.reply(asked)
        headers = [*reply.headers.items(), *public_headers(is_https=settings.IS_HTTPS)]
        if not reply.body:
            headers.append(("Content-Length", "0"))
        return StaticResponse(STATUS_LINES[reply.status], headers, [reply.body])

    def reply(self, asked: MinimalRequest) -> Reply:
        view = McpView()
        return transport.respond(
            asked.META,
            lambda: view.check_throttles(asked),  # type: ignore[arg-type]  # As much as it needs.
        )
