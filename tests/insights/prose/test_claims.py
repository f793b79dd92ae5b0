"""Claims about all reviews, and comparisons of points, rest on enough reviews."""

import re

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.dataset import build
from insights.models import Artifact, ReviewAnalysis
from insights.prose.faq import questions
from insights.prose.summary import summary
from insights.refresh import refresh
from tests.factories import make_business, make_review
from tests.insights.prose.corpus import NAMES, aggregate, record, said

ALL = re.compile(r"\ball (?:\d+|are|say)\b|\bso far\b", re.IGNORECASE)
DIFFERING = re.compile(r"differ|divided|Some (?:say yes|praise), others", re.IGNORECASE)
SCORES = {"positive": 0.9, "neutral": 0.0, "negative": -0.9}
# Of an opinion and stars so many reviews.
COUNTS = st.dictionaries(
    st.tuples(st.sampled_from(sorted(SCORES)), st.integers(1, 5)),
    st.integers(0, 25),
    min_size=1,
    max_size=3,
)
Spoken = dict[str, list[tuple[str, int]]]  # Aspect -> opinion and stars of each review.


@st.composite
def spoken(draw) -> Spoken:
    said_of = {}
    for aspect in draw(st.lists(st.sampled_from(sorted(NAMES.aspects)), min_size=1, unique=True)):
        counts = draw(COUNTS)
        said_of[aspect] = [each for each, count in counts.items() for _ in range(count)]
    return said_of


def written(said_of: Spoken) -> tuple[dict[str, str], str]:
    """Answers by aspect, and the summary, without what reviews say."""
    records = [
        record(number, said("It is so.", SCORES[label], aspects=[aspect]), rating=stars)
        for number, (aspect, label, stars) in enumerate(
            (aspect, *each) for aspect, opinions in said_of.items() for each in opinions
        )
    ]
    sums = aggregate(*records)
    answers = {
        each.slug.removeprefix("aspect-").replace("-", "_"): re.sub("“.*?”", "", each.answer)
        for each in questions(sums)
    }
    summed_up = summary(sums)
    return answers, re.sub("“.*?”", "", summed_up.text) if summed_up else ""


def share_one_opinion(opinions: list[tuple[str, int]]) -> bool:
    labels = {label for label, _ in opinions}
    are_satisfied = {stars >= 4 for _, stars in opinions}
    agreeing = {("positive", True), ("negative", False)}
    is_agreeing = labels == {"neutral"} or {(*labels, *are_satisfied)} <= agreeing
    return len(opinions) >= 5 and len(labels) == 1 and is_agreeing


@given(spoken())
def test_all_is_said_where_enough_reviews_and_their_stars_agree(said_of):
    answers, summed_up = written(said_of)

    for aspect, answer in answers.items():
        assert bool(ALL.search(answer)) <= share_one_opinion(said_of[aspect]), answer
    everything = [each for opinions in said_of.values() for each in opinions]
    assert ("all are" in summed_up) <= share_one_opinion(everything)


@given(spoken())
def test_opinions_differ_where_many_praise_and_many_blame(said_of):
    answers, summed_up = written(said_of)

    for aspect, answer in answers.items():
        labels = [label for label, _ in said_of[aspect]]
        sides = sorted((labels.count("positive"), labels.count("negative")))
        if DIFFERING.search(answer):
            assert len(labels) >= 5
            assert sides[0] >= 0.4 * sum(sides)
        elif NAMES.aspects[aspect].lower() in summed_up.partition("Opinions differ on")[2]:
            pytest.fail(f"The answer is: {answer}")


@pytest.mark.django_db
def test_complaint_with_three_stars_is_not_positive_among_seven_reviews():
    make_business()
    for number in range(6):
        make_review(text="They were right on time.", author=f"Author {number}")
    complaint = make_review(
        text="They were right on time and very friendly. Great, but my neighbour got it cheaper.",
        rating=3,
        author="Complaining",
    )
    refresh()

    dataset = orjson.loads(build(complaint.created_at))
    texts = [dataset["summary"], *(entry["answer"] for entry in dataset["faq"])]
    assert dataset["per_review"][complaint.ulid]["sentiment"]["label"] == "neutral"
    assert dataset["overall_sentiment"]["positive_pct"] == 85.7
    assert dataset["faq"]
    assert not any(ALL.search(text) for text in texts), texts
    assert ReviewAnalysis.objects.get(review=complaint).sentiment == "neutral"
    assert Artifact.objects.get().number == 1
