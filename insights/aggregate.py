"""Pure: the insights dataset from rows that are already judged."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from insights.statistics import LABELS, Month, percentages, rounded, trend
from reviews.stars import mean_rating

EXAMPLES = 5
TREND_MONTHS = 24


@dataclass(frozen=True, slots=True)
class Judged:
    """One public review with its sentiment and what it mentions (slugs in alphabetical order)."""

    ulid: str
    author: str
    rating: int
    date: dt.date
    score: float
    label: str
    technicians: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """The roster's names by slug."""

    technicians: Mapping[str, str]
    services: Mapping[str, str]
    areas: Mapping[str, str]


def dataset(reviews: Sequence[Judged], names: Names, *, model: str) -> dict[str, Any]:
    """Everything but `version` and `generated_at`; `reviews` come newest first."""
    tally = Tally.of(reviews)
    positive, neutral, negative = percentages([tally.labels[label] for label in LABELS])
    return {
        "model": model,
        "review_count": len(reviews),
        "date_range": {
            "earliest": reviews[-1].date if reviews else None,
            "latest": reviews[0].date if reviews else None,
        },
        "overall_sentiment": {
            "score": tally.score,
            "positive_pct": positive,
            "neutral_pct": neutral,
            "negative_pct": negative,
        },
        "aspects": [],
        "entities": {
            "technicians": [
                {
                    "id": slug,
                    "name": names.technicians[slug],
                    **_judgement(mentioning),
                    "top_aspects": [],
                    "example_review_ids": examples(mentioning),
                    "sample_quote": None,
                }
                for slug, mentioning in _by_subject(reviews, "technicians", names.technicians)
            ],
            "services": [
                {
                    "id": slug,
                    "label": names.services[slug],
                    **_judgement(mentioning),
                    "example_review_ids": examples(mentioning),
                    "sample_quote": None,
                }
                for slug, mentioning in _by_subject(reviews, "services", names.services)
            ],
            "problems": [],
            "service_areas": [
                {
                    "id": slug,
                    "name": names.areas[slug],
                    "mention_count": len(mentioning),
                    "average_rating": _average(mentioning),
                    "example_review_ids": examples(mentioning),
                }
                for slug, mentioning in _by_subject(reviews, "areas", names.areas)
            ],
        },
        "topics": [],
        "temporal": temporal(reviews),
        "per_review": {review.ulid: _per_review(review) for review in reviews},
        "faq": [],
    }


@dataclass(slots=True)
class Tally:
    """Sums over some reviews."""

    labels: dict[str, int]
    score: float

    @classmethod
    def of(cls, reviews: Iterable[Judged]) -> "Tally":
        labels = dict.fromkeys(LABELS, 0)
        total = 0.0
        for review in reviews:
            labels[review.label] += 1
            total += review.score
        count = sum(labels.values())
        return cls(labels, rounded(total / count, 2) if count else 0.0)


def _judgement(mentioning: Sequence[Judged]) -> dict[str, Any]:
    tally = Tally.of(mentioning)
    return {
        "mention_count": len(mentioning),
        **{f"{label}_count": tally.labels[label] for label in LABELS},
        "positive_pct": rounded(100 * tally.labels["positive"] / len(mentioning), 1),
        "score": tally.score,
        "average_rating": _average(mentioning),
    }


def _average(reviews: Sequence[Judged]) -> float | None:
    return mean_rating(sum(review.rating for review in reviews), len(reviews))


def _by_subject(
    reviews: Iterable[Judged], kind: str, names: Mapping[str, str]
) -> list[tuple[str, list[Judged]]]:
    """Each subject on the roster with the reviews that mention it, most mentioned first."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for review in reviews:
        for slug in getattr(review, kind):
            if slug in names:
                found[slug].append(review)
    return sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))


def examples(mentioning: Sequence[Judged]) -> list[str]:
    """Up to five reviews by different authors, the clearest first, then the newest."""
    chosen: dict[str, str] = {}
    # Sorting is stable, and the reviews come newest first.
    for review in sorted(mentioning, key=lambda review: -abs(review.score)):
        chosen.setdefault(review.author, review.ulid)
        if len(chosen) == EXAMPLES:
            break
    return list(chosen.values())


def temporal(reviews: Sequence[Judged]) -> dict[str, Any]:
    """Every calendar month from the oldest review to the newest, and the trend of the last ones."""
    by_month: dict[int, list[Judged]] = defaultdict(list)
    for review in reviews:
        by_month[_month(review.date)].append(review)
    months = range(min(by_month), max(by_month) + 1) if by_month else range(0)
    line = trend(
        [
            Month(
                index=month,
                count=len(by_month[month]),
                total=sum(review.score for review in by_month[month]),
                squares=sum(review.score**2 for review in by_month[month]),
            )
            for month in months[-TREND_MONTHS:]
        ]
    )
    return {
        "monthly": [_monthly(month, by_month[month]) for month in months],
        "trend": {
            "direction": line.direction,
            "change": None if line.change is None else rounded(line.change, 2),
            "p_value": None if line.p_value is None else rounded(line.p_value, 4),
            "review_count": line.review_count,
            "window_months": TREND_MONTHS,
        },
    }


def _month(date: dt.date) -> int:
    return date.year * 12 + date.month - 1


def _monthly(month: int, reviews: Sequence[Judged]) -> dict[str, Any]:
    tally = Tally.of(reviews)
    return {
        "month": f"{month // 12:04}-{month % 12 + 1:02}",
        "review_count": len(reviews),
        "average_rating": _average(reviews),
        "score": tally.score if reviews else None,
        "positive_pct": (
            rounded(100 * tally.labels["positive"] / len(reviews), 1) if reviews else None
        ),
    }


def _per_review(review: Judged) -> dict[str, Any]:
    return {
        "sentiment": {"score": rounded(review.score, 2), "label": review.label},
        "aspects": [],
        "technicians": review.technicians,
        "services": review.services,
        "problems": [],
        "service_areas": review.areas,
        "topics": [],
    }
