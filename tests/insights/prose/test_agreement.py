"""Summary and answers never contradict one another, whatever the counts."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.aggregate import LEAST_RANKED, Subject
from insights.prose import questions, summary
from insights.prose.faq import OPENINGS
from insights.subject_stats import Derived
from insights.totals import SentimentTotals
from insights.verdicts import BLAMING, PRAISING, verdict
from tests.insights.prose.corpus import NAMES, aggregate, record, said

ASPECTS = sorted(NAMES.aspects)
UP_TO = 12
PRAISE = {"praise", "strongest"}
BLAME = {"complain", "weakest"}


def totals(positive, neutral, negative):
    count = positive + neutral + negative
    return SentimentTotals(count, positive, neutral, negative, dissatisfied=negative)


def subject(counted):
    return Subject("aspects", "price", "Price", counted, 0, Derived((), {}))


COUNTS = [
    totals(*counts) for counts in product(range(UP_TO + 1), repeat=3) if sum(counts) >= LEAST_RANKED
]


def ranked(side, counted):
    return bool(getattr(aggregate(), side)([subject(counted)]))


def test_what_is_praised_has_an_answer_that_says_yes():
    for counted in COUNTS:
        assert not ranked("strongest", counted) or verdict(counted) in PRAISING, counted


def test_what_is_blamed_has_an_answer_that_says_no():
    for counted in COUNTS:
        is_blamed = ranked("weakest", counted)
        assert not is_blamed or verdict(counted) in BLAMING, counted
        assert not is_blamed or 2 * counted.positive <= counted.count, counted


@pytest.mark.parametrize("sure", [2, 3, 5, 10])
def test_more_reviews_in_the_same_proportion_never_turn_a_verdict(sure):
    for counted in COUNTS:
        more = totals(counted.positive * sure, counted.neutral * sure, counted.negative * sure)
        before, after = verdict(counted), verdict(more)
        assert not (before in PRAISING and after in {*BLAMING, "divided", "open"}), counted
        assert not (before in BLAMING and after in {*PRAISING, "divided", "open"}), counted


def test_praise_and_blame_have_the_same_borders():
    turned = dict(zip(PRAISING, BLAMING, strict=True))
    for counted in COUNTS:
        other = totals(counted.negative, counted.neutral, counted.positive)
        given_verdict = verdict(counted)
        if given_verdict in PRAISING:
            assert verdict(other) == turned[given_verdict], counted


@given(
    st.lists(
        st.tuples(*[st.integers(0, 16)] * 3).filter(any), min_size=1, max_size=len(ASPECTS)
    ).filter(lambda counts: sum(map(sum, counts)) >= 5)
)
def test_summary_and_answers_agree(counts):
    spoken = [
        record(1000 * place + number, said("So it is.", score, aspects=[aspect]))
        for place, (aspect, some) in enumerate(zip(ASPECTS, counts, strict=False))
        for number, score in enumerate([0.9] * some[0] + [0.0] * some[1] + [-0.9] * some[2])
    ]
    sums = aggregate(*spoken)
    text = summary(sums).text
    answers = {each.slug: each.answer for each in questions(sums)}

    for aspect, label in NAMES.aspects.items():
        parts = [part for part in text.split(". ") if label.lower() in part]
        answer = answers.get(f"aspect-{aspect.replace('_', '-')}", "")
        for sentence in parts:
            words = set(sentence.replace(",", "").split())
            verdicts = PRAISING if words & PRAISE else BLAMING if words & BLAME else ("divided",)
            assert answer.startswith(tuple(way for each in verdicts for way in OPENINGS[each]))
