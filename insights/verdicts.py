"""Claims that the counts of praise and blame allow: whatever is said of all, or compared.

Every sentence with a verdict, a strength or "differ" is decided here. No claim stands that
complaints which were not recognised could overturn.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from insights.statistics import LEAST_JUDGING, SentimentTotals, wilson
from review_analysis.reading import Label

Verdict = Literal[
    "all", "none", "divided", "most", "few", "more", "fewer", "leaning_yes", "leaning_no",
    "neither", "open",
]  # fmt: skip

PRAISING: Collection[Verdict] = ("all", "most", "more", "leaning_yes")
BLAMING: Collection[Verdict] = ("none", "few", "fewer", "leaning_no")

LEAST_COMPARED = 5  # Fewer reviews are no ground for such a claim.
MOST, HALF = 0.75, 0.5  # Below the 95 % interval of the share of the larger side.
CLEAR = 0.7  # The larger side's share of those that judge, from which it is most of them.
LEANING = 2  # More than so many times as many lean to one side, where few judge.
LEAST_LEAD = 2  # Reviews.
STRONG = 2 / 3  # The share of its reviews that praise a strength.


def unanimous(totals: SentimentTotals) -> Label | None:
    """The opinion that all reviews share, where they are enough and their stars agree with it."""
    if totals.count < LEAST_COMPARED:
        return None
    label = totals.most_common_label
    satisfied = totals.count - totals.dissatisfied
    agreeing = {"positive": satisfied, "negative": totals.dissatisfied}.get(label, totals.count)
    return label if totals.of(label) == agreeing == totals.count else None


def verdict(totals: SentimentTotals, unknown: int = 0) -> Verdict:
    """The surest verdict that holds, also if `unknown` more reviews blame the subject."""
    seen = _verdict(totals)
    worst = _verdict(_with_blame(totals, unknown))
    holds = seen in BLAMING or worst == seen or {seen, worst} <= {*PRAISING}
    return "open" if not holds else seen if seen in BLAMING else worst


def is_strength(totals: SentimentTotals, unknown: int = 0) -> bool:
    """Whether enough reviews praise it, nearly all of them, and `unknown` more could blame it."""
    worst = _with_blame(totals, unknown)
    is_praised = totals.count >= LEAST_COMPARED and worst.positive >= STRONG * worst.count
    return is_praised and _verdict(worst) in PRAISING


def _with_blame(totals: SentimentTotals, count: int) -> SentimentTotals:
    return replace(
        totals,
        count=totals.count + count,
        negative=totals.negative + count,
        dissatisfied=totals.dissatisfied + count,
    )


def _verdict(totals: SentimentTotals) -> Verdict:
    """The surest one that the counts allow; those of praise and of blame have the same borders."""
    count, positive, negative = totals.count, totals.positive, totals.negative
    praise, blame = wilson(positive, count)[0], wilson(negative, count)[0]
    clear = CLEAR * (positive + negative)
    takes_sides = 2 * totals.neutral <= count
    shared = unanimous(totals)
    verdicts: tuple[tuple[bool, Verdict], ...] = (
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
