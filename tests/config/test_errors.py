"""Every error has one format and the project's own words."""

import logging
from urllib.parse import quote

import orjson
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from django.test import Client
from django.urls import path
from django.views.decorators.http import require_safe
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import APIException, ParseError, UnsupportedMediaType
from rest_framework.views import APIView

from config import urls
from tests.factories import make_business

pytestmark = pytest.mark.django_db

SECRET = "a library's own words"


RAISED = {
    "not-found": Http404(SECRET),
    "denied": PermissionDenied(SECRET),
    "suspicious": SuspiciousOperation(SECRET),
    "too-big": RequestDataTooBig(SECRET),
    "operational": OperationalError(SECRET),
    "interface": InterfaceError(SECRET),
    "crash": RuntimeError(SECRET),
    "parse": ParseError(SECRET),
    "media-type": UnsupportedMediaType(SECRET),
    "api": APIException(SECRET),
}


class ApiProbe(APIView):
    def get(self, request, name):
        raise RAISED[name]


def plain_probe(request, name):
    raise RAISED[name]


@require_safe
def safe_probe(request):
    return HttpResponse("fine")


urlpatterns = [
    path("api/probe/<name>", ApiProbe.as_view()),
    path("api/plain/<name>", plain_probe),
    path("api/safe", safe_probe),
    path("page/<name>", plain_probe),
    path("admin/page/<name>", plain_probe),
    path("safe", safe_probe),
]
handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500

with_probes = pytest.mark.urls(__name__)


@pytest.fixture
def visitor():
    """Return a client that receives error pages instead of exceptions."""
    return Client(raise_request_exception=False)


def problem_members(response):
    """Check a problem document and return its members in order."""
    assert response["Content-Type"] == "application/json"
    assert response["Content-Length"] == str(len(response.content))
    assert response["Access-Control-Allow-Origin"] == "*"
    assert SECRET.encode() not in response.content
    body = orjson.loads(response.content)
    assert orjson.dumps(body) == response.content
    assert body["type"] == "about:blank"
    assert body["status"] == response.status_code
    assert body["detail"].endswith(".")
    return list(body)


BASIC = ["type", "title", "status", "detail"]


@with_probes
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/probe/not-found", 404),
        ("/api/probe/denied", 403),
        ("/api/probe/suspicious", 400),
        ("/api/probe/too-big", 413),
        ("/api/probe/parse", 400),
        ("/api/probe/media-type", 415),
        ("/api/plain/not-found", 404),
        ("/api/plain/denied", 403),
        ("/api/plain/suspicious", 400),
        ("/api/plain/too-big", 413),
        ("/api/nothing", 404),
        ("/.well-known/nothing", 404),
        ("/nothing.json", 404),
    ],
)
def test_client_error_is_a_problem_document(visitor, address, status):
    response = visitor.get(address)
    assert response.status_code == status
    assert problem_members(response) == BASIC


@with_probes
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/probe/crash", 500),
        ("/api/probe/api", 500),
        ("/api/plain/crash", 500),
        ("/api/probe/operational", 503),
        ("/api/probe/interface", 503),
        ("/api/plain/operational", 503),
    ],
)
def test_server_error_names_request_id(visitor, address, status):
    response = visitor.get(address, headers={"X-Request-Id": "from-the-client"})
    assert response.status_code == status
    assert problem_members(response) == [*BASIC, "request_id"]
    assert response.json()["request_id"] == response["X-Request-Id"] == "from-the-client"


@with_probes
@pytest.mark.parametrize("address", ["/api/probe/operational", "/page/operational"])
def test_unreachable_database_is_503_with_retry_after_and_logged(visitor, caplog, address):
    response = visitor.get(address)
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert (
        "config.middleware",
        logging.ERROR,
        f"The database cannot be read for {address}: {SECRET}",
    ) in caplog.record_tuples


@with_probes
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("address", ["/api/probe/crash", "/api/safe"])
def test_method_not_allowed_lists_allowed_methods(visitor, method, address):
    response = getattr(visitor, method)(address)
    assert response.status_code == 405
    assert problem_members(response) == BASIC
    allowed = response["Allow"].split(", ")
    assert {"GET", "HEAD"} <= set(allowed) <= {"GET", "HEAD", "OPTIONS"}
    assert "GET, HEAD" in response.json()["detail"]


def test_failed_precondition_is_a_problem_document(visitor):
    response = visitor.get("/sitemap.xml", headers={"If-Match": '"another"'})
    assert response.status_code == 412
    assert problem_members(response) == BASIC


@with_probes
@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("get", "/nothing", 404),
        ("get", "/reviews.json/", 404),
        ("get", "/page/not-found", 404),
        ("get", "/page/denied", 403),
        ("get", "/page/suspicious", 400),
        ("get", "/page/too-big", 413),
        ("get", "/page/crash", 500),
        ("get", "/page/operational", 503),
        ("post", "/safe", 405),
    ],
)
def test_browser_gets_error_page(visitor, method, address, status):
    response = getattr(visitor, method)(address)
    assert response.status_code == status
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response.content.lower().startswith(b"<!doctype html>")
    assert b"library" not in response.content


@with_probes
def test_error_page_needs_no_database(visitor, monkeypatch):
    def away():
        raise OperationalError(SECRET)

    monkeypatch.setattr("config.errors.get_business", away)

    response = visitor.get("/nothing")

    assert response.status_code == 404
    assert b'<span dir="auto">Start page</span>' in response.content


@pytest.mark.parametrize("address", ["/admin/reviews/review/", "/admin/auth/user/"])
def test_missing_permission_is_explained_logged_and_linked_back(client, caplog, address):
    make_business()
    client.force_login(User.objects.create_user("view\ner", is_staff=True))

    response = client.get(address)

    assert f"Refused GET '{address}' for user 'view\\ner'" in caplog.messages

    page = response.content.decode()
    assert response.status_code == 403
    assert "Your account has no permission for this." in page
    assert "Tern Hollow Home Services" in page
    assert '<a class="button" href="/admin/">Administration</a>' in page


@with_probes
@pytest.mark.parametrize("address", ["/api/probe/crash", "/nothing.json", "/nothing"])
@pytest.mark.parametrize(
    "host", ["evil.example", "reviews.example.evil.example", "a b", "[::1", ""]
)
def test_foreign_host_is_refused_with_own_page(visitor, settings, address, host):
    response = visitor.get(address, headers={"Host": host})
    assert response.status_code == 400
    assert b"HTTP_HOST" not in response.content
    assert f"This one is {settings.BASE_URL}.".encode() in response.content
    assert host == "" or host.encode() not in response.content
    is_json = address != "/nothing"
    assert response["Content-Type"].startswith("application/json" if is_json else "text/html")


def test_csrf_failure_from_other_origin_names_base_url(settings):
    settings.BASE_URL = "https://reviews.example.com"
    client = Client(enforce_csrf_checks=True)

    response = client.post("/admin/login/", headers={"Origin": "https://elsewhere.example:9443"})

    assert response.status_code == 403
    assert b"another address than https://reviews.example.com. Open it there" in response.content


def test_forged_form_is_logged(caplog):
    Client(enforce_csrf_checks=True).post("/admin/login/")

    assert "Refused the form at '/admin/login/': CSRF cookie not set." in caplog.messages


ANY_BYTES = st.binary(max_size=80)
ADDRESSES = "/ /admin/ /api/ /api/reviews/search /api/reviews/since/ /mcp /reviews/ /.well-known/"
HEADERS = (
    "Accept Accept-Encoding Accept-Language Authorization Content-Length Content-Type Cookie Host"
    " If-Modified-Since If-None-Match Origin Range X-Forwarded-For X-Forwarded-Host X-Request-Id"
)


@given(
    prefix=st.sampled_from(ADDRESSES.split()),
    rest=ANY_BYTES,
    query=ANY_BYTES,
    method=st.sampled_from(["GET", "HEAD", "POST", "OPTIONS", "DELETE", "BREW"]),
)
def test_any_path_is_handled(prefix, rest, query, method):
    response = Client().generic(
        method, prefix + quote(rest, safe="/"), QUERY_STRING=query.decode("latin-1")
    )
    assert 200 <= response.status_code < 500


@given(
    name=st.sampled_from(HEADERS.split()),
    value=st.text(st.characters(max_codepoint=255), max_size=60),
    address=st.sampled_from(["/", "/api/reviews/search", "/reviews.json", "/nothing.json"]),
)
def test_any_header_is_handled(name, value, address):
    response = Client().get(address, headers={name: value})
    assert 200 <= response.status_code < 500


@pytest.mark.parametrize(
    "address",
    [
        "/reviews?" + "&".join(f"p{n}=1" for n in range(6000)),
        "/api/reviews/search?query=" + "x" * 100_000,
        "/api/" + "x/" * 50_000,
        "/reviews/%00",
        "/api/reviews/since/%00",
        "/api/reviews/since/%ff%fe",
        "/%c0%ae%c0%ae/",
    ],
)
def test_malformed_path_is_refused(address):
    response = Client().get(address)
    assert 400 <= response.status_code < 500
