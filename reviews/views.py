"""The reviews over HTTP: the document, the reviews since a day, and the search."""

from typing import ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import parse_etags
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from core.http.headers import cache_control, service_desc_link
from publishing.selectors import get_document
from publishing.views import document_response, to_django
from reviews import documents, since
from reviews.search.parameters import parse_date, parse_query_string
from reviews.search.result_cache import SearchAnswer, search_reviews

PATH = "/api/reviews/search"


NO_HEADERS: dict[str, str] = {}  # DRF would add `Allow`, which goes with a 405 alone.


class DocumentAPIView(APIView):
    """A published document as an operation of the interface."""

    default_response_headers: ClassVar[dict[str, str]] = NO_HEADERS
    path: ClassVar[str]

    def get(self, request: Request) -> HttpResponse:
        return document_response(self.path, request.META)


class ReviewsView(DocumentAPIView):
    path = documents.DOCUMENT.path
    operation_id = "getReviews"


class SinceView(APIView):
    default_response_headers: ClassVar[dict[str, str]] = NO_HEADERS
    throttle_scope = "search"

    @extend_schema(operation_id="getReviewsSince")
    def get(self, request: Request, date: str) -> HttpResponse:
        day = parse_date(date)
        document = get_document(documents.DOCUMENT.path)
        return to_django(since.respond(document, day, request.META))


class SearchReviewsView(APIView):
    throttle_scope = "search"
    default_response_headers: ClassVar[dict[str, str]] = NO_HEADERS

    @extend_schema(operation_id="searchReviews")
    def get(self, request: Request) -> HttpResponse:
        # The raw bytes, since Django's own parser replaces bytes that are not UTF-8.
        query_string = request.META.get("QUERY_STRING", "").encode("latin-1", "replace")
        answer = search_reviews(parse_query_string(query_string))
        if _is_held(answer, request.META.get("HTTP_IF_NONE_MATCH", "")):
            response = HttpResponse(status=304)
        else:
            response = HttpResponse(answer.body, content_type="application/json")
        response.headers["ETag"] = answer.etag
        response.headers["Cache-Control"] = cache_control(settings.CACHE_MAX_AGE_SECONDS)
        response.headers["Link"] = _link(answer)
        return response


def _is_held(answer: SearchAnswer, if_none_match: str) -> bool:
    """Whether the client has this representation, by weak comparison (RFC 9110 13.1.2)."""
    held = parse_etags(if_none_match)
    return held == ["*"] or answer.etag in held or f"W/{answer.etag}" in held


def _link(answer: SearchAnswer) -> str:
    description = service_desc_link(settings.BASE_URL)
    if answer.next_page is None:
        return description
    return f'<{settings.BASE_URL}{PATH}?{answer.next_page}>; rel="next", {description}'
