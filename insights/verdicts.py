"""Which answer the counts of praise and blame give, and how sure it is."""

from collections.abc import Collection
from typing import Literal

from insights.totals import SentimentTotals

Verdict = Literal[
    "all",
    "none",
    "divided",
    "most",
    "few",
    "more",
    "fewer",
    "leaning_yes",
    "leaning_no",
    "neither",
    "open",
]

PRAISING: Collection[Verdict] = ("all", "most", "more", "leaning_yes")
BLAMING: Collection[Verdict] = ("none", "few", "fewer", "leaning_no")

MOST_ABOVE, FEW_BELOW, HALF = 75, 40, 50  # Percent, of the near end of the 95 % interval.
LEANING = 2  # More than so many times as many lean to one side, where the interval is wide.
LEAST_LEAD = 2  # Reviews.


def verdict(totals: SentimentTotals) -> Verdict:
    """The surest verdict that holds, by the 95 % interval of the share of praise."""
    count, positive, negative = totals.count, totals.positive, totals.negative
    low, high = totals.interval
    is_mostly_blamed = 2 * negative > count  # Little praise may also be little of either.
    takes_sides = 2 * totals.neutral <= count
    verdicts: tuple[tuple[bool, Verdict], ...] = (
        (positive == count, "all"),
        (negative == count, "none"),
        (totals.is_divided, "divided"),
        (low > MOST_ABOVE, "most"),
        (high < FEW_BELOW and is_mostly_blamed, "few"),
        (low > HALF, "more"),
        (high < HALF and is_mostly_blamed, "fewer"),
        (takes_sides and _leads(positive, negative), "leaning_yes"),
        (takes_sides and _leads(negative, positive), "leaning_no"),
        (not takes_sides, "neither"),
    )
    return next((name for holds, name in verdicts if holds), "open")


def _leads(more: int, fewer: int) -> bool:
    return more > LEANING * fewer and more - fewer >= LEAST_LEAD
