"""The text index follows every change of reviews."""

import datetime as dt
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from imports import services
from imports.models import ImportBatch
from reviews.current import clear_caches
from reviews.models import Review
from tests.factories import build_review, make_review
from tests.reviews.imports import COMPLETE, ROWS, load, table
from tests.reviews.searches import ask

pytestmark = pytest.mark.django_db


def assert_index_is_whole():
    """Assert that SQLite's index table holds all visible texts with their places."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE VIRTUAL TABLE temp.vocabulary"
            " USING fts5vocab(main, reviews_text_trigrams, instance)"
        )
        cursor.execute("SELECT doc, offset, term FROM temp.vocabulary")
        indexed = cursor.fetchall()
        cursor.execute("DROP TABLE temp.vocabulary")
    assert sorted(indexed) == sorted(
        (review.pk, at, review.text_folded[at : at + 3])
        for review in Review.objects.visible()
        for at in range(len(review.text_folded) - 2)
    )


def test_text_index_follows_changes():
    review = make_review(text="first words")
    Review.objects.filter(pk=review.pk).update(text_folded="second words")
    clear_caches()
    assert ask({"query": "first"})["matched"] == 0
    assert ask({"query": "second"})["matched"] == 1
    assert_index_is_whole()

    review.hidden = True
    review.text = "hidden words"
    review.save()
    assert_index_is_whole()
    Review.objects.update(hidden=False)
    clear_caches()
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


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by what is there")
@pytest.mark.parametrize(
    ("parameters", "step"),
    [
        ({"query": "zyxwvutsr"}, "SCAN json_each VIRTUAL TABLE"),
        ({"source": "google"}, "USING INDEX review_listed"),
        ({"language": "en", "sort": "oldest"}, "USING INDEX review_listed"),
        ({"has_text": "false", "max_rating": 2}, "USING INDEX review_listed"),
        ({"rating": 4}, "USING INDEX review_rating_newest"),
    ],
)
def test_page_is_read_by_index_without_sorting(parameters, step):
    Review.objects.bulk_create(
        build_review(text=f"Words {n}{' zyxwvutsr' * (n < 2)}.", rating=1 + n % 5)
        for n in range(300)
    )
    with CaptureQueriesContext(connection) as queries:
        ask(parameters)
    (page,) = [query["sql"] for query in queries if '."fragment" AS' in query["sql"]]
    plan = " ".join(plan_of(page))

    assert step in plan
    assert "query" in parameters or "TEMP B-TREE" not in plan


def plan_of(sql):
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return [row[-1] for row in cursor.fetchall()]


def test_index_is_complete_after_every_step_of_import():
    load(table(*ROWS))
    assert_index_is_whole()
    changed = [ROWS[0].replace("quick", "slow"), ROWS[1].replace("4,", "1,")]
    report = load(table(*changed), options=replace(COMPLETE, hide_many=True))
    assert (report.changed, report.hidden) == (2, 1)
    assert_index_is_whole()
    services.undo(ImportBatch.objects.get(pk=report.batch_id))
    assert_index_is_whole()
    services.undo(ImportBatch.objects.earliest("pk"))
    assert not Review.objects.exists()
    assert_index_is_whole()


ON_POSTGRESQL = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite collects none")


@ON_POSTGRESQL
def test_import_leaves_no_unindexed_texts():
    load(table(*ROWS))

    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('review_text_trigrams')")
        assert cursor.fetchone() == (0,)
