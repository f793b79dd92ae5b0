"""Many reviews, and their published dataset."""

import datetime as dt
import json

from insights.dataset import build
from reviews.models import Review
from tests.factories import build_review

NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)


def published():
    return json.loads(build(NOON))


def make_many(count):
    Review.objects.bulk_create(
        build_review(text=f"Number {number}: fair price.", author=f"Author {number}")
        for number in range(count)
    )
