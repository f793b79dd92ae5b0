"""Themes that no taxonomy foresaw, found as pairs of nouns that belong together.

A pair is a theme if its second word stands after the first far more often than in the other
reviews: by the log-odds ratio with an informative Dirichlet prior (Monroe, Colaresi and Quinn,
"Fightin' Words", 2008), in counts of reviews.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from insights.aggregate import Aggregate
from insights.findings import KINDS, AnalysedReview, Kind, Opinion
from review_analysis import grammar
from review_analysis.valence import known_words

LEAST_REVIEWS = 3  # Nothing that one or two reviews say is a theme.
LEAST_Z = 1.96
PRIOR = 0.01  # Of the counts in all reviews.
ALIKE = 0.5  # The cosine of two themes' reviews from which they are one.
KNOWN = 0.8  # The share of its reviews that speak of one subject, from which it is not news.
THEMES = 8
LOOKED_AT = 60
KEYWORDS = 5

_MAX_CHARACTERS = 10_000
_SENTENCE_END = re.compile(r"[.!?\n]+")
_MARKUP = re.compile(r"[<>{}\[\]\\=|~^`_*#@]")
_RUN_END = re.compile(r"[^\w\s'\u2019-]+")
_WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?", re.IGNORECASE | re.ASCII)
_ENGLISH = 0.1  # The least share of small words such as "the" in a text that is counted.
_NOUN = "n"
# Nouns of every trade, which say nothing of this one.
EVERYDAY = frozenset(
    """company companies people person team folks guy guys man men lady ladies staff crew business
    place thing things stuff way lot lots time times day days week weeks weekend month months
    year years hour hours minute minutes morning afternoon evening night monday tuesday
    wednesday thursday friday saturday sunday one two three four five six seven eight nine ten
    first second star stars review reviews word words family husband wife son daughter mother
    father mom dad house home everyone anyone""".split()
)
# Others that make no theme with a noun beside them.
_EMPTY = EVERYDAY | frozenset(
    """woman gentleman member members customer customers client clients patient patients ways bit
    kind sort type today tomorrow yesterday january february march april june july august
    september october november december hundred third experience friend friends name problem
    problems issue issues job work service question questions reason end start part side example
    case point top area line hand hands list number town city street road phone call calls next
    door right left main whole full extra total couple anything others""".split()
)


@dataclass(frozen=True, slots=True)
class Discovered:
    """A theme, and by the ids of the reviews that speak of it what each says."""

    id: str
    label: str
    keywords: tuple[str, ...]
    opinions: Mapping[str, Opinion]


@dataclass(slots=True)
class Vocabulary:
    """In how many reviews words and pairs of nouns stand. The order of adding does not matter."""

    words: Counter[str] = field(default_factory=Counter)
    written_small: Counter[str] = field(default_factory=Counter)  # Not with a capital.
    pairs: Counter[str] = field(default_factory=Counter)
    pairs_of: dict[str, tuple[str, ...]] = field(default_factory=dict)  # By review id.

    def add(self, record: AnalysedReview) -> None:
        """Count a review; one that was not read, for want of words or of English, says nothing."""
        if record.analysed:
            self._count(record, 1)

    def remove(self, record: AnalysedReview) -> None:
        """Take back what `add` counted of this record."""
        if record.analysed:
            self._count(record, -1)

    def _count(self, record: AnalysedReview, sign: int) -> None:
        said = _said(record.text)
        for counter, found in (
            (self.words, said.words),
            (self.written_small, said.written_small),
            (self.pairs, said.pairs),
        ):
            for each in found:
                counter[each] += sign
                if not counter[each]:
                    del counter[each]
        if sign > 0:
            self.pairs_of[record.ulid] = tuple(said.pairs)
        else:
            del self.pairs_of[record.ulid]


@cache
def _passed_over() -> frozenset[str]:
    """Words that say nothing, and words that judge: those belong to an aspect."""
    return _EMPTY | known_words()


@dataclass(slots=True)
class _Said:
    """Phrases of one text, each once; dictionaries keep the order of the text."""

    words: dict[str, None] = field(default_factory=dict)
    written_small: dict[str, None] = field(default_factory=dict)
    pairs: dict[str, None] = field(default_factory=dict)


def _said(text: str) -> _Said:
    said = _Said()
    passed_over = _passed_over()
    small = 0
    for run in _runs(text):
        written = _WORD.findall(run)
        words = [word.lower().replace("\u2019", "'") for word in written]
        previous = ""
        for word, form, tag in zip(words, written, grammar.tags(words), strict=True):
            said.words[word] = None
            small += word in grammar.FUNCTION_WORDS
            if form[0].islower():
                said.written_small[word] = None
            is_noun = tag == _NOUN and len(word) > 2 and word.isalpha() and word not in passed_over
            if is_noun and previous:
                said.pairs[sys.intern(f"{previous} {word}")] = None
            previous = word if is_noun else ""
    return said if small >= _ENGLISH * len(said.words) else _Said()


def _runs(text: str) -> Iterator[str]:
    """Words that no mark parts, of the sentences that are plain prose."""
    for sentence in _SENTENCE_END.split(text[:_MAX_CHARACTERS]):
        if not _MARKUP.search(sentence):
            yield from _RUN_END.split(sentence)


# --- Themes ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Theme:
    key: str
    forms: Counter[str]  # As written, by the number of reviews.
    reviews: set[str]


def discover(
    vocabulary: Vocabulary, aggregate: Aggregate, taken: Collection[str]
) -> list[Discovered]:
    """The themes of most reviews, whose ids are not `taken`; most mentioned first."""
    known = _subjects(aggregate)
    merged: list[_Theme] = []
    for theme in _candidates(vocabulary, aggregate):
        if _is_known(theme, aggregate, known):
            continue
        like = next(
            (each for each in merged if _cosine(each.reviews, theme.reviews) >= ALIKE), None
        )
        if like is None:
            merged.append(theme)
        else:
            like.forms.update(theme.forms)
            like.reviews |= theme.reviews
    ids = {each.replace("_", "-") for each in taken}  # Aspects are written "wait_time".
    found = [_discovered(theme, aggregate) for theme in merged if _id(theme) not in ids]
    found.sort(key=lambda theme: (-len(theme.opinions), theme.id))
    return found[:THEMES]


def _candidates(vocabulary: Vocabulary, aggregate: Aggregate) -> list[_Theme]:
    """Pairs that hold together and name nobody, those of most reviews first."""
    names = _names(aggregate)
    forms: dict[str, list[str]] = defaultdict(list)
    for pair in sorted(vocabulary.pairs):
        if not any(word in names or _is_name(word, vocabulary) for word in pair.split()):
            forms[_key(pair)].append(pair)
    likely = {
        key: pairs
        for key, pairs in forms.items()
        if sum(vocabulary.pairs[pair] for pair in pairs) >= LEAST_REVIEWS
        and _z(pairs, vocabulary) >= LEAST_Z
    }
    spoken_of: dict[str, set[str]] = defaultdict(set)
    keys = {pair: key for key, pairs in likely.items() for pair in pairs}
    for ulid, pairs in vocabulary.pairs_of.items():
        for pair in pairs:
            if pair in keys:
                spoken_of[keys[pair]].add(ulid)
    themes = [
        _Theme(key, Counter({pair: vocabulary.pairs[pair] for pair in pairs}), spoken_of[key])
        for key, pairs in likely.items()
        if len(spoken_of[key]) >= LEAST_REVIEWS
    ]
    return sorted(themes, key=lambda theme: (-len(theme.reviews), theme.key))[:LOOKED_AT]


def _z(pairs: list[str], vocabulary: Vocabulary) -> float:
    """How surely the second word stands after the first more often than in the other reviews."""
    total = len(vocabulary.pairs_of)
    together = sum(vocabulary.pairs[pair] for pair in pairs)
    firsts = vocabulary.words[pairs[0].split()[0]]
    seconds = sum(vocabulary.words[word] for word in {pair.split()[1] for pair in pairs})
    apart = max(seconds - together, 0)
    prior, priors = PRIOR * seconds, PRIOR * total
    odds = math.log((together + prior) / (max(firsts - together, 0) + priors))
    others = max(total - firsts - apart, 0) + priors
    odds -= math.log((apart + prior) / others)
    return odds / math.sqrt(1 / (together + prior) + 1 / (apart + prior))


def _key(pair: str) -> str:
    """One and several are one theme: "gift cards" and "gift card"."""
    is_plural = pair.endswith("s") and not pair.endswith(("ss", "us", "is"))
    return pair[:-1] if is_plural else pair


def _names(aggregate: Aggregate) -> set[str]:
    """The words of people's and places' names."""
    names = aggregate.names
    labels = [*names.technicians.values(), *names.areas.values()]
    return {word for label in labels for word in _WORD.findall(label.lower())}


def _is_name(word: str, vocabulary: Vocabulary) -> bool:
    """Whether most reviews write it with a capital."""
    return 2 * vocabulary.written_small[word] < vocabulary.words[word]


def _subjects(aggregate: Aggregate) -> set[tuple[Kind, str]]:
    """Everything that is shown; what most reviews mention tells no themes apart."""
    most = len(aggregate.records) / 2
    return {
        (kind, subject.id)
        for kind in KINDS
        for subject in aggregate.subjects(kind)
        if subject.count < most
    }


def _is_known(theme: _Theme, aggregate: Aggregate, known: set[tuple[Kind, str]]) -> bool:
    """Whether nearly all its reviews speak of one subject: then it is a part of that."""
    together = Counter(
        (kind, opinion.id)
        for ulid in theme.reviews
        for kind in KINDS
        for opinion in aggregate.records[ulid].opinions(kind)
    )
    least = KNOWN * len(theme.reviews)
    return any(count >= least and subject in known for subject, count in together.items())


def _cosine(ours: set[str], theirs: set[str]) -> float:
    return len(ours & theirs) / math.sqrt(len(ours) * len(theirs))


def _id(theme: _Theme) -> str:
    return theme.key.replace(" ", "-")


def _discovered(theme: _Theme, aggregate: Aggregate) -> Discovered:
    keywords = sorted(theme.forms, key=lambda form: (-theme.forms[form], form))
    label = next(form for form in keywords if _key(form) == theme.key)
    written = re.compile("|".join(_pattern(form) for form in keywords), re.IGNORECASE)
    opinions = {
        ulid: _opinion(_id(theme), aggregate.records[ulid], written)
        for ulid in sorted(theme.reviews)
    }
    return Discovered(_id(theme), label.capitalize(), tuple(keywords[:KEYWORDS]), opinions)


def _pattern(form: str) -> str:
    return rf"\b{form.replace(' ', '[ -]+')}\b"


def _opinion(key: str, record: AnalysedReview, written: re.Pattern[str]) -> Opinion:
    """Opinion of the sentence in which the review first mentions the theme."""
    place = written.search(record.text)
    for sentence in record.sentences if place else ():
        if place and sentence.start <= place.start() < sentence.end:
            return Opinion(key, sentence.label, sentence.score, (sentence.start, sentence.end))
    return Opinion(key, record.label, record.score)
