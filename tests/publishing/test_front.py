"""Published documents answered before Django, exactly as Django would answer them."""

import json

import pytest

from tests.factories import make_business, make_review
from tests.publishing.conftest import ask

pytestmark = pytest.mark.django_db(transaction=True)

PATHS = ["/reviews.json", "/insights.json", "/api/feed.json", "/feed.xml"]


def test_reviews_are_published_newest_first_with_the_business_and_its_rating(make_front):
    make_business()
    make_review(rating=4, author="Older", date="2026-03-14")
    make_review(rating=5, author="Newer", date="2026-03-15")

    reply = ask(make_front(), "/reviews.json")

    assert reply.status == "200 OK"
    assert reply.header("Content-Type") == "application/json"
    document = json.loads(reply.body)
    assert list(document) == ["version", "generated_at", "business", "aggregate_rating", "reviews"]
    assert document["business"]["id"] == "tern-hollow"
    assert document["aggregate_rating"]["rating_value"] == 4.5
    assert [review["author"] for review in document["reviews"]] == ["Newer", "Older"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("path", PATHS)
def test_the_front_answers_as_django_does(make_front, django, path, method):
    make_review()
    front = make_front()
    environ = {"HTTP_X_REQUEST_ID": "same-for-both"}

    from_front, from_django = (ask(app, path, method, **environ) for app in (front, django))

    assert from_front.status == from_django.status == "200 OK"
    assert sorted(from_front.headers) == sorted(from_django.headers)
    if method == "GET":
        assert from_front.body == from_django.body
    else:
        assert from_front.body == b""
