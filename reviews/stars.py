"""The ratings there are, and the one rounding of their mean."""

from decimal import ROUND_HALF_UP, Decimal

STARS = (1, 2, 3, 4, 5)
MOST_UNHAPPY = 2  # With more stars a customer is not called unhappy.
LEAST_POSITIVE = 4  # Fewer stars make no positive review, whatever its words.


def drawn_stars(rating: int) -> str:
    """Stars of a rating as characters, like ★★★☆☆."""
    return "★" * rating + "☆" * (len(STARS) - rating)


def mean_rating(total: int, count: int) -> float | None:
    """The mean of `count` ratings that sum to `total`: two decimals, half up; None for none."""
    if not count:
        return None
    return float((Decimal(total) / count).quantize(Decimal("0.01"), ROUND_HALF_UP))
