"""Aggregate the findings of all public reviews.

`add` and `remove` keep exact integer sums, so that any order of them gives the same numbers, and a
review taken out leaves no trace. All numbers are of reviews: who praises five times counts once.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from insights import statistics
from insights.findings import KINDS, AnalysedReview, Kind, Opinion
from insights.statistics import Trend
from insights.subject_stats import Derived, ReviewOpinion, SubjectStats, examples
from insights.totals import Contribution, SentimentTotals, month_of
from review_analysis.name_matching import Roster

LEAST_MENTIONS = 2  # Nothing that a single review says is shown as a theme.
THEMES: Collection[Kind] = ("aspects", "problems", "topics")
LEAST_COMPARED = 5  # Nothing is called the best or the worst on fewer reviews.
SHRINKAGE = 5  # As many average reviews are added before aspects are ranked.
TREND_MONTHS = 24
TOP_ASPECTS = 3


@dataclass(frozen=True, slots=True)
class Names:
    """Counted entries of roster and taxonomy, by id; other ids are ignored."""

    aspects: Mapping[str, str] = field(default_factory=dict)
    technicians: Mapping[str, str] = field(default_factory=dict)
    services: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    areas: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def on(cls, taxonomy: Mapping[str, Any], roster: Roster) -> "Names":
        """Everything that this taxonomy and this roster know."""
        aspects, problems, topics = (
            {entry["id"]: entry["label"] for entry in taxonomy.get(group, ())}
            for group in ("aspects", "problems", "topics")
        )
        return cls(
            aspects=aspects,
            technicians={entry.slug: entry.name for entry in roster.technicians},
            services={entry.slug: entry.label for entry in roster.services},
            problems=problems,
            areas={entry.slug: entry.name for entry in roster.areas},
            topics=topics,
        )

    def of(self, kind: Kind) -> Mapping[str, str]:
        names: Mapping[str, str] = getattr(self, kind)
        return names


@dataclass(frozen=True, slots=True)
class Subject:
    """An aspect, person, service, problem, area or topic, and what the reviews say of it."""

    kind: Kind
    id: str
    label: str
    totals: SentimentTotals
    resolved: int  # Of a problem: reviews that tell that it was put right.
    outcome: Derived

    @property
    def count(self) -> int:
        return self.totals.count


class Aggregate:
    """The sums over all public reviews, and what they answer."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.records: dict[str, AnalysedReview] = {}
        self.overall = SentimentTotals()
        self.months: dict[int, SentimentTotals] = defaultdict(SentimentTotals)
        self._newest: list[AnalysedReview] | None = None
        self._mentioned: dict[Kind, dict[str, SubjectStats]] = {
            kind: defaultdict(SubjectStats) for kind in KINDS
        }

    # --- Counting ---------------------------------------------------------------------------------

    def add(self, record: AnalysedReview) -> None:
        """Count a review; its id must not be counted already."""
        self.records[record.ulid] = record
        self._count(record, 1)

    def remove(self, record: AnalysedReview) -> None:
        """Take back exactly what `add` counted of this record."""
        del self.records[record.ulid]
        self._count(record, -1)

    def _count(self, record: AnalysedReview, sign: int) -> None:
        self._newest = None
        vote = Contribution(record.label, record.score, record.rating, sign)
        self.overall.add(vote)
        month = month_of(record.date)
        self.months[month].add(vote)
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
        """Every review, newest first."""
        if self._newest is None:
            self._newest = sorted(self.records.values(), key=_age, reverse=True)
            # Kept in this order: to sort what is nearly sorted costs little.
            self.records = {record.ulid: record for record in self._newest}
        return self._newest

    def span(self) -> tuple[dt.date, dt.date] | None:
        """The days of the earliest and of the latest review."""
        if not self.records:
            return None
        dates = [record.date for record in self.records.values()]
        return min(dates), max(dates)

    def calendar(self) -> list[tuple[int, SentimentTotals]]:
        """Every calendar month from the earliest review to the latest; see `month_of`."""
        if not self.months:
            return []
        empty = SentimentTotals()
        span = range(min(self.months), max(self.months) + 1)
        return [(month, self.months.get(month, empty)) for month in span]

    def trend(self) -> Trend:
        """Of the score of all reviews over the last `TREND_MONTHS`."""
        first = max(self.months, default=0) - TREND_MONTHS + 1
        return statistics.trend(
            [totals.month(month) for month, totals in sorted(self.months.items()) if month >= first]
        )

    # --- What they speak of -----------------------------------------------------------------------

    def subjects(self, kind: Kind) -> list[Subject]:
        """Subjects with enough mentions to be shown, most mentioned first."""
        least = LEAST_MENTIONS if kind in THEMES else 1
        names = self.names.of(kind)
        shown = [
            Subject(kind, key, names[key], mentioned.totals, mentioned.resolved, mentioned.outcome)
            for key, mentioned in self._mentioned[kind].items()
            if mentioned.totals.count >= least
        ]
        return sorted(shown, key=lambda subject: (-subject.count, subject.id))

    def ranked(self) -> list[Subject]:
        """The best aspects first, by a score that few mentions move little."""
        return sorted(
            self.subjects("aspects"),
            key=lambda subject: (-self.shrunk(subject), -subject.count, subject.id),
        )

    def shrunk(self, subject: Subject) -> float:
        """The mean score, had `SHRINKAGE` more reviews said of it what reviews say on average."""
        mentioned = subject.totals.score / 1000 + SHRINKAGE * self.overall.mean_score
        return mentioned / (subject.count + SHRINKAGE)

    def stands_out(self, subject: Subject, others: Iterable[Subject], *, above: bool) -> bool:
        """Whether its share of praise lies above (or below) that of all the others.

        It does with five reviews and more, and where its 95 % interval meets none of theirs.
        Without others there is nothing to compare.
        """
        intervals = [other.totals.interval for other in others if other.id != subject.id]
        if subject.count < LEAST_COMPARED or not intervals:
            return False
        low, high = subject.totals.interval
        return all(low > interval[1] if above else high < interval[0] for interval in intervals)

    def impact(self, subject: Subject) -> float:
        """Mean stars of the reviews that mention it, less the mean of all."""
        own, all_reviews = subject.totals, self.overall
        return (own.stars * all_reviews.count - all_reviews.stars * own.count) / (
            own.count * all_reviews.count
        )

    def top_aspects(self, subject: Subject) -> list[str]:
        """The shown aspects that the reviews which mention it speak of most."""
        counts = subject.outcome.aspects
        shown = [s.id for s in self.subjects("aspects") if counts.get(s.id, 0) >= LEAST_MENTIONS]
        return sorted(shown, key=lambda aspect: (-counts[aspect], aspect))[:TOP_ASPECTS]

    def together(self, opinions: Mapping[str, Opinion]) -> tuple[SentimentTotals, list[str]]:
        """The sums over some reviews' opinions, by review id, and the examples among them."""
        totals = SentimentTotals()
        said = [ReviewOpinion.by(self.records[ulid], opinion) for ulid, opinion in opinions.items()]
        for each in said:
            totals.add(Contribution(each.opinion.label, each.opinion.score, each.record.rating, 1))
        return totals, examples(said)


def _age(record: AnalysedReview) -> tuple[dt.date, str]:
    return record.date, record.ulid
