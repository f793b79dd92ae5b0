import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews import services
from reviews.models import Review
from tests.factories import make_review, make_technician
from tests.reviews.imports import ROWS, load, revision, table

pytestmark = pytest.mark.django_db(transaction=True)


def test_edit_marks_fields_and_matches_mentions():
    make_technician("Maren Holt")
    load(table(*ROWS))
    at = revision()
    review = Review.objects.get(external_id="g-1")

    edited = services.edit_review(review, {"text": "Maren was quick!", "rating": 5})

    assert edited.edited_fields == ["text"]
    assert json.loads(edited.fragment)["text"] == "Maren was quick!"
    assert edited.mentions.count() == 0  # Words written by the business name no one.
    assert revision() == at + 1


@pytest.mark.parametrize("hidden", [True, False])
def test_many_reviews_are_hidden_or_shown_by_few_statements(hidden):
    reviews = [make_review(hidden=not hidden) for _ in range(60)]
    edited = make_review(hidden=not hidden, edited_fields=["author", "text"])
    stored = make_review(hidden=hidden)
    at = revision()

    with CaptureQueriesContext(connection) as sent:
        assert services.hide(Review.objects.all(), hidden=hidden) == 61

    assert sum(query["sql"].startswith('UPDATE "reviews_review"') for query in sent) == 2
    assert len(sent) < len(reviews)
    assert revision() == at + 1
    assert not Review.objects.filter(hidden=not hidden).exists()
    fields = dict(Review.objects.values_list("pk", "edited_fields"))
    assert fields[reviews[0].pk] == ["hidden"]
    assert fields[edited.pk] == ["author", "hidden", "text"]
    assert fields[stored.pk] == []


@pytest.mark.django_db
def test_bulk_update_is_published_and_indexed():
    one, other, third = (make_review(rating=5, text="Quick.") for _ in range(3))
    third.hidden = True
    third.save()

    changed = Review.objects.visible().filter(rating=5).update(rating=2, text="ÉTÉ")

    assert changed == 2
    for ulid in (one.ulid, other.ulid):
        review = Review.objects.get(ulid=ulid)
        published = json.loads(review.fragment)
        assert (published["rating"], published["text"], review.text_folded) == (2, "ÉTÉ", "été")
        assert review.modified_at is not None
    assert json.loads(Review.objects.get(ulid=third.ulid).fragment)["rating"] == 5
