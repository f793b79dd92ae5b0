"""Texts are withheld until the kind of the business is chosen."""

import datetime as dt
import json

import pytest

from insights import services
from insights.dataset import build
from insights.refresh import refresh
from reviews.models import Business
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db(transaction=True)  # Each change is a revision.

NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)
PRAISE = "The crew fixed our old boiler in an hour and the price was fair."


@pytest.fixture(autouse=True)
def reviews():
    make_technician("Maren Holt")
    return [
        make_review(
            author=f"Author {number}",
            text=f"{PRAISE} Maren Holt was friendly and quick.",
            technicians=["maren-holt"],
        )
        for number in range(8)
    ]


def read():
    refresh()
    return json.loads(build(NOON))


def questions(dataset):
    return [entry["question"] for entry in dataset["faq"]]


@pytest.mark.parametrize("has_business", [False, True])
def test_texts_are_withheld_without_kind_of_business(has_business):
    if has_business:
        make_business(vertical="generic")

    dataset = read()

    assert "summary" not in dataset
    assert "pull_quote" not in dataset
    # People are found by the roster for every kind.
    assert questions(dataset) == ["Who do reviewers praise?"]


@pytest.mark.parametrize("chosen", [{"vertical": "home_services"}, {"vertical_confirmed": True}])
def test_texts_are_published_when_kind_is_chosen(chosen):
    make_business(vertical="generic")
    read()

    Business.objects.update(**chosen)
    dataset = read()

    assert "Tern Hollow Home Services has 8 reviews" in dataset["summary"]
    assert dataset["pull_quote"]
    assert "Are the prices fair?" in questions(dataset)


def test_texts_of_administrator_are_published_without_kind():
    make_business(vertical="generic")
    services.decide_text("summary", "", None, text="Ask us for boilers.", locked=True)
    services.decide_text("pull_quote", "", None, text=PRAISE)

    dataset = read()

    assert dataset["summary"] == "Ask us for boilers."
    assert dataset["pull_quote"] == PRAISE
