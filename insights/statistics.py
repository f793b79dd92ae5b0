"""Exact sums over reviews, percentages that add up, and comparisons that do not cry wolf.

Any order of adding and taking back leaves the sums the same.
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
NORMAL_95 = 1.959963984540054  # A normal variable lies within this of its mean 95 times in 100.
LEVEL = 0.065  # With it seven comparisons in a hundred at most see a change where there is none.
LEAST_IN_PERIOD = 10  # Reviews on either side of a comparison.
LEAST_STABLE = 30  # Reviews in both, from which no change is known.
LEAST_STARS = 0.1  # A smaller change matters to nobody, however sure.
TINY = 1e-12
LEAST_JUDGING = 10  # Reviews that judge, where opinions differ.
LEAST_SIDE = 0.4  # The share of them that the smaller side has at least.


def rounded(value: float, places: int) -> float:
    """Rounded half-even on the decimal reading of the number, the same on every machine."""
    number = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    return float(number) + 0.0  # No negative zero in a document.


def percentages(counts: Sequence[int]) -> list[float]:
    """Shares in percent, one decimal, summing to exactly 100.0 (largest remainder); 0 for none."""
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
    """The 95 % interval of a share, 0..1 (Wilson 1927); everything is possible without a count."""
    if not count:
        return 0.0, 1.0
    share, square = hits / count, NORMAL_95**2
    centre = share + square / (2 * count)
    spread = NORMAL_95 * math.sqrt((share * (1 - share) + square / (4 * count)) / count)
    whole = 1 + square / count
    return max(0.0, (centre - spread) / whole), min(1.0, (centre + spread) / whole)


@dataclass(frozen=True, slots=True)
class Sample:
    """How many values there are, their sum, and the sum of their squares."""

    count: int
    total: int
    squares: int

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


class Change(NamedTuple):
    """From the earlier of two periods to the later one."""

    direction: Direction
    p_value: float | None = None


def change(before: Sample, latest: Sample, *, level: float = LEVEL, least: float = 0.0) -> Change:
    """Compare two periods by a permutation test, which is right for stars and for shares alike.

    A direction needs a p below the level, enough reviews on both sides, and a difference of
    `least`; `stable` needs enough reviews in all.
    """
    if min(before.count, latest.count) < LEAST_IN_PERIOD:
        return Change("insufficient_data")
    p_value = permutation_p(before, latest)
    difference = latest.mean - before.mean
    if p_value < level and abs(difference) >= least:
        return Change("improving" if difference > 0 else "declining", rounded(p_value, 4))
    is_enough = before.count + latest.count >= LEAST_STABLE
    return Change("stable", rounded(p_value, 4)) if is_enough else Change("insufficient_data")


def permutation_p(before: Sample, latest: Sample) -> float:
    """The chance of means so far apart, had the values been dealt to the periods by lot.

    By the normal approximation to all permutations. Of ranks in place of stars it would be the test
    of Mann and Whitney with ties, which sees a few more single stars less well.
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
    """Exact sums over some reviews; scores in thousandths."""

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
        """Count a review; with the sign -1 take it back."""
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
        """-1..1; 0 for none."""
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
        """Whether opinions differ: many praise and many blame, of enough that judge at all."""
        judging = self.positive + self.negative
        fewer = min(self.positive, self.negative)
        return judging >= LEAST_JUDGING and fewer >= LEAST_SIDE * judging

    @property
    def most_common_label(self) -> Label:
        """Most frequent label; of equally frequent ones the best."""
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
    """The calendar month as a number that rises by one a month; `month_name` reads it."""
    return date.year * 12 + date.month - 1


def month_name(month: int) -> str:
    """Like 2026-03."""
    return f"{month // 12:04}-{month % 12 + 1:02}"


# --- Over the months ------------------------------------------------------------------------------


def trend(months: Mapping[int, SentimentTotals], span: range) -> dict[str, Any]:
    """Compare the halves of a span of months by stars, with the slope of scores, as published."""
    inside = {month: totals for month, totals in sorted(months.items()) if month in span}
    half = len(span) // 2
    before, latest = (
        total_of(inside[month] for month in span[start:stop] if month in inside).rated
        for start, stop in ((len(span) - 2 * half, len(span) - half), (len(span) - half, None))
    )
    seen = change(before, latest, least=LEAST_STARS)
    is_known = seen.direction != "insufficient_data"
    return {
        "direction": seen.direction,
        "change": rounded(yearly(inside), 2) if is_known else None,
        "p_value": seen.p_value,
        "review_count": sum(totals.count for totals in inside.values()),
        "window_months": len(span),
    }


def yearly(months: Mapping[int, SentimentTotals]) -> float:
    """The slope of the least squares through the scores, of all reviews alike, in a year."""
    n = sum(totals.count for totals in months.values())
    mean_x = sum(month * totals.count for month, totals in months.items()) / n
    sxx = sum(totals.count * (month - mean_x) ** 2 for month, totals in months.items())
    sxy = sum((month - mean_x) * totals.score for month, totals in months.items())
    return 12 * sxy / sxx / 1000 if sxx else 0.0
