"""`/insights`, and the reviews behind each of its figures."""

import json
from itertools import chain

import pytest

from insights import documents
from insights.prose.wording import spelled
from insights.refresh import refresh
from reviews.models import Review
from tests.factories import make_business, make_review
from tests.website.pages import read
from tools.demo_reviews import __main__ as demo_reviews
from website.listing import PAGE

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(client):
    """Return `/insights.json` of the demo."""
    demo_reviews.main(["--reviews", "120"])
    refresh()
    return json.loads(client.get("/insights.json").content)


@pytest.fixture
def priced():
    """Return insights with one aspect, price."""
    make_business(vertical="home_services")
    for _ in range(3):
        make_review(text="The price was not fair.", rating=2)
    refresh()


def reviews_at(client, address):
    """Return the reviews on a page and its following pages."""
    found = []
    while True:
        page = read(client, address)
        found += [link["href"].removeprefix("/reviews/") for link in page.all("a", rel="bookmark")]
        if not (following := page.all("a", rel="next")):
            return found
        address = address.partition("?")[0] + following[0]["href"]


def test_page_shows_dataset(client, dataset):
    page = read(client, "/insights")

    assert dataset["summary"] in page.text
    assert dataset["pull_quote"] in page.text
    for aspect in dataset["aspects"]:
        words = f"{aspect['negative_count']} negative, {aspect['neutral_count']} neutral"
        assert page.all("svg", **{"aria-label": f"{words}, {aspect['positive_count']} positive"})
        assert aspect["label"] in page.text
    for kind, rows in dataset["entities"].items():
        for row in rows:
            assert page.all("a", href=f"/insights/{kind}/{row['id']}")
    subjects = [*chain(*dataset["entities"].values()), *dataset["topics"], *dataset["aspects"]]
    few = [row for row in subjects if row["mention_count"] < 5]
    assert page.text.count("(few reviews)") == len(few)
    for entry in dataset["faq"]:
        assert entry["question"] in page.text
        assert page.all("a", href=f"/reviews/{entry['review_ids'][0]}")
    complaints = dataset["complaints"]
    for row in complaints["items"][:3]:
        count = spelled(row["mention_count"])
        assert f"{count[:1].upper()}{count[1:]} of" in page.text
        assert page.all("a", href=f"/insights/complaints/{row['id']}")
    unknown = complaints["unrecognised_count"]
    assert f"{unknown} unhappy reviews say something that the program does not" in page.text
    assert "The stars stayed about the same over the last year" in page.text


def test_bars_link_to_counted_reviews(client, dataset):
    page = read(client, "/insights")
    bars = {
        f"/insights/aspects/{aspect['id']}/{label}": aspect[f"{label}_count"]
        for aspect in dataset["aspects"]
        for label in ("negative", "neutral", "positive")
        if aspect[f"{label}_count"]
    }
    months = {
        month["month"]: month["review_count"]
        for month in dataset["temporal"]["monthly"]
        if month["review_count"]
    }

    linked = [link["href"] for link in page.all("a")]
    assert set(bars) <= set(linked)
    assert {bar: len(reviews_at(client, bar)) for bar in bars} == bars
    # The chart for phones repeats the newest months.
    by_month = sorted({address for address in linked if address.startswith("/reviews?since=")})
    assert len(by_month) == len(months)
    shown = read(client, by_month[-1]).all("a", rel="bookmark")
    assert len(shown) == min(months[by_month[-1][15:22]], PAGE)


@pytest.mark.parametrize(
    "kind",
    ["aspects", "technicians", "services", "service_areas", "problems", "topics", "complaints"],
)
def test_subject_has_page_of_reviews_that_mention_it(client, dataset, kind):
    rows = dataset.get(kind) or dataset["entities"][kind]
    row = (rows["items"] if kind == "complaints" else rows)[0]

    found = reviews_at(client, f"/insights/{kind}/{row['id']}")

    assert len(found) == len(set(found)) == row["mention_count"]
    order = list(Review.objects.newest_first().values_list("ulid", flat=True))
    assert found == [ulid for ulid in order if ulid in set(found)]


def test_unhappy_reviews_without_findings_are_listed(client, dataset):
    found = reviews_at(client, "/insights/complaints/unrecognised")

    assert len(found) == dataset["complaints"]["unrecognised_count"] > 0
    assert set(Review.objects.filter(ulid__in=found).values_list("rating", flat=True)) <= {1, 2}


@pytest.mark.django_db(transaction=True)
def test_page_has_consistent_count_and_list_while_insights_change(client, priced, monkeypatch):
    published = documents.get_document

    def read_and_then_outdated(path):
        entry = published(path)
        make_review(text="The price was not fair.", rating=2)
        refresh()
        return entry

    monkeypatch.setattr(documents, "get_document", read_and_then_outdated)

    page = read(client, "/insights/aspects/price")

    assert "3 reviews mention it." in page.text
    assert len(page.all("a", rel="bookmark")) == 3


def test_review_hidden_after_insights_is_not_shown(client, dataset):
    [first, *others] = reviews_at(client, "/insights/aspects/price/negative")
    Review.objects.filter(ulid=first).update(hidden=True)

    assert reviews_at(client, "/insights/aspects/price/negative") == others


@pytest.mark.parametrize(
    "path",
    [
        "/insights/aspects/nothing",
        "/insights/nothing/price",
        "/insights/aspects/price/good",
        "/insights/aspects/price/negative/more",
        "/insights/technicians/%00",
    ],
)
def test_unmentioned_subject_has_no_page(client, priced, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("after", ["01AAAAAAAAAAAAAAAAAAAAAAAA", "x", "%00", "%ff", '":{'])
def test_page_after_removed_review_redirects_to_newest(client, priced, after):
    response = client.get(f"/insights/aspects/price?after={after}")

    assert (response.status_code, response["Location"]) == (302, "/insights/aspects/price")


def test_unanalysed_reviews_are_not_reported_missing(client):
    assert "No reviews yet" in read(client, "/insights").text

    make_review(text="The price was fair.")

    page = read(client, "/insights")
    assert "1 published review is not analysed yet." in page.text
    assert "No reviews yet" not in page.text
