"""The best-evidenced praise and blame, each with words of a review."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from insights.aggregate import STRONG
from insights.statistics import LABELS, wilson

Row = dict[str, Any]

LEAST_MENTIONS = 5  # Fewer reviews of an aspect say little about it.
LEAST_BLAMES = 3
SHOWN_OPINIONS = 3


@dataclass(frozen=True, slots=True)
class Opinion:
    """The judgement of many reviews on an aspect, with one's words."""

    id: str
    label: str
    side: str  # `positive` or `negative`.
    count: int  # Reviews of this side.
    mentions: int
    words: str  # A whole sentence; empty where none can be quoted.
    review_id: str  # The review that has it.


@dataclass(frozen=True, slots=True)
class Opinions:
    praise: list[Opinion]
    blame: list[Opinion]


def opinions(members: Row) -> Opinions:
    """The best-evidenced praise and blame of the insights.

    Praise by the number of reviews, as the summary has it; blame by the lower end of the interval
    in which its share lies with 95 % certainty, so that many reviews weigh more than few.
    """
    aspects = [row for row in members["aspects"] if row["mention_count"] >= LEAST_MENTIONS]
    praised = [row for row in aspects if row["positive_pct"] >= STRONG]
    blamed = [row for row in aspects if row["negative_count"] >= LEAST_BLAMES]
    praised.sort(key=itemgetter("positive_count"), reverse=True)
    blamed.sort(key=_share_of_blame, reverse=True)
    return Opinions(
        [_opinion(aspect, "positive") for aspect in praised[:SHOWN_OPINIONS]],
        [_opinion(aspect, "negative") for aspect in blamed[:SHOWN_OPINIONS]],
    )


def _share_of_blame(aspect: Row) -> float:
    return wilson(aspect["negative_count"], aspect["mention_count"])[0]


def _opinion(aspect: Row, side: str) -> Opinion:
    quote = next((each for each in aspect.get("quotes", ()) if each["label"] == side), None)
    return Opinion(
        aspect["id"],
        aspect["label"],
        side,
        aspect[f"{side}_count"],
        aspect["mention_count"],
        quote["text"] if quote else "",
        quote["review_id"] if quote else "",
    )


def counts_by_label(aspect: Mapping[str, Any]) -> list[tuple[str, int]]:
    """How many reviews have each opinion of an aspect, the best first."""
    return [(label, aspect[f"{label}_count"]) for label in LABELS]
