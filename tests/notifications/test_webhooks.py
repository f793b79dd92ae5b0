"""Webhooks: each event once, signed and in order."""

import hmac
import json
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from standardwebhooks import Webhook

from notifications import services
from notifications.models import DeliveryAttempt, Endpoint, Event, Message, Recipient
from reviews import services as reviews
from reviews.models import Review
from tests.administration import change_url, form_fields, page_html
from tests.factories import make_review
from tests.sources.servers import Reply

pytestmark = pytest.mark.django_db
JAVASCRIPT = Path(__file__).parent / "javascript"


def sent(receiver):
    return [json.loads(request.body) for request in receiver.requests]


def signature_by_the_specification(secret, request):
    content = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode()
    key = b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, content + request.body, "sha256")
    return f"v1,{b64encode(digest).decode()}"


def test_new_review_is_delivered_signed_and_once(endpoint, receiver, work):
    review = make_review(author="Dana R.", rating=4)

    work()
    work(10)

    [request] = receiver.requests
    body = json.loads(request.body)
    assert body["type"] == "review.created"
    assert body["data"] == json.loads(Review.objects.get().fragment)
    assert body["data"]["id"] == review.ulid
    assert request.headers["webhook-id"].startswith("msg_")
    assert request.headers["webhook-signature"] == signature_by_the_specification(
        endpoint.secret, request
    )


def test_reviews_before_endpoint_are_no_events(receiver, work, request):
    make_review()
    request.getfixturevalue("endpoint")

    work()

    assert receiver.requests == []


def test_change_and_removal_are_sent_in_order(endpoint, receiver, work):
    review = make_review(text="Fine.")
    work()
    reviews.edit_review(review, {"text": "Fine work."})
    work(1)
    reviews.hide(Review.objects.all())
    work(1)

    assert [each["type"] for each in sent(receiver)] == [
        "review.created",
        "review.updated",
        "review.removed",
    ]
    assert sent(receiver)[-1]["data"] == {"id": review.ulid}


# --- Failures -------------------------------------------------------------------------------------


def test_public_library_verifies_signatures(endpoint, receiver, work):
    make_review()
    work()

    [request] = receiver.requests
    assert Webhook(endpoint.secret).verify(request.body, request.headers)["type"] == (
        "review.created"
    )


def verified_by_javascript(secret, body, headers):
    given = {"secret": secret, "body": body.decode(), "headers": dict(headers)}
    return subprocess.run(
        ["node", "verify.js", json.dumps(given)],
        cwd=JAVASCRIPT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("node") and (JAVASCRIPT / "node_modules").exists()),
    reason="needs Node.js, and `npm ci` in tests/notifications/javascript",
)
def test_public_javascript_library_verifies_signatures(endpoint, receiver, work):
    make_review(text="Grüße aus Köln 👋")
    work()
    new = services.rotate_secret(Endpoint.objects.get())
    make_review()
    work()

    first, second = receiver.requests
    verified = verified_by_javascript(endpoint.secret, first.body, first.headers)
    assert json.loads(verified.stdout) == json.loads(first.body)
    for secret in (endpoint.secret, new):
        assert verified_by_javascript(secret, second.body, second.headers).returncode == 0
    forged = verified_by_javascript(new, second.body + b" ", second.headers)
    assert "No matching signature found" in forged.stderr


def test_both_secrets_sign_for_a_day_after_rotation(endpoint, receiver, work):
    new = services.rotate_secret(Endpoint.objects.get())
    make_review()
    work()
    for secret in (new, endpoint.secret):
        Webhook(secret).verify(receiver.requests[0].body, receiver.requests[0].headers)
    make_review()
    work(25 * 3600)

    first, second = receiver.requests
    assert len(first.headers["webhook-signature"].split()) == 2
    assert second.headers["webhook-signature"] == signature_by_the_specification(new, second)


def test_retry_has_same_id_and_later_events_of_review_wait(endpoint, receiver, work):
    receiver.reply = Reply(b"busy", status=503)
    review = make_review(text="Fine.")
    work()
    other = make_review()
    reviews.edit_review(review, {"text": "Fine work."})
    work(1)
    assert [request["data"]["id"] for request in sent(receiver)] == [review.ulid, other.ulid]

    receiver.reply = Reply()
    work(60)
    work(600)

    ids = [request.headers["webhook-id"] for request in receiver.requests]
    of_review = [
        (body["type"], identifier)
        for body, identifier in zip(sent(receiver), ids, strict=True)
        if body["data"]["id"] == review.ulid
    ]
    assert [kind for kind, _ in of_review] == [
        "review.created",
        "review.created",
        "review.updated",
    ]
    assert of_review[0][1] == of_review[1][1] != of_review[2][1]


def test_endpoint_is_disabled_after_three_days_and_users_are_mailed(
    endpoint, receiver, person, work
):
    Recipient.objects.update(most_stars=0)
    receiver.reply = Reply(b"", status=500)
    make_review()
    for _ in range(20):
        work(4 * 3600)

    row = Endpoint.objects.get()
    assert not row.is_enabled
    assert row.disabled_reason == (
        "No message was accepted for three days. The receiver answered with HTTP 500."
    )
    work(120)
    assert mail.outbox[-1].subject == "The webhook “CRM” was disabled"


def test_reenabled_endpoint_gets_waiting_events(endpoint, receiver, work):
    receiver.reply = Reply(b"", status=410)
    make_review()
    work()
    row = Endpoint.objects.get()
    assert (row.is_enabled, "HTTP 410" in row.disabled_reason) == (False, True)
    work(600)
    assert len(receiver.requests) == 1

    receiver.reply = Reply()
    row.is_enabled = True
    services.save_endpoint(row)
    work()

    assert [body["type"] for body in sent(receiver)] == ["review.created"] * 2
    assert Message.objects.get().state == "delivered"


def test_attempts_store_body_and_response_and_can_be_resent(endpoint, receiver, work, admin_client):
    receiver.reply = Reply(b"thanks " * 200)
    make_review()
    work()
    message = Message.objects.get()
    attempt = message.log.get()
    assert (attempt.status, attempt.is_success) == (200, True)
    assert attempt.body.encode() == receiver.requests[0].body
    assert len(attempt.answer) <= 500

    action = {"action": "resend", "_selected_action": [message.pk]}
    admin_client.post("/admin/notifications/message/", action)
    work()

    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert "thanks" in page_html(admin_client.get(change_url(message)))


def test_private_address_is_never_contacted(endpoint, receiver, settings, work):
    settings.WEBHOOKS_ALLOWED_NETWORKS = []
    Endpoint.objects.update(url=receiver.url("/hook").replace("http:", "https:"))
    make_review()

    work()

    assert receiver.requests == []
    assert "public addresses alone" in Message.objects.get().last_error


def test_forgotten_author_is_removed_from_events_and_logs(endpoint, receiver, work):
    make_review(author="Ravi Prentice")
    work()

    reviews.forget_author("Ravi Prentice")

    assert "Ravi" not in str(list(Event.objects.values("data")))
    assert "Ravi" not in str(list(DeliveryAttempt.objects.values("body")))


def test_import_queries_no_notification_table(django_capture_on_commit_callbacks, db):
    with (
        CaptureQueriesContext(connection) as queries,
        django_capture_on_commit_callbacks(execute=True),
    ):
        make_review()

    assert not [query for query in queries if "notifications_" in query["sql"]]


# --- Formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["slack", "discord", "teams", "ntfy"])
def test_chat_message_has_no_markup_of_customer(endpoint, receiver, work, form):
    Endpoint.objects.update(format=form)
    make_review(author="Eve", text="<!channel> [free](https://evil.example) *now*")

    work()

    [request] = receiver.requests
    text = request.body.decode()
    assert "webhook-signature" not in request.headers
    assert "New review: 5 stars by Eve" in text + request.headers.get("Title", "")
    if form == "slack":
        assert "&lt;!channel&gt;" in json.loads(text)["text"]
    if form == "discord":
        body = json.loads(text)
        assert body["allowed_mentions"] == {"parse": []}
        assert r"\[free\]\(https" in body["content"]
    if form == "teams":
        [card] = json.loads(text)["attachments"]
        assert {block["type"] for block in card["content"]["body"]} == {"RichTextBlock"}


# --- The administration ---------------------------------------------------------------------------


ADD = "/admin/notifications/endpoint/add/"


@pytest.mark.parametrize(
    "url",
    ["http://crm.tern.com/hook", "https://10.1.2.3/", "https://localhost/", "https://a@b.com"],
)
def test_url_must_be_public_https(admin_client, url):
    form = form_fields(admin_client.get(ADD)) | {"name": "CRM", "events": ["review.created"]}

    assert "The address" in page_html(admin_client.post(ADD, form | {"url": url}))
    assert not Endpoint.objects.exists()


def test_secret_of_new_endpoint_is_shown_once(admin_client, receiver, work):
    page = ADD
    form = form_fields(admin_client.get(page)) | {"name": "CRM", "events": ["review.created"]}

    answer = page_html(admin_client.post(page, form | {"url": receiver.url("/hook")}, follow=True))

    secret = re.search(r"whsec_[A-Za-z0-9+/=]{44}", answer)[0]
    assert Endpoint.objects.get().signing_secrets() == [secret]
    assert secret not in Endpoint.objects.get().encrypted_secret
    form = change_url(Endpoint.objects.get())
    assert "whsec_" not in page_html(admin_client.get(form))


def test_buttons_send_test_event_and_rotate_secret(admin_client, endpoint, receiver, work):
    page = f"/admin/notifications/endpoint/{endpoint.pk}/do/"
    assert f'formaction="{page}"' in page_html(admin_client.get(change_url(endpoint)))
    admin_client.post(page, {"test": ""})
    work()
    assert sent(receiver)[0]["type"] == "test"

    assert "whsec_" in page_html(admin_client.post(page, {"rotate": ""}, follow=True))
