"""Errors: their form in each protocol, and middleware that gives a body to those without one."""

import logging
from collections.abc import Mapping

import orjson
from django.conf import settings
from django.contrib.admin.views.main import ERROR_FLAG
from django.db import Error as DatabaseError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

from config.middleware import SAFE_METHODS, allowed_methods, is_public
from core.db.errors import DATABASE_AWAY, hint_for, is_query_too_complex
from core.http import problems
from core.http.headers import HUB_PATH, HUB_STATUS_PATH
from core.http.middleware import Middleware
from core.http.request_body import declared_length
from core.logging import request_id
from imports.admin.upload_form import too_large
from mcp_server import jsonrpc
from publishing.registry import registry
from publishing.selectors import DocumentUnavailable
from publishing.slow_readers import RETRY_AFTER_SECONDS, SENTENCE, TooManyUnsentBytes, slow_readers
from reviews.models import Business
from reviews.selectors import get_business

logger = logging.getLogger(__name__)

MCP_PATHS = ("/mcp", "/mcp/")
MET_ANOTHER = (
    "At this very moment the same was saved once more, or what it belongs to was deleted, so "
    "nothing was saved now. Go back, look at what is there, and save again if something is missing."
)
BODY_MARGIN = 1_000_000  # What a form adds to the largest file.


def register_formats() -> None:
    problems.register_error_format([HUB_PATH, HUB_STATUS_PATH], problems.plain_text_error)
    problems.register_error_format(MCP_PATHS, _rpc_error)
    problems.register_page_context(_business)
    problems.register_program_paths(registry)


def _business() -> dict[str, Business | None]:
    """The business whose name stands on the page; None while it cannot be read."""
    try:
        return {"business": get_business()}
    except DatabaseError:
        return {"business": None}


def _rpc_error(status: int, words: str, headers: Mapping[str, str]) -> HttpResponse:
    is_ours = status >= 500
    code = jsonrpc.INTERNAL_ERROR if is_ours else jsonrpc.INVALID_REQUEST
    data = {"request_id": request_id.get()} if is_ours else None
    body = jsonrpc.error(jsonrpc.RpcError(code, words, data=data))
    return problems.raw_error(orjson.dumps(body), status, "application/json", headers)


# --- Middleware ----------------------------------------------------------------------------------


def _too_many_unsent(request: HttpRequest) -> HttpResponse:
    return problems.error(request, 503, SENTENCE, **{"Retry-After": str(RETRY_AFTER_SECONDS)})


class ProblemMiddleware(Middleware):
    """Gives errors their body: the empty ones of Django's decorators, a database that is away.

    Also refuses a body that is longer than any that an administrator may send (public views bound
    theirs by themselves), and a large answer while too many others wait for slow clients.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_large = declared_length(request.META) > settings.IMPORT_MAX_BYTES + BODY_MARGIN
        if is_large and not is_public(request.path):
            # Django would take it in whole before any view or token is looked at.
            return problems.error(request, 413, too_large())
        response = self.get_response(request)
        if not slow_readers.admit(len(getattr(response, "content", b"")), request.META):
            return _too_many_unsent(request)
        if response.status_code < 400 or getattr(response, "content", True):
            return response
        if response.status_code == 503:
            return problems.unavailable(request)
        if response.status_code == 405:
            methods = response.headers["Allow"].split(", ")
            is_open = is_public(request.path)
            return problems.method_not_allowed(
                request, allowed_methods(response) if is_open else methods
            )
        return problems.error(request, response.status_code)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, DocumentUnavailable):
            return problems.unavailable(request)
        if isinstance(error, TooManyUnsentBytes):
            return _too_many_unsent(request)
        if isinstance(error, IntegrityError) and _may_be_a_second_click(request):
            logger.warning("%s met another change: %s", request.path, error)
            return problems.error(request, 409, MET_ANOTHER)
        advice = hint_for(error)
        if advice is None and _asks_too_much_of_a_list(request, error):
            logger.warning("%s cannot be answered: %s", request.get_full_path()[:500], error)
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        if advice is None and not isinstance(error, DATABASE_AWAY):
            return None
        # Faults of the database are told to those who may have to mend them.
        return problems.database_unreachable(
            request, error, None if is_public(request.path) else advice
        )


def _may_be_a_second_click(request: HttpRequest) -> bool:
    return request.method not in SAFE_METHODS and not is_public(request.path)


def _asks_too_much_of_a_list(request: HttpRequest, error: Exception) -> bool:
    """Whether a list of the administration broke on its query: a year beyond all calendars, a
    character that no database keeps, a thousand words. Django answers most such, not all."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    return (
        name.startswith("admin:")
        and name.endswith("_changelist")
        and request.method == "GET"
        and not request.GET.keys() <= {ERROR_FLAG}
        and is_query_too_complex(error)
    )
