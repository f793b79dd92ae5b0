"""The last twelve months against the twelve before: stars, unhappy reviews, frequent complaints."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from insights.aggregate import Aggregate
from insights.complaints import Complaint, Complaints
from insights.statistics import (
    LEAST_STARS,
    LEVEL,
    Change,
    Direction,
    Sample,
    SentimentTotals,
    change,
    month_name,
    month_of,
    rounded,
)

MONTHS = 12
LEAST_FREQUENT = 5  # Reviews of both periods that complain of it.
COMPARED = 10  # Complaints.
_OPPOSITES: Mapping[Direction, Direction] = {"improving": "declining", "declining": "improving"}


def periods(aggregate: Aggregate, complaints: Complaints) -> dict[str, Any]:
    """The two periods as they are published; the later one ends with the newest review's month."""
    last = max(aggregate.months, default=0)
    before, latest = (
        [aggregate.months[month] for month in span if month in aggregate.months]
        for span in (range(last - 23, last - 11), range(last - 11, last + 1))
    )
    samples = [_sums(before), _sums(latest)]
    stars = [Sample(each.count, each.stars, each.star_squares) for each in samples]
    unhappy = [Sample.of_share(each.unhappy, each.count) for each in samples]
    return {
        "before": _period(last - 23, samples[0]),
        "latest": _period(last - 11, samples[1]),
        "average_rating": _members(change(stars[0], stars[1], least=LEAST_STARS)),
        "unhappy_pct": _members(_of_harm(unhappy)),
        "complaints": list(_complaints(aggregate, complaints, last, samples)),
    }


def _sums(months: Sequence[SentimentTotals]) -> SentimentTotals:
    """Of the values that are compared."""
    return SentimentTotals(
        count=sum(month.count for month in months),
        stars=sum(month.stars for month in months),
        star_squares=sum(month.star_squares for month in months),
        unhappy=sum(month.unhappy for month in months),
    )


def _period(first: int, totals: SentimentTotals) -> dict[str, Any]:
    return {
        "from": month_name(first) if first > 0 else None,
        "to": month_name(first + MONTHS - 1) if first > 0 else None,
        "review_count": totals.count,
        "average_rating": totals.average_rating,
        "unhappy_pct": rounded(100 * totals.unhappy / totals.count, 1) if totals.count else None,
    }


def _of_harm(shares: Sequence[Sample], level: float = LEVEL) -> Change:
    """Change of a share of unhappy reviews: a smaller one is better."""
    seen = change(shares[0], shares[1], level=level)
    return Change(_OPPOSITES.get(seen.direction, seen.direction), seen.p_value)


def _members(seen: Change) -> dict[str, Any]:
    p_value = None if seen.p_value is None else rounded(seen.p_value, 4)
    return {"direction": seen.direction, "p_value": p_value}


def _complaints(
    aggregate: Aggregate, complaints: Complaints, last: int, samples: Sequence[SentimentTotals]
) -> Iterator[dict[str, Any]]:
    counted = [(each, _counts(aggregate, each, last)) for each in complaints.items]
    frequent = [(each, counts) for each, counts in counted if sum(counts) >= LEAST_FREQUENT]
    frequent = frequent[:COMPARED]
    for each, counts in frequent:
        shares = [
            Sample.of_share(hits, totals.count)
            for hits, totals in zip(counts, samples, strict=True)
        ]
        yield {
            "id": each.id,
            "label": each.label,
            "before_count": counts[0],
            "latest_count": counts[1],
            # Of several comparisons one is more likely to see a change where there is none.
            **_members(_of_harm(shares, level=LEVEL / len(frequent))),
        }


def _counts(aggregate: Aggregate, complaint: Complaint, last: int) -> tuple[int, int]:
    """Reviews of each period that complain of it."""
    ages = [last - month_of(aggregate.records[ulid].date) for ulid in complaint.sentences]
    return sum(MONTHS <= age < 2 * MONTHS for age in ages), sum(age < MONTHS for age in ages)
