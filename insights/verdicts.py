"""Which answer the counts of praise and blame give, and how sure it is."""

from collections.abc import Collection
from typing import Literal

from insights.statistics import wilson
from insights.totals import LEAST_JUDGING, SentimentTotals

Verdict = Literal[
    "every",
    "no_one",
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

PRAISING: Collection[Verdict] = ("every", "all", "most", "more", "leaning_yes")
BLAMING: Collection[Verdict] = ("no_one", "none", "few", "fewer", "leaning_no")

MOST, HALF = 0.75, 0.5  # Below the 95 % interval of the share of the larger side.
CLEAR = 0.7  # The larger side's share of those that judge, from which it is most of them.
MANY = 20  # Reviews of one mind, from which "so far" needs no mention.
LEANING = 2  # More than so many times as many lean to one side, where few judge.
LEAST_LEAD = 2  # Reviews.


def verdict(totals: SentimentTotals) -> Verdict:
    """The surest verdict that holds; those of praise and of blame have the same borders."""
    count, positive, negative = totals.count, totals.positive, totals.negative
    praise, _ = wilson(positive, count)
    blame, _ = wilson(negative, count)
    clear = CLEAR * (positive + negative)
    takes_sides = 2 * totals.neutral <= count
    verdicts: tuple[tuple[bool, Verdict], ...] = (
        (positive == count >= MANY, "every"),
        (negative == count >= MANY, "no_one"),
        (positive == count, "all"),
        (negative == count, "none"),
        (totals.is_divided, "divided"),
        (praise > MOST, "most"),
        (blame > MOST, "few"),
        (praise > HALF and positive >= clear, "more"),
        (blame > HALF and negative >= clear, "fewer"),
        (takes_sides and _leads(positive, negative), "leaning_yes"),
        (takes_sides and _leads(negative, positive), "leaning_no"),
        (not takes_sides, "neither"),
    )
    return next((name for holds, name in verdicts if holds), "open")


def _leads(more: int, fewer: int) -> bool:
    """Whether one side leads: clearly where few judge, and else by so much that none is divided."""
    is_enough = more + fewer >= LEAST_JUDGING or more > LEANING * fewer
    return is_enough and more - fewer >= LEAST_LEAD
