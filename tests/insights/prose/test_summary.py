import re
from dataclasses import replace

import pytest

from insights.prose.summary import summary
from tests.insights.prose.corpus import NAMES, aggregate, record, said

GOOD = said("They fixed the pump well and quickly.", aspects=["workmanship"])
CHEAP = said("The price was fair for such work.", aspects=["price"])
NAMES = replace(NAMES, problems={"no-show": "No-show", "damage": "Damage to property"})


def corpus():
    return [
        *(record(number, GOOD) for number in range(10)),
        *(record(number, CHEAP) for number in range(10, 16)),
    ]


def opinions(first, praise, blame, aspect):
    """Return reviews that praise or blame one aspect."""
    texts = [("Fine again.", 0.9)] * praise + [("Bad again.", -0.9)] * blame
    return [
        record(number, said(text, score, aspects=[aspect]), rating=5 if score > 0 else 1)
        for number, (text, score) in enumerate(texts, start=first)
    ]


def problems(first, **counts):
    keys = [key for key, count in counts.items() for _ in range(count)]
    return [
        record(number, said("It was bad.", -0.9, problems=[key.replace("_", "-")]), rating=1)
        for number, key in enumerate(keys, start=first)
    ]


def test_summary_has_praise_complaints_people_and_basis():
    ana = [
        record(number, said("Ana Reyes was kind.", technicians=["ana-reyes"]))
        for number in range(30, 36)
    ]
    written = summary(
        aggregate(*corpus(), *problems(16, no_show=12), *ana, names=NAMES), "Tern Hollow"
    )

    assert written.text == (
        "Customers praise the work (at least 10 of 10 mentions) and the price (at least 6 of 6"
        " mentions). The most common complaint is missed or moved appointments: at least 12 of the"
        " 12 reviews that complain."
        " 12 of 34 reviews give one or two stars. Ana Reyes is praised in 6 of 6 reviews."
        " Tern Hollow has 34 reviews from February 2026 to March 2026, with 3.59 stars on"
        " average; 64.7% are positive and 35.3% negative."
    )
    assert written.review_ids == ()


def test_uncertain_complaints_are_unordered():
    unknown = [record(number, said("It was bad.", -0.9), rating=2) for number in range(80, 86)]
    spoken = problems(50, no_show=8, damage=5)

    text = summary(aggregate(*corpus(), *spoken, *unknown, names=NAMES)).text

    assert (
        "Customers complain about damage (at least 5) and missed or moved appointments (at least"
        " 8). 19 of 35 reviews give one or two stars, 6 of them for reasons that were not"
        " recognised."
    ) in text


@pytest.mark.parametrize(("unhappy", "is_reported"), [(1, False), (2, True)])
def test_tenth_of_unhappy_reviews_is_always_mentioned(unhappy, is_reported):
    stars = [
        record(number, rating=1, score=-1, analysed=False) for number in range(50, 50 + unhappy)
    ]

    text = summary(aggregate(*corpus(), *stars)).text

    assert ("give one or two stars, 2 of them without words." in text) is is_reported


def test_summary_has_at_most_five_sentences():
    people = [
        record(number, said("Ana Reyes was kind.", technicians=["ana-reyes"]))
        for number in range(500, 506)
    ]
    earlier = [
        record(1000 + number, said("Fine again.", aspects=["price"]), days_ago=400)
        for number in range(40)
    ]
    spoken = [*opinions(0, 60, 0, "workmanship"), *problems(100, no_show=9, damage=9)]

    text = summary(aggregate(*spoken, *people, *earlier, names=NAMES), "Tern Hollow").text

    assert len(re.findall(r"\.(?= [A-Z1-9]|$)", text)) == 5
    assert "The stars have fallen" in text


@pytest.mark.parametrize(
    ("praise", "blame", "words"),
    [
        (8, 2, "Customers praise the price (at least 8 of 10 mentions)."),
        (5, 0, "Customers praise the price (at least 5 of 5 mentions)."),
        (4, 0, None),  # Of four reviews.
        (6, 4, None),
        (5, 5, None),
    ],
)
def test_praise_needs_five_reviews_and_clear_majority(praise, blame, words):
    others = [record(number, rating=4, score=0.5, analysed=False) for number in range(50, 55)]
    text = summary(aggregate(*opinions(0, praise, blame, "price"), *others)).text

    assert ("price" in text) is bool(words)
    assert (words or "") in text


def test_four_reviews_have_no_summary():
    assert summary(aggregate(*corpus()[:4])) is None
    assert summary(aggregate()) is None
