"""Praise, complaints and changes in sentences for people."""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.urls import reverse

from insights.aggregate import STRONG
from insights.prose.wording import complain_of, praised, spelled
from insights.statistics import LABELS

Row = dict[str, Any]

LEAST_MENTIONS = 5  # Fewer reviews of an aspect say little about it.
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Point:
    """A strength or a complaint with its count, one's words, and the way to its reviews."""

    text: str
    link: str
    count: int
    of: int
    quote: Row | None


def strengths(members: Row) -> list[Point]:
    """The aspects that most reviews praise, and few blame."""
    aspects = [
        row
        for row in members["aspects"]
        if row["mention_count"] >= LEAST_MENTIONS and row["positive_pct"] >= STRONG
    ]
    aspects.sort(key=itemgetter("positive_count"), reverse=True)
    return [
        Point(
            _at_least(row["positive_count"], row["mention_count"])
            + f" who mention {praised(row['id'], row['label'])} praise it",
            reverse("website:opinions", args=[row["id"], "positive"]),
            row["positive_count"],
            row["mention_count"],
            next((each for each in row.get("quotes", ()) if each["label"] == "positive"), None),
        )
        for row in aspects[:SHOWN]
    ]


def complaints(members: Row) -> list[Point]:
    """Complaints of most reviews; the order says no more than the counts do."""
    found = members.get("complaints", {"items": ()})
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
    """The last twelve months against the twelve before, and the slope beside them."""
    periods = temporal.get("periods")
    if not periods or periods["average_rating"]["direction"] == "insufficient_data":
        yield "There are too few reviews in the last two years to tell what has changed."
        return
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


def counts_by_label(aspect: Row) -> list[tuple[str, int]]:
    """How many reviews have each opinion of an aspect, the best first."""
    return [(label, aspect[f"{label}_count"]) for label in LABELS]
