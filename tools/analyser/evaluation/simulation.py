"""Stars in worlds whose truth is known: how often a change is seen where there is none."""

import random
from collections.abc import Mapping, Sequence

from insights.statistics import LEAST_STARS, Sample, change

WORLDS = 5_000  # Of a thousand the shares are off by .03 now and then.

# Shares of one to five stars before and after a fall of about half a star.
FALLS: Mapping[str, tuple[Sequence[float], Sequence[float]]] = {
    "nearly all five, then some with one": ((1, 0.5, 0.5, 5, 93), (9, 3, 3, 9, 76)),
    "nearly all five, then all lower": ((1, 0.5, 0.5, 5, 93), (7, 4, 6, 15, 68)),
    "mixed, then all lower": ((2, 2, 6, 20, 70), (7, 6, 17, 25, 45)),
    "one or five, then more with one": ((7, 2, 3, 10, 78), (18, 4, 6, 10, 62)),
}


def rates(before: Sequence[float], after: Sequence[float], reviews: int) -> tuple[float, float]:
    """Shares of worlds with a change seen where none is, and with the true fall seen.

    Both years have so many reviews.
    """
    dice = random.Random(1)  # noqa: S311 - repeatable, not secret
    false = true = 0
    for _ in range(WORLDS):
        first = _year(dice, before, reviews)
        false += _seen(first, _year(dice, before, reviews)) != "stable"
        true += _seen(first, _year(dice, after, reviews)) == "declining"
    return false / WORLDS, true / WORLDS


def _year(dice: random.Random, shares: Sequence[float], reviews: int) -> Sample:
    stars = dice.choices(range(1, 6), shares, k=reviews)
    return Sample(reviews, sum(stars), sum(star * star for star in stars))


def _seen(before: Sample, latest: Sample) -> str:
    return change(before, latest, least=LEAST_STARS).direction
