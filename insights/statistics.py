"""Exact sums over reviews, percentages that add up to 100, and comparisons of periods.

The sums are integers, so the order of additions and removals does not matter.
"""

import datetime as dt
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, Literal, NamedTuple

from review_analysis.reading import Label
from reviews.stars import LEAST_POSITIVE, MOST_UNHAPPY, mean_rating

Direction = Literal["improving", "stable", "declining", "insufficient_data"]

LABELS: tuple[Label, ...] = ("positive", "neutral", "negative")
NORMAL_95 = 1.959963984540054  # Standard deviations of the two-sided 95 % interval.
LEVEL = 0.065  # Significance level; the tests measure at most 7 % false positives with it.
MIN_IN_PERIOD = 10  # Reviews in each period of a comparison.
MIN_STABLE = 30  # Reviews in both periods, for the result "stable".
MIN_STARS = 0.1  # A smaller change is irrelevant even if it is significant.
TINY = 1e-12
MIN_JUDGING = 10  # Judging reviews, for divided opinions.
MIN_SIDE = 0.4  # Share of the smaller side, for divided opinions.


def rounded(value: float, places: int) -> float:
    """Round half-even in decimal, with the same result on every machine."""
    number = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    return float(number) + 0.0  # Turns a negative zero into zero.


def percentages(counts: Sequence[int]) -> list[float]:
    """Return shares in percent with one decimal that add up to 100 (largest remainder)."""
    total = sum(counts)
    if not total:
        return [0.0] * len(counts)
    tenths = [count * 1000 // total for count in counts]
    remainders = [count * 1000 % total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda i: (-remainders[i], i))
    for i in by_remainder[: 1000 - sum(tenths)]:
        tenths[i] += 1
    return [value / 10 for value in tenths]


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share, 0..1 (Wilson 1927)."""
    if not count:
        return 0.0, 1.0
    share, square = hits / count, NORMAL_95**2
    centre = share + square / (2 * count)
    spread = NORMAL_95 * math.sqrt((share * (1 - share) + square / (4 * count)) / count)
    whole = 1 + square / count
    return max(0.0, (centre - spread) / whole), min(1.0, (centre + spread) / whole)


@dataclass(frozen=True, slots=True)
class Sample:
    """Count of values, their sum, and the sum of their squares."""

    count: int
    total: int
    squares: int

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


class Change(NamedTuple):
    """Change from the earlier of two periods to the later one."""

    direction: Direction
    p_value: float | None = None


def change(
    before: Sample, latest: Sample, *, level: float = LEVEL, min_difference: float = 0.0
) -> Change:
    """Compare two periods by a permutation test, which suits both stars and shares.

    A direction needs enough reviews in each period, a p-value below `level`, and a difference of at
    least `min_difference`. `stable` needs enough reviews in both together.
    """
    if min(before.count, latest.count) < MIN_IN_PERIOD:
        return Change("insufficient_data")
    p_value = permutation_p(before, latest)
    difference = latest.mean - before.mean
    if p_value < level and abs(difference) >= min_difference:
        return Change("improving" if difference > 0 else "declining", rounded(p_value, 4))
    is_enough = before.count + latest.count >= MIN_STABLE
    return Change("stable", rounded(p_value, 4)) if is_enough else Change("insufficient_data")


def permutation_p(before: Sample, latest: Sample) -> float:
    """Return the two-sided p-value of a difference of means.

    Uses the normal approximation of the permutation distribution. The Mann-Whitney test, which uses
    ranks, is less sensitive to a few more one-star reviews.
    """
    both = Sample(*map(sum, zip(astuple(before), astuple(latest), strict=True)))
    variance = (both.squares - both.total * both.mean) / (both.count - 1)
    if variance < TINY:
        return 1.0
    spread = math.sqrt(variance * (1 / before.count + 1 / latest.count))
    return math.erfc(abs(latest.mean - before.mean) / spread / math.sqrt(2))


# --- Sums over reviews ----------------------------------------------------------------------------


@dataclass(slots=True)
class SentimentTotals:
    """Sums over some reviews; scores are thousandths."""

    count: int = 0
    positive: int = 0
    neutral: int = 0
    negative: int = 0
    score: int = 0
    stars: int = 0
    star_squares: int = 0
    dissatisfied: int = 0  # Reviews with too few stars to be positive.
    unhappy: int = 0  # Reviews with one or two stars.

    def add(self, label: Label, score: int, rating: int, sign: int = 1) -> None:
        """Add a review, or with the sign -1 remove it."""
        self.count += sign
        if label == "positive":
            self.positive += sign
        elif label == "negative":
            self.negative += sign
        else:
            self.neutral += sign
        self.score += sign * score
        self.stars += sign * rating
        self.star_squares += sign * rating * rating
        self.dissatisfied += sign * (rating < LEAST_POSITIVE)
        self.unhappy += sign * (rating <= MOST_UNHAPPY)

    @property
    def mean_score(self) -> float:
        """Mean score, -1..1; 0 without reviews."""
        return self.score / (1000 * self.count) if self.count else 0.0

    @property
    def average_rating(self) -> float | None:
        return mean_rating(self.stars, self.count)

    @property
    def positive_pct(self) -> float:
        return rounded(100 * self.positive / self.count, 1) if self.count else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `positive_pct`, in percent."""
        low, high = wilson(self.positive, self.count)
        return 100 * low, 100 * high

    @property
    def is_divided(self) -> bool:
        """Whether both praise and blame are frequent among enough judging reviews."""
        judging = self.positive + self.negative
        fewer = min(self.positive, self.negative)
        return judging >= MIN_JUDGING and fewer >= MIN_SIDE * judging

    @property
    def most_common_label(self) -> Label:
        """Most frequent label; of equally frequent ones the most positive."""
        return max(LABELS, key=self.of)

    def of(self, label: Label) -> int:
        count: int = getattr(self, label)
        return count

    @property
    def rated(self) -> Sample:
        return Sample(self.count, self.stars, self.star_squares)


def total_of(some: Iterable[SentimentTotals]) -> SentimentTotals:
    return SentimentTotals(*map(sum, zip(*map(astuple, some), strict=True)))


def month_of(date: dt.date) -> int:
    """Return the number of a calendar month; consecutive months have consecutive numbers."""
    return date.year * 12 + date.month - 1


def month_name(month: int) -> str:
    """Format the number of a month like 2026-03."""
    return f"{month // 12:04}-{month % 12 + 1:02}"


# --- Over the months ------------------------------------------------------------------------------


def trend(months: Mapping[int, SentimentTotals], span: range) -> dict[str, Any]:
    """Compare the stars of the two halves of a span of months, as published."""
    inside = {month: totals for month, totals in sorted(months.items()) if month in span}
    half = len(span) // 2
    before, latest = (
        total_of(inside[month] for month in span[start:stop] if month in inside).rated
        for start, stop in ((len(span) - 2 * half, len(span) - half), (len(span) - half, None))
    )
    seen = change(before, latest, min_difference=MIN_STARS)
    is_known = seen.direction != "insufficient_data"
    return {
        "direction": seen.direction,
        "change": rounded(yearly(inside), 2) if is_known else None,
        "p_value": seen.p_value,
        "review_count": sum(totals.count for totals in inside.values()),
        "window_months": len(span),
    }


def yearly(months: Mapping[int, SentimentTotals]) -> float:
    """Return the slope of the score per year, by least squares over the reviews."""
    n = sum(totals.count for totals in months.values())
    mean_x = sum(month * totals.count for month, totals in months.items()) / n
    sxx = sum(totals.count * (month - mean_x) ** 2 for month, totals in months.items())
    sxy = sum((month - mean_x) * totals.score for month, totals in months.items())
    return 12 * sxy / sxx / 1000 if sxx else 0.0
