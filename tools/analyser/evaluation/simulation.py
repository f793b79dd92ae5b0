"""Simulate ratings to measure how often a change is detected, rightly or wrongly."""

import random
from collections.abc import Mapping, Sequence

from insights.statistics import MIN_STARS, Sample, change

WORLDS = 5_000  # With a thousand, shares may be off by .03.
REVIEWS = 40  # Per year.

# Shares of one to five stars before and after a fall of about half a star.
FALLS: Mapping[str, tuple[Sequence[float], Sequence[float]]] = {
    "nearly all five, then some with one": ((1, 0.5, 0.5, 5, 93), (9, 3, 3, 9, 76)),
    "nearly all five, then all lower": ((1, 0.5, 0.5, 5, 93), (7, 4, 6, 15, 68)),
    "mixed, then all lower": ((2, 2, 6, 20, 70), (7, 6, 17, 25, 45)),
    "one or five, then more with one": ((7, 2, 3, 10, 78), (18, 4, 6, 10, 62)),
}


def rates(before: Sequence[float], after: Sequence[float]) -> tuple[float, float]:
    """Return the rates of false and of true detections."""
    dice = random.Random(1)  # noqa: S311 - repeatable, not secret
    false = true = 0
    for _ in range(WORLDS):
        first = _year(dice, before)
        false += _direction(first, _year(dice, before)) != "stable"
        true += _direction(first, _year(dice, after)) == "declining"
    return false / WORLDS, true / WORLDS


def _year(dice: random.Random, shares: Sequence[float]) -> Sample:
    stars = dice.choices(range(1, 6), shares, k=REVIEWS)
    return Sample(REVIEWS, sum(stars), sum(star * star for star in stars))


def _direction(before: Sample, latest: Sample) -> str:
    return change(before, latest, min_difference=MIN_STARS).direction
