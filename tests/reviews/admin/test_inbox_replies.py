"""Replies and redactions in the inbox."""

import datetime as dt
import json

import pytest
from django.contrib.admin.models import LogEntry

from insights.refresh import refresh
from reviews.models import Reply, Review, SavedAnswer
from tests.administration import assert_refused, page_html
from tests.factories import make_business, make_review, make_technician
from tests.reviews.admin.test_inbox import INBOX, act, authors, opened, tabs, today  # noqa: F401
from tests.reviews.imports import load

pytestmark = pytest.mark.django_db

HEADING = "id,author,rating,date,text,source,owner_reply"


@pytest.fixture
def review():
    make_business()
    return make_review(author="Dana Reyes", date=dt.date(2026, 6, 1), source="yelp")


def test_draft_has_author_and_stays_unanswered(admin_client, admin_user, review):
    assert_refused(
        act(admin_client, "unanswered", review, "draft", text=" "), "Write the reply first."
    )

    page = page_html(act(admin_client, "unanswered", review, "draft", text="Thank you\r\nso much!"))

    assert opened(page) == "Dana Reyes"
    assert "Written by admin on 15 Jun 2026, 05:00 PDT." in page
    assert "admin: Reply saved as a draft." in page
    reply = Reply.objects.get()
    assert (reply.text, reply.state, reply.written_by) == (
        "Thank you\nso much!",
        "draft",
        admin_user,
    )
    assert json.loads(Review.objects.get().fragment)["owner_reply"] is None


def test_review_answered_elsewhere_is_answered_and_published(admin_client, review):
    newer = make_review(author="Next", date=dt.date(2026, 5, 1))

    page = page_html(act(admin_client, "unanswered", review, "answered", text="Thank you!"))

    assert "The review by Dana Reyes is marked as answered." in page
    assert opened(page) == newer.author
    assert authors(page) == ["Next"]
    published = json.loads(Review.objects.get(pk=review.pk).fragment)["owner_reply"]
    assert published == {"text": "Thank you!", "date": "2026-06-15"}
    assert "Answered elsewhere." in LogEntry.objects.values_list("change_message", flat=True)


def test_answered_mark_without_text_publishes_nothing_and_can_be_undone(admin_client, review):
    act(admin_client, "unanswered", review, "answered")
    assert tabs(page_html(admin_client.get(INBOX)))["Unanswered"] == 0
    assert not Review.objects.get().has_reply
    page = page_html(admin_client.get(f"{INBOX}all/{review.ulid}/"))
    assert "Marked by admin on 15 Jun 2026, 05:00 PDT." in page

    act(admin_client, "all", review, "withdraw")

    assert tabs(page_html(admin_client.get(INBOX)))["Unanswered"] == 1


@pytest.mark.django_db(transaction=True)
def test_later_import_of_same_reply_changes_nothing(admin_client):
    make_business()
    row = "g-1,Dana R.,5,2026-03-14,Quick.,google,{}"
    load(f"{HEADING}\n{row.format('')}\n".encode())
    review = Review.objects.get()
    act(admin_client, "all", review, "answered", text="Thank you!")
    before = Review.objects.get().fragment

    report = load(f"{HEADING}\n{row.format('Thank you!')}\n".encode())
    again = load(f"{HEADING}\n{row.format('')}\ng-2,Ivo B.,4,2026-03-13,Good.,google,\n".encode())

    assert (report.changed, again.changed) == (0, 0)
    assert Review.objects.get(pk=review.pk).fragment == before


def test_saved_answer_is_appended(admin_client, review):
    saved = SavedAnswer.objects.create(
        title="Thanks", text="Dear {name},\nthank you! Yours, {business} {name}"
    )

    page = page_html(act(admin_client, "all", review, "insert", text="Hello.", saved=saved.pk))

    text = "Hello.\n\nDear Dana Reyes,\nthank you! Yours, Tern Hollow Home Services Dana Reyes"
    assert f">\n{text}</textarea>" in page
    assert not Reply.objects.exists()
    nameless = make_review(author="Anonymous")
    page = page_html(act(admin_client, "all", nameless, "insert", saved=saved.pk))
    assert ">\nDear,\nthank you! Yours, Tern Hollow Home Services</textarea>" in page
    assert_refused(act(admin_client, "all", review, "insert", saved=""), "Choose a saved reply.")
    assert act(admin_client, "all", review, "insert", saved="9" * 30).status_code == 200


def test_saved_answers_have_a_page_and_known_placeholders(admin_client):
    add = "/admin/reviews/savedanswer/add/"
    page = admin_client.post(add, {"title": "Bad", "text": "Dear {customer}"})
    assert_refused(page, "{customer} is not a placeholder. Use {name} or {business}.")

    admin_client.post(add, {"title": "Good", "text": "Dear {name}"})

    assert "Good" in page_html(admin_client.get("/admin/reviews/savedanswer/"))


def test_review_links_to_its_site(admin_client, review):
    page = page_html(admin_client.get(f"{INBOX}all/{review.ulid}/"))
    assert 'href="https://biz.yelp.com/" rel="noopener noreferrer" target="_blank">Reply at' in page

    Review.objects.filter(pk=review.pk).update(source="bbb", source_url="javascript:alert(1)")
    assert "javascript:alert" not in page_html(admin_client.get(f"{INBOX}all/{review.ulid}/"))


def test_words_are_redacted_in_text(admin_client):
    review = make_review(text="Dana of 48 Old Road was quick. Dana!", external_id="y-1")

    for words in ("dana", "an", "Dana\nnothing", ""):
        page = page_html(act(admin_client, "all", review, "redact", words=words))
        assert 'class="errorlist"' in page, words
    page = page_html(act(admin_client, "all", review, "redact", words="Dana\r\n48 Old Road"))

    assert "The public now sees [...] in place of these words." in page
    published = json.loads(Review.objects.get().fragment)
    assert published["text"] == "[...] of [...] was quick. [...]!"
    assert published["redacted_by_business"] is True


def test_findings_are_shown_beside_text(admin_client):
    make_business()
    make_technician()
    review = make_review(
        text="Maren Holt came late. The price was fair.", technicians=["maren-holt"]
    )
    refresh()

    page = page_html(admin_client.get(f"{INBOX}all/{review.ulid}/"))

    assert "What it mentions" in page
    assert "<dt>People named</dt>" in page
    assert "Maren Holt" in page.partition("<dt>People named</dt>")[2]
