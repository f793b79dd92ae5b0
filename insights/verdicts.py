"""Decide which claims the counts of praise and blame support.

Every published verdict or strength comes from here. No claim is made that unrecognised complaints
could overturn.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from insights.statistics import MIN_JUDGING, SentimentTotals, wilson
from review_analysis.reading import Label

Verdict = Literal[
    "all", "none", "divided", "most", "few", "more", "fewer", "leaning_yes", "leaning_no",
    "neither", "open",
]  # fmt: skip

PRAISING: Collection[Verdict] = ("all", "most", "more", "leaning_yes")
BLAMING: Collection[Verdict] = ("none", "few", "fewer", "leaning_no")

MIN_COMPARED = 5  # Reviews, for any claim.
MOST, HALF = 0.75, 0.5  # Bounds that the 95 % interval of the larger side's share exceeds.
CLEAR = 0.7  # Share of the judging reviews, for "mostly".
LEANING = 2  # Factor by which one side outnumbers the other if few reviews judge.
MIN_LEAD = 2  # Reviews.
STRONG = 2 / 3  # Share of its reviews that praise a strength.


def unanimous(totals: SentimentTotals) -> Label | None:
    """Return the opinion that all of enough reviews share, if their stars agree with it."""
    if totals.count < MIN_COMPARED:
        return None
    label = totals.most_common_label
    satisfied = totals.count - totals.dissatisfied
    agreeing = {"positive": satisfied, "negative": totals.dissatisfied}.get(label, totals.count)
    return label if totals.of(label) == agreeing == totals.count else None


def verdict(totals: SentimentTotals, unknown: int = 0) -> Verdict:
    """Return the strongest verdict that `unknown` more blaming reviews leave true."""
    seen = _verdict(totals)
    worst = _verdict(_with_blame(totals, unknown))
    holds = seen in BLAMING or worst == seen or {seen, worst} <= {*PRAISING}
    return "open" if not holds else seen if seen in BLAMING else worst


def is_strength(totals: SentimentTotals, unknown: int = 0) -> bool:
    """Whether nearly all of enough reviews praise it, even if `unknown` more blame it."""
    worst = _with_blame(totals, unknown)
    is_praised = totals.count >= MIN_COMPARED and worst.positive >= STRONG * worst.count
    return is_praised and _verdict(worst) in PRAISING


def _with_blame(totals: SentimentTotals, count: int) -> SentimentTotals:
    return replace(
        totals,
        count=totals.count + count,
        negative=totals.negative + count,
        dissatisfied=totals.dissatisfied + count,
    )


def _verdict(totals: SentimentTotals) -> Verdict:
    """Return the strongest verdict for these counts; praise and blame have the same limits."""
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
    """Whether one side leads the other, by a factor if few reviews judge."""
    is_enough = more + fewer >= MIN_JUDGING or more > LEANING * fewer
    return is_enough and more - fewer >= MIN_LEAD
