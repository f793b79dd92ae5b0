"""Conclusions about complaints, from rows to `/insights.json`."""

import datetime as dt
import json

import pytest

from insights.complaints import UNRECOGNISED, Complaints
from insights.prose.wording import praised
from insights.refresh import refresh
from tests.factories import make_business, make_review
from tests.insights.prose.corpus import NAMES, aggregate, record, said
from tests.insights.records import DAY
from tools.insight_examples import BUSINESSES, load


@pytest.fixture
def dataset(client):
    def read():
        refresh()
        return json.loads(client.get("/insights.json").content)

    return read


def reviews(texts, rating, first_day=DAY, step=9):
    for number, text in enumerate(texts):
        make_review(
            text=text, rating=rating, author=f"Customer {rating}{number}{len(texts)}",
            date=first_day - dt.timedelta(days=number * step),
        )  # fmt: skip


@pytest.mark.django_db
def test_unhappy_clients_are_in_summary_without_findings(dataset):
    make_business(vertical="law_firm", name="Ash & Rowan")
    unknown = ["Nothing like what a client deserves from a lawyer.", "One regret, and a large one."]
    reviews(unknown * 8, rating=1)
    reviews(["A careful firm that won my case."] * 89, rating=5, step=3)

    published = dataset()

    assert published["complaints"]["unhappy_pct"] == 15.2
    assert published["complaints"]["leading"] is None
    assert "16 of 105 reviews give one or two stars" in published["summary"]
    quotes = published["complaints"]["unrecognised_quotes"]
    assert {each["text"] for each in quotes} <= {*unknown}
    assert len(quotes) == 2


@pytest.mark.django_db
def test_decline_between_two_years_is_found(dataset):
    make_business(vertical="law_firm")
    before, latest = [5] * 38 + [4] + [1], [5] * 28 + [4] * 3 + [1] * 9
    for year, stars in ((DAY - dt.timedelta(days=365), before), (DAY, latest)):
        for number, rating in enumerate(stars):
            date = year - dt.timedelta(days=number * 8)
            make_review(rating=rating, text="", date=date)

    published = dataset()
    periods = published["temporal"]["periods"]

    assert (periods["before"]["review_count"], periods["latest"]["review_count"]) == (40, 40)
    assert periods["average_rating"]["direction"] == "declining"
    assert periods["unhappy_pct"]["direction"] == "declining"
    assert published["temporal"]["trend"]["direction"] == "declining"
    assert "The stars have fallen: 4.03 on average over the last 12 months" in published["summary"]


@pytest.mark.django_db
def test_aspect_is_a_complaint_only_if_words_blame_it(dataset):
    make_business(vertical="hotel")
    reviews(["My bracelet was gone from the night table while the manager watched."] * 2, rating=1)
    reviews(["The rooms are horrible."] * 3, rating=2)
    reviews([""] * 2, rating=1, step=4)

    complaints = dataset()["complaints"]

    assert [(each["id"], each["mention_count"]) for each in complaints["items"]] == [("rooms", 3)]
    assert complaints["unhappy_count"] == 7
    assert (complaints["unrecognised_count"], complaints["wordless_count"]) == (2, 2)


@pytest.mark.django_db
def test_blamed_aspect_and_its_concept_are_one_complaint(dataset):
    make_business(vertical="clinic")
    waited = "We waited two hours past our appointment."
    reviews([waited, "The waits are horrible."] * 2, rating=1)

    counts = {each["id"]: each["mention_count"] for each in dataset()["complaints"]["items"]}

    assert counts == {"wait": 4}


@pytest.mark.django_db
@pytest.mark.parametrize("path", BUSINESSES, ids=lambda path: path.stem)
def test_pages_of_businesses_with_problems_conclude_from_known_complaints(client, path):
    content = load(path)
    reviews = content["latest"] + content["before"]
    unhappy = [text for stars, text in reviews if stars <= 2]

    published = json.loads(client.get("/insights.json").content)
    complaints, page = published["complaints"], client.get("/insights").content.decode()

    assert complaints["unhappy_count"] == len(unhappy)
    assert complaints["wordless_count"] == unhappy.count("")
    entries = published["per_review"].values()
    for each in complaints["items"]:
        assert sum(each["id"] in entry["complaints"] for entry in entries) == each["mention_count"]
    unknown = [entry for entry in entries if UNRECOGNISED in entry["complaints"]]
    assert len(unknown) == complaints["unrecognised_count"]
    known = ("recognised_count", "unrecognised_count", "wordless_count")
    assert sum(complaints[each] for each in known) == len(unhappy)
    assert f"{len(unhappy)} of {len(reviews)} reviews give one or two stars" in published["summary"]
    assert "The stars have fallen" in published["summary"]
    for row in published[
        "aspects"
    ]:  # A share is praised only if unknown complaints cannot overturn it.
        surely = row["positive_count"] >= 2 / 3 * (row["mention_count"] + row["unknown_count"])
        assert surely or f"who mention {praised(row['id'], row['label'])} praise it" not in page
    unknown = complaints["unrecognised_count"]
    assert f"{unknown} unhappy reviews say something that the program does not" in page


# --- What may be concluded ------------------------------------------------------------------------


def complaining(**counts):
    """Return that many unhappy reviews with each problem, and `unknown` ones without."""
    problems = [key for key, count in counts.items() for _ in range(count)]
    return aggregate(
        *(
            record(
                number,
                said("It was bad.", -0.9, problems=[] if key == "unknown" else [key]),
                rating=1,
            )
            for number, key in enumerate(problems)
        ),
        names=NAMES_WITH_PROBLEMS,
    )


NAMES_WITH_PROBLEMS = type(NAMES)(problems={"ants": "Ants", "bees": "Bees", "cats": "Cats"})


@pytest.mark.parametrize(
    ("counts", "leading"),
    [
        ({"ants": 9, "bees": 4, "unknown": 4}, "ants"),
        ({"ants": 9, "bees": 4, "unknown": 5}, None),  # The unknown ones may be bees.
        ({"ants": 4, "unknown": 1}, None),  # Too few.
        ({"ants": 6, "bees": 6}, None),
        ({"unknown": 8}, None),
    ],
)
def test_leading_complaint_cannot_be_overturned(counts, leading):
    complaints = Complaints(complaining(**counts))

    assert (complaints.leading.id if complaints.leading else None) == leading
    assert len(complaints.unrecognised) == counts.get("unknown", 0)
