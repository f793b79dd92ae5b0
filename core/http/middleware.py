"""Base class of our middleware."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class Middleware:
    """Middleware that calls `get_response`."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
