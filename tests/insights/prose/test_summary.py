import datetime as dt

import pytest

from insights.prose import summary
from tests.insights.prose.corpus import LATEST, aggregate, record, said, ulid

GOOD = said("They fixed the pump well and quickly.", aspects=["workmanship"])
CHEAP = said("The price was fair for such work.", aspects=["price"])
LATE = said("They came two hours late.", -0.9, aspects=["punctuality"])


def corpus():
    return [
        *(record(number, GOOD) for number in range(10)),
        *(record(number, CHEAP) for number in range(10, 16)),
        *(record(number, LATE, rating=2) for number in range(16, 20)),
    ]


def test_the_summary_tells_size_stars_sentiment_best_worst_and_quotes():
    written = summary(aggregate(*corpus()), "Tern Hollow")

    assert written.text == (
        "Tern Hollow has 20 reviews from March 2026. Reviewers give 4.4 stars on average; of all"
        " reviews, 80% are positive and 20% negative. The strongest points are quality of work,"
        " where 10 of 10 reviews are positive, and price and value, with 6 of 6. The weakest point"
        " is punctuality, where 4 of 4 reviews are negative. One review says: “They fixed the pump"
        " well and quickly.”"
    )
    assert written.review_ids == (ulid(0),)


def test_without_a_business_the_summary_names_none():
    written = summary(aggregate(*corpus()))

    assert written.text.startswith("There are 20 reviews from March 2026. ")


def test_an_aspect_that_is_mostly_praised_is_no_weak_point():
    fine = [
        record(number, said("On time again.", aspects=["punctuality"])) for number in range(30, 50)
    ]

    text = summary(aggregate(*corpus()[:16], *fine)).text

    assert "weakest" not in text


@pytest.mark.parametrize(("praised", "is_told"), [(5, True), (6, False)])
def test_an_aspect_that_more_than_a_quarter_miss_is_a_weak_point(praised, is_told):
    late = said("A little late.", -0.4, aspects=["punctuality"])
    punctual = said("On time.", 0.5, aspects=["punctuality"])
    spoken = [late] * 2 + [punctual] * praised
    records = [record(number, each) for number, each in enumerate(spoken, start=30)]

    text = summary(aggregate(*corpus()[:16], *records)).text

    assert ("The weakest point is punctuality, where 2 of 7 reviews" in text) is is_told
    assert ("weakest" in text) is is_told


def test_stars_alone_are_told_in_three_sentences():
    stars = [record(number, rating=4, score=0.5, analysed=False) for number in range(1, 61)]

    written = summary(aggregate(*stars), "Tern Hollow")

    assert written.text == (
        "Tern Hollow has 60 reviews from January 2026 to March 2026. Reviewers give 4 stars on"
        " average. Of all reviews, 100% are positive."
    )
    assert written.review_ids == ()


def test_one_star_is_a_star():
    stars = [record(number, rating=1, score=-1.0, analysed=False) for number in range(1, 6)]

    assert "Reviewers give 1 star on average." in summary(aggregate(*stars)).text


def test_a_significant_trend_is_told():
    year = [
        record(
            number,
            rating=5 if good else 1,
            score=0.9 if good else -0.9,
            days_ago=(LATEST - day).days,
        )
        for number, (day, good) in enumerate(
            (dt.date(2025, month, day), day % 12 < month)
            for month in range(1, 13)
            for day in range(1, 25)
        )
    ]

    text = summary(aggregate(*year)).text

    assert "negative, with an upward trend." in text


def test_four_reviews_are_too_few_to_sum_up():
    assert summary(aggregate(*corpus()[:4])) is None
    assert summary(aggregate()) is None
