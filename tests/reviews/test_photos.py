"""Photos of customers: stored with the review, and published by choice of the business."""

import datetime as dt
import json

import orjson
import pytest

from imports.models import ImportChange, ImportOptions
from reviews import services
from reviews.documents import build
from reviews.models import Business, Photos, Review
from tests.administration import assert_refused, change_url, form_fields, page_html
from tests.factories import make_business, make_review
from tests.reviews.imports import load

pytestmark = pytest.mark.django_db

NOW = dt.datetime(2026, 5, 20, tzinfo=dt.UTC)
BUSINESS = "/admin/reviews/business/1/change/"
ONE, TWO = "https://img.example/1.jpg", "https://img.example/2.jpg"


def export(*photos: str, **changes: object) -> bytes:
    """Return a review as Apify exports it."""
    review = {
        "name": "Dana R.",
        "reviewId": "a",
        "stars": 5,
        "publishedAtDate": "2026-03-02T12:00:00.000Z",
        "text": "Quick and tidy work.",
        "reviewImageUrls": list(photos),
    }
    return json.dumps([review | changes]).encode()


def publish(client, choice: str) -> None:
    form = form_fields(client.get(BUSINESS))
    assert client.post(BUSINESS, form | {"photos": choice}).status_code == 302


def published() -> dict:
    return orjson.loads(build(NOW))["reviews"][0]


def test_photos_are_stored_and_not_published_by_default(client):
    make_business()
    load(export(ONE, TWO))

    review = Review.objects.get()
    assert review.photos == [ONE, TWO]
    assert "photos" not in published()
    assert ONE not in page_html(client.get(f"/reviews/{review.ulid}"))


def test_business_publishes_and_withdraws_photos(admin_client):
    make_business()
    load(export(ONE))
    later = Review.objects.get().modified_at

    publish(admin_client, Photos.LINKS)
    assert published()["photos"] == [ONE]
    assert list(published())[-1] == "photos"
    assert Review.objects.get().modified_at > later
    bare = make_review(author="Ivo B.")
    assert "photos" not in orjson.loads(bare.fragment)

    publish(admin_client, Photos.OFF)
    assert Business.objects.get().photos == Photos.OFF
    assert "photos" not in published()


def test_photos_of_a_forgotten_person_are_removed_and_stay_away():
    make_business(photos=Photos.LINKS)
    load(export(ONE))
    load(export(TWO))

    services.forget_author("Dana R.")

    assert Review.objects.get().photos is None
    change = ImportChange.objects.get()
    assert "photos" not in change.before | change.after
    assert "photos" not in published()
    load(export(ONE, text="Other words of the same person."), options=ImportOptions(accept=True))
    assert Review.objects.get().photos is None


def test_removed_photo_is_skipped_by_imports(admin_client):
    make_business()
    load(export(ONE, TWO))
    page = change_url(Review.objects.get())
    form = form_fields(admin_client.get(page))
    assert form["photos"] == f"{ONE}\r\n{TWO}"

    assert admin_client.post(page, form | {"photos": TWO}).status_code == 302
    load(export(ONE, TWO))

    review = Review.objects.get()
    assert (review.photos, review.edited_fields) == ([TWO], ["photos"])
    assert_refused(
        admin_client.post(
            page, form_fields(admin_client.get(page)) | {"photos": "http://img.example/"}
        ),
        "Write at most 10 complete web addresses",
    )
    admin_client.post(page, form_fields(admin_client.get(page)) | {"photos": ""})
    assert Review.objects.get().photos is None
