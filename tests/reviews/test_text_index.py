"""The index of texts has every visible text, however it was written."""

from dataclasses import replace

import pytest
from django.db import connection

from imports import services
from imports.models import ImportBatch
from imports.writer import index_pending_texts
from reviews.models import Review
from tests.factories import make_review
from tests.reviews.indexes import assert_index_is_whole
from tests.reviews.loading import COMPLETE, ROWS, load, table

pytestmark = pytest.mark.django_db

TEXTS = (
    "Maren was quick. Quick!", "it's \"quoted\" (more); a/b-c: 50 % off?", "line\nbreak\ttab",
    "back\\slash \\u0041", "  ", "...", "", "STRASSE Straße", "很好吃的服务", "👩\u200d👧",
    "\x01control", "null,true,[1]", "a" * 300,
)  # fmt: skip


def test_every_kind_of_text_is_indexed():
    for text in TEXTS:
        make_review(text=text)

    assert_index_is_whole()
    Review.objects.update(hidden=True)
    assert_index_is_whole()
    Review.objects.update(hidden=False)
    assert_index_is_whole()
    Review.objects.all().delete()
    assert_index_is_whole()


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


ON_POSTGRESQL = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite collects none")


@ON_POSTGRESQL
def test_import_leaves_no_texts_that_every_search_would_have_to_read():
    load(table(*ROWS))

    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('review_text_trigrams')")
        assert cursor.fetchone() == (0,)


@ON_POSTGRESQL
def test_texts_stay_collected_where_another_role_owns_the_index():
    load(table(*ROWS))

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE pg_read_all_data")
        index_pending_texts()
