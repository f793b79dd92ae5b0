"""A search looks texts up in their index, whatever became of them, and is given up in time."""

import datetime as dt
from io import BytesIO

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews import services
from reviews.imports.options import ImportOptions
from reviews.models import Review
from reviews.search.criteria import criteria
from reviews.search.parameters import Search
from reviews.search.query import BLOCK, COMMON
from reviews.search.result_cache import forget
from reviews.search.statements import (
    NEWEST_FIRST,
    OLDEST_FIRST,
    indexed,
    lookup,
    removed_since,
    walk,
)
from reviews.search.words import MOST_PARTS, MOST_WORDS
from tests.factories import build_review, make_review
from tests.reviews.asking import START, all_pages, ask
from tests.reviews.indexes import assert_index_is_whole, pieces_of_the_indexes


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
        [f"leak{number:03} and leak" for number in range(MOST_WORDS + 1)],
        [f"leak{number:03}" for number in range(MOST_PARTS + 1)],
        ["漏" * 12_000 + "leak", "漏" * 12_000 + "lake", "leak"],
    ],
    ids=["words", "signs", "many words", "many parts", "long words"],
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
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no list of words")
@pytest.mark.parametrize("query", ["e", "le", "ï", "é"])
def test_letters_too_few_for_an_index_are_looked_for_in_words(query):
    make_review(text="A leaking pipe, a café.")

    with CaptureQueriesContext(connection) as queries:
        assert ask({"query": query, "since": "2020-01-01"})["matched"] == (query != "ï")

    assert not any("text_folded" in each["sql"] for each in queries)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no list of words")
def test_a_needle_of_one_word_is_counted_without_a_look_at_its_reviews(django_assert_num_queries):
    for _ in range(3):
        make_review(text="A leaking pipe.")
    ask({"query": "warm"})

    with django_assert_num_queries(2):  # The word, and the reviews of the page.
        assert ask({"query": "leak"}, limit=2)["matched"] == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps its index in one piece")
def test_a_large_load_leaves_the_index_in_one_piece(monkeypatch):
    monkeypatch.setattr("reviews.imports.importer.CHUNK", 5)

    load_reviews(range(55))
    after_a_large_load = pieces_of_the_indexes()
    load_reviews(range(55, 65))

    assert after_a_large_load == [1, 1, 1]
    # Ten reviews are not worth it; SQLite gathers one index by itself after some numbers of writes.
    assert max(pieces_of_the_indexes()) > 1
    assert_index_is_whole()


def load_reviews(numbers):
    rows = [f"{number},5,{START - dt.timedelta(number)},Words {number:03}" for number in numbers]
    content = "\n".join(["id,rating,date,text", *rows]).encode()
    services.import_file(BytesIO(content), file_name="reviews.csv", options=ImportOptions())


@pytest.mark.django_db
def test_a_rare_word_is_looked_up_and_not_scanned_for():
    Review.objects.bulk_create(build_review(text=f"Words {n} of a text.") for n in range(300))
    wanted = criteria(Search(query="zyxwvutsr"), None)
    on_sqlite = connection.vendor == "sqlite"
    found = indexed(wanted, None) if on_sqlite else lookup(wanted)
    with connection.cursor() as cursor:
        if not on_sqlite:
            # With so few rows it would rather scan the table or any index.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("DROP INDEX review_listed, review_rating_newest")
        explain = "EXPLAIN QUERY PLAN" if on_sqlite else "EXPLAIN"
        cursor.execute(f"{explain} SELECT 1 {found.sql}", found.parameters)
        plan = str(cursor.fetchall())

    assert "review_text_trigrams" in plan or "SCAN t VIRTUAL TABLE" in plan


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there")
@pytest.mark.parametrize(
    "asked",
    [
        {"source": ("google",)},
        {"source": ("google", "yelp"), "rating": 5},
        {"language": "en"},
        {"has_text": False, "has_reply": True, "max_rating": 2},
        {"changed_since": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
    ],
)
def test_filters_without_words_are_answered_in_order_by_one_index(asked):
    make_review()
    for order in (NEWEST_FIRST, OLDEST_FIRST):
        found = walk(criteria(Search(**asked), None))
        assert plan_of(f"SELECT r.fragment {found.sql} {order} LIMIT 21", found.parameters) == [
            "SCAN r USING INDEX review_listed"
        ]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there")
def test_removed_reviews_are_found_by_when_they_were_removed():
    found = removed_since(dt.datetime(2026, 1, 1, tzinfo=dt.UTC))

    plan = plan_of(*found)

    assert "SEARCH r USING INDEX review_hidden_at (hidden_at>?)" in plan
    assert not any(step.startswith("SCAN") for step in plan)


def plan_of(sql, parameters):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)
        return [step for *_, step in cursor.fetchall()]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has days in its index")
@pytest.mark.parametrize("bounds", [{"rating": 1}, {"until": dt.date(2025, 1, 9)}])
def test_a_common_word_is_looked_up_within_the_bounds(bounds):
    Review.objects.bulk_create(
        build_review(
            text="On time" if n % 3 else "Late", rating=1 + n % 5, date=START + dt.timedelta(n % 99)
        )
        for n in range(1_000)
    )
    wanted = criteria(Search(query="late", **bounds), None)
    found = lookup(wanted)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE reviews_review")
        # As in a large table, where to fetch a row costs far more than to find it.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL cpu_tuple_cost = 1000")
        cursor.execute(f"EXPLAIN SELECT 1 {found.sql}", found.parameters)
        plan = str(cursor.fetchall())

    assert "BitmapAnd" in plan
    assert "review_text_trigrams" in plan


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has stars in its index")
@pytest.mark.parametrize(("query", "walks"), [("time", True), ("late", False)])
@pytest.mark.parametrize("cap", [10_000, 100])
def test_what_most_reviews_say_is_counted_on_a_walk_within_the_bounds(query, walks, cap, settings):
    settings.SEARCH_COUNT_CAP = cap
    many = round(COMMON * BLOCK) + 1
    texts = ["On time"] * many + ["Late"] * (many - 1)
    Review.objects.bulk_create(build_review(text=text, rating=1) for text in texts)
    make_review(text="Late, on time", rating=2)
    make_review(text="Late, on time", rating=1, hidden=True)

    with CaptureQueriesContext(connection) as queries:
        found = ask({"query": query, "rating": 1}, limit=1)

    assert found["matched"] == min(texts.count("On time" if query == "time" else "Late"), cap)
    assert found.get("matched_is_lower_bound", False) == (cap == 100)
    assert any("LIKE" in each["sql"] for each in queries) != walks


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has nobody else to protect")
@pytest.mark.parametrize(("query", "is_bounded"), [("qz", True), ("!?.", True), ("quick", False)])
def test_a_walk_through_all_texts_is_given_up_in_time(query, is_bounded):
    make_review()

    with CaptureQueriesContext(connection) as queries:
        ask({"query": query})

    assert any("statement_timeout" in each["sql"] for each in queries) == is_bounded


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has nobody else to protect")
def test_what_comes_after_a_walk_may_take_its_time():
    make_review(text="!?.")

    assert ask({"query": "!?."})["matched"] == 1

    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("0",)
