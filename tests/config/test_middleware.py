"""Middleware of public requests, which excludes that of the administration."""

import re

import pytest
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.test import Client
from django.urls import URLPattern, get_resolver

from config.middleware import is_public
from core.http.headers import public_headers
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db


def public_urls():
    """Return a URL of each public route, with its variables filled in."""

    def routes(patterns, prefix=""):
        for entry in patterns:
            route = f"{prefix}{entry.pattern}"
            if isinstance(entry, URLPattern):
                yield f"/{route}"
            else:
                yield from routes(entry.url_patterns, route)

    for route in routes(get_resolver().url_patterns):
        address = re.sub(r"<[^>]+>", "x", route)
        if is_public(address):
            yield address


@pytest.mark.parametrize("method", ["get", "post"])
def test_public_urls_use_no_session(monkeypatch, method):
    make_business()
    make_review()
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "of-somebody"

    def refuse(self, *args, **kwargs):
        raise AssertionError("A session was opened.")

    monkeypatch.setattr(SessionBase, "__init__", refuse)

    addresses = list(public_urls())
    for address in ["/", "/reviews", "/mcp", "/nothing", *addresses]:
        response = getattr(client, method)(address, headers={"Origin": "https://page.example"})
        assert response.status_code != 500, address
        assert not response.cookies, address
        assert set(response.get("Vary", "Accept").split(", ")) <= {"Accept", "Accept-Encoding"}
        for name, value in public_headers(settings.HSTS):
            # Except for the page that other sites may frame.
            assert response.get(name, "DENY") == value, address
    assert len(addresses) > 30
    assert client.get("/admin/login/").status_code == 500
