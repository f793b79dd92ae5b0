"""Rate limits of clients over threads and processes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import time_machine
from django.core.management import call_command
from django.db import connections
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import path
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.views import APIView

from config.settings import USES_SQLITE
from core.db.cache import AtomicDatabaseCache, create_cache_table
from core.http import rate_limit
from core.http.rate_limit import RateLimiter, client_address, client_key

NOON = "2026-03-14T12:00:18Z"  # 42 seconds before the minute ends.


class LimitedView(APIView):
    throttle_scope = "search"

    def get(self, request):
        return HttpResponse(b"{}", content_type="application/json")


urlpatterns = [path("api/limited", LimitedView.as_view())]


def request_from(remote, forwarded=None):
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return RequestFactory().get("/", REMOTE_ADDR=remote, **headers)


LIST, FORWARDED = "X-Forwarded-For", "Forwarded"


@pytest.mark.parametrize(
    ("header", "proxies", "remote", "forwarded", "address"),
    [
        (LIST, 0, "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        (LIST, 1, "10.0.0.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
        (LIST, 2, "10.0.0.1", "203.0.113.9, 198.51.100.7", "203.0.113.9"),
        (LIST, 3, "10.0.0.1", "203.0.113.9, 198.51.100.7", "10.0.0.1"),
        (LIST, 1, "10.0.0.1", None, "10.0.0.1"),
        (LIST, 1, "10.0.0.1", "unknown", "10.0.0.1"),
        (LIST, 1, "10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"),
        (LIST, 0, "::ffff:192.0.2.1", None, "192.0.2.1"),
        (LIST, 0, "fe80::1%eth0", None, "fe80::1"),
        (LIST, 0, "", None, None),
        (LIST, 0, "a socket", None, None),
        (FORWARDED, 0, "10.0.0.1", "for=198.51.100.7", "10.0.0.1"),
        (FORWARDED, 1, "10.0.0.1", None, "10.0.0.1"),
        (FORWARDED, 1, "10.0.0.1", "For=198.51.100.7;proto=https;by=10.0.0.1", "198.51.100.7"),
        (FORWARDED, 1, "10.0.0.1", 'proto=https; for="198.51.100.7:4711"', "198.51.100.7"),
        (FORWARDED, 1, "10.0.0.1", 'for="[2001:db8::7]:4711"', "2001:db8::7"),
        (FORWARDED, 1, "10.0.0.1", 'for="203.0.113.9,for=x, for=198.51.100.7', "198.51.100.7"),
        (FORWARDED, 2, "10.0.0.1", "for=203.0.113.9, for=198.51.100.7", "203.0.113.9"),
        (FORWARDED, 1, "10.0.0.1", "for=unknown", "10.0.0.1"),
        (FORWARDED, 1, "10.0.0.1", "by=10.0.0.1", "10.0.0.1"),
    ],
)
def test_client_is_nth_forwarded_entry_from_right(
    settings, *, header, proxies, remote, forwarded, address
):
    settings.TRUSTED_PROXY_COUNT = proxies
    settings.FORWARDED_HEADER = header
    other = {LIST: FORWARDED, FORWARDED: LIST}[header]
    headers = {other: "for=192.0.2.9"} | ({} if forwarded is None else {header: forwarded})

    request = RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers)

    assert client_address(request) == address


@pytest.mark.parametrize(
    ("remote", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("", "unknown"),
    ],
)
def test_addresses_of_one_customer_share_limit(remote, key):
    assert client_key(request_from(remote)) == key


@given(remote=st.text(max_size=60), forwarded=st.text(max_size=60))
def test_any_text_as_address_is_tolerated(remote, forwarded):
    assert client_key(request_from(remote, forwarded))


def admitted(counter, times, limit, client="192.0.2.1"):
    return sum(counter.hit("search", client, limit, 60).allowed for _ in range(times))


@pytest.mark.django_db(transaction=True, databases="__all__")
def test_processes_sharing_database_cache_admit_exactly_limit(monkeypatch):
    call_command("createcachetable", "shared_cache", database="cache" if USES_SQLITE else "default")
    shared = AtomicDatabaseCache("shared_cache", {})
    shared.clear()
    monkeypatch.setattr(rate_limit, "cache", shared)
    counters = [RateLimiter() for _ in range(4)]

    def work(counter):
        try:
            return admitted(counter, 10, 12)
        finally:
            connections.close_all()

    with time_machine.travel(NOON, tick=False), ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, counters)) == 12


@pytest.mark.django_db(databases="__all__")
@pytest.mark.skipif(USES_SQLITE, reason="PostgreSQL alone has tables without a log")
def test_cache_table_on_postgresql_is_unlogged(monkeypatch, settings):
    settings.CACHES = {
        "default": {"BACKEND": "core.db.cache.AtomicDatabaseCache", "LOCATION": "unlogged_cache"}
    }
    for _ in range(2):
        create_cache_table()
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE relname = 'unlogged_cache'")
        assert cursor.fetchall() == [("u",)]


class BrokenCache:
    """A cache that raises, or that hides its failures as the database cache does."""

    def __init__(self, error=None):
        self.error = error
        self.calls = 0

    def incr(self, key):
        self.calls += 1
        raise self.error or ValueError(key)

    def add(self, *args, **kwargs):
        return False


@pytest.mark.parametrize("error", [ConnectionError("refused"), TimeoutError(), None])
def test_requests_pass_while_cache_fails_and_failure_is_logged_once(monkeypatch, caplog, error):
    broken = BrokenCache(error)
    monkeypatch.setattr(rate_limit, "cache", broken)
    counter = RateLimiter()

    decisions = [counter.hit("search", "192.0.2.1", 1, 60) for _ in range(10)]

    assert all(decision.allowed and not decision.counted for decision in decisions)
    assert broken.calls <= 2  # A hanging cache must not delay every request by its timeout.
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.mark.urls(__name__)
def test_responses_have_rate_limit_headers_and_refusal_has_retry_after(client, settings):
    settings.RATE_LIMITS = {"search": (2, 60)}
    with time_machine.travel(NOON, tick=False):
        first, second, third = (client.get("/api/limited") for _ in range(3))

    assert first.status_code == second.status_code == 200
    assert first["RateLimit-Policy"] == '"search";q=2;w=60'
    assert first["RateLimit"] == '"search";r=1;t=42'
    assert second["RateLimit"] == '"search";r=0;t=42'
    assert third.status_code == 429
    assert third["RateLimit"] == '"search";r=0;t=42'
    assert third["Retry-After"] == "42"
    assert third["Content-Type"] == "application/json"
    assert third["Access-Control-Allow-Origin"] == "*"
    assert third.json() == {
        "type": "about:blank",
        "title": "Too Many Requests",
        "status": 429,
        "detail": "Too many requests from your address. Please try again in 42 seconds.",
    }


@pytest.mark.urls(__name__)
def test_first_refusal_of_client_is_logged_per_window(client, settings, caplog):
    settings.RATE_LIMITS = {"search": (1, 60)}
    for moment in (NOON, "2026-03-14T12:01:18Z"):
        with time_machine.travel(moment, tick=False):
            for address in ["192.0.2.1"] * 4 + ["192.0.2.2"]:
                client.get("/api/limited", REMOTE_ADDR=address)

    lines = [r.getMessage() for r in caplog.records if r.name == "core.http.rate_limit"]
    assert lines == ["Limit of 1 requests in 60 s for search is reached by 192.0.2.1"] * 2
