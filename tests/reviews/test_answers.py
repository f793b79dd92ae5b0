"""Cached answers equal those of the database."""

import pytest

from reviews.models import Review
from reviews.search import query
from tests.factories import build_review, make_review
from tests.reviews.searches import answer_to, ask
from tests.threads import run_in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def test_equal_reviews_have_equal_answers(settings):
    settings.VERSION_POLL_MS = 0
    review = make_review(rating=5)
    before = answer_to()
    review.rating = 4
    review.save()
    changed = answer_to()
    review.rating = 5
    review.save()

    again = answer_to()
    assert (again.body, again.etag) == (before.body, before.etag)
    assert changed.etag != before.etag


def test_page_and_count_are_from_one_snapshot(monkeypatch):
    for _ in range(2):
        make_review(text="On time")
    condition = query.ReviewFilter.apply

    def apply_and_be_overtaken(reviews, search):
        matching = condition(reviews, search)
        matching.exists()
        run_in_thread(build_review(text="Just on time").save)
        return matching

    monkeypatch.setattr(query.ReviewFilter, "apply", apply_and_be_overtaken)

    result = ask({"query": "time", "rating": 5}, limit=1)

    assert (result["matched"], Review.objects.count()) == (2, 3)


def test_revision_is_read_once_per_interval(monkeypatch, settings):
    settings.VERSION_POLL_MS = 250
    now = [100.0]
    monkeypatch.setattr("reviews.current.time.monotonic", lambda: now[0])
    seen = []
    for milliseconds in (0, 100, 250, 251, 400, 501, 502):
        now[0] = 100 + milliseconds / 1_000
        seen.append(ask({})["matched"])
        make_review()

    assert seen == [0, 0, 0, 3, 3, 3, 6]
