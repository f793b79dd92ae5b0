"""A change of one review is analysed, and the dataset follows."""

import pytest
from django.db import OperationalError

from insights import refresh as refreshing
from insights import selectors
from insights.dataset import build
from insights.refresh import is_due, refresh
from insights.tasks import refresh_insights
from reviews.models import Review
from reviews.services import hide
from tests.factories import make_business, make_review, make_technician
from tests.insights.refresh.published import NOON, make_many, published

# Each commit is a separate change, as in production.
pytestmark = pytest.mark.django_db(transaction=True)

# --- One review -----------------------------------------------------------------------------------


def test_nothing_is_due_in_new_installation_and_after_refresh(announced, observed_analyser):
    assert refresh() is False

    make_review()

    assert refresh() is True
    assert refresh() is False
    assert announced == [True]


def test_finding_nothing_due_takes_two_queries(django_assert_num_queries):
    make_review()
    refresh()

    with django_assert_num_queries(2):
        assert is_due() is False


def test_only_edited_review_is_analysed(observed_analyser):
    make_many(3)
    review = make_review(text="They came late.")
    refresh()
    observed_analyser.read.clear()

    review.text = "They came on time."
    review.save()
    refresh()

    assert observed_analyser.read == ["They came on time."]


def test_new_worker_aggregates_before_an_edit(monkeypatch):
    make_many(3)
    refresh()
    refreshing._totals_cache.clear()
    counted = []
    read = selectors.records

    def observed_analyser(keys=None):
        for key, record in read(keys):
            counted.append(record.text)
            yield key, record

    monkeypatch.setattr(selectors, "records", observed_analyser)
    refresh_insights()
    assert len(counted) == 3

    make_review(text="They came late.")
    refresh_insights()

    assert counted[3:] == ["They came late."]


@pytest.mark.parametrize(
    "change",
    [
        lambda review: review.delete(),
        lambda review: Review.objects.filter(pk=review.pk).delete(),
        lambda review: hide(Review.objects.filter(pk=review.pk)),
    ],
    ids=["deleted", "deleted in bulk", "hidden"],
)
def test_removed_review_is_subtracted_without_analysis(observed_analyser, change):
    make_many(3)
    review = make_review(text="They came late.")
    refresh()
    observed_analyser.read.clear()
    assert published()["review_count"] == 4

    change(review)
    refresh()

    assert observed_analyser.read == []
    assert published()["review_count"] == 3
    assert review.ulid not in published()["per_review"]


def test_increment_and_rebuild_give_same_bytes():
    make_business()
    make_technician("Maren Holt")
    make_many(5)
    review = make_review(text="Maren Holt left a mess.", technicians=["maren-holt"])
    refresh()
    review.text = "Maren Holt was tidy, at a fair price."
    review.save()
    Review.objects.filter(author="Author 2").delete()
    make_review(text="Fair price.", author="New")
    refresh()
    followed = build(NOON)

    refreshing._totals_cache.clear()
    refresh(everything=True)

    assert build(NOON) == followed


# --- Trouble --------------------------------------------------------------------------------------


def test_unreadable_text_counts_by_stars_and_does_not_block_others(observed_analyser, caplog):
    make_many(3)
    bad = make_review(rating=2, text="Unreadable text.")
    observed_analyser.unreadable = "Unreadable"

    refresh()

    assert published()["review_count"] == 4
    assert published()["model"] == "mixed"
    assert published()["per_review"][bad.ulid]["sentiment"]["score"] == -0.5
    assert "its stars count" in caplog.text


@pytest.mark.parametrize("unreadable", ["", "Fair"], ids=["together", "each by itself"])
def test_database_error_loses_no_analysis(observed_analyser, unreadable):
    make_many(1)
    review = make_review(rating=2, text="Fair price.")
    observed_analyser.unreadable = unreadable
    requests = []

    def stumble():
        requests.append(True)
        if len(requests) > bool(unreadable):
            raise OperationalError("database is locked")

    observed_analyser.before_reading = stumble
    with pytest.raises(OperationalError):
        refresh()

    observed_analyser.before_reading, observed_analyser.unreadable = (lambda: None), ""
    refresh()

    assert published()["model"] == "watched/1"
    assert published()["per_review"][review.ulid]["aspects"]
