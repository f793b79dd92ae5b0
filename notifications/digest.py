"""Digest of a period: numbers, praise, criticism, and unanswered reviews."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from django.db.models import Avg, Count, Q

from insights.documents import insights_and_bytes
from notifications.texts import admin_url, review_url
from publishing.selectors import DocumentUnavailable
from reviews.inbox import unanswered
from reviews.models import Review
from reviews.models.review import CUSTOMER_RATING
from reviews.sites import source_name
from website.templatetags.review_tags import translated

MAX_POINTS = 3
MAX_EVIDENCE = 3
MAX_UNANSWERED = 10
UNANSWERED_DAYS = 30
POSITIVE, NEGATIVE = "positive", "negative"


@dataclass(frozen=True, slots=True)
class Numbers:
    """Figures on the visible reviews of a period. `low` counts reviews of at most two stars."""

    reviews: int
    average: float | None
    low: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A phrase of a review about a point, with the page of the review."""

    phrase: str
    url: str


@dataclass(frozen=True, slots=True)
class Point:
    """An aspect that reviews praise or criticise, with the number of mentions."""

    label: str
    count: int
    evidence: list[Evidence]


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A review without a reply, and its page in the inbox."""

    review: Review
    site: str
    url: str


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of one period, from `first` to `last` inclusive."""

    first: dt.date
    last: dt.date
    numbers: Numbers
    before: Numbers
    praised: list[Point]
    criticised: list[Point]
    unanswered: list[Unanswered]
    unanswered_count: int

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def digest_of(until: dt.date, days: int) -> Digest:
    """Return the digest of the last `days` days before `until`."""
    first, last = until - dt.timedelta(days=days), until - dt.timedelta(days=1)
    praised, criticised = _points(first, last)
    since = until - dt.timedelta(days=UNANSWERED_DAYS)
    waiting = unanswered().filter(date__gte=since).order_by("rating", "-date", "-ulid")
    return Digest(
        first=first,
        last=last,
        numbers=numbers(first, last),
        before=numbers(first - dt.timedelta(days=days), first - dt.timedelta(days=1)),
        praised=praised,
        criticised=criticised,
        unanswered=[
            Unanswered(
                review,
                source_name(review.source),
                admin_url("inbox_review", "unanswered", review.ulid),
            )
            for review in waiting[:MAX_UNANSWERED]
        ],
        unanswered_count=waiting.count(),
    )


def numbers(first: dt.date, last: dt.date) -> Numbers:
    visible = Review.objects.visible().filter(date__range=(first, last))
    found = visible.annotate(stars=CUSTOMER_RATING).aggregate(
        reviews=Count("pk"), average=Avg("stars"), low=Count("pk", filter=Q(stars__lte=2))
    )
    average = found["average"]
    return Numbers(
        found["reviews"], None if average is None else round(float(average), 2), found["low"]
    )


# --- Praise and criticism -------------------------------------------------------------------------


def _points(first: dt.date, last: dt.date) -> tuple[list[Point], list[Point]]:
    """Praise and criticism in the reviews of these days, from the insights."""
    ids = Review.objects.visible().filter(date__range=(first, last)).order_by("-date", "-ulid")
    try:
        members, document = insights_and_bytes()
    except DocumentUnavailable:
        return [], []
    per_review: Mapping[str, Any] = orjson.loads(document)["per_review"]
    labels = {each["id"]: translated(each["label"]) for each in members["aspects"]}
    found: dict[str, dict[str, list[Evidence]]] = {
        POSITIVE: defaultdict(list),
        NEGATIVE: defaultdict(list),
    }
    for ulid in ids.values_list("ulid", flat=True):
        for aspect in per_review.get(ulid, {}).get("aspects", ()):
            if aspect["label"] in found and aspect["id"] in labels:
                evidence = Evidence(aspect["phrase"], review_url(ulid))
                found[aspect["label"]][labels[aspect["id"]]].append(evidence)
    return _first_points(found[POSITIVE]), _first_points(found[NEGATIVE])


def _first_points(found: Mapping[str, Sequence[Evidence]]) -> list[Point]:
    points = [
        Point(label, len(evidence), list(evidence[:MAX_EVIDENCE]))
        for label, evidence in found.items()
    ]
    return sorted(points, key=lambda point: (-point.count, point.label))[:MAX_POINTS]
