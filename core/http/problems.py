"""Error responses: problem details (RFC 9457) for programs, HTML pages for people.

Problems are served as `application/json` like all responses of the interface. The hub and `/mcp`
format errors as their protocols require.
"""

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import (
    DisallowedHost,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException, MethodNotAllowed
from rest_framework.negotiation import BaseContentNegotiation

from core.db.errors import RETRY_AFTER_SECONDS
from core.http.rate_limit import try_again
from core.http.request_body import TooManyBodies
from core.logging import request_id

logger = logging.getLogger(__name__)

DETAILS = {
    400: _("The request cannot be read. Check its address, headers and body."),
    403: _("You are not allowed to see this."),
    404: _("There is nothing at this address. /.well-known/openapi.json lists what there is."),
    405: _("This method is not served here."),
    406: _("No other representation is served here."),
    412: _("This is no longer what is published. Read it again, without If-Match."),
    413: _("The body is too large, or it has too many fields."),
    415: _("This type of body is not accepted here."),
    429: _("Too many requests from your address."),
    500: _("Something went wrong on our side. It has been logged under this request_id."),
    503: _("The data cannot be read at the moment."),
}
# Texts of the pages, if they differ.
TITLES = {403: _("Not allowed"), 404: _("Page not found"), 413: _("Too large")}
PAGE_DETAILS = {
    404: _("There is no page at this address, or what it showed is not public any more.")
}
ADMINISTRATION_DETAILS = {
    403: _("Your account has no permission for this. A superuser gives permissions under Users."),
    404: _("There is no page at this address, or what it showed has been deleted."),
}


def _words(status: int) -> str:
    return str(DETAILS.get(status, HTTPStatus(status).description))


def problem(
    status: int,
    detail: str | None = None,
    *,
    members: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Problem with optional extension members (RFC 9457 3.2).

    A 5xx names the request, to find it in the log.
    """
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail or _words(status),
    }
    if status >= 500:
        body["request_id"] = request_id.get()
    body |= members or {}
    return raw_error(orjson.dumps(body), status, "application/json", headers or {})


def raw_error(
    body: bytes, status: int, content_type: str, headers: Mapping[str, str]
) -> HttpResponse:
    # Not all errors pass Django's CommonMiddleware, which sets the length.
    length = {"Content-Length": str(len(body))}
    return HttpResponse(
        body, status=status, content_type=content_type, headers={**headers, **length}
    )


def later(status: int, seconds: int) -> HttpResponse:
    """Problem with `Retry-After`, which the detail repeats."""
    return problem(status, _with_wait(status, seconds), headers={"Retry-After": str(seconds)})


def _with_wait(status: int, seconds: int) -> str:
    return f"{_words(status)} {try_again(seconds)}"


# --- Django REST framework ------------------------------------------------------------------------


class OneRepresentation(BaseContentNegotiation):
    """Content negotiation that ignores `Accept`, since each resource has one representation."""

    def select_parser(self, request: Any, parsers: Iterable[Any]) -> Any:
        return next(iter(parsers), None)

    def select_renderer(
        self, request: Any, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> Any:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Convert an exception of a view to a problem; None leaves it to Django's handlers."""
    if isinstance(error, MethodNotAllowed):
        return method_not_allowed(context["request"], context["view"].allowed_methods)
    if isinstance(error, APIException):
        if issues := getattr(error, "issues", None):
            return problem(error.status_code, str(error.detail), members={"issues": issues})
        seconds = math.ceil(getattr(error, "wait", None) or 0)
        return later(error.status_code, seconds) if seconds else problem(error.status_code)
    return None


# --- Plain Django ---------------------------------------------------------------------------------


FOR_PROGRAMS = frozenset(
    {
        *("/healthz", "/llms.txt", "/readyz", "/robots.txt", "/sitemap.xml"),
        # Clients of MCP look here for an authorization server; there is none.
        *("/authorize", "/device_authorization", "/introspect", "/oauth", "/oauth2"),
        *("/register", "/revoke", "/token", "/userinfo"),
        *("/badge.png", "/badge.svg", "/embed.css", "/oembed"),
    }
)


def is_for_programs(path: str) -> bool:
    """Whether programs read the errors at a path; people get a page."""
    return (
        path in FOR_PROGRAMS
        or path in settings.ERROR_FORMATS
        or path in import_string(settings.PROGRAM_PATHS)
        or path.endswith(".json")
        or path.startswith(("/api/", "/.well-known/", "/mcp/", "/oauth/", "/oauth2/"))
    )


def error(
    request: HttpRequest, status: int, detail: str | None = None, **headers: str
) -> HttpResponse:
    """Error as a problem, a page, or in the format that `ERROR_FORMATS` names for the path."""
    if render := settings.ERROR_FORMATS.get(request.path):
        answer: HttpResponse = import_string(render)(status, detail or _words(status), headers)
        return answer
    if is_for_programs(request.path):
        return problem(status, detail, headers=headers)
    if status >= 500:
        # This page needs neither the database nor another template.
        known = {"detail": detail, "request_id": request_id.get()}
        page = render_to_string("500.html", known)
    else:
        is_administration = request.path.startswith("/admin/")
        details = ADMINISTRATION_DETAILS if is_administration else PAGE_DETAILS
        # A request that was refused unread must not query the database.
        is_unread = status in {400, 413, 429}
        context = {} if is_unread else import_string(settings.ERROR_PAGE_CONTEXT)(request)
        language = translation.get_language() if is_administration else context.get("language")
        with translation.override(language or settings.LANGUAGE_CODE):
            shown = {
                "title": TITLES.get(status, HTTPStatus(status).phrase.capitalize()),
                "detail": detail or details.get(status) or _words(status),
                "is_administration": is_administration,
                **context,
            }
            page = render_to_string("error.html", shown)
    return raw_error(page.encode(), status, "text/html; charset=utf-8", headers)


def plain_text_error(status: int, words: str, headers: Mapping[str, str]) -> HttpResponse:
    """Error as plain text, for the developer of a subscriber (WebSub 5.2)."""
    known = f"request_id: {request_id.get()}\n" if status >= 500 else ""
    return raw_error(f"{words}\n{known}".encode(), status, "text/plain; charset=utf-8", headers)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        detail = f"The Host header names another site. This one is {settings.BASE_URL}."
        return error(request, 400, detail)
    if isinstance(exception, TooManyBodies):
        wait = {"Retry-After": str(exception.retry_after_seconds)}
        return error(request, exception.status, str(exception), **wait)
    too_large = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
    return error(request, 413 if isinstance(exception, too_large) else 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    user = getattr(request, "user", None)
    name = user.get_username() if user is not None else ""
    logger.warning("Refused %s %a for user %a", request.method, request.path, name)
    return error(request, 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return error(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return error(request, 500)


def method_not_allowed(request: HttpRequest, methods: Sequence[str]) -> HttpResponse:
    allowed = ", ".join(methods)
    return error(request, 405, f"{_words(405)} Use one of: {allowed}.", Allow=allowed)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    logger.warning("Refused the form at %a: %s", request.path, reason)
    advice = gettext("This form has expired. Go back, reload the page and send it again.")
    if reason.startswith(("Origin", "Referer")):
        # The proxy hides the host or port that the browser uses, so that a new form would not help.
        advice = (
            f"This form came from another address than {settings.BASE_URL}. Open it there; or let "
            "the proxy pass the Host header on as it comes."
        )
    return error(request, 403, advice)


def unavailable(request: HttpRequest, advice: str | None = None) -> HttpResponse:
    """503 with `Retry-After`; pages show the `advice`."""
    if is_for_programs(request.path):
        advice = _with_wait(503, RETRY_AFTER_SECONDS)
    return error(request, 503, advice, **{"Retry-After": str(RETRY_AFTER_SECONDS)})
