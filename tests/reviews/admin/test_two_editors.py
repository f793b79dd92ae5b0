"""Concurrent edits of one row: no change is lost without a message."""

import datetime as dt

import pytest
from django.db import connection

from reviews.models import Review, Technician
from reviews.services import edit_review, hide
from tests.administration import assert_refused, change_url, form_fields
from tests.factories import make_review

pytestmark = pytest.mark.django_db


def test_stale_form_does_not_show_hidden_review_again(admin_client):
    review = make_review(text="They called me at 555 0199.")
    opened = form_fields(admin_client.get(change_url(review)))
    hide(Review.objects.all())

    admin_client.post(change_url(review), opened | {"text": "They called me."})

    stored = Review.objects.get()
    assert stored.hidden
    assert stored.text == "They called me."
    assert stored.edited_fields == ["hidden", "text"]


def test_stale_form_keeps_values_of_import(admin_client):
    review = make_review(author="Ann", rating=1, reply_text="", reply_date=None)
    opened = form_fields(admin_client.get(change_url(review)))
    brought = {"rating": 5, "reply_text": "Thank you", "reply_date": dt.date(2026, 3, 20)}
    Review.objects.filter(pk=review.pk).update(**brought)

    admin_client.post(change_url(review), opened | {"author": "Ann B."})

    stored = Review.objects.get()
    assert {name: getattr(stored, name) for name in brought} == brought
    assert stored.author == "Ann B."
    assert stored.edited_fields == ["author"]


def test_conflicting_edit_is_reported_and_can_be_forced(admin_client):
    review = make_review(text="Good.")
    opened = form_fields(admin_client.get(change_url(review)))
    edit_review(review, {"text": "Good, & quick."})

    second = admin_client.post(change_url(review), opened | {"text": "Good work."})

    assert_refused(
        second, "Somebody else has changed this since you opened the page. Now it is: “Good,"
    )
    assert Review.objects.get().text == "Good, & quick."

    again = form_fields(second)
    assert again["text"] == "Good work."
    admin_client.post(change_url(review), again)

    assert Review.objects.get().text == "Good work."


def test_simultaneous_save_is_reported(admin_client):
    """As a second click on the button. On SQLite one of the two waits for the other."""
    first = []

    def save_twice(execute, sql, params, many, context):
        if sql.startswith('INSERT INTO "reviews_technician"') and not first:
            first.append(execute(sql, params, many, context))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(save_twice):
        response = admin_client.post("/admin/reviews/technician/add/", {"name": "Maren Holt"})

    assert response.status_code == 409
    assert "The same data was saved at the same time" in response.content.decode()
    assert not Technician.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "  a \n\n\n<b>&amp;", "author": "“Zoë”", "rating": 1, "verified": True},
        {"reply_text": "Thanks\n", "reply_date": dt.date(2026, 3, 20), "hidden": True},
        {"reply_text": "Thanks", "reply_date": None},
        {"source_url": "https://x.example/?a=1&b=2", "author_avatar_url": "http://x.example/a"},
    ],
)
def test_unchanged_form_edits_nothing(admin_client, fields):
    review = make_review(**fields)

    admin_client.post(change_url(review), form_fields(admin_client.get(change_url(review))))

    assert Review.objects.get().edited_fields == []
    assert Review.objects.get() == review
