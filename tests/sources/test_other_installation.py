"""Another installation: conditional requests, and the subscription at its hub."""

import hashlib
import hmac
from urllib.parse import parse_qs

import orjson
import pytest
from django.utils import timezone

from reviews.documents import build
from reviews.models import Review
from sources import runs, selectors
from tests.factories import make_review
from tests.sources.rows import make_connection
from tests.sources.servers import Reply


@pytest.fixture
def document(transactional_db) -> bytes:
    """Two reviews as another installation publishes them."""
    for number in range(2):
        make_review(external_id=f"other-{number}", source="google")
    published = build(timezone.now())
    Review.objects.all().delete()
    return published


@pytest.fixture
def other(maker, document):
    """The other installation."""

    def reply(requested):
        if requested.method == "POST":
            return Reply(status=202)
        headers = {
            "ETag": '"v1"',
            "Link": f'<{maker.url("/hub")}>; rel="hub", <{maker.url("/reviews.json")}>; rel="self"',
        }
        if requested.headers.get("If-None-Match") == '"v1"':
            return Reply(status=304, headers=headers)
        return Reply(document, headers=headers)

    maker.reply = reply
    return maker


@pytest.fixture
def connection(other):
    return make_connection("reviews", address=other.url("/"), source="")


def hub_requests(maker) -> list[dict[str, str]]:
    bodies = [each.body.decode() for each in maker.requests if each.method == "POST"]
    return [{name: texts[0] for name, texts in parse_qs(body).items()} for body in bodies]


def test_reviews_are_taken_over_once(connection, other, look, settings):
    settings.BASE_URL = "http://localhost:8000"
    look()
    look()

    assert Review.objects.count() == 2
    assert [each.target for each in other.requests] == ["/reviews.json"] * 2
    connection.refresh_from_db()
    assert connection.looks_without_change == 1


def test_public_installation_subscribes_and_renews(connection, other, look, settings):
    settings.BASE_URL = "https://mirror.example"
    look()
    look()
    look(4 * 86_400)

    requests = hub_requests(other)
    assert len(requests) == 2
    assert requests[0]["hub.mode"] == "subscribe"
    assert requests[0]["hub.topic"] == other.url("/reviews.json")
    assert requests[0]["hub.callback"] == selectors.push_address(connection)
    assert len(requests[0]["hub.secret"]) == 64


def test_installation_without_https_does_not_subscribe(connection, other, look, settings):
    settings.BASE_URL = "http://localhost:8000"
    look()

    assert hub_requests(other) == []


def test_hub_that_refuses_leaves_the_regular_look(connection, maker, other, look, settings):
    settings.BASE_URL = "https://mirror.example"
    answer = other.reply
    other.reply = lambda each: Reply(status=500) if each.method == "POST" else answer(each)

    look()

    connection.refresh_from_db()
    assert (Review.objects.count(), connection.last_error) == (2, "")


@pytest.fixture
def subscribed(connection, other, look, settings):
    settings.BASE_URL = "https://mirror.example"
    look()
    connection.refresh_from_db()
    return connection


def path_of(connection) -> str:
    address = selectors.push_address(connection)
    return address[address.index("/api/") :]


def test_challenge_of_own_subscription_is_answered(client, subscribed, other):
    answer = client.get(
        path_of(subscribed),
        {"hub.mode": "subscribe", "hub.topic": other.url("/reviews.json"), "hub.challenge": "c-1"},
    )

    assert answer.content == b"c-1"


def test_challenge_for_other_topic_is_not_answered(client, subscribed):
    answer = client.get(
        path_of(subscribed),
        {"hub.mode": "subscribe", "hub.topic": "https://other.example", "hub.challenge": "c-1"},
    )

    assert b"c-1" not in answer.content


def delivery(client, connection, other, body: bytes, signed: bytes | None = None):
    secret = hub_requests(other)[0]["hub.secret"].encode()
    digest = hmac.new(secret, body if signed is None else signed, hashlib.sha256).hexdigest()
    return client.post(
        path_of(connection),
        body,
        content_type="application/json",
        headers={"X-Hub-Signature": f"sha256={digest}"},
    )


def test_signed_delivery_is_imported(client, subscribed, other, document):
    changed = document.replace(b"Quick and tidy work.", b"Changed words.", 1)

    answer = delivery(client, subscribed, other, changed)
    runs.import_stored()

    assert answer.status_code == 202
    assert Review.objects.filter(text="Changed words.").exists()


def test_wrong_signature_is_refused(client, subscribed, other, document):
    answer = delivery(client, subscribed, other, document, signed=b"other bytes")

    assert answer.status_code == 403


def test_signature_over_reserialised_json_is_refused(client, subscribed, other, document):
    again = orjson.dumps(orjson.loads(document), option=orjson.OPT_INDENT_2)

    answer = delivery(client, subscribed, other, again, signed=document)

    assert answer.status_code == 403


def test_page_instead_of_reviews_is_told(connection, maker, look):
    maker.reply = Reply(b"<!doctype html><title>Sign in</title>")

    look()

    connection.refresh_from_db()
    assert "web page instead of reviews" in connection.last_error
