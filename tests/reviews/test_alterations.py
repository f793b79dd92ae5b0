"""Edits and redactions by an administrator are marked publicly."""

import json

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from feeds import atom, json_feed
from imports import services as import_services
from imports.models import ImportBatch, ImportOptions
from reviews import services
from reviews.models import Review
from reviews.redaction import is_redaction
from reviews.selectors import aggregate_rating
from tests.administration import change_url, form_fields, page_html
from tests.factories import make_business
from tests.reviews.imports import ROWS, load, table

EDITED, REDACTED = "edited_by_business", "redacted_by_business"
TEXT = "Maren was quick."


@pytest.fixture
def review(db):
    load(table(*ROWS), options=ImportOptions(accept=True, verified=True))
    return Review.objects.get(external_id="g-1")


def published(review) -> dict:
    review.refresh_from_db()
    return json.loads(review.fragment)


def counted(review) -> int:
    """Return the stars with which the rating counts this review."""
    others = Review.objects.exclude(pk=review.pk).values_list("rating", flat=True)
    distribution = aggregate_rating().distribution
    for stars in others:
        distribution[stars] -= 1
    return next(stars for stars, count in distribution.items() if count)


@pytest.mark.parametrize(
    "changes", [{"text": "Maren was great."}, {"rating": 4}, {"text": ""}, {"text": f"{TEXT} Yes!"}]
)
def test_edit_clears_verified_and_marks_the_review(review, changes):
    services.edit_review(review, changes)

    page_html = published(review)
    assert (page_html["verified"], page_html[EDITED]) == (False, True)
    assert REDACTED not in page_html


def test_redaction_is_marked_and_stays_verified(review):
    services.edit_review(review, {"text": "[...] was quick."})

    page_html = published(review)
    assert (page_html["verified"], page_html[REDACTED]) == (True, True)
    assert EDITED not in page_html
    services.edit_review(review, {"text": "[...] quick."})
    assert REDACTED in published(review)
    services.edit_review(review, {"text": "Tom was quick."})
    assert EDITED in published(review)
    services.edit_review(review, {"text": "[...] was quick."})
    assert EDITED in published(review)


@pytest.mark.parametrize(
    "changes",
    [
        {"author": "D. R."},
        {"reply_text": "Hi!", "reply_date": "2026-03-16"},
        {"text": f" {TEXT}\n"},
    ],
)
def test_other_edits_are_not_marked(review, changes):
    services.edit_review(review, changes)

    assert not {EDITED, REDACTED} & published(review).keys()
    assert published(review)["verified"] is True


def test_edited_review_cannot_be_verified_by_hand(review, admin_client):
    services.edit_review(review, {"rating": 4})

    form = form_fields(admin_client.get(change_url(review)))
    admin_client.post(change_url(review), form | {"verified": "on"})

    assert published(review)["verified"] is False


def test_review_typed_in_by_hand_may_be_corrected(db):
    call_command("add_review", rating=5, text="Vrey good", author="Ann", date="2026-03-14")
    review = Review.objects.get()

    services.edit_review(review, {"text": "Very good"})

    assert EDITED not in published(review)


def test_later_import_keeps_edit_and_mark_together(review):
    services.edit_review(review, {"rating": 4})

    load(
        table(ROWS[0].replace("Thanks!", "Many thanks!")),
        options=ImportOptions(accept=True, verified=True),
    )

    page_html = published(review)
    assert (page_html["rating"], page_html["verified"], page_html[EDITED]) == (4, False, True)
    assert page_html["owner_reply"]["text"] == "Many thanks!"


def test_edited_stars_count_as_given_by_source(review):
    services.edit_review(review, {"rating": 4})
    services.edit_review(review, {"rating": 3, "text": "Great."})
    assert (counted(review), published(review)["rating"]) == (5, 3)

    load(table(ROWS[0].replace(",5,", ",2,")))
    assert (counted(review), published(review)["rating"]) == (2, 3)

    own = published(review)
    load(json.dumps({"reviews": [own]}).encode())
    assert counted(review) == 2

    load(table(*ROWS), options=ImportOptions(overwrite_edits=True))
    assert (counted(review), published(review)["rating"]) == (5, 5)
    services.edit_review(review, {"rating": 1})
    assert counted(review) == 5


def test_import_that_restores_source_clears_mark(review):
    services.edit_review(review, {"rating": 4, "text": "Great."})

    report = load(
        table(*ROWS), options=ImportOptions(accept=True, verified=True, overwrite_edits=True)
    )

    page_html = published(review)
    assert (page_html["rating"], page_html["text"], page_html["verified"]) == (5, TEXT, True)
    assert EDITED not in page_html
    import_services.undo(ImportBatch.objects.get(pk=report.batch_id))
    assert (published(review)["verified"], published(review)[EDITED]) == (False, True)


def test_own_export_has_mark(review):
    services.edit_review(review, {"text": "Great."})
    own = published(review)
    Review.objects.all().delete()

    load(json.dumps({"reviews": [own]}).encode())

    assert json.loads(Review.objects.get().fragment) == own
    report = load(json.dumps({"reviews": [own]}).encode())
    assert report.unchanged == 1


def test_feeds_and_page_have_mark(review, client):
    make_business()
    services.edit_review(review, {"rating": 4})
    redacted = Review.objects.get(external_id="g-2")
    services.edit_review(redacted, {"text": "[...] work."})

    marks = {
        item["_review"]["id"]: {EDITED, REDACTED} & item["_review"].keys()
        for item in json.loads(json_feed.build(review.created_at))["items"]
    }
    assert (marks[review.ulid], marks[redacted.ulid]) == ({EDITED}, {REDACTED})
    assert sum(map(len, marks.values())) == 2
    feed = atom.build(review.created_at).decode()
    assert (feed.count('term="edited_by_business"'), feed.count('term="redacted_by_b')) == (1, 1)
    assert "Edited by the business" in page_html(client.get(f"/reviews/{review.ulid}"))
    assert "Shortened by the business" in page_html(client.get(f"/reviews/{redacted.ulid}"))


@pytest.mark.parametrize(
    ("before", "after", "is_one"),
    [
        ("Dana came at 5 pm.", "[...] came at 5 pm.", True),
        ("Dana came at 5 pm.", "[…] came at […] pm.", True),
        ("Dana came at 5 pm.", "[...]", True),
        ("Dana came\n\nat 5 pm.", "Dana came at [...].", True),
        ("Call 555-0100, ask Tom.", "Call [...], ask [...].", True),
        ("Dana came at 5 pm.", "Dana came at 5 pm. [...]", False),  # Marks no word.
        ("Dana came at 5 pm.", "[...] came at 6 pm.", False),
        ("Dana came at 5 pm.", "Dana at 5 pm.", False),
        ("unhappy", "[...]happy", False),
        ("a b", "b [...]", False),
        ("山田さんは親切", "[...]さんは親切", True),
        ("", "[...]", False),
    ],
)
def test_redaction_replaces_words_only(before, after, is_one):
    assert is_redaction(before, after) is is_one


@given(st.lists(st.sampled_from("ab.cd"), min_size=1, max_size=12), st.data())
def test_any_words_may_be_replaced(words, data):
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    after = " ".join([*words[:start], "[...]", *words[end:]])

    assert is_redaction(" ".join(words), after)
    assert not is_redaction(" ".join(words), " ".join(words))
    assert not is_redaction(" ".join(words), f"{after} new")
