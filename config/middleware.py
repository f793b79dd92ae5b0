"""Middleware of all requests, and of the admin."""

import logging
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.conf import settings
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.handlers.exception import convert_exception_to_response
from django.db import DataError, IntegrityError, OperationalError
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.module_loading import import_string

from core.db.errors import DATABASE_AWAY, hint_for
from core.http import problems
from core.http.headers import (
    CONTENT_SECURITY_POLICY,
    CORS_HEADERS,
    public_headers,
    security_headers,
)
from core.http.middleware import GetResponse, Middleware
from core.http.request_body import LIMITER, declared_length
from core.logging import RequestIds, request_id
from imports.admin.upload_form import too_large
from publishing.conditional import IDENTITY, choose_coding
from publishing.selectors import DocumentUnavailable
from publishing.slow_readers import RETRY_AFTER_SECONDS, SENTENCE, TooManyUnsentBytes, slow_readers
from reviews.selectors import get_business

logger = logging.getLogger(__name__)

PREFLIGHT_HEADERS = (
    "accept, authorization, b3, baggage, cache-control, content-type, if-modified-since, "
    "if-none-match, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, "
    "sentry-trace, traceparent, tracestate, user-agent, x-request-id"
)
# MCP clients and tracing tools send further headers. Public responses do not depend on them.
EXTENSION_HEADER = re.compile(r"(?:mcp|x)-[a-z0-9-]{1,100}")
MAX_EXTENSION_HEADERS = 50
PREFLIGHT_SECONDS = 86_400

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})  # RFC 9110 9.2.1

PROBES = frozenset({"/healthz", "/readyz"})

WITHOUT_CONTENT = frozenset({204, 304})
# Statuses that are heuristically cacheable (RFC 9110 15.1).
CACHED_BY_DEFAULT = frozenset({200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501})


def is_administration(path: str) -> bool:
    return path.startswith("/admin/")


def is_public(path: str) -> bool:
    """Whether a path is public. Everything is, except the admin and the metrics."""
    return path not in {"/admin", "/metrics"} and not is_administration(path)


class RequestIdMiddleware(Middleware):
    """Give each request an id, from the client if it sends a valid one.

    A cacheable response gets a new id, so that caches do not send the id of a client to others.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._request_ids = RequestIds()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        chosen = self._request_ids.assign(request.META)
        # Not reset afterwards: Django logs the response after the last middleware.
        request_id.set(chosen)
        response = self.get_response(request)
        is_from_client = chosen == request.META.get("HTTP_X_REQUEST_ID")
        response.headers["X-Request-Id"] = (
            self._request_ids.new()
            if is_from_client and _is_cacheable(request, response)
            else chosen
        )
        return response


def _is_cacheable(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether a shared cache may store the response (RFC 9111 3)."""
    directives = response.headers.get("Cache-Control", "")
    if "no-store" in directives or "private" in directives:
        return False
    if "public" in directives or "max-age" in directives:
        return True
    return request.method in {"GET", "HEAD"} and response.status_code in CACHED_BY_DEFAULT


class PublicHeadersMiddleware(Middleware):
    """Add the headers of public responses, and answer OPTIONS for public resources.

    Public views get no cookies, so their responses cannot depend on any. Health checks are answered
    under any host name, since load balancers use the address of the machine.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._compression = PageCompression(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path in PROBES:
            request.META["HTTP_HOST"] = "localhost"
        is_open = is_public(request.path)
        if is_open:
            request.COOKIES = {}
        response = self.get_response(request)
        if is_open:
            response = _public(request, self._compression.process_response(request, response))
        else:
            for name, value in security_headers(settings.HSTS):
                response.headers.setdefault(name, value)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        decision = getattr(request, "rate_limit", None)
        if decision is not None:
            for name, value in decision.headers().items():
                response.headers[name] = value
        return response


def _public(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if request.method == "OPTIONS":
        response = options(request, response)
    if response.status_code in WITHOUT_CONTENT:
        # CommonMiddleware has set a length, which RFC 9110 8.6 forbids here.
        for name in ("Content-Type", "Content-Length"):
            del response.headers[name]
    added = public_headers(settings.HSTS)
    if response.status_code == 304:
        # A 304 has no other headers than those that update the cached response (RFC 9110 15.4.5).
        for name, _ in security_headers(settings.HSTS):
            del response.headers[name]
        added = CORS_HEADERS
    for name, value in added:
        response.headers[name] = value
    if getattr(response, "xframe_options_exempt", False):  # Its own policy names the sites.
        response.headers.pop("X-Frame-Options", None)
    return response


def options(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Answer OPTIONS with `Allow` (RFC 9110 9.3.7), and a CORS preflight with its headers.

    `response` comes from the view, which knows its methods; it may be a 405. `OPTIONS *` concerns
    the server as a whole and has no view.
    """
    is_whole = request.path_info == "*" and response.status_code == 404
    if response.status_code >= 400 and response.status_code != 405 and not is_whole:
        return response
    methods = ", ".join(allowed_methods(response))
    granted = HttpResponse(status=204, headers={"Allow": methods})
    if "Access-Control-Request-Method" in request.headers:
        granted.headers["Access-Control-Allow-Methods"] = methods
        granted.headers["Access-Control-Allow-Headers"] = _granted_headers(request)
        granted.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
    return granted


def _granted_headers(request: HttpRequest) -> str:
    """Return the headers that a page may send, including requested extensions."""
    requested = request.headers.get("Access-Control-Request-Headers", "").lower().split(",")
    names = dict.fromkeys(name.strip() for name in requested)
    extensions = [name for name in names if EXTENSION_HEADER.fullmatch(name)]
    return ", ".join(
        dict.fromkeys([*PREFLIGHT_HEADERS.split(", "), *extensions[:MAX_EXTENSION_HEADERS]])
    )


def allowed_methods(response: HttpResponseBase) -> list[str]:
    """Return the methods of a view, and OPTIONS, which works for every public resource."""
    named = response.headers.get("Allow", "GET, HEAD").split(", ")
    return [*(method for method in named if method not in {"", "OPTIONS"}), "OPTIONS"]


class PageCompression(GZipMiddleware):
    """Compress public pages. Pages of the admin contain secrets (BREACH)."""

    max_random_bytes = 0  # Padding hides the length of secrets, which public pages do not contain.

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        if not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        if choose_coding(request.headers.get("Accept-Encoding"), ("gzip",)) == IDENTITY:
            # Django ignores `q=0`.
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        return super().process_response(request, response)


def write_limiter(request: HttpRequest) -> AbstractContextManager[None]:
    """Return a context manager that limits the waiting writes of a process.

    Otherwise all threads could wait for the database lock of an import, and none could read.
    """
    if request.method in SAFE_METHODS:
        return nullcontext()
    return request.META.get(LIMITER) or nullcontext()


# --- Errors ---------------------------------------------------------------------------------------

# Errors by invalid filters of an admin list that Django does not catch: a year out of range, a
# character that the database cannot store, a thousand words.
QUERY_FAULTS = (DataError, OperationalError, ValueError, OverflowError)
OUT_OF_RANGE = (DataError, OverflowError)  # A key out of range, in an address or a form.
BODY_MARGIN = 1_000_000  # The size that a form adds to the largest file.
CONFLICT = (
    "The same data was saved at the same time, or the object that it belongs to was deleted, so "
    "nothing was saved now. Go back, check what is there, and save again if something is missing."
)


def _too_many_unsent(request: HttpRequest) -> HttpResponse:
    return problems.error(request, 503, SENTENCE, **{"Retry-After": str(RETRY_AFTER_SECONDS)})


class ProblemMiddleware(Middleware):
    """Give errors a body: the empty ones of Django's decorators, and errors of the database.

    The middleware also refuses a body that is longer than the largest upload of the admin (public
    views limit their own bodies), and a large response while too many bytes wait for slow clients.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_large = declared_length(request.META) > settings.IMPORT_MAX_BYTES + BODY_MARGIN
        if is_large and not is_public(request.path):
            # Django would read the whole body before it checks the CSRF token.
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
        is_change = request.method not in SAFE_METHODS and not is_public(request.path)
        if isinstance(error, IntegrityError) and is_change:  # For example a double click.
            logger.warning("%s met another change: %s", request.path, error)
            return problems.error(request, 409, CONFLICT)
        advice = hint_for(error)
        if advice is None and (response := _invalid_input(request, error)):
            logger.warning("%s cannot be answered", request.get_full_path()[:500], exc_info=error)
            return response
        if advice is None and not isinstance(error, DATABASE_AWAY):
            return None
        logger.error("The database cannot be read for %s: %s", request.path, error)
        # Only administrators see the cause.
        return problems.unavailable(request, None if is_public(request.path) else advice)


def _invalid_input(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """Answer a filter, key or number of the admin that no row can have."""
    if isinstance(error, QUERY_FAULTS) and _is_filtered_list(request):
        return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
    if isinstance(error, OUT_OF_RANGE) and not is_public(request.path):
        return problems.error(request, 404 if request.method in SAFE_METHODS else 400)
    return None


def _is_filtered_list(request: HttpRequest) -> bool:
    name = request.resolver_match.view_name if request.resolver_match else ""
    is_list = name.startswith("admin:") and name.endswith("_changelist")
    return is_list and request.method == "GET" and not request.GET.keys() <= {ERROR_FLAG}


# --- The admin ------------------------------------------------------------------------------------


class AdministrationMiddleware(Middleware):
    """Apply `settings.ADMINISTRATION_MIDDLEWARE` to requests of the admin.

    Public requests bypass that chain, so that they cannot read or set a session.
    """

    def __init__(self, get_response: GetResponse) -> None:
        super().__init__(get_response)
        self._view_hooks: list[Callable[..., HttpResponse | None]] = []
        self._exception_hooks: list[Callable[..., HttpResponse | None]] = []
        chain: Any = get_response
        for path in reversed(settings.ADMINISTRATION_MIDDLEWARE):
            middleware = import_string(path)(chain)
            if hasattr(middleware, "process_view"):
                self._view_hooks.insert(0, middleware.process_view)
            if hasattr(middleware, "process_exception"):
                self._exception_hooks.append(middleware.process_exception)
            chain = convert_exception_to_response(middleware)
        self._chain: GetResponse = chain

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if is_administration(request.path):
            return self._chain(request)
        with write_limiter(request):
            return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        return self._first_response(self._view_hooks, request, *view)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return self._first_response(self._exception_hooks, request, error)

    def _first_response(
        self, hooks: list[Callable[..., HttpResponse | None]], request: HttpRequest, *given: Any
    ) -> HttpResponse | None:
        if not is_administration(request.path):
            return None
        responses = (hook(request, *given) for hook in hooks)
        return next((response for response in responses if response is not None), None)


class WriteConcurrencyMiddleware(Middleware):
    """Limit how many requests wait to write. The body of a sign-in is read before it counts."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with write_limiter(request):
            return self.get_response(request)


class LocaleMiddleware(Middleware):
    """Show the admin in the browser's language and the business's time zone.

    Unlike Django's middleware, it resets the language, which the next request of the thread would
    inherit.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            business = get_business()
        except DatabaseError:  # The view meets the error too, and `ProblemMiddleware` answers it.
            business = None
        language = translation.get_language_from_request(request)
        with timezone.override(business.zone if business else None), translation.override(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ("Accept-Language",))
        return response
