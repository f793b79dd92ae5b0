"""Trends in worlds whose truth is known: how often one is seen where there is none."""

import random
from collections.abc import Callable, Sequence

from insights.statistics import Month, trend

WORLDS = 5_000  # Of a thousand the shares are off by .03 now and then.
GOOD, BAD = 0.8, -0.35  # A happy and an unhappy review's score.
SHARE = 0.85  # Of happy reviews where nothing changes.
NAIVE_CHANGE = 0.1  # A year.


def rate_of_trends(
    months: int, reviews: int, change: float, *, says: Callable[[Sequence[Month]], bool]
) -> float:
    """The share of worlds with `reviews` a month, in which `says` sees a trend.

    `change` is how much the mean score moves from the first month to the last.
    """
    seen = 0
    for world in range(WORLDS):
        dice = random.Random(world)  # noqa: S311 - repeatable, not secret
        seen += says([_month(dice, i, reviews, change * i / (months - 1)) for i in range(months)])
    return seen / WORLDS


def _month(dice: random.Random, index: int, reviews: int, change: float) -> Month:
    share = SHARE + change / (GOOD - BAD)
    scores = [GOOD if dice.random() < share else BAD for _ in range(reviews)]
    return Month(index, reviews, sum(scores), sum(score**2 for score in scores))


def is_trend(months: Sequence[Month]) -> bool:
    """Verdict of the published dataset."""
    return trend(months).direction in {"improving", "declining"}


def is_slope(months: Sequence[Month]) -> bool:
    """The naive way: the line through the monthly means leads up or down."""
    change = trend(months).change
    return change is not None and abs(change) >= NAIVE_CHANGE
