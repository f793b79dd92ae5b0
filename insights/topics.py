"""Discover themes that the taxonomy lacks: pairs of nouns that several reviews share.

A pair is a theme if its second word follows the first far more often than it occurs elsewhere,
by the log-odds ratio with an informative Dirichlet prior over counts of reviews (Monroe, Colaresi
and Quinn, "Fightin' Words", 2008).
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from insights.aggregate import Aggregate, Subject
from insights.findings import KINDS, AnalysedReview, Opinion
from insights.stop_nouns import is_customer, is_empty, is_general
from review_analysis import grammar
from review_analysis.phrases import stem
from review_analysis.valence import known_words

MIN_REVIEWS, MIN_SHARE = 3, 0.01  # Reviews of a theme, and their share of all.
MIN_Z = 1.96
PRIOR = 0.01  # Factor of the counts in all reviews.
ALIKE = 0.5  # Cosine similarity of reviews from which two themes are merged.
KNOWN = 0.8  # Share of reviews that mention the same subject, from which a theme is redundant.
THEMES = 12
KEYWORDS = 5
MAX_CHARACTERS = 10_000

_WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?", re.IGNORECASE | re.ASCII)
_SENTENCE_END = re.compile(r"[.!?\n]+")
_MARKUP = re.compile(r"[<>{}\[\]\\=|~^`_*#@]")
_RUN_END = re.compile(r"[^\w\s'\u2019-]+")
_ENGLISH = 0.1  # Least share of function words in an English text.


def nouns_in(text: str) -> Iterator[list[str]]:
    """Yield the runs of consecutive nouns in an English text, as written."""
    text = text[:MAX_CHARACTERS]
    all_words = _WORD.findall(text.lower())
    if sum(word in grammar.FUNCTION_WORDS for word in all_words) < _ENGLISH * len(all_words):
        return
    for sentence in _SENTENCE_END.split(text):
        for part in () if _MARKUP.search(sentence) else _RUN_END.split(sentence):
            written = _WORD.findall(part)
            words = [word.lower().replace("\u2019", "'") for word in written]
            run: list[str] = []
            for word, form, tag in zip(words, written, grammar.tags(words), strict=True):
                if tag == "n" and _is_noun(word):
                    run.append(form)
                elif run:
                    yield run
                    run = []
            if run:
                yield run


def _is_noun(word: str) -> bool:
    """Whether a word has content and does not judge; judging words belong to an aspect."""
    return len(word) > 2 and word.isalpha() and not is_empty(word) and word not in known_words()


def pairs_of(nouns: list[str]) -> list[str]:
    """Return the adjacent pairs that may be a theme."""
    pairs = pairwise(word.lower() for word in nouns)
    return [f"{a} {b}" for a, b in pairs if not is_general(b) and not is_customer(b)]


def _key(term: str) -> str:
    """Return the key that all forms of a pair share: "gift cards" and "gift card"."""
    return " ".join(map(stem, term.split()))


@dataclass(slots=True)
class NounCounts:
    """Number of reviews by noun and by pair of nouns; keys are stems."""

    nouns: Counter[str] = field(default_factory=Counter)
    written_small: Counter[str] = field(default_factory=Counter)  # Nouns in lower case.
    # Ids of reviews by key and form.
    pairs: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(dict))
    total: int = 0

    def add(self, record: AnalysedReview) -> None:
        """Count a review; a review that was not analysed adds nothing."""
        for form in self._count(record, 1):
            self.pairs[_key(form)].setdefault(form, set()).add(record.ulid)

    def remove(self, record: AnalysedReview) -> None:
        """Undo `add` for the same record."""
        for form in self._count(record, -1):
            forms = self.pairs[_key(form)]
            forms[form].remove(record.ulid)
            if not forms[form]:
                del forms[form]
            if not forms:
                del self.pairs[_key(form)]

    def _count(self, record: AnalysedReview, sign: int) -> set[str]:
        """Count the nouns of a review, and return its pairs."""
        if not record.analysed:
            return set()
        self.total += sign
        runs = list(nouns_in(record.text))
        words = [word for run in runs for word in run]
        for counter, some in (
            (self.nouns, words),
            (self.written_small, [word for word in words if word[0].islower()]),
        ):
            for each in {stem(word.lower()) for word in some}:
                counter[each] += sign
                if not counter[each]:
                    del counter[each]
        return {pair for run in runs for pair in pairs_of(run)}


@dataclass(frozen=True, slots=True)
class Discovered:
    """A theme as a subject, with its keywords and the ids of its reviews."""

    subject: Subject
    keywords: tuple[str, ...]
    review_ids: Collection[str]

    @property
    def id(self) -> str:
        return self.subject.id


def discover(
    counts: NounCounts, aggregate: Aggregate, taken: Collection[str], business_name: str = ""
) -> list[Discovered]:
    """Find the most frequent themes whose ids are not `taken`, most mentioned first."""
    # Ids of aspects are like "wait_time".
    known = {_key(re.sub("[_-]", " ", each.lower())) for each in (*taken, *aggregate.names.terms)}
    names = _names(aggregate, business_name)
    merged: list[dict[str, set[str]]] = []
    for key in sorted(counts.pairs, key=lambda key: (-len(_reviews(counts.pairs[key])), key)):
        forms = counts.pairs[key]
        if len(_reviews(forms)) < max(MIN_REVIEWS, MIN_SHARE * counts.total):
            break
        if key in known or _is_name(key, counts, names) or _z(key, counts) < MIN_Z:
            continue
        if _is_known(_reviews(forms), aggregate):
            continue
        reviews = _reviews(forms)
        like = next((each for each in merged if _cosine(_reviews(each), reviews) >= ALIKE), None)
        if like is None:
            merged.append(dict(forms))
        else:
            like |= forms
    found = [_discovered(forms, aggregate) for forms in merged]
    judged = [each for each in found if 2 * each.subject.totals.neutral < each.subject.count]
    return sorted(judged, key=lambda each: (-each.subject.count, each.id))[:THEMES]


def _reviews(forms: Mapping[str, set[str]]) -> set[str]:
    return set().union(*forms.values())


def _names(aggregate: Aggregate, business_name: str) -> set[str]:
    """Stems of the words in names of people, places and the business."""
    names = aggregate.names
    labels = [*names.technicians.values(), *names.areas.values(), business_name]
    return {stem(word) for label in labels for word in _WORD.findall(label.lower())}


def _is_name(key: str, counts: NounCounts, names: Collection[str]) -> bool:
    """Whether a word belongs to a known name, or most reviews capitalise it."""
    return any(
        word in names or 2 * counts.written_small[word] < counts.nouns[word] for word in key.split()
    )


def _z(key: str, counts: NounCounts) -> float:
    """Z-score of the second word's log-odds after the first word and elsewhere."""
    first, second = key.split()
    together = len(_reviews(counts.pairs[key]))
    apart = max(counts.nouns[second] - together, 0)
    prior, priors = PRIOR * counts.nouns[second], PRIOR * counts.total
    odds = math.log((together + prior) / (max(counts.nouns[first] - together, 0) + priors))
    others = max(counts.total - counts.nouns[first] - apart, 0) + priors
    odds -= math.log((apart + prior) / others)
    return odds / math.sqrt(1 / (together + prior) + 1 / (apart + prior))


def _is_known(reviews: set[str], aggregate: Aggregate) -> bool:
    """Whether nearly all these reviews share a subject that most others lack."""
    together = Counter(
        (kind, opinion.id)
        for ulid in reviews
        for kind in KINDS
        for opinion in aggregate.records[ulid].opinions(kind)
    )
    often = {subject for subject, count in together.items() if count >= KNOWN * len(reviews)}
    most = len(aggregate.records) / 2
    return any(
        (kind, subject.id) in often and subject.count < most
        for kind in {kind for kind, _ in often}
        for subject in aggregate.subjects(kind)
    )


def _cosine(first: set[str], second: set[str]) -> float:
    return len(first & second) / math.sqrt(len(first) * len(second))


def _discovered(forms: Mapping[str, set[str]], aggregate: Aggregate) -> Discovered:
    keywords = sorted(forms, key=lambda form: (-len(forms[form]), form))
    alike = [form for form in keywords if _key(form) == _key(keywords[0])]
    slug = min(alike, key=lambda form: (len(form), form)).replace(" ", "-")
    pattern = "|".join(rf"\b{form.replace(' ', '[ -]+')}\b" for form in keywords)
    written = re.compile(pattern, re.IGNORECASE)
    reviews = _reviews(forms)
    opinions = {ulid: _opinion(slug, aggregate.records[ulid], written) for ulid in reviews}
    subject = aggregate.theme(slug, keywords[0].capitalize(), opinions)
    return Discovered(subject, tuple(keywords[:KEYWORDS]), reviews)


def _opinion(key: str, record: AnalysedReview, written: re.Pattern[str]) -> Opinion:
    """Opinion of the first sentence that names the theme and judges, or only names it."""
    naming = [
        Opinion(key, sentence.label, sentence.score, (sentence.start, sentence.end))
        for sentence in record.sentences
        if written.search(record.text, sentence.start, sentence.end)
    ]
    judging = (opinion for opinion in naming if opinion.label != "neutral")
    whole = Opinion(key, record.label, record.score)
    return next(judging, naming[0] if naming else whole)
