"""Corrections of an administrator are published, and stay."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from insights import services, store_findings
from insights.refresh import refresh
from tests.factories import make_business, make_review
from tests.insights.refresh.published import published

# Each commit is a change of its own, as it is in life.
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_correction_wins_and_survives_whatever_is_read_anew(watched):
    make_business()
    user = User.objects.create(username="ann")
    review = make_review(text="They came on time.")
    refresh()
    assert published()["per_review"][review.ulid]["aspects"][0]["label"] == "positive"
    watched.read.clear()

    services.correct(review, "aspects.punctuality", "negative", by=user)
    refresh()
    assert watched.read == ["They came on time."]
    watched.model_id = "watched/2"
    refresh()

    (aspect,) = published()["per_review"][review.ulid]["aspects"]
    assert (aspect["label"], aspect["score"]) == ("negative", -1.0)


def test_a_correction_that_is_made_while_the_review_is_read_wins_too(watched, monkeypatch):
    review = make_review(text="", rating=5)
    finding = store_findings.findings_of

    def correct_once(*args):
        monkeypatch.setattr(store_findings, "findings_of", finding)
        services.correct(review, "sentiment", "negative", by=None)
        return finding(*args)

    monkeypatch.setattr(store_findings, "findings_of", correct_once)
    refresh()

    assert published()["per_review"][review.ulid]["sentiment"]["label"] == "negative"


def test_missed_findings_are_added_and_problems_are_marked_as_solved():
    make_business()
    review = make_review(text="They never showed up.", rating=1)
    other = make_review(text="They never showed up, again.", rating=1)
    for path, value in (
        ("aspects.price", "negative"),
        ("topics.emergencies", "present"),
        ("problems.no-show", "resolved"),
    ):
        services.correct(review, path, value, by=None)
    services.correct(other, "problems.no-show", "present", by=None)
    refresh()

    entry = published()["per_review"][review.ulid]
    assert {each["id"]: each["label"] for each in entry["aspects"]}["price"] == "negative"
    assert "emergencies" in entry["topics"]
    [problem] = published()["entities"]["problems"]
    assert (problem["mention_count"], problem["resolved_count"]) == (2, 1)


@pytest.mark.parametrize("in_bulk", [False, True])
def test_a_withdrawn_correction_counts_no_more(in_bulk):
    review = make_review(text="", rating=5)
    override = services.correct(review, "sentiment", "negative", by=None)
    refresh()

    if in_bulk:
        services.withdraw_correction(review, "sentiment")
    else:
        override.delete()
    refresh()

    assert published()["per_review"][review.ulid]["sentiment"]["label"] == "positive"


@pytest.mark.parametrize(
    ("path", "value"),
    [("sentiment", "absent"), ("aspects.price", "resolved"), ("technicians.mara", "absent")],
)
def test_a_correction_that_makes_no_sense_is_refused_by_the_database(path, value):
    review = make_review()

    with pytest.raises(IntegrityError), transaction.atomic():
        services.correct(review, path, value, by=None)
