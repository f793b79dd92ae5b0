"""Edits of one review by hand."""

import json

import pytest

from reviews import services
from reviews.models import Review
from tests.factories import make_technician
from tests.reviews.loading import ROWS, load, revision, table


@pytest.mark.django_db(transaction=True)
def test_an_edit_marks_its_fields_and_matches_mentions_anew():
    make_technician("Maren Holt")
    load(table(*ROWS))
    at = revision()
    review = Review.objects.get(external_id="g-2")

    edited = services.edit_review(review, {"text": "Maren was here.", "rating": 4})

    assert edited.edited_fields == ["text"]
    assert json.loads(edited.fragment)["text"] == "Maren was here."
    assert edited.mentions.count() == 1
    assert revision() == at + 1


@pytest.mark.django_db(transaction=True)
def test_an_edit_that_changes_nothing_is_none():
    load(table(*ROWS))
    at = revision()

    services.edit_review(Review.objects.get(external_id="g-2"), {"text": "Good work."})

    assert (revision(), Review.objects.get(external_id="g-2").edited_fields) == (at, [])
