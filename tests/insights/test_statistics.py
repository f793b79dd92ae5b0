import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.statistics import (
    Month,
    percentages,
    rounded,
    trend,
    two_sided_p,
    wilson,
)


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3))
def test_percentages_sum_to_exactly_a_hundred(counts):
    shares = percentages(counts)

    assert round(sum(shares), 6) == (100.0 if sum(counts) else 0.0)
    total = sum(counts)
    assert all(abs(s - 100 * c / total) < 0.1 for s, c in zip(shares, counts, strict=True) if total)


def test_odd_tenths_go_to_the_largest_remainders_and_of_equals_to_the_first():
    assert percentages([1, 1, 1]) == [33.4, 33.3, 33.3]
    assert percentages([4, 2, 1]) == [57.1, 28.6, 14.3]


@pytest.mark.parametrize(
    ("t", "degrees", "p"),
    [(2.0, 10, 0.0733880), (1.96, 1000, 0.0502732), (0.0, 7, 1.0), (12.7062, 1, 0.05)],
)
def test_p_values_are_those_of_the_tables(t, degrees, p):
    assert two_sided_p(t, degrees) == pytest.approx(p, abs=1e-6)


def months(scores_by_month):
    return [
        Month(index, len(scores), sum(scores), sum(s * s for s in scores))
        for index, scores in enumerate(scores_by_month)
    ]


@pytest.mark.parametrize(
    ("yearly", "direction"), [(0.06, "improving"), (0.04, "stable"), (-0.06, "declining")]
)
def test_a_change_however_sure_counts_from_a_twentieth_a_year(yearly, direction):
    line = trend(months([[yearly * month / 12] * 10 for month in range(12)]))

    assert (line.direction, line.p_value) == (direction, 0)
    assert line.change == pytest.approx(yearly)


def test_a_line_is_that_of_the_least_squares():
    scores = [[0.5, 0.8, -0.2, 0.9], [0.4, 0.6, 0.1], [-0.5, 0.3, 0.7, 0.2], [0.1, -0.4, 0.6]]

    line = trend(months([*scores, [], [-0.8, 0.2]]))

    # As scipy.stats.linregress has it.
    assert (line.direction, line.review_count) == ("declining", 16)
    assert line.change == pytest.approx(-1.8603773584905663)
    assert line.p_value == pytest.approx(0.04062432355806748)


def test_level_scores_are_stable_with_thirty_reviews_and_unknown_with_fewer():
    level = [[1, 0, 1, 0, 1]] * 6

    assert trend(months(level)).direction == "stable"
    assert trend(months(level[:5])).direction == "insufficient_data"
    assert trend(months(level[:5])).p_value is None


def test_two_months_have_no_trend_whatever_lies_between_them():
    for scores in ([[1] * 20, [-1] * 20], [[1] * 20, [], [], [-1] * 20]):
        line = trend(months(scores))

        assert (line.direction, line.change, line.review_count) == ("insufficient_data", None, 40)


def test_rounding_is_half_even_and_never_a_negative_zero():
    assert [rounded(x, 1) for x in (0.25, 0.35, -0.04)] == [0.2, 0.4, 0.0]
    assert str(rounded(-0.04, 1)) == "0.0"


def worlds(change, count=400):
    """Twelve months of fifteen reviews each, whose scores change by so much from first to last."""
    rng = random.Random(14)
    for _ in range(count):
        yield months(
            [[rng.gauss(0.5 + change * month / 11, 0.45) for _ in range(15)] for month in range(12)]
        )


def test_a_trend_is_seldom_seen_where_there_is_none_and_mostly_where_there_is_one():
    false = [trend(world).direction for world in worlds(change=0)]
    true = [trend(world).direction for world in worlds(change=-0.30)]

    assert (len(false) - false.count("stable")) / len(false) <= 0.07
    assert true.count("declining") / len(true) >= 0.70


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(0, 0, 0, 1), (0, 10, 0, 0.2775), (8, 10, 0.4902, 0.9433), (10, 10, 0.7225, 1)],
)
def test_the_interval_of_a_share_is_wilsons(hits, count, low, high):
    assert wilson(hits, count) == pytest.approx((low, high), abs=1e-4)
