"""Webhooks: each event once, signed, in order."""

import hmac
import json
from base64 import b64decode, b64encode

import pytest

from reviews import services as reviews
from reviews.models import Review
from tests.factories import make_review

pytestmark = pytest.mark.django_db


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


def test_reviews_of_before_the_endpoint_are_no_news(receiver, work, request):
    make_review()
    request.getfixturevalue("endpoint")

    work()

    assert receiver.requests == []


def test_change_and_removal_follow_in_order(endpoint, receiver, work):
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
