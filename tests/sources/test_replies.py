"""Replies sent from the inbox to makers: accepted, refused, retried, and sent once."""

import base64
import json
import time
from urllib.parse import urlsplit

import orjson
import pytest
from django.contrib.admin.models import LogEntry

from reviews import replies as written
from reviews.models import Reply, Review
from sources import google_oauth, replies, tasks
from sources.connectors import google_business_profile as google
from sources.connectors import trustpilot_replies
from tests.administration import page_html
from tests.factories import make_business, make_review
from tests.sources.rows import make_connection
from tests.sources.servers import Reply as Answer
from tests.sources.test_worker import Killed, kill_at

pytestmark = pytest.mark.django_db

LOCATION = "accounts/1/locations/2"
TEXT = "Thank you, Dana!"
REFUSAL = {"error": {"code": 400, "message": "The comment breaks the policy", "status": "X"}}


class Maker:
    """Tokens and replies of Google and Trustpilot. The last of `answers` is repeated."""

    def __init__(self) -> None:
        self.answers = [Answer(b"{}")]
        self.grant = Answer(orjson.dumps({"access_token": "at"}))
        self.sent: list[tuple[str, str, dict]] = []
        self.arrived = ""
        self.delay_seconds = 0.0

    def __call__(self, requested):
        path = urlsplit(requested.target).path
        if path.endswith(("/token", "/accesstoken")):
            self.token_request = requested
            return self.grant
        assert requested.headers["Authorization"] == "Bearer at"
        if requested.method == "GET":
            return Answer(orjson.dumps({"companyReply": {"text": self.arrived}}))
        body = json.loads(requested.body)
        self.sent.append((requested.method, path, body))
        self.arrived = body.get("message", "")
        time.sleep(self.delay_seconds)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def service(maker, monkeypatch, settings):
    monkeypatch.setattr(google, "API", maker.url("/v4"))
    monkeypatch.setattr(google_oauth, "TOKEN", maker.url("/token"))
    monkeypatch.setattr(trustpilot_replies, "API", maker.url("/v1"))
    settings.SESSION_COOKIE_AGE = 30 * 86_400
    maker.reply = service = Maker()
    make_business()
    return service


@pytest.fixture
def review(service):
    connection = make_connection(
        "google_business_profile", client_id="1", client_secret="s", source=""
    )
    connection.settings = {**connection.settings, "locations": ["accounts/1/locations/1", LOCATION]}
    connection.secrets = {**connection.secrets, "refresh_token": "rt"}
    connection.save()
    return make_review(external_id="locations/2/reviews/AbINV1", author="Dana")


@pytest.fixture
def on_trustpilot(service):
    given = {"key": "k", "api_secret": "s", "business_user": "u1"}
    make_connection("trustpilot", business="www.example.com", source="", **given)
    return make_review(source="trustpilot", external_id="tp1")


def press(client, review, text=TEXT, action="send"):
    address = f"/admin/inbox/all/{review.ulid}/"
    return page_html(client.post(address, {"action": action, "text": text}, follow=True))


def published(review):
    return json.loads(Review.objects.get(pk=review.pk).fragment)["owner_reply"]


def test_reply_is_sent_to_google_and_published(
    admin_client, service, review, monkeypatch, django_capture_on_commit_callbacks
):
    nudges = []
    monkeypatch.setattr(tasks.send_replies, "delay", lambda: nudges.append("sent"), raising=False)
    with django_capture_on_commit_callbacks(execute=True):
        page = press(admin_client, review)
    assert nudges == ["sent"]
    assert "The reply to Dana is being sent to Google Business Profile." in page
    assert published(review) is None

    assert replies.send_due() == 1

    assert service.sent == [("PUT", f"/v4/{LOCATION}/reviews/AbINV1/reply", {"comment": TEXT})]
    reply = Reply.objects.get()
    assert (reply.state, reply.written_by.username, reply.problem) == ("sent", "admin", "")
    assert published(review)["text"] == TEXT
    history = list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
    assert history == ["Reply to be sent.", "Reply sent to Google Business Profile."]
    assert replies.send_due() == 0


def test_reply_is_sent_to_trustpilot_as_business_user(admin_client, service, on_trustpilot):
    press(admin_client, on_trustpilot)

    replies.send_due()

    basic = base64.b64encode(b"k:s").decode()
    assert service.token_request.headers["Authorization"] == f"Basic {basic}"
    body = {"authorBusinessUserId": "u1", "message": TEXT}
    assert service.sent == [("POST", "/v1/private/reviews/tp1/reply", body)]
    assert published(on_trustpilot)["text"] == TEXT


@pytest.mark.parametrize("site", ["review", "on_trustpilot"])
def test_reply_is_sent_once_for_two_clicks(admin_client, service, site, request):
    review = request.getfixturevalue(site)
    press(admin_client, review)
    assert "This reply has already been sent or queued." in press(admin_client, review)
    replies.send_due()
    press(admin_client, review)

    assert replies.send_due() == 0
    assert len(service.sent) == 1


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            Answer(orjson.dumps(REFUSAL), 400),
            "Google refuses the reply: The comment breaks the policy (HTTP 400).",
        ),
        (Answer(b"<html>", 404), "Google refuses the reply (HTTP 404)."),
        (Answer(b"[]", 403), "Google refuses the reply (HTTP 403)."),
        (Answer(b"", 401), "Google no longer grants access."),
    ],
)
def test_refused_reply_becomes_draft_with_reason(admin_client, service, review, answer, sentence):
    service.answers = [answer]
    press(admin_client, review)

    replies.send_due()

    assert Reply.objects.get().state == "draft"
    page = page_html(admin_client.get(f"/admin/inbox/unanswered/{review.ulid}/"))
    assert f"It was not sent: {sentence}" in page
    assert f">\n{TEXT}</textarea>" in page
    front = page_html(admin_client.get("/admin/"))
    assert f"1 reply could not be sent</strong><br>{sentence}" in front
    assert published(review) is None
    assert replies.send_due() == 0


def test_reply_refused_by_trustpilot_becomes_draft(admin_client, service, on_trustpilot):
    service.answers = [Answer(b'{"message": "The review was removed"}', 422)]
    press(admin_client, on_trustpilot)

    replies.send_due()

    reply = Reply.objects.get()
    sentence = "Trustpilot refuses the reply: The review was removed (HTTP 422)."
    assert (reply.state, reply.problem) == ("draft", sentence)
    assert published(on_trustpilot) is None


def test_expired_grant_asks_for_new_sign_in(admin_client, service, review):
    service.grant = Answer(orjson.dumps({"error": "invalid_grant"}), 400)
    press(admin_client, review)

    replies.send_due()

    page = page_html(admin_client.get(f"/admin/inbox/all/{review.ulid}/"))
    assert "The grant has expired or was withdrawn. Open the source" in page
    assert "Open the source</a>" in page
    service.grant = Answer(orjson.dumps({"access_token": "at"}))
    press(admin_client, review)
    replies.send_due()
    assert published(review)["text"] == TEXT


def test_failure_is_retried_with_growing_delay(admin_client, service, review, clock):
    service.answers = [Answer(b"", 503), Answer(b"", 429, {"Retry-After": "7200"}), Answer(b"{}")]
    press(admin_client, review)
    replies.send_due()

    page = page_html(admin_client.get(f"/admin/inbox/all/{review.ulid}/"))
    assert "tried again: Google accepts no replies at the moment (HTTP 503)." in page
    assert replies.send_due() == 0
    clock.shift(70)
    assert replies.send_due() == 1
    clock.shift(3600)
    assert replies.send_due() == 0
    clock.shift(3700)
    tasks.send_replies()
    assert published(review)["text"] == TEXT


def test_reply_that_never_arrives_becomes_a_draft(admin_client, service, review, clock):
    service.answers = [Answer(b"", 500)]
    press(admin_client, review)

    for _ in range(replies.MAX_ATTEMPTS + 3):
        replies.send_due()
        clock.shift(7 * 3600)

    assert Reply.objects.get().state == "draft"
    assert len(service.sent) == replies.MAX_ATTEMPTS


def test_killed_worker_loses_and_repeats_nothing(
    admin_client, service, on_trustpilot, clock, monkeypatch
):
    press(admin_client, on_trustpilot)
    kill_at(monkeypatch, replies, "record_sent")
    with pytest.raises(Killed):
        replies.send_due()
    assert Reply.objects.get().state == "waiting"
    assert "The reply is being sent. Check" in press(admin_client, on_trustpilot, "Another text")
    assert replies.send_due() == 0

    clock.shift(replies.CLAIM_SECONDS + 1)
    assert replies.send_due() == 1

    assert len(service.sent) == 1
    assert published(on_trustpilot)["text"] == TEXT


def test_long_reply_is_refused_before_it_is_sent(admin_client, review):
    page = press(admin_client, review, "é" * 2_049)

    assert "Google Business Profile accepts at most 4096 bytes; this text has 4098." in page
    assert not Reply.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"external_id": "locations/9/reviews/AbINV1"},
        {"external_id": "locations/2/reviews/AbINV1", "external_id_is_synthetic": True},
        {"source": "yelp", "external_id": "locations/2/reviews/AbINV1"},
        {"source": "trustpilot", "external_id": "tp1"},
    ],
)
def test_review_without_connected_source_is_answered_at_its_site(admin_client, review, fields):
    review.delete()
    other = make_review(**fields)
    make_connection("trustpilot", business="www.example.com", source="", key="k")

    page = page_html(admin_client.get(f"/admin/inbox/all/{other.ulid}/"))

    assert 'value="send"' not in page
    assert "cannot be sent from here" in press(admin_client, other)
    assert written.channel_of(other) is None
