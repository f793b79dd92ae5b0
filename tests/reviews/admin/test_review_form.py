"""The form of a review: edits, additions and deletions."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from imports.models import ImportBatch, ImportChange
from insights.refresh import refresh
from reviews.models import Mention, Review
from tests.administration import assert_refused, change_url, form_fields, page_html
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"
PASSWORD = "correct horse battery"


def form_of(review, **changed):
    """Return the fields that a browser sends after these changes."""
    values = {
        "rating": review.rating,
        "author": review.author,
        "date": review.date,
        "text": review.text.replace("\n", "\r\n"),
        "source_url": review.source_url,
        "author_avatar_url": review.author_avatar_url,
        "reply_text": review.reply_text,
        "reply_date": review.reply_date or "",
        "import_changes-TOTAL_FORMS": 0,
        "import_changes-INITIAL_FORMS": 0,
    }
    values |= {name: "on" for name in ("verified", "hidden") if getattr(review, name)}
    return values | changed


def test_actions_require_permissions(client):
    review = make_review()
    staff = User.objects.create_user("staff", password=PASSWORD, is_staff=True)
    client.force_login(staff)

    assert client.get(REVIEWS).status_code == 403

    staff.user_permissions.add(Permission.objects.get(codename="view_review"))
    assert client.get(REVIEWS).status_code == 200
    assert client.get(change_url(review)).status_code == 200
    assert client.post(change_url(review), form_of(review, rating=1)).status_code == 403
    chosen = {"action": "hide", "_selected_action": [review.pk]}
    client.post(REVIEWS, chosen)
    assert Review.objects.get() == review
    assert Review.objects.filter(hidden=False, rating=5).exists()


def test_edited_field_is_marked_and_kept_by_imports(admin_client):
    review = make_review(text="Old\nwords", rating=3)

    response = admin_client.post(change_url(review), form_of(review, rating="4", author="Ann O."))

    assert response.status_code == 302
    review.refresh_from_db()
    assert (review.rating, review.author, review.text) == (4, "Ann O.", "Old\nwords")
    assert review.edited_fields == ["author", "rating"]
    assert '"rating":4' in review.fragment
    assert "author, rating (imports do not change these)" in page_html(
        admin_client.get(change_url(review))
    )


def test_removed_reply_has_no_date(admin_client):
    review = make_review(reply_text="Thanks")

    admin_client.post(change_url(review), form_of(review, reply_text=""))

    review.refresh_from_db()
    assert (review.reply_text, review.reply_date) == ("", None)
    assert review.edited_fields == ["reply_date", "reply_text"]


def test_reply_defaults_to_today_in_zone_of_business(admin_client, monkeypatch):
    make_business(time_zone="America/Los_Angeles")
    review = make_review()
    now = dt.datetime(2026, 6, 1, 5, tzinfo=dt.UTC)  # It is still 31 May in this zone.
    monkeypatch.setattr(timezone, "now", lambda: now)

    admin_client.post(change_url(review), form_of(review, reply_text="Thanks"))

    review.refresh_from_db()
    assert (review.reply_text, review.reply_date) == ("Thanks", dt.date(2026, 5, 31))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rating": "6"}, "Choose 1 to 5 stars."),
        ({"rating": ""}, "Choose 1 to 5 stars."),
        ({"author": ""}, "This field is required."),
        ({"author": "dana@example.com"}, "This is a contact address, which is never published."),
        ({"author": "A\x00"}, "Null characters are not allowed."),
        ({"author": "A\x9fB"}, "Character 2 is U+009F"),
        ({"text": "Bell\x07"}, "Character 5 is U+0007"),
        ({"text": "x\x00"}, "Null characters are not allowed."),
        ({"text": "x" * 20_001}, "The text has 20001 characters; at most 20,000 are taken in."),
        ({"reply_text": "x" * 20_001}, "The text has 20001 characters; at most 20,000"),
        ({"reply_text": "\x1b[0m", "reply_date": "2026-03-15"}, "Character 1 is U+001B"),
        ({"source_url": "javascript:alert(1)"}, "Write a complete web address"),
        ({"source_url": "ftp://x.example/"}, "Write a complete web address"),
        ({"author_avatar_url": "data:image/png,x"}, "Write a complete web address"),
        ({"date": "2026-02-30"}, "Enter a date like 2026-01-31."),
        ({"date": "11/12/2025"}, "Enter a date like 2026-01-31."),
        ({"date": "2999-01-01"}, "This date is in the future."),
        ({"date": "0206-01-31"}, "This day lies before 1900."),
        ({"reply_text": "Thanks", "reply_date": "1999-12-31"}, "The reply is older than"),
    ],
)
def test_invalid_value_is_explained(admin_client, changed, sentence):
    review = make_review()

    assert_refused(admin_client.post(change_url(review), form_of(review, **changed)), sentence)
    assert Review.objects.get().updated_at == review.updated_at


def test_hostile_texts_are_escaped_everywhere(admin_client):
    hostile = "<script>alert(1)</script>"
    review = make_review(text=hostile, author=hostile, reply_text=hostile)

    for address in (REVIEWS, change_url(review), f"{REVIEWS}{review.pk}/delete/"):
        assert hostile not in admin_client.get(address).content.decode()


def test_identity_is_read_only(admin_client):
    review = make_review(source="google", external_id="g-1")

    admin_client.post(
        change_url(review),
        form_of(review, source="yelp", external_id="y", ulid="x", fragment="{}", rating="1"),
    )

    changed = Review.objects.get()
    assert (changed.source, changed.external_id, changed.ulid) == ("google", "g-1", review.ulid)
    assert changed.rating == 1


def test_review_lists_its_imports(admin_client, django_assert_max_num_queries):
    first = ImportBatch.objects.create(file_name="first.csv")
    review = make_review(created_by_batch=first)
    for number in range(5):
        batch = ImportBatch.objects.create(file_name=f"update-{number}.csv")
        ImportChange.objects.create(
            batch=batch,
            review=review,
            row=7,
            before={"rating": 4, "edited_fields": []},
            after={"rating": 5, "edited_fields": []},
        )

    admin_client.get(REVIEWS)  # The first page after signing in also writes to the session.
    with django_assert_max_num_queries(9):
        page = page_html(admin_client.get(change_url(review)))

    for name in ("first.csv", "update-0.csv", "update-4.csv"):
        assert name in page
    assert page.count("rating: 4 → 5") == 5
    assert "View on site" in page


@pytest.mark.parametrize("external_id", ["", "g-77"])
def test_review_can_be_added_by_hand(admin_client, external_id):
    make_technician("Maren Holt")
    values = {
        "source": "google",
        "external_id": external_id,
        "rating": "5",
        "author": "Ann",
        "date": "2026-03-01",
        "text": "Maren came.\r\nGood.",
    }

    response = admin_client.post(f"{REVIEWS}add/", values)

    assert response.status_code == 302
    review = Review.objects.get()
    assert review.external_id == (external_id or review.ulid)
    assert review.external_id_is_synthetic == (not external_id)
    assert review.text == "Maren came.\nGood."
    assert review.mentions.get().subject == "maren-holt"
    assert review.verified is False


def test_review_is_deleted_with_its_related_rows(admin_client):
    review = make_review(services=["leak-detection"])
    refresh()
    batch = ImportBatch.objects.create(file_name="r.csv")
    ImportChange.objects.create(batch=batch, review=review, row=2, before={}, after={})
    address = f"{REVIEWS}{review.pk}/delete/"

    page = page_html(admin_client.get(address))
    admin_client.post(address, {"post": "yes"})

    kept = ("Review analyses: 1", "Import changes: 1", "Mentions: 1")
    assert all(words in page for words in kept)
    assert not Review.objects.exists()


def test_filtered_reviews_are_deleted_by_few_statements_after_short_page(admin_client):
    for number in range(70):
        make_review(technicians=["maren-holt"], author=f"Author {number}")
    other = make_review(technicians=["bo-lind"])
    refresh()
    address = f"{REVIEWS}?mentions=technician:maren-holt"
    one = Review.objects.filter(mentions__subject="maren-holt").earliest("pk")
    data = {"action": "delete_selected", "select_across": "1", "_selected_action": [one.pk]}

    page = page_html(admin_client.post(address, data | {"index": "0"}))
    assert Review.objects.count() == 71
    with CaptureQueriesContext(connection) as queries:
        response = admin_client.post(address, data | {"post": "yes"}, follow=True)

    assert "Reviews: 70" in page
    assert "and 20 more" in page
    assert page.count("by Author") == 50
    assert "70 reviews are deleted." in page_html(response)
    assert len(queries) < 70
    assert list(Review.objects.all()) == [other]
    assert Mention.objects.get().review == other
    assert LogEntry.objects.get().object_repr == "70 reviews"


def test_form_sent_twice_adds_one_review(admin_client):
    page = f"{REVIEWS}add/"
    opened = form_fields(admin_client.get(page))
    written = opened | {"source": "google", "rating": 4, "date": "2026-03-01", "text": "Good."}

    admin_client.post(page, written)
    again = admin_client.post(page, written | {"text": "Good again."}, follow=True)

    assert "This review has been added already." in page_html(again)
    assert Review.objects.get().text == "Good."
    assert again.redirect_chain[-1][0] == change_url(Review.objects.get())

    another = form_fields(admin_client.get(page))
    admin_client.post(page, written | {"page": another["page"]})

    assert Review.objects.count() == 2
