"""Send requests to the middleware and to Django's views."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.test import RequestFactory
from django.test.utils import override_settings

from config import wsgi
from publishing import publisher
from publishing.cache import DocumentCache
from publishing.wsgi import PublishedDocuments


class Reply(NamedTuple):
    status: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key.lower() == name.lower()]
        assert len(found) <= 1, f"{name} is repeated"
        return found[0] if found else None


OWN_ID = re.compile(r"[A-Za-z0-9]{12}\.[0-9]+")


def get_response(application: Any, path: str, method: str = "GET", **environ: str) -> Reply:
    """Return the response of a WSGI application. The word `own` replaces generated request ids."""
    environ = {"HTTP_HOST": "reviews.example"} | environ
    request = RequestFactory().generic(method, path, **environ).environ
    answered: list[Any] = []
    body = application(request, lambda status, headers: answered.extend((status, headers)))
    try:
        headers = [
            (name, "own" if name == "X-Request-Id" and OWN_ID.fullmatch(value) else value)
            for name, value in answered[1]
        ]
        return Reply(answered[0], headers, b"".join(body))
    finally:
        if hasattr(body, "close"):
            body.close()


@pytest.fixture(autouse=True)
def _clear_shapes() -> None:
    publisher._seen_fingerprints.clear()


@pytest.fixture
def django() -> WSGIHandler:
    """Return Django as a WSGI application."""
    return WSGIHandler()


def no_django(environ: Any, start_response: Any) -> list[bytes]:
    start_response("599 Handed To Django", [])
    return [b"handed to Django"]


@pytest.fixture
def make_middleware() -> Iterator[Callable[..., PublishedDocuments]]:
    """Create middleware with own poll threads, like several web processes.

    All end with the test.
    """
    caches: list[DocumentCache] = []

    def make(application: Any = no_django) -> PublishedDocuments:
        caches.append(DocumentCache())
        return PublishedDocuments(application, caches[-1], request_headers=wsgi._request_id)

    with override_settings(VERSION_POLL_MS=20):
        yield make
        for cache in caches:
            cache.stop()
