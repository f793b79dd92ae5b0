"""Summary and answers do not contradict each other for any counts."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.prose.faq import questions
from insights.prose.summary import summary
from insights.prose.wording import TEXTS, praised
from insights.statistics import SentimentTotals
from insights.verdicts import BLAMING, MIN_COMPARED, PRAISING, is_strength, verdict
from tests.insights.prose.corpus import NAMES, aggregate, record, said

ASPECTS = sorted(NAMES.aspects)
UP_TO = 12


def totals(positive, neutral, negative):
    count = positive + neutral + negative
    return SentimentTotals(count, positive, neutral, negative, dissatisfied=negative)


COUNTS = [
    totals(*counts) for counts in product(range(UP_TO + 1), repeat=3) if sum(counts) >= MIN_COMPARED
]


def test_verdicts_need_enough_reviews_and_agreeing_stars():
    for counted in COUNTS:
        for dissatisfied in {0, 1, counted.count - 1, counted.count}:
            seen = verdict(replace(counted, dissatisfied=dissatisfied))
            agree = counted.positive == counted.count and not dissatisfied
            assert (seen == "all") == agree, counted


@pytest.mark.parametrize("unknown", [1, 4, 30])
def test_praise_that_unknown_complaints_could_overturn_is_left_out(unknown):
    for counted in COUNTS:
        worst = totals(counted.positive, counted.neutral, counted.negative + unknown)
        given_verdict, overturned = verdict(counted, unknown), verdict(worst)
        assert given_verdict in BLAMING or given_verdict in {overturned, "open"}, counted
        assert is_strength(counted, unknown) == is_strength(worst), counted


@pytest.mark.parametrize("sure", [2, 3, 5, 10])
def test_more_reviews_in_same_proportion_keep_verdict(sure):
    for counted in COUNTS:
        more = totals(counted.positive * sure, counted.neutral * sure, counted.negative * sure)
        before, after = verdict(counted), verdict(more)
        assert not (before in PRAISING and after in {*BLAMING, "divided", "open"}), counted
        assert not (before in BLAMING and after in {*PRAISING, "divided", "open"}), counted


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
        if f"{praised(aspect, label)} (" in text.partition("Customers praise")[2].split(". ")[0]:
            answer = answers[f"aspect-{aspect.replace('_', '-')}"]
            assert answer.startswith(tuple(TEXTS["verdicts"][each]["label"] for each in PRAISING))
