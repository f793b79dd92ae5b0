"""Pure: the one rounding of average ratings."""

from decimal import ROUND_HALF_UP, Decimal


def mean_rating(total: int, count: int) -> float | None:
    """The mean of `count` ratings that sum to `total`: two decimals, half up; None for none."""
    if not count:
        return None
    return float((Decimal(total) / count).quantize(Decimal("0.01"), ROUND_HALF_UP))
