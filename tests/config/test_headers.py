import gzip
import re

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import path
from django.views.decorators.http import require_safe
from rest_framework.views import APIView

from config import urls
from config.middleware import CONTENT_SECURITY_POLICY
from core.logging import request_id
from tests.factories import make_review


class ApiProbe(APIView):
    def get(self, request):
        return HttpResponse(b"{}", content_type="application/json")


class WritableProbe(APIView):
    def post(self, request):
        return HttpResponse(b"{}", content_type="application/json")


@require_safe
def page_probe(request):
    return HttpResponse("<!doctype html>")


def id_probe(request):
    return HttpResponse(request_id.get(), headers={"Cache-Control": "no-store"})


urlpatterns = [
    path("api/probe", ApiProbe.as_view()),
    path("api/writable", WritableProbe.as_view()),
    path("page", page_probe),
    path("id", id_probe),
    *urls.urlpatterns,
]
handler400, handler404 = urls.handler400, urls.handler404

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.mark.parametrize(
    ("address", "allow"),
    [
        ("/api/probe", "GET, HEAD, OPTIONS"),
        ("/page", "GET, HEAD, OPTIONS"),
        ("/api/writable", "POST, OPTIONS"),
        ("*", "GET, HEAD, OPTIONS"),
    ],
)
def test_options_lists_methods_without_body(client, address, allow):
    response = client.options(address)
    assert response.status_code == 204
    assert response.content == b""
    assert response["Allow"] == allow
    assert "Content-Type" not in response
    assert "Access-Control-Allow-Methods" not in response


@pytest.mark.parametrize("given_id", ["a", "A.b_c-9", "x" * 64])
def test_plain_request_id_is_kept(client, given_id):
    response = client.get("/id", headers={"X-Request-Id": given_id})
    assert response["X-Request-Id"] == response.content.decode() == given_id


@pytest.mark.parametrize("given_id", ["", "x" * 65, "a b", "a\nb", "é", "<i>", "a\n"])
def test_malformed_request_id_is_replaced(client, given_id):
    response = client.get("/id", headers={"X-Request-Id": given_id})
    assert re.fullmatch(r"[A-Za-z0-9]{12}\.[0-9]+", response["X-Request-Id"])
    assert response.content.decode() == response["X-Request-Id"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "address", ["/api/reviews/search", "/api/reviews/since/2026-01-01", "/reviews.json", "/"]
)
def test_client_request_id_is_not_in_cacheable_responses(client, address):
    make_review()
    response = client.get(address, headers={"X-Request-Id": "from-a-client"})
    assert response.status_code == 200
    assert response["Cache-Control"].startswith("public")
    assert re.fullmatch(r"[A-Za-z0-9]{12}\.[0-9]+", response["X-Request-Id"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["/", "/reviews", "/insights", "/developers", "/status"])
def test_public_pages_are_compressed_by_accept_encoding(client, address):
    for number in range(20):
        make_review(text=f"They were quick and tidy, number {number}.")
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip, br"})
    again = client.get(address, headers={"Accept-Encoding": "gzip"})
    refused = client.get(address, headers={"Accept-Encoding": "gzip;q=0"})

    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content == refused.content
    assert len(packed.content) * 2 < len(plain.content)
    assert packed["Content-Length"] == str(len(packed.content))
    assert packed.content == again.content
    for response in (plain, packed, refused):
        assert "Accept-Encoding" in response["Vary"].split(", ")
    head = client.head(address, headers={"Accept-Encoding": "gzip"})
    assert head["Content-Length"] == packed["Content-Length"]


@pytest.mark.django_db
def test_pages_of_the_administration_are_not_compressed(client, admin_client):
    for page in (client.get, admin_client.get):
        response = page("/admin/", headers={"Accept-Encoding": "gzip"}, follow=True)
        assert len(response.content) > 1_000
        assert "Content-Encoding" not in response


INLINE = re.compile(
    r"<script(?![^>]*(\ssrc=|type=\"application/))|<style|\sstyle=|\son[a-z]+=|javascript:",
    re.IGNORECASE,
)


def admin_pages():
    yield from ("/admin/", "/admin/password_change/", "/admin/logout/")
    for model in admin.site._registry:
        place = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield from (place, f"{place}add/")


def test_admin_pages_keep_content_security_and_opener_policy():
    client = Client()
    login = client.get("/admin/login/")
    client.force_login(
        get_user_model().objects.create_superuser("root", "root@example.com", "long enough"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    pages = {page: client.get(page) for page in admin_pages()}
    for page, response in {"/admin/login/": login, **pages}.items():
        # Some rows cannot be added by hand.
        assert response.status_code in {200, 302, 405} or page.endswith("/add/")
        assert response["X-Frame-Options"] == "DENY"
        assert "Access-Control-Allow-Origin" not in response
        if response.status_code == 200:
            assert response["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
            assert not INLINE.search(response.content.decode())
