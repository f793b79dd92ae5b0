"""Corrections of an administrator are published and kept."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from insights import services, store_findings
from insights.refresh import refresh
from tests.factories import make_business, make_review
from tests.insights.refresh.published import published

# Each commit is a separate change, as in production.
pytestmark = pytest.mark.django_db(transaction=True)


def test_correction_survives_analysis(observed_analyser):
    make_business()
    user = User.objects.create(username="ann")
    review = make_review(text="They came on time.")
    refresh()
    assert published()["per_review"][review.ulid]["aspects"][0]["label"] == "positive"
    observed_analyser.read.clear()

    services.correct(review, "aspects.punctuality", "negative", by=user)
    refresh()
    assert observed_analyser.read == ["They came on time."]
    observed_analyser.model_id = "watched/2"
    refresh()

    (aspect,) = published()["per_review"][review.ulid]["aspects"]
    assert (aspect["label"], aspect["score"]) == ("negative", -1.0)


def test_correction_during_analysis_is_applied(observed_analyser, monkeypatch):
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
def test_withdrawn_correction_is_not_applied(in_bulk):
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
def test_invalid_correction_is_refused_by_database(path, value):
    review = make_review()

    with pytest.raises(IntegrityError), transaction.atomic():
        services.correct(review, path, value, by=None)
