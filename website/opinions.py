"""Praise, complaints and changes in sentences for people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.urls import reverse

from insights.prose.wording import complain_of, praised, spelled
from insights.statistics import LABELS, SentimentTotals
from insights.verdicts import is_strength

Row = dict[str, Any]

SHOWN = 3
QUARTER = 3  # Months.


@dataclass(frozen=True, slots=True)
class Point:
    """A strength or a complaint with its count, one's words, and the way to its reviews."""

    text: str
    link: str
    count: int
    of: int
    quote: Row | None


def strengths(members: Row) -> list[Point]:
    """Aspects that nearly all their reviews praise, those of most first.

    Counted of the customers who mention it, or, where complaints that were not recognised could
    overturn that, of all.
    """
    everyone = members["review_count"]
    points = []
    for row in sorted(members["aspects"], key=itemgetter("positive_count"), reverse=True):
        count, of = row["positive_count"], row["mention_count"]
        name = praised(row["id"], row["label"])
        totals = SentimentTotals(of, count, row["neutral_count"], row["negative_count"])
        if not is_strength(totals):
            continue
        is_sure = is_strength(totals, row["unknown_count"])
        text = f"{_at_least(count, of)} who mention {name} praise it"
        if not is_sure:
            of, text = everyone, f"{_at_least(count, everyone)} praise {name}"
        quote = next((each for each in row["quotes"] if each["label"] == "positive"), None)
        link = reverse("website:opinions", args=[row["id"], "positive"])
        points.append((not is_sure, Point(text, link, count, of, quote)))
    return [point for _, point in sorted(points, key=itemgetter(0))][:SHOWN]


def complaints(members: Row) -> list[Point]:
    """Complaints of most reviews; the order says no more than the counts do."""
    found = members["complaints"]
    return [
        Point(
            _at_least(row["mention_count"], found["complaining_count"], "dissatisfied customers")
            + f" {complain_of(row['id'], row['label'])}",
            reverse("website:subject", args=["complaints", row["id"]]),
            row["mention_count"],
            found["complaining_count"],
            row["quote"],
        )
        for row in found["items"][:SHOWN]
    ]


def _at_least(count: int, of: int, people: str = "customers") -> str:
    return f"At least {spelled(count)} of {spelled(of)} {people}"


def changes(temporal: Row) -> Iterator[str]:
    """The last twelve months against the twelve before, then the last three against three."""
    periods = temporal["periods"]
    if periods["average_rating"]["direction"] == "insufficient_data":
        yield "There are too few reviews in the last two years to tell what has changed."
    else:
        yield from _years(periods)
    yield from _quarters(temporal["monthly"])


def _years(periods: Row) -> Iterator[str]:
    before, latest = periods["before"], periods["latest"]
    verb = {"improving": "rose", "declining": "fell"}.get(periods["average_rating"]["direction"])
    stars = f"from {before['average_rating']:.2f} to {latest['average_rating']:.2f} stars"
    counts = f"{latest['review_count']} reviews in the last twelve months"
    counts += f" and {before['review_count']} in the twelve before"
    if verb:
        yield f"The mean {verb} {stars} ({counts})."
    else:
        yield f"The mean went {stars}, no more than chance may do ({counts})."
    shares = f"from {before['unhappy_pct']:g}% to {latest['unhappy_pct']:g}%"
    verb = {"improving": "fell", "declining": "rose"}.get(periods["unhappy_pct"]["direction"])
    if verb:
        yield f"The share of customers who give one or two stars {verb} {shares}."
    for row in periods["complaints"]:
        side = {"improving": "Fewer", "declining": "More"}.get(row["direction"])
        if side:
            count = f"at least {row['latest_count']}, and {row['before_count']} the year before"
            yield f"{side} customers {complain_of(row['id'], row['label'])}: {count}."


def _quarters(monthly: Sequence[Row]) -> Iterator[str]:
    """Sentence about the last three months; counts alone, since these are too few to compare."""
    latest, before = (
        [row for row in rows if row["review_count"]]
        for rows in (monthly[-QUARTER:], monthly[-2 * QUARTER : -QUARTER])
    )
    if latest and before:
        yield (
            f"The last three months brought {_count_and_mean(latest)}, the three before"
            f" {_count_and_mean(before)}."
        )


def _count_and_mean(months: Sequence[Row]) -> str:
    count = sum(row["review_count"] for row in months)
    mean = sum(row["review_count"] * row["average_rating"] for row in months) / count
    return f"{spelled(count)} review{'s' if count > 1 else ''} with {mean:.1f} stars"


def counts_by_label(aspect: Row) -> list[tuple[str, int]]:
    """How many reviews have each opinion of an aspect, the best first."""
    return [(label, aspect[f"{label}_count"]) for label in LABELS]
