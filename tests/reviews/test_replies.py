"""A reply without a known date is published without a date."""

import json

import pytest

from reviews.api.serializers import ReviewsDatasetSerializer
from reviews.models import Review
from tests.factories import make_business
from tests.reviews.imports import load

HEADING = "id,author,rating,date,text,source,owner_reply"
ROW = "g-1,Dana R.,5,2026-03-14,Maren was quick.,google,Thanks!"
REPLY = {"text": "Thanks!", "date": None}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def review():
    make_business()
    load(f"{HEADING}\n{ROW}\ng-2,Ivo B.,4,2026-03-13,Good work.,google,\n".encode())
    return Review.objects.get(external_id="g-1")


def test_documents_answers_and_feeds_have_null(client, review):
    dataset = client.get("/reviews.json").json()
    feed = client.get("/api/feed.json").json()
    found = client.get("/api/reviews/search?has_reply=true").json()

    assert dataset["reviews"][0]["owner_reply"] == REPLY
    assert feed["items"][0]["_review"]["owner_reply"] == REPLY
    assert [each["owner_reply"] for each in found["reviews"]] == [REPLY]
    assert client.get("/api/reviews/search?has_reply=false").json()["matched"] == 1
    serializer = ReviewsDatasetSerializer(data=dataset)
    assert serializer.is_valid(), serializer.errors


def test_own_export_round_trips_reply(client, review):
    exported = client.get("/reviews.json").content

    assert load(exported).unchanged == 2
    Review.objects.all().delete()
    load(exported)
    back = Review.objects.get(ulid=review.ulid)
    assert json.loads(back.fragment)["owner_reply"] == REPLY
