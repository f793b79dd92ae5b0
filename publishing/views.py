"""The published documents through Django: the answers of the front, byte for byte."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from publishing import since
from publishing.contents import get_document
from publishing.responses import StaticResponse, respond
from reviews.search.parameters import parse_date


class AnsweringView(APIView):
    """A view whose answers are complete as they come."""

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        if final.status_code != 405:
            del final.headers["Allow"]  # Django REST framework adds it to every answer.
        return final


class DocumentView(AnsweringView):
    path: ClassVar[str]

    def get(self, request: Request) -> HttpResponseBase:
        return as_response(respond(get_document(self.path), request.META))


class ReviewsView(DocumentView):
    path = "/reviews.json"
    operation_id = "getReviews"


class InsightsView(DocumentView):
    path = "/insights.json"
    operation_id = "getInsights"


class JsonFeedView(DocumentView):
    path = "/api/feed.json"
    operation_id = "getFeed"


class AtomView(DocumentView):
    path = "/feed.xml"
    schema = None  # A feed, not an operation of the interface.


@extend_schema(exclude=True)
class OpenApiView(DocumentView):
    path = "/.well-known/openapi.json"


class SinceView(AnsweringView):
    throttle_scope = "search"

    @extend_schema(operation_id="getReviewsSince")
    def get(self, request: Request, date: str) -> HttpResponseBase:
        day = parse_date(date)
        return as_response(since.respond(get_document("/reviews.json"), day, request.META))


def as_response(answer: StaticResponse) -> HttpResponse:
    """The answer as Django gives it."""
    code = int(answer.status[:3])
    response = HttpResponse(b"".join(answer.body), status=code)
    for name, value in answer.headers:
        response.headers[name] = value
    return response
