import datetime as dt
import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from insights.dataset import build
from insights.refresh import refresh
from insights.signals import insights_refreshed
from reviews.models import Review, Revision
from tests.factories import make_area, make_review, make_service, make_technician

NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)

KEYS = [
    "version", "generated_at", "model", "review_count", "date_range", "overall_sentiment",
    "aspects", "entities", "topics", "temporal", "per_review", "faq",
]  # fmt: skip


def read():
    return json.loads(build(NOON))


@pytest.mark.django_db
def test_insights_of_an_empty_database_have_every_key():
    dataset = read()

    assert list(dataset) == KEYS
    assert dataset["generated_at"] == "2026-03-20T12:00:00Z"
    assert dataset["date_range"] == {"earliest": None, "latest": None}
    assert dataset["overall_sentiment"] == {
        "score": 0.0, "positive_pct": 0.0, "neutral_pct": 0.0, "negative_pct": 0.0,
    }  # fmt: skip
    assert dataset["temporal"]["trend"]["direction"] == "insufficient_data"


@pytest.mark.django_db
def test_sentiment_is_the_star_ratings_and_the_model_says_so():
    for rating in (5, 5, 4, 3, 1):
        make_review(rating=rating)
    make_review(rating=1, hidden=True)

    dataset = read()

    assert dataset["model"] == "stars/1.0"
    assert dataset["review_count"] == 5
    assert dataset["overall_sentiment"] == {
        "score": 0.3, "positive_pct": 60.0, "neutral_pct": 20.0, "negative_pct": 20.0,
    }  # fmt: skip
    labels = Counter(review["sentiment"]["label"] for review in dataset["per_review"].values())
    assert labels == {"positive": 3, "neutral": 1, "negative": 1}


@pytest.mark.django_db
def test_entities_count_the_mentions_of_public_reviews():
    make_technician("Maren Holt")
    make_service("Leak detection")
    make_area("North Quay")
    praised = make_review(rating=5, author="A", technicians=["maren-holt"], areas=["north-quay"])
    blamed = make_review(rating=2, author="B", technicians=["maren-holt"])
    make_review(rating=1, hidden=True, technicians=["maren-holt"])
    make_review(technicians=["gone"], services=["leak-detection"])

    dataset = read()

    assert dataset["entities"]["technicians"] == [
        {
            "id": "maren-holt",
            "name": "Maren Holt",
            "mention_count": 2,
            "positive_count": 1,
            "neutral_count": 0,
            "negative_count": 1,
            "positive_pct": 50.0,
            "score": 0.25,
            "average_rating": 3.5,
            "top_aspects": [],
            "example_review_ids": [praised.ulid, blamed.ulid],
            "sample_quote": None,
        }
    ]
    assert [s["id"] for s in dataset["entities"]["services"]] == ["leak-detection"]
    assert dataset["entities"]["service_areas"] == [
        {
            "id": "north-quay",
            "name": "North Quay",
            "mention_count": 1,
            "average_rating": 5.0,
            "example_review_ids": [praised.ulid],
        }
    ]
    assert dataset["per_review"][blamed.ulid]["technicians"] == ["maren-holt"]
    assert all(not r["technicians"] or "gone" not in r["technicians"]
               for r in dataset["per_review"].values())  # fmt: skip


@pytest.mark.django_db
def test_months_without_reviews_are_present_with_nulls():
    make_review(date=dt.date(2025, 12, 5), rating=4)
    make_review(date=dt.date(2026, 2, 5), rating=1)

    assert read()["temporal"]["monthly"] == [
        {"month": "2025-12", "review_count": 1, "average_rating": 4.0, "score": 0.5,
         "positive_pct": 100.0},
        {"month": "2026-01", "review_count": 0, "average_rating": None, "score": None,
         "positive_pct": None},
        {"month": "2026-02", "review_count": 1, "average_rating": 1.0, "score": -1.0,
         "positive_pct": 0.0},
    ]  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_refresh_follows_the_reviews_and_does_nothing_when_nothing_is_due():
    announced = []
    insights_refreshed.connect(announced.append, weak=False, dispatch_uid="test")
    try:
        review = make_review()
        assert refresh() is True
        assert refresh() is False
        review.text = "Changed."
        review.save()
        assert refresh() is True
    finally:
        insights_refreshed.disconnect(dispatch_uid="test")

    assert Revision.objects.current(Revision.INSIGHTS) == Revision.objects.current("reviews")
    assert Review.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_refresh_command_says_whether_anything_was_due():
    def run(*args):
        out = StringIO()
        call_command("refresh_insights", *args, stdout=out)
        return out.getvalue().strip()

    make_review()

    assert run() == "Insights refreshed."
    assert run() == "Insights are up to date."
    assert run("--all") == "Insights refreshed."
