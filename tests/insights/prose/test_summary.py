import datetime as dt
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.prose import questions, summary
from insights.statistics import wilson
from tests.insights.prose.corpus import LATEST, NAMES, aggregate, record, said, ulid

ASPECTS = sorted(NAMES.aspects)

GOOD = said("They fixed the pump well and quickly.", aspects=["workmanship"])
CHEAP = said("The price was fair for such work.", aspects=["price"])
LATE = said("They came two hours late.", -0.9, aspects=["punctuality"])


def corpus():
    return [
        *(record(number, GOOD) for number in range(10)),
        *(record(number, CHEAP) for number in range(10, 16)),
        *(record(number, LATE, rating=2) for number in range(16, 20)),
    ]


def test_summary_tells_praise_blame_people_and_the_basis():
    late = [record(number, LATE, rating=2) for number in range(20, 28)]
    ana = [
        record(number, said("Ana Reyes was kind.", technicians=["ana-reyes"]))
        for number in range(30, 36)
    ]
    written = summary(aggregate(*corpus(), *late, *ana), "Tern Hollow")

    assert written.text == (
        "Customers praise quality of work (all 10 reviews that mention it). The weakest"
        " point is punctuality, where all 12 reviews are negative. Ana Reyes is praised in 6 of 6"
        " reviews. Tern Hollow has 34 reviews from February 2026 to March 2026, with 3.94 stars on"
        " average; 64.7% are positive and 35.3% negative. One review says: “They fixed the pump"
        " well and quickly.”"
    )
    assert written.review_ids == (ulid(0),)


def test_summary_has_at_most_five_sentences():
    people = [
        record(number, said("Ana Reyes was kind.", technicians=["ana-reyes"]))
        for number in range(500, 506)
    ]
    years = [
        record(1000 + number, rating=5 if good else 1, score=0.9 if good else -0.9,
               days_ago=(LATEST - day).days)
        for number, (day, good) in enumerate(
            (dt.date(2025, month, day), day % 12 < month)
            for month in range(1, 13)
            for day in range(1, 25)
        )
    ]  # fmt: skip
    spoken = [
        *opinions(0, 60, 0, "workmanship"),
        *opinions(100, 50, 10, "price"),
        *opinions(200, 10, 40, "punctuality"),
    ]

    text = summary(aggregate(*spoken, *people, *years), "Tern Hollow").text

    assert len(re.findall(r"\.(?= [A-Z]|$)", text)) == 5
    assert "Over the last 24 months the reviews have become better." in text


def test_summary_complains_about_nothing_that_an_answer_calls_divided():
    spoken = [*opinions(0, 16, 20, "price"), *opinions(100, 16, 12, "punctuality")]
    sums = aggregate(*spoken)

    [price, _] = questions(sums)

    assert price.answer.startswith("Opinions differ.")
    assert (
        "Opinions differ on price and value (16 of 36 reviews are positive and 20 negative) and"
        " punctuality (16 and 12 of 28)."
    ) in summary(sums).text
    assert "complain" not in summary(sums).text
    assert "weakest" not in summary(sums).text


def test_problems_that_recur_are_told():
    names = replace(NAMES, problems={"no-show": "No-show", "damage": "Damage"})
    spoken = [
        record(number, said("Nobody came.", -0.9, problems=["no-show"]), rating=1)
        for number in range(6)
    ]
    spoken.append(record(9, said("They broke a tile.", -0.9, problems=["damage"]), rating=2))

    assert (
        "A problem that recurs: no-show (6 reviews)."
        in summary(aggregate(*spoken, names=names)).text
    )


def test_a_problem_is_not_told_beside_the_point_that_it_is_about():
    names = replace(NAMES, problems={"price": "Price raised"})
    raised = said("The price went up.", -0.9, aspects=["price"], problems=["price"])
    spoken = [record(number, raised, rating=2) for number in range(12)]

    text = summary(aggregate(*spoken, names=names)).text

    assert "complain about price and value (all 12" in text
    assert "recurs" not in text


def test_summary_quotes_nothing_about_what_is_blamed():
    both = said("They came late but the price was fair.", aspects=["price", "punctuality"])
    praise = [record(number, both) for number in range(12)]
    text = summary(aggregate(*praise, *opinions(20, 0, 30, "punctuality"))).text

    assert "The weakest point is punctuality" in text
    assert "“" not in text


@pytest.mark.parametrize(
    ("praise", "blame", "text"),
    [
        (12, 0, "Customers praise the quiet (all 12 reviews that mention quiet and noise)."),
        (0, 12, "complain about noise (all 12 reviews that mention quiet and noise)."),
    ],
)
def test_a_point_is_named_by_what_is_praised_or_blamed_of_it(praise, blame, text):
    names = replace(NAMES, aspects={"price": "Quiet and noise"})

    assert text in summary(aggregate(*opinions(0, praise, blame, "price"), names=names)).text


# --- What is called the strongest and the weakest -------------------------------------------------


def opinions(first, praise, blame, aspect):
    """Reviews that praise or blame one aspect."""
    texts = [("Fine again.", 0.9)] * praise + [("Bad again.", -0.9)] * blame
    return [
        record(number, said(text, score, aspects=[aspect]), rating=5 if score > 0 else 1)
        for number, (text, score) in enumerate(texts, start=first)
    ]


SUPERLATIVE = re.compile(r"\b(?:strongest|weakest|best|worst|most|least)\b", re.IGNORECASE)


def test_overlapping_intervals_give_counts_without_superlatives():
    # 18 of 20 lie between 70 and 97 %, 25 of 30 between 66 and 93 %, 12 of 20 between 39 and 78 %.
    spoken = [
        *opinions(0, 18, 2, "workmanship"),
        *opinions(50, 25, 5, "price"),
        *opinions(100, 12, 8, "punctuality"),
    ]

    text = summary(aggregate(*spoken)).text

    assert not SUPERLATIVE.search(text)
    assert (
        "Customers praise price and value (25 of the 30 reviews that mention them) and quality of"
        " work (18 of 20)."
    ) in text
    assert "Opinions differ on punctuality (12 of 20 reviews are positive and 8 negative)." in text


def test_two_aspects_above_all_others_are_the_strongest_points():
    spoken = [
        *opinions(0, 40, 0, "workmanship"),
        *opinions(50, 38, 2, "price"),
        *opinions(100, 10, 30, "punctuality"),
    ]

    text = summary(aggregate(*spoken)).text

    assert (
        "The strongest points are quality of work, where all 40 reviews are positive, and price"
        " and value, with 38 of 40. The weakest point is punctuality, where 30 of 40 reviews are"
        " negative."
    ) in text


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=len(ASPECTS)
    ).filter(lambda counts: sum(map(sum, counts)) >= 5)
)
def test_superlatives_stand_only_where_no_interval_overlaps(counts):
    spoken = [
        each
        for number, ((praise, blame), aspect) in enumerate(zip(counts, ASPECTS, strict=False))
        for each in opinions(number * 100, praise, blame, aspect)
    ]
    shares = {
        NAMES.aspects[aspect].lower(): (praise + blame, wilson(praise, praise + blame))
        for (praise, blame), aspect in zip(counts, ASPECTS, strict=False)
        if praise + blame >= 2
    }

    text = summary(aggregate(*spoken)).text

    for claim, is_above in (("strongest", True), ("weakest", False)):
        sentence = next((part for part in text.split(". ") if claim in part), "")
        called = [label for label in shares if label in sentence]
        for label in called:
            count, (low, high) = shares[label]
            assert count >= 10
            for other, (_, (other_low, other_high)) in shares.items():
                if other not in called:
                    assert low > other_high if is_above else high < other_low
        assert not called or len(called) < len(shares)


@pytest.mark.parametrize(
    ("praise", "blame", "words"),
    [
        (8, 2, "praise price and value (8 of the 10 reviews"),
        (9, 0, None),  # Of nine reviews.
        (7, 3, None),  # Of 70 %.
        (5, 5, "Opinions differ on price and value"),
        (4, 6, "Opinions differ on price and value"),
        (3, 7, "complain about price and value (7 of the 10 reviews"),
        (0, 9, None),
    ],
)
def test_points_need_ten_reviews_and_a_clear_side(praise, blame, words):
    text = summary(aggregate(*opinions(0, praise, blame, "price"))).text

    assert ("price" in text) is bool(words)
    assert (words or "") in text


def test_stars_alone_are_told_in_three_sentences():
    stars = [record(number, rating=4, score=0.5, analysed=False) for number in range(1, 61)]

    written = summary(aggregate(*stars), "Tern Hollow")

    assert written.text == (
        "Tern Hollow has 60 reviews from January 2026 to March 2026. Reviewers give 4 stars on"
        " average. All are positive."
    )
    assert written.review_ids == ()


def test_four_reviews_are_too_few_to_sum_up():
    assert summary(aggregate(*corpus()[:4])) is None
    assert summary(aggregate()) is None
