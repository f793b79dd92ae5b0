"""The search over HTTP: a query string in, a finished answer out."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.views import APIView

from reviews.answers import SearchAnswer, search_reviews
from reviews.parameters import parse_query_string
from reviews.public_headers import cache_control

PATH = "/api/reviews/search"


class SearchReviewsView(APIView):
    throttle_scope = "search"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Negotiation, authentication and wrapping the request, none of which this view has a use
        # for, took a third of the CPU of an answer that is at hand.
        if request.method not in {"GET", "HEAD"}:
            return super().dispatch(request, *args, **kwargs)
        self.request, self.args, self.kwargs = request, args, kwargs  # type: ignore[assignment]
        try:
            self.check_throttles(request)  # type: ignore[arg-type]
            return self.get(request)
        except APIException as error:
            return self.handle_exception(error)

    @extend_schema(operation_id="searchReviews")
    def get(self, request: HttpRequest) -> HttpResponseBase:
        # The raw bytes, since Django's own parser replaces what is no UTF-8.
        raw = request.META.get("QUERY_STRING", "").encode("latin-1", "replace")
        answer = search_reviews(parse_query_string(raw))
        response: HttpResponseBase
        if _is_held(answer.etag, request.META.get("HTTP_IF_NONE_MATCH", "")):
            # Streaming, or CommonMiddleware gives it a Content-Length of 0 (RFC 9110 8.6).
            response = StreamingHttpResponse((), status=304)
            del response.headers["Content-Type"]
        else:
            response = HttpResponse(answer.body, content_type="application/json")
        response.headers["ETag"] = answer.etag
        response.headers["Cache-Control"] = cache_control(settings.CACHE_MAX_AGE_SECONDS)
        response.headers["Link"] = _link(answer)
        return response


def _is_held(etag: str, if_none_match: str) -> bool:
    """Whether the client has this representation, by weak comparison (RFC 9110 13.1.2)."""
    if not if_none_match:
        return False
    held = parse_etags(if_none_match)
    return held == ["*"] or etag in held or f"W/{etag}" in held


def _link(answer: SearchAnswer) -> str:
    described_by = f'<{settings.BASE_URL}/.well-known/openapi.json>; rel="service-desc"'
    if answer.next_page is None:
        return described_by
    return f'<{settings.BASE_URL}{PATH}?{answer.next_page}>; rel="next", {described_by}'
