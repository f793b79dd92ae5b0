"""Claims that the counts of praise and blame allow: whatever is said of all, or compared.

Every sentence with "all", "strongest", "weakest" or "differ" asks here.
"""

from collections.abc import Collection, Iterable
from typing import Literal

from insights.statistics import wilson
from insights.totals import LEAST_JUDGING, SentimentTotals
from review_analysis.reading import Label

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

LEAST_COMPARED = 5  # Fewer reviews are no ground for such a claim.
MOST, HALF = 0.75, 0.5  # Below the 95 % interval of the share of the larger side.
CLEAR = 0.7  # The larger side's share of those that judge, from which it is most of them.
MANY = 20  # Reviews of one mind, from which "so far" needs no mention.
LEANING = 2  # More than so many times as many lean to one side, where few judge.
LEAST_LEAD = 2  # Reviews.


def unanimous(totals: SentimentTotals) -> Label | None:
    """The opinion that all reviews share, where they are enough and their stars agree with it."""
    if totals.count < LEAST_COMPARED:
        return None
    label = totals.most_common_label
    satisfied = totals.count - totals.dissatisfied
    agreeing = {"positive": satisfied, "negative": totals.dissatisfied}.get(label, totals.count)
    return label if totals.of(label) == agreeing == totals.count else None


def stands_out(totals: SentimentTotals, others: Iterable[SentimentTotals], *, above: bool) -> bool:
    """Whether its 95 % interval of praise lies above (or below) that of all the others.

    Without others there is nothing to compare.
    """
    intervals = [other.interval for other in others]
    if totals.count < LEAST_COMPARED or not intervals:
        return False
    low, high = totals.interval
    return all(low > interval[1] if above else high < interval[0] for interval in intervals)


def verdict(totals: SentimentTotals) -> Verdict:
    """The surest verdict that holds; those of praise and of blame have the same borders."""
    count, positive, negative = totals.count, totals.positive, totals.negative
    praise, _ = wilson(positive, count)
    blame, _ = wilson(negative, count)
    clear = CLEAR * (positive + negative)
    takes_sides = 2 * totals.neutral <= count
    shared = unanimous(totals)
    verdicts: tuple[tuple[bool, Verdict], ...] = (
        (shared == "positive" and count >= MANY, "every"),
        (shared == "negative" and count >= MANY, "no_one"),
        (shared == "positive", "all"),
        (shared == "negative", "none"),
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
