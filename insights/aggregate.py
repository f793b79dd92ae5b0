"""Aggregate the findings of all public reviews.

The sums are exact integers, so the order of `add` and `remove` does not matter. Every number counts
reviews: five praising sentences of one review count once.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from operator import attrgetter
from typing import Any

from insights import statistics
from insights.findings import KINDS, AnalysedReview, Kind, Opinion
from insights.statistics import SentimentTotals, month_of
from insights.subject_stats import Derived, ReviewOpinion, SubjectStats
from insights.verdicts import MIN_COMPARED
from review_analysis import concepts
from review_analysis.name_matching import Roster
from review_analysis.reading import Label

MIN_MENTIONS = 2  # Reviews of a theme.
THEMES: Collection[Kind] = ("aspects", "problems", "topics")
BLAMED = 0.25  # Share of negative reviews above which an aspect is blamed.
LATEST_OF_THEME = 2_000  # Newest reviews from which examples of a theme are chosen.
TREND_MONTHS = 24
TOP_ASPECTS = 3


@dataclass(frozen=True, slots=True)
class Names:
    """Labels of the entries of roster and taxonomy, by id; other ids are not counted."""

    aspects: Mapping[str, str] = field(default_factory=dict)
    technicians: Mapping[str, str] = field(default_factory=dict)
    services: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    areas: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)
    terms: frozenset[str] = frozenset()  # Terms of the taxonomy of one or two words.

    def complaint(self, key: str) -> str:
        """Label of a concept, problem or aspect; empty for an unknown id."""
        known = (concepts.LABELS, self.problems, self.aspects)
        return next((labels[key] for labels in known if key in labels), "")

    @classmethod
    def collect(cls, taxonomy: Mapping[str, Any], roster: Roster) -> "Names":
        """Collect the names of a taxonomy and a roster."""
        aspects, problems, topics = (
            {entry["id"]: entry["label"] for entry in taxonomy.get(group, ())}
            for group in ("aspects", "problems", "topics")
        )
        return cls(
            aspects=aspects,
            technicians={entry.slug: entry.name for entry in roster.people},
            services={entry.slug: entry.label for entry in roster.services},
            problems=problems,
            areas={entry.slug: entry.name for entry in roster.areas},
            topics=topics,
            terms=_terms(taxonomy),
        )

    def of(self, kind: Kind) -> Mapping[str, str]:
        names: Mapping[str, str] = getattr(self, kind)
        return names


def _terms(taxonomy: Mapping[str, Any]) -> frozenset[str]:
    groups = ("aspects", "problems", "topics", "services", "areas")
    entries = (entry for group in groups for entry in taxonomy.get(group, ()))
    trade = taxonomy.get("label", "").lower()
    return frozenset(
        term.rstrip("*").lower()
        for term in [trade, *trade.split(), *(t for each in entries for t in each.get("terms", ()))]
        if len(term.split()) <= 2  # A theme has two words.
    )


@dataclass(frozen=True, slots=True)
class Subject:
    """An aspect, person, service, problem, area or topic, with its sums."""

    kind: Kind
    id: str
    label: str
    totals: SentimentTotals
    resolved: int  # Reviews in which a problem was solved.
    derived: Derived

    @property
    def count(self) -> int:
        return self.totals.count


class Aggregate:
    """Sums over all public reviews."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.records: dict[str, AnalysedReview] = {}
        self.overall = SentimentTotals()
        self.months: dict[int, SentimentTotals] = defaultdict(SentimentTotals)
        self.complaining: dict[str, AnalysedReview] = {}
        self._newest: list[AnalysedReview] | None = None
        self._mentioned: dict[Kind, dict[str, SubjectStats]] = {
            kind: defaultdict(SubjectStats) for kind in KINDS
        }

    def add(self, record: AnalysedReview) -> None:
        """Count a review that is not counted yet."""
        self.records[record.ulid] = record
        if record.is_unhappy or record.complaints or record.problems:
            self.complaining[record.ulid] = record
        self._count(record, 1)

    def remove(self, record: AnalysedReview) -> None:
        """Undo `add` for the same record."""
        del self.records[record.ulid]
        self.complaining.pop(record.ulid, None)
        self._count(record, -1)

    def _count(self, record: AnalysedReview, sign: int) -> None:
        self._newest = None
        month = month_of(record.date)
        for totals in (self.overall, self.months[month]):
            totals.add(record.label, record.score, record.rating, sign)
        if not self.months[month].count:
            del self.months[month]
        for kind in KINDS:
            known, mentioned = self.names.of(kind), self._mentioned[kind]
            for opinion in record.opinions(kind):
                if opinion.id in known:
                    mentioned[opinion.id].count(record, opinion, sign)
                    if not mentioned[opinion.id].totals.count:
                        del mentioned[opinion.id]

    # --- All reviews ------------------------------------------------------------------------------

    def newest(self) -> list[AnalysedReview]:
        """All reviews, newest first."""
        if self._newest is None:
            age = attrgetter("date", "ulid")
            self._newest = sorted(self.records.values(), key=age, reverse=True)
            # Stored in this order, because sorting a nearly sorted list is fast.
            self.records = {record.ulid: record for record in self._newest}
        return self._newest

    def span(self) -> tuple[dt.date, dt.date] | None:
        """Dates of the earliest and the latest review."""
        if not self.records:
            return None
        dates = [record.date for record in self.records.values()]
        return min(dates), max(dates)

    def calendar(self) -> list[tuple[int, SentimentTotals]]:
        """Months from the earliest review to the latest, also those without reviews."""
        if not self.months:
            return []
        empty = SentimentTotals()
        span = range(min(self.months), max(self.months) + 1)
        return [(month, self.months.get(month, empty)) for month in span]

    def trend(self) -> dict[str, Any]:
        """Trend of all reviews over the last `TREND_MONTHS`."""
        first = max(self.months, default=0) - TREND_MONTHS + 1
        return statistics.trend(self.months, range(first, first + TREND_MONTHS))

    # --- Subjects ---------------------------------------------------------------------------------

    def subjects(self, kind: Kind) -> list[Subject]:
        """Subjects with enough mentions, most mentioned first."""
        least = MIN_MENTIONS if kind in THEMES else 1
        names = self.names.of(kind)
        shown = [
            Subject(kind, key, names[key], mentioned.totals, mentioned.resolved, mentioned.derived)
            for key, mentioned in self._mentioned[kind].items()
            if mentioned.totals.count >= least
        ]
        return sorted(shown, key=lambda subject: (-subject.count, subject.id))

    def blamed(self) -> list[Subject]:
        """Aspects that more than a quarter of enough reviews blame, most blamed first."""
        blamed = [
            subject
            for subject in self.subjects("aspects")
            if subject.totals.negative > BLAMED * subject.count and subject.count >= MIN_COMPARED
        ]
        return by_most(blamed, "negative")

    def praised_people(self) -> list[Subject]:
        """People whom enough reviews name and more praise than blame, most praised first."""
        praised = [
            person
            for person in self.subjects("technicians")
            if person.count >= MIN_COMPARED and person.totals.positive > person.totals.negative
        ]
        return by_most(praised, "positive")

    def impact(self, subject: Subject) -> float:
        """Mean stars of the reviews that mention a subject, less the mean of all reviews."""
        own, all_reviews = subject.totals, self.overall
        return (own.stars * all_reviews.count - all_reviews.stars * own.count) / (
            own.count * all_reviews.count
        )

    def top_aspects(self, subject: Subject) -> list[str]:
        """Aspects that the reviews of a subject mention most."""
        counts = subject.derived.aspects
        shown = [s.id for s in self.subjects("aspects") if counts.get(s.id, 0) >= MIN_MENTIONS]
        return sorted(shown, key=lambda aspect: (-counts[aspect], aspect))[:TOP_ASPECTS]

    def theme(self, slug: str, label: str, opinions: Mapping[str, Opinion]) -> Subject:
        """Make a subject that the taxonomy lacks from opinions by review id."""
        totals = SentimentTotals()
        for ulid, opinion in opinions.items():
            totals.add(opinion.label, opinion.score, self.records[ulid].rating)
        newest = (record for record in self.newest() if record.ulid in opinions)
        latest = [
            ReviewOpinion.by(record, opinions[record.ulid])
            for record in islice(newest, LATEST_OF_THEME)
        ]
        return Subject("topics", slug, label, totals, 0, Derived(latest, {}))


def by_most(subjects: Iterable[Subject], label: Label) -> list[Subject]:
    """Sort subjects by the number of reviews with this opinion, most first."""
    return sorted(subjects, key=lambda each: (-each.totals.of(label), each.count, each.id))
