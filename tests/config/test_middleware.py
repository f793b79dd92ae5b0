"""Which middleware a request passes: the administration's own is none of the public's."""

import re

import pytest
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.test import Client
from django.urls import URLPattern, get_resolver

from config.middleware import is_administration
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db


def public_addresses():
    """An address of each public route, its variables filled in."""

    def routes(patterns, prefix=""):
        for entry in patterns:
            route = f"{prefix}{entry.pattern}"
            if isinstance(entry, URLPattern):
                yield f"/{route}"
            else:
                yield from routes(entry.url_patterns, route)

    for route in routes(get_resolver().url_patterns):
        address = re.sub(r"<[^>]+>", "x", route)
        if not is_administration(address):
            yield address


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_public_address_reads_or_sets_a_session(monkeypatch, method):
    make_business()
    make_review()
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "of-somebody"

    def refuse(self, *args, **kwargs):
        raise AssertionError("A session was opened.")

    monkeypatch.setattr(SessionBase, "__init__", refuse)

    addresses = list(public_addresses())
    for address in ["/", "/reviews", "/mcp", "/nothing", *addresses]:
        response = getattr(client, method)(address)
        assert response.status_code != 500, address
        assert not response.cookies, address
        assert "Cookie" not in response.get("Vary", ""), address
    assert len(addresses) > 30
    assert client.get("/admin/login/").status_code == 500
