"""Sums about one subject, and the values derived from them.

Among thousands of reviews a change of one touches few subjects, so what follows is worked out when
it is asked for, and kept until the next change of that subject.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from insights.findings import AnalysedReview, Opinion
from insights.statistics import LABELS, SentimentTotals
from review_analysis.reading import Label

LEAST_REPEATED = 2  # Nothing that a single review says is shown as a phrase.
EXAMPLES, LEAST_EXAMPLES = 5, 3
EXAMPLES_LOOKED_AT = 40
MINORITY = 5  # A label that one review in five has is among the examples.
GOOD_LENGTH = (80, 600)  # Characters of a text that shows something and can still be read.
HALF_LIFE_DAYS = 500  # After which an example counts half.
TOP_PHRASES = 5
KEYWORDS = 5
ONE_SIDED = 0.5  # Of the strength of a phrase, that goes to one side.
NEARLY_ALL = 0.8  # A phrase that so rarely stands outside a longer one is dropped for it.


class ReviewOpinion(NamedTuple):
    """A review with its opinion, by how well it serves as an example: the greatest is the best."""

    value: int
    day: int
    ulid: str
    record: AnalysedReview
    opinion: Opinion

    @classmethod
    def by(cls, record: AnalysedReview, opinion: Opinion) -> "ReviewOpinion":
        """Strength times length times recency, as a logarithm: so any day may be age 0."""
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
    """Words that reviews repeat about a subject, with the opinion that they go with."""

    text: str
    label: Label
    reviews: int


@dataclass(slots=True)
class PhraseStats:
    """How often a phrase was said, and how."""

    count: int = 0
    strength: int = 0  # Sum of the absolute scores.
    score: int = 0  # Sum of the scores.
    forms: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def shown(self) -> TopPhrase:
        label: Label = "neutral"
        if self.score:
            label = "positive" if self.score > 0 else "negative"
        forms = self.forms
        text = min(forms, key=lambda form: (-forms[form], sum(map(str.isupper, form)), form))
        return TopPhrase(text, label, self.count)


class SubjectStats:
    """The sums over the reviews that mention a subject."""

    def __init__(self) -> None:
        self.totals = SentimentTotals()
        self.resolved = 0  # Of a problem: reviews that tell that it was put right.
        self.said: dict[str, ReviewOpinion] = {}  # By review id.
        self.phrases: dict[str, PhraseStats] = defaultdict(PhraseStats)
        self._outcome: Derived | None = None

    def count(self, record: AnalysedReview, opinion: Opinion, sign: int) -> None:
        """Add what a review says of it (`sign` 1), or take exactly that back (-1)."""
        self._outcome = None
        self.totals.add(opinion.label, opinion.score, record.rating, sign)
        self.resolved += sign * opinion.resolved
        if sign > 0:
            self.said[record.ulid] = ReviewOpinion.by(record, opinion)
        else:
            del self.said[record.ulid]
        # The first of each key: a review that says it twice counts once.
        for phrase in {each.key: each for each in reversed(opinion.phrases)}.values():
            spoken = self.phrases[phrase.key]
            spoken.count += sign
            spoken.strength += sign * abs(phrase.score)
            spoken.score += sign * phrase.score
            spoken.forms[phrase.text] += sign
            if not spoken.forms[phrase.text]:
                del spoken.forms[phrase.text]
            if not spoken.count:
                del self.phrases[phrase.key]

    @property
    def outcome(self) -> "Derived":
        """Values derived from the sums as they are now."""
        if self._outcome is None:
            self._outcome = Derived(self.said.values(), self.phrases)
        return self._outcome


class Derived:
    """Values derived from the mentions of a subject; each is computed once."""

    def __init__(self, said: Collection[ReviewOpinion], phrases: Mapping[str, PhraseStats]) -> None:
        self._said = said
        self._phrases = phrases

    @cached_property
    def newest(self) -> list[ReviewOpinion]:
        """Newest first."""
        return sorted(self._said, key=lambda said: (said.day, said.ulid), reverse=True)

    @cached_property
    def examples(self) -> list[str]:
        return _examples(self._said)

    @cached_property
    def top_phrases(self) -> list[TopPhrase]:
        return _top_phrases(self._phrases)

    @cached_property
    def keywords(self) -> list[str]:
        """The words by which reviews were known to speak of it, the commonest first."""
        phrases = self._phrases
        return sorted(phrases, key=lambda words: (-phrases[words].count, words))[:KEYWORDS]

    @cached_property
    def aspects(self) -> Mapping[str, int]:
        """In how many of its reviews each aspect is spoken of."""
        return Counter(aspect.id for said in self._said for aspect in said.record.aspects)


# --- Examples -------------------------------------------------------------------------------------


def _examples(said: Collection[ReviewOpinion]) -> list[str]:
    """The ids of the reviews that show it best, by different authors: clear, readable, recent.

    At most five, and three if there are so many; each label that one in five has is there.
    """
    best = heapq.nlargest(EXAMPLES_LOOKED_AT, said)
    alike = ([each for each in said if each.opinion.label == label] for label in LABELS)
    owed = [
        heapq.nlargest(EXAMPLES_LOOKED_AT, some)
        for some in alike
        if some and len(some) * MINORITY >= len(said)
    ]
    owed.sort(reverse=True)
    chosen: list[ReviewOpinion] = []
    # The label of the fewest authors while these are free.
    for some in sorted(owed, key=lambda some: len({each.record.author for each in some})):
        chosen.append(_by_another_author(some, chosen) or some[0])
    while len(chosen) < EXAMPLES and (other := _by_another_author(best, chosen)):
        chosen.append(other)
    missing = max(LEAST_EXAMPLES - len(chosen), 0)
    chosen += [each for each in best if each not in chosen][:missing]
    return [each.ulid for each in sorted(chosen, reverse=True)]


def _by_another_author(
    ranked: Iterable[ReviewOpinion], chosen: Iterable[ReviewOpinion]
) -> ReviewOpinion | None:
    authors = {each.record.author for each in chosen}
    return next((each for each in ranked if each.record.author not in authors), None)


# --- Phrases --------------------------------------------------------------------------------------


def _top_phrases(phrases: Mapping[str, PhraseStats]) -> list[TopPhrase]:
    repeated = {key: spoken for key, spoken in phrases.items() if spoken.count >= LEAST_REPEATED}
    # How often each phrase is said as a part of a longer one.
    inside: dict[str, int] = defaultdict(int)
    for key, spoken in repeated.items():
        for part in _parts(key):
            inside[part] = max(inside[part], spoken.count)
    maximal = [
        # count * ln(1 + count) * mean strength
        (spoken.strength * math.log1p(spoken.count), spoken.shown())
        for key, spoken in repeated.items()
        if inside.get(key, 0) < NEARLY_ALL * spoken.count
        and abs(spoken.score) >= ONE_SIDED * spoken.strength
    ]
    ranked = sorted(maximal, key=lambda each: (-each[0], each[1].text))
    return [phrase for _, phrase in ranked][:TOP_PHRASES]


def _parts(key: str) -> Iterator[str]:
    """The keys of fewer words that a phrase holds, whose words are in the order of the alphabet."""
    words = key.split()
    for length in range(1, len(words)):
        for some in combinations(words, length):
            yield " ".join(some)
