"""A change of one review is read, and the dataset follows."""

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

# Each commit is a change of its own, as it is in life.
pytestmark = pytest.mark.django_db(transaction=True)

# --- One review -----------------------------------------------------------------------------------


def test_nothing_is_due_in_a_new_installation_and_after_a_refresh(announced, watched):
    assert refresh() is False

    make_review()

    assert refresh() is True
    assert refresh() is False
    assert announced == [True]


def test_to_find_nothing_due_costs_two_queries(django_assert_num_queries):
    make_review()
    refresh()

    with django_assert_num_queries(2):
        assert is_due() is False


def test_an_edit_reads_that_review_alone(watched):
    make_many(3)
    review = make_review(text="They came late.")
    refresh()
    watched.read.clear()

    review.text = "They came on time."
    review.save()
    refresh()

    assert watched.read == ["They came on time."]


def test_a_worker_that_has_just_started_counts_before_an_edit_needs_it(monkeypatch):
    make_many(3)
    refresh()
    refreshing._totals_cache.clear()
    counted = []
    read = selectors.records

    def watched(keys=None):
        for key, record in read(keys):
            counted.append(record.text)
            yield key, record

    monkeypatch.setattr(selectors, "records", watched)
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
def test_a_review_that_goes_is_counted_no_more_and_none_is_read(watched, change):
    make_many(3)
    review = make_review(text="They came late.")
    refresh()
    watched.read.clear()
    assert published()["review_count"] == 4

    change(review)
    refresh()

    assert watched.read == []
    assert published()["review_count"] == 3
    assert review.ulid not in published()["per_review"]


def test_increment_and_rebuild_give_the_same_bytes():
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


def test_a_text_that_nobody_can_read_counts_by_its_stars_and_holds_up_no_other(watched, caplog):
    make_many(3)
    bad = make_review(rating=2, text="Unreadable text.")
    watched.unreadable = "Unreadable"

    refresh()

    assert published()["review_count"] == 4
    assert published()["model"] == "mixed"
    assert published()["per_review"][bad.ulid]["sentiment"]["score"] == -0.5
    assert "its stars count" in caplog.text


@pytest.mark.parametrize("unreadable", ["", "Fair"], ids=["together", "each by itself"])
def test_trouble_of_the_database_costs_no_review_its_words(watched, unreadable):
    make_many(1)
    review = make_review(rating=2, text="Fair price.")
    watched.unreadable = unreadable
    requests = []

    def stumble():
        requests.append(True)
        if len(requests) > bool(unreadable):
            raise OperationalError("database is locked")

    watched.before_reading = stumble
    with pytest.raises(OperationalError):
        refresh()

    watched.before_reading, watched.unreadable = (lambda: None), ""
    refresh()

    assert published()["model"] == "watched/1"
    assert published()["per_review"][review.ulid]["aspects"]
