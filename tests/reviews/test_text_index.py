"""Rows indexed together are those that triggers would have indexed, and appear at the same time."""

from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from reviews import services
from reviews.models import ImportBatch, Review
from reviews.search.index import defer_indexing, deferred_indexing, index_deferred
from tests.factories import build_review, make_review
from tests.reviews.indexes import assert_index_is_whole
from tests.reviews.loading import COMPLETE, ROWS, load, table

TEXTS = (
    "Maren was quick. Quick!", "it's \"quoted\" (more); a/b-c: 50 % off?", "line\nbreak\ttab",
    "back\\slash \\u0041", "  ", "...", "", "STRASSE Straße", "很好吃的服务", "👩\u200d👧",
    "\x01control", "null,true,[1]", "a" * 300,
)  # fmt: skip


def store(texts):
    return [make_review(text=text, rating=1 + at % 5) for at, text in enumerate(texts)]


@pytest.mark.django_db
def test_texts_that_are_indexed_together_are_indexed_alike():
    with deferred_indexing(range(1, 10_000)):
        Review.objects.bulk_create(build_review(text=text) for text in TEXTS)
    assert_index_is_whole()

    reviews = Review.objects.order_by("pk")
    with deferred_indexing(reviews.values_list("pk", flat=True)):
        for review, text in zip(reviews, reversed(TEXTS), strict=True):
            review.text, review.rating = text, 1
            review.hidden = review.pk % 3 == 0
            review.save()
    assert_index_is_whole()

    with deferred_indexing(reviews.values_list("pk", flat=True)):
        reviews.filter(hidden=False).delete()
        reviews.update(hidden=False)
    assert_index_is_whole()


@pytest.mark.django_db
@pytest.mark.parametrize("others", [0, 30], ids=["most", "few"])
def test_reviews_that_leave_the_index_a_few_at_a_time_are_indexed_alike(others):
    changing = store(["quick work", "quick and tidy work", "late", "quick, tidy and late"])
    store(["work like any other"] * others)
    left = 0
    for at in (0, 2):
        left = defer_indexing([review.pk for review in changing[at : at + 2]], left=left)
        for review in changing[at : at + 2]:
            review.text = "tidy"
            review.save()
    make_review(text="new meanwhile")
    if connection.vendor == "sqlite":  # Elsewhere nothing leaves an index.
        assert left == (4 if others else 2)
    index_deferred()

    assert_index_is_whole()


@pytest.mark.django_db
def test_triggers_and_the_common_way_may_take_turns():
    first, second, third = store(["quick work", "quick and tidy work", "late"])
    defer_indexing([first.pk, second.pk])
    defer_indexing([second.pk, third.pk])  # Once more: what is out of the index stays out.
    Review.objects.filter(pk=second.pk).delete()
    make_review(text="quick and late")
    Review.objects.filter(pk=third.pk).update(text_folded="early")
    index_deferred()

    assert_index_is_whole()
    Review.objects.update(text_folded="all alike")
    assert_index_is_whole()
    Review.objects.all().delete()
    assert_index_is_whole()


@pytest.mark.django_db
def test_every_step_of_an_import_leaves_the_index_whole():
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


@pytest.mark.django_db(transaction=True)
def test_nothing_is_set_aside_when_the_writing_fails():
    (review,) = store(["quick work"])

    with pytest.raises(ZeroDivisionError), transaction.atomic(), deferred_indexing([review.pk]):
        1 / 0  # noqa: B018

    assert_index_is_whole()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT count(*) FROM reviews_set_aside")
            assert cursor.fetchone() == (0,)


ON_POSTGRESQL = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite collects none")


@ON_POSTGRESQL
@pytest.mark.django_db
def test_import_leaves_no_texts_that_every_search_would_have_to_read():
    load(table(*ROWS))

    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('review_text_trigrams')")
        assert cursor.fetchone() == (0,)


@ON_POSTGRESQL
@pytest.mark.django_db
def test_texts_stay_collected_where_another_role_owns_the_index():
    load(table(*ROWS))

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE pg_read_all_data")
        index_deferred()


@ON_POSTGRESQL
@pytest.mark.django_db
def test_planner_learns_what_a_large_import_wrote_but_not_each_small_one():
    def looked_at(rows):
        with CaptureQueriesContext(connection) as queries:
            load(table(*rows))
        return [query["sql"] for query in queries if query["sql"].startswith("ANALYZE")]

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE reviews_review, reviews_mention")
    many = [f"g-{number},Dana R.,5,2026-03-14,Quick.,google,,," for number in range(100)]

    assert [sql.partition(" (")[0] for sql in looked_at(many)] == [
        'ANALYZE "reviews_review"',
        'ANALYZE "reviews_mention"',
    ]
    assert looked_at(["g-100,Ivo B.,4,2026-03-13,Good work.,google,,,"]) == []
