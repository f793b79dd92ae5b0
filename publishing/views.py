"""The published documents through Django: the answers of the front, byte for byte."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from publishing import since
from publishing.answers import Answer, respond
from publishing.contents import published
from reviews.parameters import parse_date


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
    path = ""  # Of the document, given by the URL.

    def get(self, request: Request) -> HttpResponseBase:
        return as_response(respond(published(self.path), request.META))


class SinceView(AnsweringView):
    throttle_scope = "search"

    def get(self, request: Request, date: str) -> HttpResponseBase:
        day = parse_date(date)
        return as_response(since.respond(published("/reviews.json"), day, request.META))


def as_response(answer: Answer) -> HttpResponse:
    """The answer as Django gives it."""
    code = int(answer.status[:3])
    response = HttpResponse(b"".join(answer.body), status=code)
    for name, value in answer.headers:
        response.headers[name] = value
    return response
