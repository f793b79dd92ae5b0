"""Feed readers that find new entries by comparing times in whole seconds."""

import datetime as dt
import json
import re
from calendar import timegm

import feedparser
import pytest
from django.db.models import QuerySet

from feeds import atom, json_feed
from reviews import services
from reviews.models import Review
from tests.factories import make_business, make_review
from tests.reviews.imports import load, table

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
NOW = dt.datetime(2026, 3, 20, 12, 0, 0, 250_000, tzinfo=dt.UTC)


@pytest.fixture
def clock(monkeypatch):
    """Stop the time, which a test moves."""
    moments = [NOW]
    monkeypatch.setattr("django.utils.timezone.now", lambda: moments[-1])
    return moments


class Poller:
    """Store the newest seen time in each format, and nothing else."""

    def __init__(self, time: str) -> None:
        self.atom, self.json = {"published": ("published", "date_published")}.get(
            time, ("updated", "date_modified")
        )
        self.newest_of_atom = self.newest_of_json = 0
        self.poll()

    def poll(self) -> list[str]:
        """Return titles of entries newer than all before. Both formats must agree."""
        entries = feedparser.parse(atom.build(NOW)).entries
        of_atom = {each.title: timegm(each[f"{self.atom}_parsed"]) for each in entries}
        items = json.loads(json_feed.build(NOW))["items"]
        of_json = {
            each["title"]: int(dt.datetime.fromisoformat(each[self.json]).timestamp())
            for each in items
        }
        assert of_atom == of_json
        seen = [title for title, time in of_atom.items() if time > self.newest_of_atom]
        self.newest_of_atom = max([self.newest_of_atom, *of_atom.values()])
        return seen


def pollers() -> tuple[Poller, Poller]:
    return Poller("published"), Poller("updated")


def published_times() -> list[str]:
    return [item["date_published"] for item in json.loads(json_feed.build(NOW))["items"]]


def test_reviews_of_one_day_are_all_seen(clock):
    by_published, by_updated = pollers()
    for author in ("Ann", "Ben", "Cem"):
        make_review(author=author, date=NOW.date())

        title = f"5 stars from {author}"
        assert by_published.poll() == by_updated.poll() == [title]
        assert by_published.poll() == by_updated.poll() == []


def test_edit_and_reply_are_updates(clock):
    review = make_review(author="Ann", date=NOW.date())
    make_review(author="Ben", date=NOW.date())
    by_published, by_updated = pollers()
    for changes in ({"text": "Better."}, {"reply_text": "Thanks!", "reply_date": NOW.date()}):
        services.edit_review(review, changes)

        assert by_updated.poll() == ["5 stars from Ann"]
        assert by_published.poll() == []


def test_review_shown_again_is_an_update(clock):
    review = make_review(author="Ann", date=NOW.date())
    make_review(author="Ben", date=NOW.date())
    published = published_times()
    by_published, by_updated = pollers()
    chosen = Review.objects.filter(pk=review.pk)
    for hide in (
        lambda hidden: services.hide(chosen, hidden=hidden),
        lambda hidden: services.edit_review(review, {"hidden": hidden}),
        lambda hidden: chosen.update(hidden=hidden),
    ):
        hide(True)
        assert by_published.poll() == by_updated.poll() == []

        hide(False)
        assert by_updated.poll() == ["5 stars from Ann"]
        assert by_published.poll() == []
    assert published_times() == published


def test_old_review_is_published_on_its_day_after_earlier_ones(clock):
    make_business(time_zone="America/Los_Angeles")
    load(table(*(f"o-{n},A{n},5,2025-07-01,Old.,google,,," for n in range(3))))
    load(table("o-9,B,5,2025-07-01,Older.,yelp,,,", "o-8,C,5,2025-07-02,Old.,yelp,,,"))

    assert published_times() == [
        "2025-07-02T00:00:00-07:00",
        *(f"2025-07-01T00:00:0{second}-07:00" for second in (3, 2, 1, 0)),
    ]
    items = json.loads(json_feed.build(NOW))["items"]
    assert [item["date_modified"] for item in items] == [
        "2026-03-20T12:00:02.000001+00:00",
        "2026-03-20T12:00:02+00:00",
        "2026-03-20T12:00:01.000002+00:00",
        "2026-03-20T12:00:01.000001+00:00",
        "2026-03-20T12:00:01+00:00",
    ]


@pytest.mark.parametrize(
    ("date", "is_recent"),
    [("2026-03-13", True), ("2026-03-12", False), ("2026-03-27", True), ("2026-03-28", False)],
)
def test_recent_review_is_published_when_added(clock, date, is_recent):
    make_review(date=date)

    expected = "2026-03-20T12:00:01+00:00" if is_recent else f"{date}T00:00:00+00:00"
    assert published_times() == [expected]


def test_imported_reviews_have_times_in_feed_order(clock):
    rows = [f"g-{n},A{n},5,2026-03-{14 + n % 6},Fine.,google,,," for n in range(150)]
    by_published, _ = pollers()

    load(table(*rows))

    times = [dt.datetime.fromisoformat(time) for time in published_times()]
    assert len(set(times)) == 50
    assert times == sorted(times, reverse=True)
    assert NOW < times[-1] < times[0] < NOW + dt.timedelta(minutes=2)
    assert len(by_published.poll()) == 50
    assert Review.objects.values("published_at").distinct().count() == 150


def test_wrong_clock_does_not_affect_later_times(clock):
    make_review(author="Ann", date="2030-01-01", published_at=NOW.replace(year=2030))
    make_review(author="Ben", date=NOW.date())

    assert min(published_times()) == "2026-03-20T12:00:01+00:00"


def test_review_of_previous_version_is_published_at_row_creation(clock):
    review = make_review(date="2026-03-19", created_at=NOW)
    QuerySet(Review).filter(pk=review.pk).update(published_at=None, modified_at=None)

    (item,) = json.loads(json_feed.build(NOW))["items"]

    assert item["date_published"] == item["date_modified"] == "2026-03-20T12:00:00.250000+00:00"
