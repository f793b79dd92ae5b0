"""Failing sources: messages and retries. Nothing is imported."""

import gzip

import pytest
from django.utils import timezone

from imports.models import ImportBatch
from reviews.models import Review
from sources import client as sources_client
from sources import polling, services
from sources.models import SourceConnection, SourceRun
from tests.administration import change_url
from tests.sources.rows import entries, make_url_connection
from tests.sources.servers import Reply, Requested, in_sequence, maker_server

GZIP = {"Content-Encoding": "gzip"}
PAGE = b"<!DOCTYPE html><html><body><form>Sign in</form></body></html>"


def failed(connection: SourceConnection) -> str:
    """Return the error of a connection that has failed and imported nothing."""
    connection.refresh_from_db()
    assert not Review.objects.exists()
    assert not ImportBatch.objects.exclude(state="refused").exists()
    return connection.last_error


def wait_seconds(connection: SourceConnection) -> float:
    """Return the seconds until the next fetch."""
    connection.refresh_from_db()
    return (connection.next_look_at - timezone.now()).total_seconds()


def redirecting(to: str, status: int = 302):
    def script(requested: Requested) -> Reply:
        if requested.target == "/r.json":
            return Reply(status=status, headers={"Location": to})
        return Reply(entries(1))

    return script


def test_redirect_to_private_address_is_not_followed(maker, fetch_due, settings):
    settings.SOURCES_ALLOWED_NETWORKS = ["127.0.0.1/32"]
    with maker_server() as inner:
        connection = make_url_connection(maker)
        maker.reply = redirecting(inner.url("/inside", host="127.0.0.2"))
        fetch_due()

    assert "name its network in SOURCES_ALLOWED_NETWORKS" in failed(connection)
    assert inner.requests == []


def test_redirect_within_host_keeps_secret_header(maker, fetch_due):
    make_url_connection(maker, header_name="X-Key", header_value="s3cret")
    maker.reply = redirecting("/moved.json")

    fetch_due()

    assert [r.headers.get("X-Key") for r in maker.requests] == ["s3cret", "s3cret"]
    assert Review.objects.count() == 1


def test_redirect_to_another_host_leaves_secret_behind(maker, fetch_due):
    with maker_server() as other:
        other.reply = Reply(entries(1))
        make_url_connection(maker, header_name="X-Key", header_value="s3cret")
        maker.reply = redirecting(other.url("/r.json"))
        fetch_due()

    assert maker.requests[0].headers["X-Key"] == "s3cret"
    assert "X-Key" not in other.requests[0].headers
    assert Review.objects.count() == 1


def test_private_address_is_not_contacted(fetch_due, maker, settings):
    settings.SOURCES_ALLOWED_NETWORKS = []
    connection = make_url_connection(maker)

    fetch_due()

    assert "does not resolve to public addresses alone" in failed(connection)
    assert maker.requests == []


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=302, headers={"Location": "/r.json"}), "redirects more than 3 times"),
        (Reply(status=302), "redirects to nowhere"),
        (Reply(status=302, headers={"Location": "http://["}), "redirects to nowhere"),
        (Reply(status=302, headers={"Location": "ftp://127.0.0.1/x"}), "must begin with https"),
        (Reply(status=302, headers={"Location": "file:///etc/passwd"}), "must begin with https"),
        (Reply(PAGE), "answers with a web page instead of a file"),
        (Reply(b'{"error": true, "errorMessage": "Quota exceeded"}'), "Quota exceeded"),
        (Reply(b"x" * 10_001), "larger than 10,000 bytes"),
        (Reply(gzip.compress(bytes(50_000_000)), headers=GZIP), "larger than 10,000 bytes"),
        (Reply(gzip.compress(entries(3))[:-9], headers=GZIP), "damaged"),
        (Reply(entries(3), headers={"Content-Encoding": "br"}), "was not requested"),
    ],
)
def test_response_that_is_no_file_is_a_failure_with_reason(
    maker, fetch_due, settings, reply, words
):
    settings.IMPORT_MAX_BYTES = 10_000
    connection = make_url_connection(maker)
    maker.reply = reply

    fetch_due()

    assert words in failed(connection)
    assert len(maker.requests) <= 4


@pytest.mark.parametrize(
    "body", [b'{"error": true, "errorMessage": "Quota exceeded"}', b"[]", b"not reviews", b""]
)
def test_response_without_reviews_fails_and_is_fetched_again(maker, fetch_due, body):
    connection = make_url_connection(maker)
    maker.reply = in_sequence(Reply(body, headers={"ETag": '"1"'}), Reply(entries(2)))

    fetch_due()

    assert failed(connection)
    assert SourceRun.objects.get().state == "failed"
    fetch_due()
    connection.refresh_from_db()
    assert "If-None-Match" not in maker.requests[1].headers
    assert (connection.last_error, connection.failing_since) == ("", None)
    assert Review.objects.count() == 2


def test_gzip_response_is_decompressed(maker, fetch_due):
    make_url_connection(maker)
    maker.reply = Reply(gzip.compress(entries(3)), headers=GZIP)

    fetch_due()

    assert Review.objects.count() == 3


@pytest.mark.parametrize("status", [401, 403])
def test_refused_credentials_stop_source_until_resumed(maker, fetch_due, status):
    connection = make_url_connection(maker)
    maker.reply = in_sequence(Reply(status=status), Reply(entries(1)))
    fetch_due()

    fetch_due()

    assert "Renew the key" in failed(connection)
    assert connection.state == SourceConnection.State.STOPPED
    assert len(maker.requests) == 1
    services.resume(connection)
    fetch_due(1)
    assert Review.objects.count() == 1


@pytest.mark.parametrize("status", [404, 410, 418, 429, 500, 503])
def test_other_status_is_retried_after_doubled_delay(maker, fetch_due, status):
    connection = make_url_connection(maker)
    maker.reply = Reply(status=status)

    waits = []
    for _ in range(3):
        fetch_due()
        waits.append(wait_seconds(connection))

    assert f"HTTP {status}" in failed(connection)
    for wait, least in zip(waits, (60, 120, 240), strict=True):
        assert least - 1 <= wait <= least * 1.1
    assert connection.state == SourceConnection.State.ACTIVE


@pytest.mark.parametrize(
    ("failures", "retry_after", "seconds"),
    [
        (30, "", 6 * 3600),
        (0, "1234", 1234),
        (0, "99999999", 86_400),
        (0, "Fri, 13 Mar 2026 21:00:00 GMT", 9 * 3600),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_delay_grows_to_six_hours_and_respects_retry_after_up_to_a_day(
    maker, clock, failures, retry_after, seconds
):
    clock.move_to("2026-03-13T12:00:00Z")
    connection = make_url_connection(maker, consecutive_failures=failures)
    maker.reply = Reply(status=503, headers={"Retry-After": retry_after})

    polling.poll_due()

    assert seconds - 1 <= wait_seconds(connection) <= seconds * 1.1


def test_internal_error_is_logged_and_retried(maker, fetch_due, monkeypatch, caplog):
    connection = make_url_connection(maker)
    monkeypatch.setattr(sources_client, "_client", lambda: None)

    fetch_due()

    assert "An internal error" in failed(connection)
    assert "AttributeError" in caplog.text
    assert connection.claim_token == ""


def test_secret_reaches_neither_error_nor_log(maker, fetch_due, caplog):
    connection = make_url_connection(
        maker, "/r.json?token=t0psecret", header_name="X-Key", header_value="s3cret"
    )
    maker.reply = in_sequence(Reply(status=401), Reply(PAGE), Reply(b"no"), Reply(status=500))

    for _ in range(4):
        SourceConnection.objects.update(state="active")
        fetch_due()
        said = failed(connection) + caplog.text + str(connection.settings)
        assert "t0psecret" not in said
        assert "s3cret" not in said


def test_secret_of_lost_key_stops_source_with_remedy(maker, fetch_due, settings):
    connection = make_url_connection(maker)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", []

    fetch_due()

    assert "SECRET_KEY_FALLBACKS" in failed(connection)
    assert connection.state == SourceConnection.State.STOPPED


def test_kind_of_other_version_fails_with_remedy(fetch_due, client, admin_user):
    connection = SourceConnection.objects.create(name="Sheet", kind="telepathy")

    fetch_due()

    assert failed(connection).startswith("This version does not know the kind “telepathy”. Upgrade")
    client.force_login(admin_user)
    assert client.get(change_url(connection)).status_code == 200
