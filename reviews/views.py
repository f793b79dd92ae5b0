"""The search over HTTP: a query string in, a finished answer out."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.views import APIView

from core.http.headers import cache_control, service_desc_link
from reviews.search.parameters import Search, parse_query_string
from reviews.search.result_cache import SearchAnswer, search_reviews

PATH = "/api/reviews/search"


class SearchReviewsView(APIView):
    throttle_scope = "search"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Negotiation, authentication and wrapping the request, none of which this view has a use
        # for, took a third of the CPU of an answer that is at hand.
        if request.method not in {"GET", "HEAD"}:
            return super().dispatch(request, *args, **kwargs)
        self.request, self.args, self.kwargs = request, args, kwargs  # type: ignore[assignment]  # Django's.
        try:
            self.check_throttles(request)  # type: ignore[arg-type]  # Django's own will do.
            return self.get(request)
        except APIException as error:
            return self.handle_exception(error)

    @extend_schema(operation_id="searchReviews")
    def get(self, request: HttpRequest) -> HttpResponseBase:
        answer = search_reviews(asked_search(request.META))
        if is_held(answer, request.META):
            response = HttpResponse(status=304)
        else:
            response = HttpResponse(answer.body, content_type="application/json")
        for name, value in headers_of(answer):
            response.headers[name] = value
        return response


def asked_search(environ: Mapping[str, Any]) -> Search:
    """The search that the request of a WSGI environment asks for. Raises `InvalidParameters`."""
    # The raw bytes, since Django's own parser replaces what is not UTF-8.
    return parse_query_string(environ.get("QUERY_STRING", "").encode("latin-1", "replace"))


def is_held(answer: SearchAnswer, environ: Mapping[str, Any]) -> bool:
    """Whether the client has this representation, by weak comparison (RFC 9110 13.1.2)."""
    if_none_match = environ.get("HTTP_IF_NONE_MATCH", "")
    if not if_none_match:
        return False
    held = parse_etags(if_none_match)
    return held == ["*"] or answer.etag in held or f"W/{answer.etag}" in held


def headers_of(answer: SearchAnswer) -> list[tuple[str, str]]:
    """What is told of an answer, whether it is sent or held."""
    return [
        ("ETag", answer.etag),
        ("Cache-Control", cache_control(settings.CACHE_MAX_AGE_SECONDS)),
        ("Link", _link(answer)),
    ]


def _link(answer: SearchAnswer) -> str:
    description = service_desc_link(settings.BASE_URL)
    if answer.next_page is None:
        return description
    return f'<{settings.BASE_URL}{PATH}?{answer.next_page}>; rel="next", {description}'
