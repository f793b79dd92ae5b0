"""Published documents served before Django, exactly as Django would serve them."""

import tracemalloc

import pytest

from insights.refresh import refresh
from publishing import publisher
from publishing.models import Document
from tests.documents import registered_paths
from tests.factories import make_business, make_review
from tests.publishing.conftest import get_response, no_django

pytestmark = pytest.mark.django_db(transaction=True)

REVIEWS = "/reviews.json"
TOPIC_LINK = (
    '<https://reviews.example/api/websub/hub>; rel="hub", '
    '<https://reviews.example{path}>; rel="self", '
    '<https://reviews.example/.well-known/openapi.json>; rel="service-desc"'
)
OTHER_LINK = '<https://reviews.example/.well-known/openapi.json>; rel="service-desc"'


@pytest.mark.parametrize(
    ("path", "media_type", "link"),
    [
        (REVIEWS, "application/json", TOPIC_LINK),
        ("/insights.json", "application/json", OTHER_LINK),
        ("/api/feed.json", "application/json", TOPIC_LINK),
        ("/feed.xml", "application/atom+xml", TOPIC_LINK),
    ],
)
def test_headers_are_as_documented(make_middleware, path, media_type, link):
    middleware = make_middleware()

    reply = get_response(middleware, path, HTTP_X_REQUEST_ID="abc.DEF_1-2")

    digest = publisher.digest(reply.body)
    changed_at = Document.objects.get(path=path).changed_at
    assert dict(reply.headers) == {
        "Content-Type": media_type,
        "Content-Length": str(len(reply.body)),
        "ETag": f'"{digest}"',
        "Last-Modified": changed_at.strftime("%a, %d %b %Y %H:%M:%S GMT"),
        "Cache-Control": "public, max-age=60, stale-while-revalidate=300",
        "Vary": "Accept-Encoding",
        "Link": link.format(path=path),
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": (
            "ETag, Last-Modified, Link, RateLimit, RateLimit-Policy, Retry-After, Mcp-Session-Id"
        ),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Strict-Transport-Security": "max-age=31536000",
        "X-Request-Id": "own",
    }

    unchanged = get_response(
        middleware, path, HTTP_X_REQUEST_ID="abc", HTTP_IF_NONE_MATCH=f'"{digest}"'
    )
    assert unchanged.status == "304 Not Modified"
    assert unchanged.body == b""
    repeated = ("ETag", "Last-Modified", "Cache-Control", "Vary", "Link")
    cors = ("Access-Control-Allow-Origin", "Access-Control-Expose-Headers")
    assert dict(unchanged.headers) == {
        **{name: dict(reply.headers)[name] for name in (*repeated, *cors)},
        "X-Request-Id": "own",
    }


@pytest.fixture
def both(make_middleware, django):
    """Send the same request to the middleware and to Django."""
    make_business()
    make_review(text="Größe 😀")
    refresh()
    middleware = make_middleware(django)

    def ask_both(path, method="GET", **environ):
        return tuple(
            get_response(application, path, method, HTTP_X_REQUEST_ID="same", **environ)
            for application in (middleware, django)
        )

    ask_both(REVIEWS)
    return ask_both


ENCODINGS = [None, "gzip", "br", "zstd", "gzip;q=0.2, *;q=0.1", "identity;q=0", "\x00;;q=,"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", registered_paths())
def test_middleware_responds_like_django(both, path, method):
    for encoding in ENCODINGS:
        sent = {"HTTP_ACCEPT_ENCODING": encoding} if encoding is not None else {}
        plain, _ = both(path, method, **sent)
        conditions = [
            {},
            {"HTTP_IF_NONE_MATCH": plain.header("ETag")},
            {"HTTP_IF_NONE_MATCH": f'"x", W/{plain.header("ETag")}'},
            {"HTTP_IF_NONE_MATCH": "*"},
            {
                "HTTP_IF_NONE_MATCH": '"another"',
                "HTTP_IF_MODIFIED_SINCE": plain.header("Last-Modified"),
            },
            {"HTTP_IF_MODIFIED_SINCE": plain.header("Last-Modified")},
            {"HTTP_IF_MODIFIED_SINCE": "Thu, 01 Jan 1970 00:00:00 GMT"},
            {"HTTP_IF_MODIFIED_SINCE": "yesterday"},
        ]
        statuses = []
        for condition in conditions:
            middleware, django = both(path, method, **sent, **condition)
            assert middleware.status == django.status
            assert sorted(middleware.headers) == sorted(django.headers)
            if method == "GET":
                assert middleware.body == django.body
            statuses.append(middleware.status[:3])
        assert statuses == ["200", "304", "304", "304", "200", "304", "200", "200"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_left_to_django(both, method):
    middleware, django = both(REVIEWS, method)

    assert middleware == django
    assert middleware.status[:3] == ("204" if method == "OPTIONS" else "405")
    assert middleware.header("Allow") == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    "path",
    ["/", "/reviews.json/", "//reviews.json", "/Reviews.json", "/feed", "/api/reviews/search"],
)
def test_other_paths_are_left_to_django(make_middleware, path):
    assert get_response(make_middleware(), path).status == "599 Handed To Django"


@pytest.mark.parametrize("host", ["evil.example", "reviews.example@evil.example", "a b", ""])
def test_foreign_host_is_refused(both, host):
    middleware, django = both(REVIEWS, HTTP_HOST=host)

    assert middleware == django
    assert middleware.status == "400 Bad Request"


def test_cache_of_hosts_is_bounded(make_middleware):
    middleware = make_middleware()

    for port in range(1, 300):
        assert get_response(middleware, REVIEWS, HTTP_HOST=f"localhost:{port}").status == "200 OK"

    assert len(middleware._known_hosts) <= 100


@pytest.mark.parametrize(
    "header", ["HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE"]
)
def test_long_headers_are_not_cached(make_middleware, header):
    middleware = make_middleware()
    get_response(middleware, REVIEWS)
    tracemalloc.start()
    try:
        for number in range(100):
            field = f'"{number}-{"a" * 100_000}"'
            assert get_response(middleware, REVIEWS, **{header: field}).status == "200 OK"
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert held < 2_000_000


def test_urls_use_settings_only(make_middleware):
    make_review()
    middleware = make_middleware(no_django)

    for path in registered_paths():
        hosts = {"HTTP_HOST": "localhost:1234", "HTTP_X_FORWARDED_HOST": "evil.example"}
        reply = get_response(middleware, path, **hosts)
        assert b"localhost" not in reply.body
        assert b"evil" not in reply.body
        assert "evil" not in str(reply.headers)
