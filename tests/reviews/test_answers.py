"""Answers that are kept are those that the database would give."""

import datetime as dt
import json

import pytest
from django.db import OperationalError

from reviews.models import Review, Revision
from reviews.search import result_cache
from reviews.search.parameters import Search, parse_query_string
from reviews.search.result_cache import search_reviews
from reviews.search.revision_cache import RevisionWatch
from tests.factories import build_review, make_review
from tests.reviews.asking import ask
from tests.threads import elsewhere


@pytest.mark.django_db
def test_a_repeated_search_asks_the_database_nothing(django_assert_num_queries):
    make_review(text="On time")
    asked = parse_query_string(b"query=time&limit=20")
    answer = search_reviews(asked)

    with django_assert_num_queries(0):
        assert search_reviews(parse_query_string(b"limit=020&query=time")) is answer


@pytest.mark.django_db
def test_other_days_and_stars_of_a_known_needle_take_one_query(django_assert_num_queries):
    for day in range(1, 9):
        make_review(text="On time", date=dt.date(2026, 1, day), rating=1 + day % 5)
    first = ask({"query": "time", "until": "2026-01-07"}, limit=2)
    ask({"query": "time", "until": "2026-01-06"}, limit=2)

    with django_assert_num_queries(1):
        days = ask({"query": "time", "since": "2026-01-02", "until": "2026-01-04"}, limit=2)
    with django_assert_num_queries(1):
        stars = ask({"query": "time", "rating": 3}, limit=1)

    assert (first["matched"], days["matched"], stars["matched"]) == (7, 3, 2)
    assert [review["date"] for review in days["reviews"]] == ["2026-01-04", "2026-01-03"]
    assert [review["date"] for review in stars["reviews"]] == ["2026-01-07"]


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
def test_a_change_in_the_middle_of_a_search_is_either_seen_whole_or_not_at_all(monkeypatch):
    make_review()
    make_review()
    find_page = result_cache.find_page

    def find_page_and_be_overtaken(*args, **kwargs):
        rows = find_page(*args, **kwargs)
        if Review.objects.count() == 2:
            elsewhere(build_review().save)
        return rows

    monkeypatch.setattr(result_cache, "find_page", find_page_and_be_overtaken)

    result = json.loads(search_reviews(Search(limit=1)).body)

    assert result["matched"] == 3
    assert result["reviews"][0]["id"] == Review.objects.newest_first()[0].ulid


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("overtaken", ["find_places", "find_rows"])
def test_matches_in_memory_are_never_of_another_state_than_the_page(monkeypatch, overtaken):
    for _ in range(2):
        make_review(text="On time")
    ask({"query": "time", "min_rating": 3}, limit=1)
    find = getattr(result_cache, overtaken)

    def be_overtaken_and_find(*args, **kwargs):
        if Review.objects.count() == 2:
            elsewhere(build_review(text="Just on time").save)
        return find(*args, **kwargs)

    monkeypatch.setattr(result_cache, overtaken, be_overtaken_and_find)

    result = ask({"query": "time", "min_rating": 2}, limit=1)

    assert result["matched"] == 3
    assert result["reviews"][0]["id"] == Review.objects.newest_first()[0].ulid


def test_the_revision_is_read_once_in_each_interval(monkeypatch, settings):
    settings.VERSION_POLL_MS = 250
    now, reads = [100.0], []
    monkeypatch.setattr("reviews.search.revision_cache.time.monotonic", lambda: now[0])
    monkeypatch.setattr(
        "reviews.search.revision_cache.revision", lambda: reads.append(now[0]) or len(reads)
    )
    watch = RevisionWatch()
    seen = []
    for milliseconds in (0, 100, 250, 251, 400, 501, 502):
        now[0] = 100 + milliseconds / 1_000
        seen.append(watch.current())

    assert seen == [1, 1, 1, 2, 2, 2, 3]


@pytest.mark.django_db
def test_what_is_kept_stays_within_its_bounds(monkeypatch):
    make_review()
    size = len(search_reviews(Search()).body)
    monkeypatch.setattr(result_cache, "KEPT_BYTES", 3 * size)
    monkeypatch.setattr(result_cache, "KEPT_OF_EACH", 10)
    monkeypatch.setattr(result_cache, "KEPT_MATCHES_BYTES", 0)
    for limit in range(1, 10):
        ask({}, limit=limit)
    memory = result_cache._memory_at(Revision.objects.current(Revision.REVIEWS))

    assert memory.recall(Search(limit=9)) is not None
    assert memory.recall(Search(limit=1)) is None
    assert memory.recall(Search(limit=8)) is not None


@pytest.mark.django_db
def test_answers_without_reviews_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(result_cache, "KEPT_OF_EACH", 2)
    for limit in (1, 2, 3):
        ask({}, limit=limit)
    memory = result_cache._memory_at(Revision.objects.current(Revision.REVIEWS))

    assert memory.recall(Search(limit=1)) is None
    assert memory.recall(Search(limit=2)) is not None


@pytest.mark.django_db
@pytest.mark.parametrize("asked_for", ["mentions_technician", "mentions_service"])
def test_long_names_that_nobody_has_do_not_fill_the_memory(monkeypatch, asked_for):
    monkeypatch.setattr(result_cache, "KEPT_BYTES", 2_000)
    first, second = Search(**{asked_for: "a" * 1_500}), Search(**{asked_for: "b" * 1_500})
    for search in (first, second):
        search_reviews(search)
    memory = result_cache._memory_at(Revision.objects.current(Revision.REVIEWS))

    assert memory.recall(first) is None
    assert memory.recall(second) is not None


@pytest.mark.django_db
def test_words_that_nobody_wrote_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(result_cache, "KEPT_OF_EACH", 2)
    looked_for = []
    find_places = result_cache.find_places
    monkeypatch.setattr(
        result_cache,
        "find_places",
        lambda contents, words: looked_for.append(contents.needle) or find_places(contents, words),
    )

    for needle in ("aaaa", "bbbb", "cccc", "aaaa"):
        for until in ("2026-01-01", "2026-01-02", "2026-01-03"):
            ask({"query": needle, "until": until})

    assert looked_for == ["aaaa", "bbbb", "cccc", "aaaa"]


@pytest.mark.django_db
def test_an_unreachable_database_is_no_empty_answer(monkeypatch):
    def unreachable():
        raise OperationalError("server closed the connection")

    monkeypatch.setattr("reviews.search.revision_cache.revision", unreachable)

    with pytest.raises(OperationalError):
        search_reviews(Search())
