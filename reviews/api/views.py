"""HTTP interface of the reviews: the document, the reviews since a day, and the search."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import parse_etags
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_view,
)
from rest_framework.request import Request
from rest_framework.views import APIView

from core.http import openapi
from core.http.headers import cache_control, service_desc_link
from publishing.registry import DocumentSpec
from publishing.views import document_response, to_django
from reviews import documents
from reviews.api import since
from reviews.api.serializers import (
    ReviewsDatasetSerializer,
    SearchResultSerializer,
    SinceResultSerializer,
    ValidationProblemSerializer,
)
from reviews.search.parameters import (
    FIELDS,
    DaySerializer,
    InvalidParameters,
    SearchSerializer,
    read_query_string,
)
from reviews.search.query import SearchAnswer, search_reviews

PATH = "/api/reviews/search"
CACHING = ("Cache-Control", "Link", "X-Request-Id")

Decorator = Callable[[Any], Any]


# --- Descriptions ---------------------------------------------------------------------------------


def describe_document(
    spec: DocumentSpec, operation_id: str, tag: str, serializer: type[Any]
) -> Decorator:
    """Describe the GET of a registered document."""
    topic = " Also a WebSub topic." if spec.is_topic else ""
    described = extend_schema(
        operation_id=operation_id,
        tags=[tag],
        summary=spec.title,
        description=f"{spec.description}{topic}",
        parameters=[
            *openapi.request_headers("If-None-Match", "If-Modified-Since"),
            *openapi.response_headers("ETag", "Last-Modified", *CACHING, "Retry-After"),
        ],
        responses={
            "200": OpenApiResponse(serializer, spec.title),
            "304": openapi.NOT_MODIFIED,
            "405": openapi.METHOD_NOT_ALLOWED,
            "503": openapi.UNAVAILABLE,
        },
    )
    decorator: Decorator = extend_schema_view(get=described)
    return decorator


QUERY_HEADERS = openapi.response_headers(
    "ETag", *CACHING, "RateLimit-Policy", "RateLimit", "Retry-After"
)


def _responses(answer: OpenApiResponse, refused: OpenApiResponse) -> dict[str, OpenApiResponse]:
    """Responses of a GET with parameters and a rate limit."""
    return {
        "200": answer,
        "304": openapi.NOT_MODIFIED,
        "400": refused,
        "429": openapi.TOO_MANY,
        "503": openapi.UNAVAILABLE,
    }


def _bad(description: str, issue: dict[str, Any]) -> OpenApiResponse:
    detail = InvalidParameters.default_detail
    example = openapi.problem_example(400, "Bad Request", detail, issues=[issue])
    return openapi.refusal(description, example, ValidationProblemSerializer)


# --- Views ----------------------------------------------------------------------------------------


class ReadOnlyAPIView(APIView):
    # Without the `Allow` of Django REST framework, which only a 405 needs.
    default_response_headers: ClassVar[dict[str, str]] = {}


class DocumentAPIView(ReadOnlyAPIView):
    """View of a published document, as an operation of the interface."""

    path: ClassVar[str]

    def get(self, request: Request) -> HttpResponse:
        return document_response(self.path, request.META)


@describe_document(documents.DOCUMENT, "getReviews", "reviews", ReviewsDatasetSerializer)
class ReviewsView(DocumentAPIView):
    path = documents.DOCUMENT.path


class SinceView(ReadOnlyAPIView):
    throttle_scope = "search"

    @extend_schema(
        operation_id="getReviewsSince",
        tags=["reviews"],
        summary="All reviews on or after a day",
        description="To keep a copy up to date.",
        parameters=[
            OpenApiParameter(
                "date",
                OpenApiTypes.DATE,
                OpenApiParameter.PATH,
                description="The first day of interest; a day in the future gives an empty list.",
                examples=[OpenApiExample("Demo", "2026-01-01")],
            ),
            *openapi.request_headers("If-None-Match", "If-Modified-Since"),
            *openapi.response_headers("Last-Modified"),
            *QUERY_HEADERS,
        ],
        responses=_responses(
            OpenApiResponse(SinceResultSerializer, "All reviews on or after a day"),
            _bad(
                "An invalid date.",
                {
                    "code": "invalid_date",
                    "path": ["date"],
                    "message": "date must be a calendar day written as YYYY-MM-DD.",
                    "received": "2026-02-30",
                },
            ),
        ),
    )
    def get(self, request: Request, date: str) -> HttpResponse:
        day = DaySerializer.read({"date": date})["date"]
        return to_django(since.respond(day, request.META))


class SearchReviewsView(ReadOnlyAPIView):
    throttle_scope = "search"

    @extend_schema(
        operation_id="searchReviews",
        tags=["reviews"],
        summary="The reviews that match all filters",
        description=(
            "Filters combine with AND; without any, all reviews match. Unknown parameters are "
            "ignored and named in the answer; a parameter given twice is refused. Newest first, "
            "unless sort says otherwise."
        ),
        parameters=[
            SearchSerializer,
            *openapi.request_headers("If-None-Match"),
            *QUERY_HEADERS,
        ],
        responses=_responses(
            OpenApiResponse(SearchResultSerializer, "The reviews that match all filters"),
            _bad(
                "Parameters that cannot be used, all of them at once.",
                {
                    "code": "too_big",
                    "path": ["limit"],
                    "message": "limit must be a whole number from 1 to 100.",
                    "maximum": 100,
                    "inclusive": True,
                    "received": "500",
                },
            ),
        ),
        examples=[
            OpenApiExample("Demo", field.example, parameter_only=(name, OpenApiParameter.QUERY))
            for name, field in FIELDS.items()
            if name != "cursor"  # The demo has no such position.
        ],
    )
    def get(self, request: Request) -> HttpResponse:
        # Django's parser would replace bytes that are not UTF-8.
        query_string = request.META.get("QUERY_STRING", "").encode("latin-1", "replace")
        search, ignored = read_query_string(query_string)
        answer = search_reviews(search)
        if ignored:
            answer = answer.naming(ignored)
        if _is_held(answer, request.META.get("HTTP_IF_NONE_MATCH", "")):
            response = HttpResponse(status=304)
        else:
            response = HttpResponse(answer.body, content_type="application/json")
        response.headers["ETag"] = answer.etag
        response.headers["Cache-Control"] = cache_control(settings.CACHE_MAX_AGE_SECONDS)
        response.headers["Link"] = _link(answer)
        return response


def _is_held(answer: SearchAnswer, if_none_match: str) -> bool:
    """Whether the client holds this representation, by weak comparison (RFC 9110 13.1.2)."""
    held = parse_etags(if_none_match)
    return held == ["*"] or answer.etag in held or f"W/{answer.etag}" in held


def _link(answer: SearchAnswer) -> str:
    description = service_desc_link(settings.BASE_URL)
    if answer.next_page is None:
        return description
    return f'<{settings.BASE_URL}{PATH}?{answer.next_page}>; rel="next", {description}'
