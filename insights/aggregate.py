"""Pure: what all public reviews say together.

`add` and `remove` keep exact integer sums, so that any order of them gives the same numbers, and a
review taken out leaves no trace. All numbers are of reviews: who praises five times counts once.
"""

import datetime as dt
import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from insights import statistics
from insights.analysis.reading import Label
from insights.records import KINDS, Kind, Opinion, Phrase, Record
from insights.statistics import LABELS, Month, Trend, rounded, wilson
from reviews.mentions import Roster
from reviews.stars import mean_rating

LEAST_MENTIONS = 2  # Nothing that a single review says is shown as a theme.
THEMES: Collection[Kind] = ("aspects", "problems", "topics")
SHRINKAGE = 5  # As many average reviews are added before aspects are ranked.
TREND_MONTHS = 24
EXAMPLES, LEAST_EXAMPLES = 5, 3
EXAMPLES_LOOKED_AT = 40
MINORITY = 5  # A label that one review in five has is among the examples.
GOOD_LENGTH = (80, 600)  # Characters of a text that shows something and can still be read.
HALF_LIFE_DAYS = 500  # After which an example counts half.
TOP_PHRASES = 5
KEYWORDS = 5
NEARLY_ALL = 0.8  # A phrase that so rarely stands outside a longer one is dropped for it.
TOP_ASPECTS = 3


@dataclass(frozen=True, slots=True)
class Names:
    """What is counted, by id: of the roster and of the taxonomy. Other ids are passed over."""

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


class Vote(NamedTuple):
    """One review's part in a sum; `sign` is 1 to add it and -1 to take it back."""

    label: Label
    score: int
    rating: int
    sign: int


@dataclass(slots=True)
class Tally:
    """Exact sums over some reviews; scores in thousandths."""

    count: int = 0
    positive: int = 0
    neutral: int = 0
    negative: int = 0
    score: int = 0
    squares: int = 0
    stars: int = 0

    def add(self, vote: Vote) -> None:
        label, score, rating, sign = vote
        self.count += sign
        if label == "positive":
            self.positive += sign
        elif label == "negative":
            self.negative += sign
        else:
            self.neutral += sign
        self.score += sign * score
        self.squares += sign * score * score
        self.stars += sign * rating

    @property
    def mean_score(self) -> float:
        """-1..1; 0 for none."""
        return self.score / (1000 * self.count) if self.count else 0.0

    @property
    def average_rating(self) -> float | None:
        return mean_rating(self.stars, self.count)

    @property
    def positive_pct(self) -> float:
        return rounded(100 * self.positive / self.count, 1) if self.count else 0.0

    @property
    def negative_share(self) -> float:
        return self.negative / self.count if self.count else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `positive_pct`, in percent."""
        low, high = wilson(self.positive, self.count)
        return 100 * low, 100 * high

    def of(self, label: Label) -> int:
        count: int = getattr(self, label)
        return count

    def month(self, index: int) -> Month:
        return Month(index, self.count, self.score / 1000, self.squares / 1_000_000)


@dataclass(frozen=True, slots=True)
class Subject:
    """An aspect, person, service, problem, area or topic, and what the reviews say of it."""

    kind: Kind
    id: str
    label: str
    tally: Tally
    resolved: int = 0  # Of a problem: reviews that tell that it was put right.

    @property
    def count(self) -> int:
        return self.tally.count


class _Showing(NamedTuple):
    """How well a review serves as an example; the greatest is the best."""

    value: int
    day: int
    ulid: str
    label: Label


@dataclass(slots=True)
class _Spoken:
    """How often a phrase was said, and how."""

    count: int = 0
    strength: int = 0  # Sum of the absolute scores.
    forms: dict[str, int] = field(default_factory=lambda: defaultdict(int))


@dataclass(slots=True)
class _Counted:
    """All that is added up about one subject."""

    tally: Tally = field(default_factory=Tally)
    resolved: int = 0
    showing: dict[str, _Showing] = field(default_factory=dict)
    phrases: dict[str, _Spoken] = field(default_factory=lambda: defaultdict(_Spoken))


class Aggregate:
    """The sums over all public reviews, and what they answer."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.records: dict[str, Record] = {}
        self.overall = Tally()
        self.months: dict[int, Tally] = defaultdict(Tally)
        self._counted: dict[Kind, dict[str, _Counted]] = {
            kind: defaultdict(_Counted) for kind in KINDS
        }

    # --- Counting ---------------------------------------------------------------------------------

    def add(self, record: Record) -> None:
        """Count a review; its id must not be counted already."""
        self.records[record.ulid] = record
        self._count(record, 1)

    def remove(self, record: Record) -> None:
        """Take back exactly what `add` counted of this record."""
        del self.records[record.ulid]
        self._count(record, -1)

    def _count(self, record: Record, sign: int) -> None:
        vote = Vote(record.label, record.score, record.rating, sign)
        self.overall.add(vote)
        month = month_of(record.date)
        self.months[month].add(vote)
        if not self.months[month].count:
            del self.months[month]
        for kind in KINDS:
            known, counted = self.names.of(kind), self._counted[kind]
            for opinion in record.opinions(kind):
                if opinion.id in known:
                    _count_opinion(counted[opinion.id], record, opinion, sign)
                    if not counted[opinion.id].tally.count:
                        del counted[opinion.id]

    # --- All reviews ------------------------------------------------------------------------------

    def newest(self) -> list[Record]:
        """Every review, newest first."""
        return sorted(self.records.values(), key=_age, reverse=True)

    def span(self) -> tuple[dt.date, dt.date] | None:
        """The days of the earliest and of the latest review."""
        if not self.records:
            return None
        dates = [record.date for record in self.records.values()]
        return min(dates), max(dates)

    def calendar(self) -> list[tuple[int, Tally]]:
        """Every calendar month from the earliest review to the latest; see `month_of`."""
        if not self.months:
            return []
        empty = Tally()
        span = range(min(self.months), max(self.months) + 1)
        return [(month, self.months.get(month, empty)) for month in span]

    def trend(self) -> Trend:
        """Of the score of all reviews over the last `TREND_MONTHS`."""
        first = max(self.months, default=0) - TREND_MONTHS + 1
        return statistics.trend(
            [tally.month(month) for month, tally in sorted(self.months.items()) if month >= first]
        )

    # --- What they speak of -----------------------------------------------------------------------

    def subjects(self, kind: Kind) -> list[Subject]:
        """What is mentioned often enough to be shown, most mentioned first."""
        least = LEAST_MENTIONS if kind in THEMES else 1
        names = self.names.of(kind)
        shown = [
            Subject(kind, key, names[key], counted.tally, counted.resolved)
            for key, counted in self._counted[kind].items()
            if counted.tally.count >= least
        ]
        return sorted(shown, key=lambda subject: (-subject.count, subject.id))

    def ranked(self, kind: Kind = "aspects") -> list[Subject]:
        """The best first, by a score that few mentions move little."""
        return sorted(
            self.subjects(kind),
            key=lambda subject: (-self.shrunk(subject), -subject.count, subject.id),
        )

    def shrunk(self, subject: Subject) -> float:
        """The mean score, had `SHRINKAGE` more reviews said of it what reviews say on average."""
        mentioned = subject.tally.score / 1000 + SHRINKAGE * self.overall.mean_score
        return mentioned / (subject.count + SHRINKAGE)

    def impact(self, subject: Subject) -> float:
        """Mean stars of the reviews that mention it, less the mean of all."""
        own, all_reviews = subject.tally, self.overall
        return (own.stars * all_reviews.count - all_reviews.stars * own.count) / (
            own.count * all_reviews.count
        )

    def mentions(self, kind: Kind, key: str) -> Iterator[tuple[Record, Opinion]]:
        """The reviews that mention it with what they say of it, newest first."""
        counted = self._counted[kind].get(key)
        records = [self.records[ulid] for ulid in counted.showing] if counted else []
        records.sort(key=_age, reverse=True)
        return ((record, _opinion_of(record, kind, key)) for record in records)

    # --- What shows it ----------------------------------------------------------------------------

    def examples(self, kind: Kind, key: str) -> list[str]:
        """The ids of reviews that show it best, by different authors: clear, readable, recent.

        At most five, and three if so many mention it; each label that one in five has is there.
        """
        counted = self._counted[kind].get(key)
        return self._best_of(counted.showing.values()) if counted else []

    def together(self, opinions: Mapping[str, Opinion]) -> tuple[Tally, list[str]]:
        """The sums over some reviews' opinions, by review id, and the examples among them."""
        tally, showing = Tally(), []
        for ulid, opinion in opinions.items():
            record = self.records[ulid]
            tally.add(Vote(opinion.label, opinion.score, record.rating, 1))
            showing.append(_showing(record, opinion))
        return tally, self._best_of(showing)

    def _best_of(self, showing: Collection["_Showing"]) -> list[str]:
        best = heapq.nlargest(EXAMPLES_LOOKED_AT, showing)
        alike = ([each for each in showing if each.label == label] for label in LABELS)
        owed = [
            heapq.nlargest(EXAMPLES_LOOKED_AT, some)
            for some in alike
            if some and len(some) * MINORITY >= len(showing)
        ]
        chosen: list[_Showing] = []
        for some in sorted(owed, reverse=True):
            chosen.append(self._by_another_author(some, chosen) or some[0])
        while len(chosen) < EXAMPLES and (other := self._by_another_author(best, chosen)):
            chosen.append(other)
        missing = max(LEAST_EXAMPLES - len(chosen), 0)
        chosen += [each for each in best if each not in chosen][:missing]
        return [each.ulid for each in sorted(chosen, reverse=True)]

    def _by_another_author(
        self, ranked: Collection["_Showing"], chosen: Collection["_Showing"]
    ) -> "_Showing | None":
        authors = {self.records[each.ulid].author for each in chosen}
        others = (each for each in ranked if self.records[each.ulid].author not in authors)
        return next(others, None)

    def top_phrases(self, aspect: str) -> list[str]:
        """What several reviews say of an aspect in nearly the same words."""
        counted = self._counted["aspects"].get(aspect)
        return _top_phrases(counted.phrases) if counted else []

    def keywords(self, topic: str) -> list[str]:
        """The words by which reviews were known to speak of a topic, the commonest first."""
        counted = self._counted["topics"].get(topic)
        phrases = counted.phrases if counted else {}
        return sorted(phrases, key=lambda words: (-phrases[words].count, words))[:KEYWORDS]

    def top_aspects(self, kind: Kind, key: str) -> list[str]:
        """The shown aspects that the reviews which mention it speak of most."""
        counts: dict[str, int] = defaultdict(int)
        for ulid in self._counted[kind][key].showing:
            for opinion in self.records[ulid].aspects:
                counts[opinion.id] += 1
        shown = [s.id for s in self.subjects("aspects") if counts.get(s.id, 0) >= LEAST_MENTIONS]
        return sorted(shown, key=lambda aspect: (-counts[aspect], aspect))[:TOP_ASPECTS]


def month_of(date: dt.date) -> int:
    """The calendar month as a number that rises by one a month; `month_name` reads it."""
    return date.year * 12 + date.month - 1


def month_name(month: int) -> str:
    """Like 2026-03."""
    return f"{month // 12:04}-{month % 12 + 1:02}"


def _showing(record: Record, opinion: Opinion) -> _Showing:
    """How well the review serves as an example of the opinion.

    Strength times length times recency, as a logarithm: then the age counts from any day alike.
    """
    shortest, longest = GOOD_LENGTH
    length = max(len(record.text), 1)
    day = record.date.toordinal()
    value = (
        math.log2(max(abs(opinion.score), 1))
        + math.log2(min(1.0, length / shortest, longest / length))
        + day / HALF_LIFE_DAYS
    )
    return _Showing(round(value * 1_000_000), day, record.ulid, opinion.label)


def _age(record: Record) -> tuple[dt.date, str]:
    return record.date, record.ulid


def _opinion_of(record: Record, kind: Kind, key: str) -> Opinion:
    return next(opinion for opinion in record.opinions(kind) if opinion.id == key)


def _count_opinion(counted: _Counted, record: Record, opinion: Opinion, sign: int) -> None:
    vote = Vote(opinion.label, opinion.score, record.rating, sign)
    counted.tally.add(vote)
    counted.resolved += sign * opinion.resolved
    if sign > 0:
        counted.showing[record.ulid] = _showing(record, opinion)
    else:
        del counted.showing[record.ulid]
    for phrase in _once_each(opinion.phrases):
        spoken = counted.phrases[phrase.key]
        spoken.count += sign
        spoken.strength += sign * abs(phrase.score)
        spoken.forms[phrase.text] += sign
        if not spoken.forms[phrase.text]:
            del spoken.forms[phrase.text]
        if not spoken.count:
            del counted.phrases[phrase.key]


def _once_each(phrases: tuple[Phrase, ...]) -> Iterator[Phrase]:
    """The first of each key: a review that says it twice counts once."""
    seen: set[str] = set()
    for phrase in phrases:
        if phrase.key not in seen:
            seen.add(phrase.key)
            yield phrase


def _top_phrases(phrases: Mapping[str, _Spoken]) -> list[str]:
    repeated = {key: spoken for key, spoken in phrases.items() if spoken.count >= LEAST_MENTIONS}
    # How often each phrase is said as a part of a longer one.
    inside: dict[str, int] = defaultdict(int)
    for key, spoken in repeated.items():
        for part in _parts(key):
            inside[part] = max(inside[part], spoken.count)
    maximal = [
        (_phrase_value(spoken), _commonest(spoken.forms))
        for key, spoken in repeated.items()
        if inside.get(key, 0) < NEARLY_ALL * spoken.count
    ]
    return [text for _, text in sorted(maximal, key=lambda each: (-each[0], each[1]))][:TOP_PHRASES]


def _parts(key: str) -> Iterator[str]:
    """The shorter runs of words within a phrase."""
    words = key.split()
    for length in range(1, len(words)):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _phrase_value(spoken: _Spoken) -> float:
    return spoken.strength * math.log1p(spoken.count)  # count * ln(1 + count) * mean strength


def _commonest(forms: Mapping[str, int]) -> str:
    return min(forms, key=lambda text: (-forms[text], text))
