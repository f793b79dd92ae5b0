"""The published documents through Django: the answers of the front, byte for byte."""

from typing import Any, ClassVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from publishing.answers import Answer, respond
from publishing.shelf import shelf


class DocumentUnavailable(APIException):
    status_code = 503
    wait = 5


class AnsweringView(APIView):
    """A view whose answers are complete as they come."""

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        final = super().finalize_response(request, response, *args, **kwargs)
        if final.status_code < 400:
            del final.headers["Allow"]  # Django REST framework adds it; a 405 needs it, a 200 not.
        return final


class DocumentView(AnsweringView):
    path: ClassVar[str]

    def get(self, request: Request) -> HttpResponseBase:
        if not shelf.is_kept:
            shelf.refresh()
        entry = shelf.entries.get(self.path)
        if entry is None:
            raise DocumentUnavailable
        return as_response(respond(entry, request.META))


@extend_schema(operation_id="getReviews")
class ReviewsView(DocumentView):
    path = "/reviews.json"


@extend_schema(operation_id="getInsights")
class InsightsView(DocumentView):
    path = "/insights.json"


@extend_schema(operation_id="getFeed")
class JsonFeedView(DocumentView):
    path = "/api/feed.json"


@extend_schema(exclude=True)
class AtomView(DocumentView):
    path = "/feed.xml"


def as_response(answer: Answer) -> HttpResponseBase:
    """The answer as Django gives it."""
    code = int(answer.status[:3])
    if code == 304:
        # RFC 9110 8.6: CommonMiddleware must not write a Content-Length of 0, as it would into
        # a response that does not stream.
        response: HttpResponseBase = StreamingHttpResponse((), status=code)
        del response.headers["Content-Type"]
    else:
        response = HttpResponse(b"".join(answer.body), status=code)
    for name, value in answer.headers:
        response.headers[name] = value
    return response
