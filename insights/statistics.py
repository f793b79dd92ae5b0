"""Percentages that add up, and a trend that does not cry wolf."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from review_analysis.reading import Label

LABELS: tuple[Label, ...] = ("positive", "neutral", "negative")
NORMAL_95 = 1.959963984540054  # A normal variable lies within this of its mean 95 times in 100.


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
class Month:
    index: int  # Months since an arbitrary start.
    count: int
    total: float  # Sum of the scores.
    squares: float  # Sum of their squares.

    @classmethod
    def of(cls, index: int, count: int, score: int, squares: int) -> "Month":
        """From sums of thousandths and of their squares."""
        return cls(index, count, score / 1000, squares / 1_000_000)


@dataclass(frozen=True, slots=True)
class Trend:
    direction: str
    change: float | None  # Points of score per year.
    p_value: float | None
    review_count: int


def trend(months: Sequence[Month]) -> Trend:
    """The line through the scores over the months, every review weighing the same.

    A direction needs p < .05 and a change of at least .05 a year; `stable` needs 30 reviews.
    """
    n = sum(month.count for month in months)
    unknown = Trend("insufficient_data", None, None, n)
    if sum(1 for month in months if month.count) < 3 or n < 10:
        return unknown
    mean_x = sum(month.index * month.count for month in months) / n
    mean_y = sum(month.total for month in months) / n
    sxx = sum(month.count * (month.index - mean_x) ** 2 for month in months)
    sxy = sum((month.index - mean_x) * month.total for month in months)
    syy = sum(month.squares for month in months) - n * mean_y**2
    slope = sxy / sxx
    residual = max(syy - slope * sxy, 0.0) / (n - 2)
    if residual < 1e-12:
        p_value = 1.0 if abs(slope) < 1e-12 else 0.0
    else:
        p_value = two_sided_p(slope / math.sqrt(residual / sxx), n - 2)
    yearly = slope * 12
    if p_value < 0.05 and abs(yearly) >= 0.05:
        return Trend("improving" if yearly > 0 else "declining", yearly, p_value, n)
    return Trend("stable", yearly, p_value, n) if n >= 30 else unknown


def two_sided_p(t: float, degrees: int) -> float:
    """The chance of a t this far from 0 under Student's distribution."""
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function by its continued fraction (DLMF 8.17.22)."""
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    # Lentz's method.
    tiny = 1e-300
    fraction, c, d = 1.0, 1.0, 0.0
    for step in range(400):
        m = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 + term * d
        d = 1 / (d if abs(d) > tiny else tiny)
        c = 1 + term / (c if abs(c) > tiny else tiny)
        fraction *= c * d
        if abs(1 - c * d) < 1e-12:
            break
    return math.exp(log_front) / a * (fraction - 1)
