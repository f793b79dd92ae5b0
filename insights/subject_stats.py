"""Sums over the reviews that mention a subject, and values derived from them.

A change of one review touches few subjects. Derived values are computed on demand and cached until
the subject changes.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from insights.findings import AnalysedReview, Opinion
from insights.statistics import LABELS, SentimentTotals
from review_analysis.reading import Label

MIN_REPEATED = 2  # Reviews with the same phrase.
EXAMPLES, MIN_EXAMPLES = 5, 3
EXAMPLES_LOOKED_AT = 40
MINORITY = 5  # A label of one review in five is represented in the examples.
GOOD_LENGTH = (80, 600)  # Characters of a good example.
HALF_LIFE_DAYS = 500  # Age after which an example has half its value.
TOP_PHRASES = 5
KEYWORDS = 5
ONE_SIDED = 0.5  # Least share of a phrase's strength that goes to one side.
NEARLY_ALL = 0.8  # Share of a phrase's uses within a longer one from which only that is shown.


class ReviewOpinion(NamedTuple):
    """A review with its opinion, ordered by its value as an example."""

    value: int
    day: int
    ulid: str
    record: AnalysedReview
    opinion: Opinion

    @classmethod
    def by(cls, record: AnalysedReview, opinion: Opinion) -> "ReviewOpinion":
        """Value the review by strength, length and recency: the logarithm of their product."""
        shortest, longest = GOOD_LENGTH
        length = max(len(record.text), 1)
        day = record.date.toordinal()
        value = (
            math.log2(max(abs(opinion.score), 1))
            + math.log2(min(1.0, length / shortest, longest / length))
            + day / HALF_LIFE_DAYS
        )
        return cls(round(value * 1_000_000), day, record.ulid, record, opinion)


class TopPhrase(NamedTuple):
    """Words that reviews repeat about a subject, with the usual opinion."""

    text: str
    label: Label
    reviews: int


@dataclass(slots=True)
class PhraseStats:
    """Sums over the reviews with a phrase."""

    count: int = 0
    strength: int = 0  # Sum of the absolute scores.
    score: int = 0  # Sum of the scores.
    forms: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def as_top_phrase(self) -> TopPhrase:
        label: Label = "neutral"
        if self.score:
            label = "positive" if self.score > 0 else "negative"
        forms = self.forms
        text = min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, form)), form))
        return TopPhrase(text, label, self.count)


class SubjectStats:
    """Sums over the reviews that mention a subject."""

    def __init__(self) -> None:
        self.totals = SentimentTotals()
        self.resolved = 0  # Reviews in which a problem was solved.
        self.opinions: dict[str, ReviewOpinion] = {}  # By review id.
        self.phrases: dict[str, PhraseStats] = defaultdict(PhraseStats)
        self._derived: Derived | None = None

    def count(self, record: AnalysedReview, opinion: Opinion, sign: int) -> None:
        """Add a review's opinion, or with the sign -1 remove it."""
        self._derived = None
        self.totals.add(opinion.label, opinion.score, record.rating, sign)
        self.resolved += sign * opinion.resolved
        if sign > 0:
            self.opinions[record.ulid] = ReviewOpinion.by(record, opinion)
        else:
            del self.opinions[record.ulid]
        # The first phrase of each key: a repetition in one review does not count.
        for phrase in {each.key: each for each in reversed(opinion.phrases)}.values():
            stats = self.phrases[phrase.key]
            stats.count += sign
            stats.strength += sign * abs(phrase.score)
            stats.score += sign * phrase.score
            stats.forms[phrase.text] += sign
            if not stats.forms[phrase.text]:
                del stats.forms[phrase.text]
            if not stats.count:
                del self.phrases[phrase.key]

    @property
    def derived(self) -> "Derived":
        """Values derived from the current sums."""
        if self._derived is None:
            self._derived = Derived(self.opinions.values(), self.phrases)
        return self._derived


class Derived:
    """Values derived from the mentions of a subject; each is computed once."""

    def __init__(
        self, opinions: Collection[ReviewOpinion], phrases: Mapping[str, PhraseStats]
    ) -> None:
        self._opinions = opinions
        self._phrases = phrases

    @cached_property
    def newest(self) -> list[ReviewOpinion]:
        return sorted(self._opinions, key=attrgetter("day", "ulid"), reverse=True)

    @cached_property
    def examples(self) -> list[str]:
        return _examples(self._opinions)

    @cached_property
    def top_phrases(self) -> list[TopPhrase]:
        return _top_phrases(self._phrases)

    @cached_property
    def keywords(self) -> list[str]:
        """Words by which reviews mention the subject, most frequent first."""
        phrases = self._phrases
        return sorted(phrases, key=lambda words: (-phrases[words].count, words))[:KEYWORDS]

    @cached_property
    def aspects(self) -> Mapping[str, int]:
        """Number of reviews by aspect."""
        return Counter(aspect.id for each in self._opinions for aspect in each.record.aspects)


# --- Examples -------------------------------------------------------------------------------------


def _examples(opinions: Collection[ReviewOpinion]) -> list[str]:
    """Choose the ids of three to five good examples by different authors.

    Each label that one review in five has is among them. With too few authors, two examples may
    have the same one.
    """
    best = heapq.nlargest(EXAMPLES_LOOKED_AT, opinions)
    by_label = ([each for each in opinions if each.opinion.label == label] for label in LABELS)
    required = [
        heapq.nlargest(EXAMPLES_LOOKED_AT, some)
        for some in by_label
        if some and len(some) * MINORITY >= len(opinions)
    ]
    required.sort(reverse=True)
    chosen: list[ReviewOpinion] = []
    # The label with the fewest authors comes first, while its authors are unused.
    for some in sorted(required, key=lambda some: len({each.record.author for each in some})):
        chosen.append(_by_another_author(some, chosen) or some[0])
    while len(chosen) < EXAMPLES and (other := _by_another_author(best, chosen)):
        chosen.append(other)
    missing = max(MIN_EXAMPLES - len(chosen), 0)
    chosen += [each for each in best if each not in chosen][:missing]
    return [each.ulid for each in sorted(chosen, reverse=True)]


def _by_another_author(
    ranked: Iterable[ReviewOpinion], chosen: Iterable[ReviewOpinion]
) -> ReviewOpinion | None:
    authors = {each.record.author for each in chosen}
    return next((each for each in ranked if each.record.author not in authors), None)


# --- Phrases --------------------------------------------------------------------------------------


def _top_phrases(phrases: Mapping[str, PhraseStats]) -> list[TopPhrase]:
    repeated = {key: stats for key, stats in phrases.items() if stats.count >= MIN_REPEATED}
    # How often each phrase is part of a longer one.
    inside: dict[str, int] = defaultdict(int)
    for key, stats in repeated.items():
        for part in _parts(key):
            inside[part] = max(inside[part], stats.count)
    maximal = [
        # count * ln(1 + count) * mean strength
        (stats.strength * math.log1p(stats.count), stats.as_top_phrase())
        for key, stats in repeated.items()
        if inside.get(key, 0) < NEARLY_ALL * stats.count
        and abs(stats.score) >= ONE_SIDED * stats.strength
    ]
    ranked = sorted(maximal, key=lambda each: (-each[0], each[1].text))
    return [phrase for _, phrase in ranked][:TOP_PHRASES]


def _parts(key: str) -> Iterator[str]:
    """Yield the keys of the shorter phrases within a phrase; keys have sorted words."""
    words = key.split()
    for length in range(1, len(words)):
        for some in combinations(words, length):
            yield " ".join(some)
