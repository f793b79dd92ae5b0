"""The dataset document, from reviews to bytes."""

import datetime as dt
import json
from collections import Counter

import pytest

from insights.dataset import build
from insights.refresh import refresh
from insights.serializers import InsightsDatasetSerializer
from tests.factories import make_area, make_business, make_review, make_service, make_technician

NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)

pytestmark = pytest.mark.django_db


def read():
    refresh()
    return json.loads(build(NOON))


def test_insights_of_empty_database_have_every_key():
    dataset = read()

    assert list(dataset) == [
        name for name, field in InsightsDatasetSerializer().fields.items() if field.required
    ]
    assert dataset["version"] == 1
    assert dataset["generated_at"] == "2026-03-20T12:00:00Z"
    assert dataset["date_range"] == {"earliest": None, "latest": None}
    assert dataset["overall_sentiment"] == {
        "score": 0.0, "positive_pct": 0.0, "neutral_pct": 0.0, "negative_pct": 0.0,
    }  # fmt: skip
    assert dataset["temporal"]["trend"]["direction"] == "insufficient_data"


def test_entities_equal_stored_mentions():
    make_technician("Maren Holt")
    make_service("Leak detection")
    make_area("North Quay")
    praised = make_review(
        rating=5, author="A", text="", technicians=["maren-holt"], areas=["north-quay"]
    )
    blamed = make_review(rating=2, author="B", text="", technicians=["maren-holt"])
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
    assert all("gone" not in review["technicians"] for review in dataset["per_review"].values())


def test_words_of_single_review_are_not_a_theme():
    make_business()
    late = make_review(rating=2, text="They arrived three hours late.")
    make_review(rating=5, text="A fair price.")
    make_review(rating=5, text="The price was fair.")

    dataset = read()

    assert [aspect["id"] for aspect in dataset["aspects"]] == ["price"]
    assert dataset["aspects"][0]["mention_count"] == 2
    (aspect,) = dataset["per_review"][late.ulid]["aspects"]
    assert (aspect["id"], aspect["label"]) == ("punctuality", "negative")
    assert aspect["phrase"] in late.text


def test_counts_follow_from_review_entries():
    make_business()
    for number in range(4):
        make_review(rating=5, author=f"A{number}", text="Fair price, and they came on time.")
        make_review(rating=1, author=f"B{number}", text="Overpriced. They left a mess.")

    dataset = read()

    entries = [entry for review in dataset["per_review"].values() for entry in review["aspects"]]
    for aspect in dataset["aspects"]:
        labels = Counter(entry["label"] for entry in entries if entry["id"] == aspect["id"])
        counts = {label: aspect[f"{label}_count"] for label in ("positive", "neutral", "negative")}
        assert Counter(counts) == labels
        assert aspect["mention_count"] == labels.total()
    assert {"price", "punctuality", "cleanliness"} <= {each["id"] for each in dataset["aspects"]}


def test_months_without_reviews_are_present_with_nulls():
    make_review(date=dt.date(2025, 12, 5), rating=4, text="")
    make_review(date=dt.date(2026, 2, 5), rating=1, text="")

    assert read()["temporal"]["monthly"] == [
        {"month": "2025-12", "review_count": 1, "average_rating": 4.0, "score": 0.5,
         "positive_pct": 100.0},
        {"month": "2026-01", "review_count": 0, "average_rating": None, "score": None,
         "positive_pct": None},
        {"month": "2026-02", "review_count": 1, "average_rating": 1.0, "score": -1.0,
         "positive_pct": 0.0},
    ]  # fmt: skip


def test_complaint_with_three_stars_is_not_positive():
    make_business()
    for number in range(6):
        make_review(text="They were right on time.", author=f"Author {number}")
    complaint = make_review(
        text="They were right on time and very friendly. Great, but my neighbour got it cheaper.",
        rating=3,
        author="Complaining",
    )

    dataset = read()
    texts = [dataset["summary"], *(entry["answer"] for entry in dataset["faq"])]
    assert dataset["per_review"][complaint.ulid]["sentiment"]["label"] == "neutral"
    assert dataset["overall_sentiment"]["positive_pct"] == 85.7
    assert dataset["faq"]
    assert not any("so far" in text or "all are" in text for text in texts), texts
