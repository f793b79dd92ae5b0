"""A search looks texts up in their index, whatever became of them."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews.models import Review
from reviews.search.fields import NEWEST, OLDEST
from reviews.search.parameters import Search
from reviews.search.query import (
    ANY_ORDER,
    BY_DATE,
    ORDERS,
    Source,
    _filters,
    find_removed,
    visible_condition,
)
from reviews.search.result_cache import forget
from reviews.search.text_index import contains, matches_fts
from tests.factories import build_review, make_review
from tests.reviews.asking import all_pages, ask
from tests.reviews.indexes import assert_index_is_whole


@pytest.mark.django_db
def test_the_text_index_follows_every_kind_of_change():
    review = make_review(text="first words")
    Review.objects.filter(pk=review.pk).update(text_folded="second words")
    forget()
    assert ask({"query": "first"})["matched"] == 0
    assert ask({"query": "second"})["matched"] == 1
    assert_index_is_whole()

    review.hidden = True
    review.text = "hidden words"
    review.save()
    assert_index_is_whole()
    Review.objects.update(hidden=False)
    forget()
    assert ask({"query": "hidden words"})["matched"] == 1
    assert_index_is_whole()
    review.hidden = False
    review.text = ""
    review.save()
    assert_index_is_whole()
    review.text = "third words, third time"
    review.save()
    assert_index_is_whole()
    other = make_review(text="words (of another)")
    assert_index_is_whole()
    review.date, review.rating = review.date - dt.timedelta(1), 1
    review.save()
    assert_index_is_whole()
    review.delete()
    assert_index_is_whole()
    other.delete()
    assert_index_is_whole()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "texts",
    [
        ["leaking", "No.", "leak", "LEAKS!", "bleak-leak", "oleaker leaking"],
        ["a_leak", "leak*leak", "[leak]", "leak", "l_eak", "é“leaké”"],
        [f"leak{number:03} and leak" for number in range(33)],
        ["漏" * 12_000 + "leak", "漏" * 12_000 + "lake", "leak"],
    ],
    ids=["words", "signs", "many words", "long words"],
)
def test_words_that_contain_the_needle_are_all_found(texts, settings):
    reviews = [make_review(text=text, rating=1 + at % 5) for at, text in enumerate(texts)]
    matching = [review for review in reviews if "leak" in review.text_folded]

    for settings.SEARCH_COUNT_CAP in (10_000, len(matching), len(matching) - 1):
        forget()
        expected = [review.ulid for review in matching[::-1]]
        assert all_pages({"query": "leak"}, 3) == (
            expected,
            {min(len(matching), settings.SEARCH_COUNT_CAP)},
        )
    assert ask({"query": "leak", "rating": 1})["matched"] == sum(
        review.rating == 1 for review in matching
    )


@pytest.mark.django_db
def test_a_rare_word_is_looked_up_and_not_scanned_for():
    Review.objects.bulk_create(build_review(text=f"Words {n} of a text.") for n in range(300))
    on_sqlite = connection.vendor == "sqlite"
    condition = matches_fts("zyxwvutsr") if on_sqlite else contains("zyxwvutsr")
    with connection.cursor() as cursor:
        if not on_sqlite:
            # With so few rows it would rather scan the table or any index.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("DROP INDEX review_listed, review_rating_newest")
    plan = str(plan_of(*statement([condition], ANY_ORDER, "r.date")))

    assert "review_text_trigrams" in plan or "SCAN reviews_text_trigrams VIRTUAL TABLE" in plan


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there")
@pytest.mark.parametrize(
    "filters",
    [
        {"source": ("google",)},
        {"source": ("google", "yelp"), "rating": 5},
        {"language": "en"},
        {"has_text": False, "has_reply": True, "max_rating": 2},
        {"changed_since": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
    ],
)
def test_filters_without_words_are_answered_in_order_by_one_index(filters):
    for sort in (NEWEST, OLDEST):
        plan = plan_of(*statement(_filters(Search(**filters), None), BY_DATE, ORDERS[sort]))
        assert plan == ["SCAN r USING COVERING INDEX review_listed"]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there")
@pytest.mark.parametrize(
    "words", ['NOT "hidden"', '"hidden" = 0'], ids=["Django 5.2", "Django 6.1"]
)
def test_matches_are_counted_in_the_index_of_either_django_version(words):
    Review.objects.bulk_create(build_review(rating=1 + n % 5) for n in range(30))
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'review_listed'")
        (created,) = cursor.fetchone()
        cursor.execute("DROP INDEX review_listed")
        cursor.execute(f"{created.rpartition(' WHERE ')[0]} WHERE {words}")
    visible_condition.cache_clear()
    try:
        with CaptureQueriesContext(connection) as queries:
            assert ask({"max_rating": 4, "limit": 10})["matched"] == 24
    finally:
        visible_condition.cache_clear()

    (counting,) = [query["sql"] for query in queries if "count(*)" in query["sql"]]
    assert plan_of(counting, []) == ["SCAN r USING COVERING INDEX review_listed"]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there")
def test_removed_reviews_are_found_by_when_they_were_removed():
    with CaptureQueriesContext(connection) as queries:
        find_removed(dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    plan = plan_of(queries[0]["sql"], [])

    assert "SEARCH r USING INDEX review_hidden_at (hidden_at>?)" in plan
    assert not any(step.startswith("SCAN") for step in plan)


def statement(conditions, hint, order):
    matching, values = Source(conditions, hint).statement()
    return f"SELECT r.id {matching} ORDER BY {order} LIMIT 21", values


def plan_of(sql, parameters):
    explain = "EXPLAIN QUERY PLAN" if connection.vendor == "sqlite" else "EXPLAIN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {sql}", parameters)
        return [row[-1] for row in cursor.fetchall()]
