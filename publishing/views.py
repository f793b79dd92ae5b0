"""The published documents through Django: the answers of the front, byte for byte."""

from typing import Any, ClassVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from publishing import since
from publishing.answers import Answer, Entry, respond
from publishing.shelf import shelf
from reviews.database_trouble import RETRY_AFTER_SECONDS
from reviews.parameters import parse_date


class DocumentUnavailable(APIException):
    status_code = 503
    wait = RETRY_AFTER_SECONDS


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
        return as_response(respond(entry_at(self.path), request.META))


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
        return as_response(since.respond(entry_at("/reviews.json"), day, request.META))


def entry_at(path: str) -> Entry:
    """The document as it is now: out of memory where a thread keeps that new, else looked up."""
    if not shelf.is_kept:
        shelf.refresh()
    entry = shelf.entries.get(path)
    if entry is None:
        raise DocumentUnavailable
    return entry


def as_response(answer: Answer) -> HttpResponseBase:
    """The answer as Django gives it."""
    code = int(answer.status[:3])
    response: HttpResponseBase
    if isinstance(answer.body, list | tuple):
        response = HttpResponse(b"".join(answer.body), status=code)
    else:
        response = StreamingHttpResponse(answer.body, status=code)
    for name, value in answer.headers:
        response.headers[name] = value
    return response
