import pytest
from hypothesis import given
from hypothesis import strategies as st

from insights.statistics import (
    MIN_STARS,
    Sample,
    SentimentTotals,
    change,
    percentages,
    permutation_p,
    trend,
    wilson,
)
from tools.analyser.evaluation import simulation


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3))
def test_percentages_sum_to_100(counts):
    shares = percentages(counts)

    assert round(sum(shares), 6) == (100.0 if sum(counts) else 0.0)
    total = sum(counts)
    assert all(abs(s - 100 * c / total) < 0.1 for s, c in zip(shares, counts, strict=True) if total)


def test_remaining_tenths_go_to_largest_remainders_then_first():
    assert percentages([1, 1, 1]) == [33.4, 33.3, 33.3]
    assert percentages([4, 2, 1]) == [57.1, 28.6, 14.3]


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(0, 0, 0, 1), (0, 10, 0, 0.2775), (8, 10, 0.4902, 0.9433), (10, 10, 0.7225, 1)],
)
def test_interval_of_share_is_wilson(hits, count, low, high):
    assert wilson(hits, count) == pytest.approx((low, high), abs=1e-4)


# --- Periods --------------------------------------------------------------------------------------


def sample(*values):
    return Sample(len(values), sum(values), sum(value**2 for value in values))


def test_p_value_equals_permutation_test():
    few, many = Sample(40, 2, 2), Sample(40, 9, 9)

    # Pearson's chi-squared without correction, minus one review: 4.97, 1 degree of freedom.
    assert permutation_p(few, many) == pytest.approx(0.0239, abs=5e-4)
    assert permutation_p(sample(5, 5, 5), sample(5, 5)) == 1


@pytest.mark.parametrize(
    ("before", "latest", "direction"),
    [
        ([5] * 9, [1] * 40, "insufficient_data"),
        ([5] * 10, [1] * 10, "declining"),
        ([3] * 10 + [4] * 10, [5] * 12, "improving"),
        ([5] * 12, [5] * 12, "insufficient_data"),  # No change, and too few reviews.
        ([5] * 15, [5] * 15, "stable"),
        # By a hundredth of a star.
        ([5] * 9900 + [4] * 100, [5] * 9000 + [4] * 1000, "stable"),
    ],
)
def test_change_needs_enough_reviews_and_relevant_difference(before, latest, direction):
    assert change(sample(*before), sample(*latest), min_difference=MIN_STARS).direction == direction


@pytest.mark.parametrize("fall", simulation.FALLS)
def test_false_alarms_are_rare_and_decline_of_half_a_star_is_found(fall, monkeypatch):
    monkeypatch.setattr(simulation, "WORLDS", 2_000)
    before, after = simulation.FALLS[fall]

    false, true = simulation.rates(before, after)

    assert false <= 0.075  # 0.07 plus the random error of 2,000 simulations.
    # If most ratings are one or five stars, 40 reviews a year tell less.
    assert true >= (0.45 if fall.startswith("one or five") else 0.68)


def test_trend_compares_halves_and_has_slope():
    months = {}
    for month in range(12):
        stars, squares = (15, 75) if month < 6 else (9, 27)
        months[month] = SentimentTotals(
            3, score=600 - 100 * month, stars=stars, star_squares=squares
        )

    seen = trend(months, range(12))

    assert (seen["direction"], seen["review_count"]) == ("declining", 36)
    assert seen["change"] == -0.4  # 0.1 a month, of three reviews.
    assert trend(months, range(6))["direction"] == "insufficient_data"
    assert trend({}, range(24))["change"] is None
