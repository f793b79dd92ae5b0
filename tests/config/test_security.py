"""Attacks that do not belong to a single app."""

import re

import pytest
from django.contrib.auth import get_user_model

from config.middleware import BODY_MARGIN, CONTENT_SECURITY_POLICY
from tests.deploy.files import ROOT
from tests.factories import make_business, make_review

TABLE = (ROOT / "docs/threats.md").read_text()


def test_threats_name_existing_tests():
    rows = [line for line in TABLE.splitlines() if re.match(r"\| (?!What )", line)]
    named = [re.findall(r"`(tests/[\w/]+\.py)`", row) for row in rows]

    assert rows
    assert [row for row, files in zip(rows, named, strict=True) if not files] == []
    assert [file for files in named for file in files if not (ROOT / file).exists()] == []


KINDS = [
    ("get", "/", 200),
    ("get", "/reviews.json", 200),
    ("get", "/api/reviews/search", 200),
    ("get", "/api/reviews/search?limit=x", 400),
    ("get", "/api/nothing", 404),
    ("get", "/nothing", 404),
    ("post", "/reviews.json", 405),
    ("post", "/mcp", 415),
    ("post", "/api/websub/hub", 415),
    ("post", "/api/websub/status", 415),
    ("get", "/static/website/site.css", 200),
    ("get", "/admin", 302),
    ("get", "/admin/", 302),
    ("get", "/admin/login/", 200),
    ("get", "/admin/nothing/", 302),
    ("get", "/healthz", 200),
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("method", "path", "status"), KINDS)
def test_every_kind_of_response_has_security_headers(client, method, path, status):
    make_business()
    make_review()

    response = getattr(client, method)(path, content_type="text/x-unknown")

    assert response.status_code == status
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert response["X-Request-Id"]
    is_page = response.get("Content-Type", "").startswith("text/html")
    policy = response.get("Content-Security-Policy")
    assert policy == (CONTENT_SECURITY_POLICY if is_page else None)
    assert ("Access-Control-Allow-Origin" in response) == (not path.startswith("/admin"))
    assert "Access-Control-Allow-Credentials" not in response
    response.close()


class Unread:
    """A request body that fails the test when it is read."""

    def read(self, *args):
        raise AssertionError("The body was read.")

    readline = read


def post_unread(client, path, length):
    return client.generic(
        "POST",
        path,
        b"",
        content_type="multipart/form-data; boundary=x",
        CONTENT_LENGTH=str(length),
        **{"wsgi.input": Unread()},
    )


@pytest.mark.django_db
def test_body_over_import_limit_is_refused_unread(admin_client, settings):
    length = settings.IMPORT_MAX_BYTES + BODY_MARGIN + 1
    response = post_unread(admin_client, "/admin/imports/importbatch/add/", length)

    assert response.status_code == 413
    page = response.content.decode().replace("\xa0", " ")
    assert "larger than 20.0 MB" in page
    assert "manage.py import_reviews" in page
    assert 'href="/admin/"' in page


@pytest.mark.django_db
def test_body_without_session_is_not_read(client):
    response = post_unread(client, "/admin/imports/importbatch/add/", 1_000)

    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=%2Fadmin%2F")


@pytest.mark.django_db
def test_large_body_of_sign_in_is_refused_unread(client):
    response = post_unread(client, "/admin/login/", 3_000_000)

    assert response.status_code == 413
    assert "too large" in response.content.decode()


def sign_in(client, forwarded, password="wrong"):
    return client.post(
        "/admin/login/",
        {"username": "root", "password": password},
        REMOTE_ADDR="10.0.0.1",
        headers={"X-Forwarded-For": forwarded},
    ).status_code


@pytest.mark.django_db
def test_lock_applies_to_client_behind_proxy(client, settings):
    settings.TRUSTED_PROXY_COUNT = 1
    settings.FORWARDED_HEADER = "X-Forwarded-For"
    get_user_model().objects.create_superuser("root", password="the right password")

    # Entries that the client puts before the proxy's do not change its address.
    statuses = [sign_in(client, f"203.0.113.{n}, 198.51.100.7") for n in range(6)]

    assert statuses == [200, 200, 200, 200, 429, 429]
    assert sign_in(client, "198.51.100.8", "the right password") == 302
