"""Star ratings and their mean."""

from decimal import ROUND_HALF_UP, Decimal

STARS = (1, 2, 3, 4, 5)
MOST_UNHAPPY = 2  # With more stars a customer is not called unhappy.
LEAST_POSITIVE = 4  # Fewer stars make no positive review, whatever its words.


def drawn_stars(rating: int) -> str:
    """Draw a rating in characters, like ★★★☆☆."""
    return "★" * rating + "☆" * (len(STARS) - rating)


def mean_rating(total: int, count: int) -> float | None:
    """Mean of `count` ratings, rounded half up to two decimals; None if there are none."""
    if not count:
        return None
    return float((Decimal(total) / count).quantize(Decimal("0.01"), ROUND_HALF_UP))
