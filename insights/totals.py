"""Exact sums over reviews, which any order of adding and taking back leaves the same."""

import datetime as dt
from dataclasses import dataclass
from typing import NamedTuple

from insights.statistics import LABELS, Month, rounded, wilson
from review_analysis.reading import Label
from reviews.stars import LEAST_POSITIVE, MOST_UNHAPPY, mean_rating

LEAST_JUDGING = 10  # Reviews that judge, where opinions differ.
LEAST_SIDE = 0.4  # The share of them that the smaller side has at least.


class Contribution(NamedTuple):
    """One review's part in a sum; `sign` is 1 to add it and -1 to take it back."""

    label: Label
    score: int
    rating: int
    sign: int


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

    def add(self, vote: Contribution) -> None:
        label, score, rating, sign = vote
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

    def month(self, index: int) -> Month:
        return Month(index, self.count, self.score, self.stars, self.star_squares)


def month_of(date: dt.date) -> int:
    """The calendar month as a number that rises by one a month; `month_name` reads it."""
    return date.year * 12 + date.month - 1


def month_name(month: int) -> str:
    """Like 2026-03."""
    return f"{month // 12:04}-{month % 12 + 1:02}"
