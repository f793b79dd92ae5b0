"""Answers that are kept are those that the database would give."""

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from reviews.models import Review
from reviews.search import query
from reviews.search.query import CACHED_ANSWERS
from tests.factories import build_review, make_review
from tests.reviews.asking import answer_to, ask
from tests.threads import elsewhere


@pytest.mark.django_db
def test_a_repeated_search_asks_the_database_nothing(django_assert_num_queries):
    make_review(text="On time")
    answer = answer_to(query="time", limit=20)

    with django_assert_num_queries(0):
        assert answer_to(limit="020", query="time") is answer


@pytest.mark.django_db(transaction=True)
def test_a_change_is_seen_as_soon_as_the_revision_is_read_again(settings):
    settings.VERSION_POLL_MS = 0
    assert ask({})["matched"] == 0

    review = make_review()
    assert ask({})["matched"] == 1

    review.hidden = True
    review.save()
    assert ask({})["matched"] == 0


@pytest.mark.django_db(transaction=True)
def test_equal_reviews_have_equal_answers_whatever_happened_in_between(settings):
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


@pytest.mark.django_db(transaction=True)
def test_page_and_count_are_of_one_moment(monkeypatch):
    for _ in range(2):
        make_review(text="On time")
    condition = query.ReviewFilter.apply

    def apply_and_be_overtaken(reviews, search):
        matching = condition(reviews, search)
        matching.exists()
        elsewhere(build_review(text="Just on time").save)
        return matching

    monkeypatch.setattr(query.ReviewFilter, "apply", apply_and_be_overtaken)

    result = ask({"query": "time", "rating": 5}, limit=1)

    assert (result["matched"], Review.objects.count()) == (2, 3)


@pytest.mark.django_db(transaction=True)
def test_revision_is_read_once_in_each_interval(monkeypatch, settings):
    settings.VERSION_POLL_MS = 250
    now = [100.0]
    monkeypatch.setattr("reviews.current.time.monotonic", lambda: now[0])
    seen = []
    for milliseconds in (0, 100, 250, 251, 400, 501, 502):
        now[0] = 100 + milliseconds / 1_000
        seen.append(ask({})["matched"])
        make_review()

    assert seen == [0, 0, 0, 3, 3, 3, 6]


@pytest.mark.django_db
def test_answers_that_are_kept_are_limited_in_number(django_assert_num_queries):
    make_review()
    for number in range(CACHED_ANSWERS):
        answer_to(query=f"w{number}")
    with django_assert_num_queries(0):
        answer_to(query="w0")

    answer_to(query="new")

    with CaptureQueriesContext(connection) as queries:
        answer_to(query="w1")
    assert queries.captured_queries


@pytest.mark.django_db
def test_an_unreachable_database_is_no_empty_answer(monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.search.query.current_revision", unreachable)

    with pytest.raises(OperationalError):
        answer_to()
