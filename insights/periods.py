"""Compare the last twelve months with the twelve before."""

from collections.abc import Mapping
from typing import Any

from insights.aggregate import Aggregate
from insights.complaints import Complaint, Complaints
from insights.statistics import (
    LEVEL,
    MIN_STARS,
    Direction,
    Sample,
    SentimentTotals,
    change,
    month_name,
    month_of,
    rounded,
    total_of,
)

MONTHS = 12
MIN_FREQUENT = 5  # Reviews of both periods, for a complaint to be compared.
COMPARED = 10  # Complaints at most.
_OPPOSITES: Mapping[Direction, Direction] = {"improving": "declining", "declining": "improving"}


def periods(aggregate: Aggregate, complaints: Complaints) -> dict[str, Any]:
    """Compare stars, unhappy reviews and complaints; the newest review's month is the last."""
    last = max(aggregate.months, default=0)
    before, latest = (
        total_of(aggregate.months[month] for month in span if month in aggregate.months)
        for span in (range(last - 23, last - 11), range(last - 11, last + 1))
    )
    counted = [(each, _counts(aggregate, each, last)) for each in complaints.items]
    frequent = [each for each in counted if sum(each[1]) >= MIN_FREQUENT][:COMPARED]
    return {
        "before": _period(last - 23, before),
        "latest": _period(last - 11, latest),
        "average_rating": change(before.rated, latest.rated, min_difference=MIN_STARS)._asdict(),
        "unhappy_pct": _change_of_harm((before.unhappy, latest.unhappy), before, latest),
        "complaints": [
            {
                "id": each.id,
                "label": each.label,
                "before_count": counts[0],
                "latest_count": counts[1],
                # Bonferroni correction for several comparisons.
                **_change_of_harm(counts, before, latest, level=LEVEL / len(frequent)),
            }
            for each, counts in frequent
        ],
    }


def _period(first: int, totals: SentimentTotals) -> dict[str, Any]:
    return {
        "from": month_name(first) if first > 0 else None,
        "to": month_name(first + MONTHS - 1) if first > 0 else None,
        "review_count": totals.count,
        "average_rating": totals.average_rating,
        "unhappy_pct": rounded(100 * totals.unhappy / totals.count, 1) if totals.count else None,
    }


def _change_of_harm(
    hits: tuple[int, int], before: SentimentTotals, latest: SentimentTotals, level: float = LEVEL
) -> dict[str, Any]:
    """Compare a share for which smaller is better."""
    first, second = hits
    seen = change(
        Sample(before.count, first, first), Sample(latest.count, second, second), level=level
    )
    return seen._replace(direction=_OPPOSITES.get(seen.direction, seen.direction))._asdict()


def _counts(aggregate: Aggregate, complaint: Complaint, last: int) -> tuple[int, int]:
    """Count the reviews of each period with this complaint."""
    ages = [last - month_of(aggregate.records[ulid].date) for ulid in complaint.sentences]
    return sum(MONTHS <= age < 2 * MONTHS for age in ages), sum(age < MONTHS for age in ages)
