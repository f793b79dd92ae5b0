"""The times at which reviews are published."""

from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews.models import Review
from tests.factories import make_business
from tests.reviews.loading import load, table

pytestmark = pytest.mark.django_db


def rows_of_one_day(kind: str, count: int) -> bytes:
    return table(*(f"{kind}-{n},A.,5,2024-05-01,Text {kind} {n}.,google,,," for n in range(count)))


def test_imported_reviews_follow_hidden_ones_of_their_day_in_few_queries():
    make_business()
    load(rows_of_one_day("hidden", 700))
    Review.objects.update(hidden=True)

    with CaptureQueriesContext(connection) as queries:
        load(rows_of_one_day("new", 700))

    looked_up = [query for query in queries if '"published_at" IN' in query["sql"]]
    assert len(looked_up) <= 4
    times = Review.objects.order_by("published_at").values_list("published_at", flat=True)
    assert {(after - before).total_seconds() for before, after in pairwise(times)} == {1.0}
    assert len(times) == 1_400
