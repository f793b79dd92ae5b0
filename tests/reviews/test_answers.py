"""Answers that are kept are those that the database would give."""

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from reviews.models import Review
from reviews.search import query
from reviews.search.parameters import Search, parse_query_string
from reviews.search.result_cache import CACHED_ANSWERS, search_reviews
from tests.factories import build_review, make_review
from tests.reviews.asking import ask
from tests.threads import elsewhere


@pytest.mark.django_db
def test_a_repeated_search_asks_the_database_nothing(django_assert_num_queries):
    make_review(text="On time")
    parameters = parse_query_string(b"query=time&limit=20")
    answer = search_reviews(parameters)

    with django_assert_num_queries(0):
        assert search_reviews(parse_query_string(b"limit=020&query=time")) is answer


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
    before = search_reviews(Search())
    review.rating = 4
    review.save()
    changed = search_reviews(Search())
    review.rating = 5
    review.save()

    again = search_reviews(Search())
    assert (again.body, again.etag) == (before.body, before.etag)
    assert changed.etag != before.etag


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("text_query", ["", "time"])
def test_change_between_page_and_count_is_seen_whole_or_not_at_all(monkeypatch, text_query):
    for _ in range(2):
        make_review(text="On time")
    page = query._page

    def page_and_be_overtaken(*args, **kwargs):
        fragments = page(*args, **kwargs)
        elsewhere(build_review(text="Just on time").save)
        return fragments

    monkeypatch.setattr(query, "_page", page_and_be_overtaken)

    result = ask({"query": text_query, "rating": 5}, limit=1)

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
    for limit in range(1, CACHED_ANSWERS + 1):
        search_reviews(Search(limit=limit))
    with django_assert_num_queries(0):
        search_reviews(Search(limit=1))

    search_reviews(Search(limit=CACHED_ANSWERS + 1))

    with CaptureQueriesContext(connection) as queries:
        search_reviews(Search(limit=2))
    assert queries.captured_queries


@pytest.mark.django_db
def test_an_unreachable_database_is_no_empty_answer(monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.search.result_cache.current_revision", unreachable)

    with pytest.raises(OperationalError):
        search_reviews(Search())
