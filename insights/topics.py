"""Themes that no taxonomy foresaw: nouns that many reviews use, and pairs of nouns.

A pair is a theme if its second word stands after the first far more often than in the other
reviews: by the log-odds ratio with an informative Dirichlet prior (Monroe, Colaresi and Quinn,
"Fightin' Words", 2008), in counts of reviews. A noun is one if a good share of the reviews has it.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from insights.aggregate import Aggregate, Subject
from insights.findings import KINDS, AnalysedReview, Kind, Opinion, Sentence
from insights.prose.quotable import stems_of
from insights.prose.relevance import LEAST_STRENGTH, relevance, strength
from insights.vocabulary import WORD, Vocabulary, is_general

LEAST_REVIEWS = 3  # Of a pair: nothing that one or two reviews say is a theme.
LEAST_SHARE_OF_PAIR = 0.01  # Of all reviews.
LEAST_OF_NOUN = 5
LEAST_SHARE, MOST_SHARE = 0.04, 0.6  # Of all reviews, that have a noun.
OFTEN = 0.12  # Of all reviews, from which a noun is a theme where a few judge it.
FEW_JUDGED = 0.05
LEAST_AS_NOUN = 0.4  # Of its reviews, that use a word as a noun.
LEAST_JUDGED = 0.2  # Of its reviews, that say what the noun is like.
LEAST_JUDGING = 2  # Reviews: the opinion of one is no theme's.
OFTEN_JUDGED = 0.4  # From which it need not be a thing that they point out.
LEAST_POINTED_OUT = 0.3  # "The rides", "rides were": it is there, and not one of many.
MOST_OWNED = 0.3  # "Our bags", "fixed the unit": it is the customers'.
MOST_PLACED = 0.5  # "Near the canal": of what few judge, it is where something else is.
MOST_MEASURING = 0.15  # "Size of", "corner of": it is a part or a measure.
MOST_CALLED, LEAST_CALLING = 0.08, 3  # "This hotel", "is a hotel": it is the business itself.
LEAST_Z = 1.96
PRIOR = 0.01  # Of the counts in all reviews.
PART = 0.4  # Of a noun's reviews, from which a pair with it takes its place.
ALIKE = 0.5  # The cosine of two themes' reviews from which they are one.
KNOWN = 0.8  # The share of its reviews that speak of one subject, from which it is not news.
THEMES = 12
LOOKED_AT = 100
KEYWORDS = 5


@dataclass(frozen=True, slots=True)
class Discovered:
    """A theme as a subject, its words, and the ids of the reviews that speak of it."""

    subject: Subject
    keywords: tuple[str, ...]
    review_ids: Collection[str]
    is_judged: bool  # Whether reviews say what it is like, rather than that it is there.

    @property
    def id(self) -> str:
        return self.subject.id

    @property
    def label(self) -> str:
        return self.subject.label

    def as_suggestion(self) -> dict[str, Any]:
        """The theme as it is offered to administrators as an aspect."""
        return {
            "label": self.label,
            "reviews": self.subject.count,
            "positive": self.subject.totals.positive,
            "negative": self.subject.totals.negative,
            "terms": list(self.keywords),
        }


@dataclass(slots=True)
class _Theme:
    key: str
    forms: Counter[str]  # As written, by the number of reviews.
    reviews: set[str]

    @property
    def id(self) -> str:
        return self.key.replace(" ", "-")


def discover(
    vocabulary: Vocabulary,
    aggregate: Aggregate,
    taken: Collection[str],
    business_name: str = "",
) -> list[Discovered]:
    """The themes of most reviews, whose ids are not `taken`; most mentioned first."""
    ids = {each.replace("_", "-") for each in taken}  # Aspects are written "wait_time".
    terms = {vocabulary.key(term) for term in aggregate.names.terms}
    subjects = _subjects(aggregate)
    merged: list[_Theme] = []
    for theme in _candidates(vocabulary, aggregate, business_name):
        if theme.id in ids or theme.key in terms or _is_known(theme, aggregate, subjects):
            continue
        like = next((each for each in merged if _is_one(each, theme)), None)
        if like is None:
            merged.append(theme)
            continue
        like.forms.update(theme.forms)
        like.reviews |= theme.reviews
    merged.sort(key=lambda theme: (-len(theme.reviews), theme.id))
    every = (_discovered(theme, vocabulary, aggregate) for theme in merged)
    found = list(islice((theme for theme in every if _has_opinions(theme)), THEMES))
    current = {theme.id for theme in found}
    for stale in vocabulary.opinions.keys() - current:
        del vocabulary.opinions[stale]
    return found


def _has_opinions(theme: Discovered) -> bool:
    """Whether it is judged, or a pair, or stands where most reviews praise or blame something."""
    totals = theme.subject.totals
    return theme.is_judged or " " in theme.keywords[0] or 2 * totals.neutral < totals.count


def _candidates(
    vocabulary: Vocabulary, aggregate: Aggregate, business_name: str
) -> Iterable[_Theme]:
    """Nouns and pairs that are no names, those of most reviews first."""
    names = _names(aggregate, business_name)
    pairs = _by_key(vocabulary, vocabulary.pairs, names)
    nouns = _by_key(vocabulary, vocabulary.nouns, names)
    for key in [key for key in pairs if key.replace(" ", "") in nouns]:
        pairs[key] += nouns.pop(key.replace(" ", ""))  # "Waterpark" is "water park".
    reviews = _reviews(vocabulary, {**nouns, **pairs})
    total = len(vocabulary.terms_of)
    least = max(LEAST_REVIEWS, LEAST_SHARE_OF_PAIR * total)
    likely = [
        key
        for key, forms in pairs.items()
        if len(reviews[key]) >= least
        and _z(forms, vocabulary) >= LEAST_Z
        and _is_of_the_business(forms, vocabulary)
        and _is_pair_worth_a_verdict(
            forms, vocabulary, is_often=len(reviews[key]) >= LEAST_SHARE * total
        )
    ]
    least = max(LEAST_OF_NOUN, LEAST_SHARE * total)
    likely += [
        key
        for key, forms in nouns.items()
        if least <= len(reviews[key]) <= MOST_SHARE * total
        and _is_thing(forms, vocabulary)
        and _is_worth_a_verdict(forms, vocabulary, is_often=len(reviews[key]) >= OFTEN * total)
        and not any(
            key in pair.split() and len(reviews[pair]) >= PART * len(reviews[key])
            for pair in likely
        )
    ]
    themes = [
        _Theme(key, _written(vocabulary, pairs.get(key) or nouns[key]), reviews[key])
        for key in likely
    ]
    return sorted(themes, key=lambda theme: (-len(theme.reviews), theme.key))[:LOOKED_AT]


def _by_key(
    vocabulary: Vocabulary, terms: Iterable[str], names: Collection[str]
) -> dict[str, list[str]]:
    """Spellings of each term that is no name."""
    forms: dict[str, list[str]] = defaultdict(list)
    for term in sorted(terms):
        if term.replace(" ", "") in names:
            continue  # "Crawl space" of "Crawlspace & Co".
        if not any(word in names or _is_name(word, vocabulary) for word in term.split()):
            forms[vocabulary.key(term)].append(term)
    return forms


def _reviews(vocabulary: Vocabulary, forms: dict[str, list[str]]) -> dict[str, set[str]]:
    """Ids of the reviews that have each."""
    keys = {term: key for key, terms in forms.items() for term in terms}
    found: dict[str, set[str]] = defaultdict(set)
    for ulid, terms in vocabulary.terms_of.items():
        for term in terms:
            if term in keys:
                found[keys[term]].add(ulid)
    return found


def _written(vocabulary: Vocabulary, forms: Iterable[str]) -> Counter[str]:
    return Counter({form: vocabulary.pairs[form] or vocabulary.nouns[form] for form in forms})


def _is_thing(forms: list[str], vocabulary: Vocabulary) -> bool:
    """Whether a word is mostly a noun, and no part or measure."""
    uses = sum(vocabulary.words[form] for form in forms)
    as_noun = _share(forms, vocabulary.nouns, uses)
    return (
        as_noun >= LEAST_AS_NOUN
        and _is_of_the_business(forms, vocabulary)
        and _share(forms, vocabulary.measuring, uses) < MOST_MEASURING
    )


def _is_of_the_business(forms: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether a term is neither the customers' nor the whole business."""
    uses = sum(vocabulary.words[form] or vocabulary.pairs[form] for form in forms)
    calling = sum(vocabulary.called[form] for form in forms)
    is_the_business = calling >= max(LEAST_CALLING, MOST_CALLED * uses)
    return not is_the_business and _share(forms, vocabulary.owned, uses) < MOST_OWNED


def _is_worth_a_verdict(forms: Sequence[str], vocabulary: Vocabulary, *, is_often: bool) -> bool:
    """Whether reviews judge a noun, and point it out unless enough of them judge it."""
    uses = sum(vocabulary.words[form] for form in forms)
    judged = _share(forms, vocabulary.judged, uses)
    is_by_several = sum(vocabulary.judged[form] for form in forms) >= LEAST_JUDGING
    is_there = _share(forms, vocabulary.pointed_out, uses) >= LEAST_POINTED_OUT
    if is_by_several and judged >= (LEAST_JUDGED if is_there else OFTEN_JUDGED):
        return True
    as_noun = sum(vocabulary.nouns[form] for form in forms)
    is_place = _share(forms, vocabulary.placed, as_noun) >= MOST_PLACED
    return is_often and judged >= FEW_JUDGED and not is_place


def _is_pair_worth_a_verdict(
    forms: Sequence[str], vocabulary: Vocabulary, *, is_often: bool
) -> bool:
    """Whether a pair is judged or `is_often`; both, if its second word is "store" or "station"."""
    holds = (is_often, _is_judged(forms, vocabulary))
    return all(holds) if is_general(forms[0].split()[-1]) else any(holds)


def _is_judged(forms: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether enough of the reviews with a word judge it."""
    uses = sum(vocabulary.words[form] or vocabulary.pairs[form] for form in forms)
    return _share(forms, vocabulary.judged, uses) >= LEAST_JUDGED


def _share(forms: Iterable[str], counts: Mapping[str, int], uses: int) -> float:
    return sum(counts[form] for form in forms) / max(1, uses)


def _z(pairs: list[str], vocabulary: Vocabulary) -> float:
    """Certainty that the second word follows the first more often than elsewhere."""
    pairs = [pair for pair in pairs if " " in pair]
    total = len(vocabulary.terms_of)
    together = sum(vocabulary.pairs[pair] for pair in pairs)
    firsts = vocabulary.words[pairs[0].split()[0]]
    seconds = sum(vocabulary.words[word] for word in {pair.split()[1] for pair in pairs})
    apart = max(seconds - together, 0)
    prior, priors = PRIOR * seconds, PRIOR * total
    odds = math.log((together + prior) / (max(firsts - together, 0) + priors))
    others = max(total - firsts - apart, 0) + priors
    odds -= math.log((apart + prior) / others)
    return odds / math.sqrt(1 / (together + prior) + 1 / (apart + prior))


def _names(aggregate: Aggregate, business_name: str) -> set[str]:
    """The words of people's and places' names, and of the business's."""
    names = aggregate.names
    labels = [*names.technicians.values(), *names.areas.values(), business_name]
    return {word for label in labels for word in WORD.findall(label.lower())}


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


def _is_one(theme: _Theme, other: _Theme) -> bool:
    """Whether two pairs have about the same reviews; a noun has them in common with every other."""
    if " " not in theme.key or " " not in other.key:
        return False
    ours, theirs = theme.reviews, other.reviews
    return len(ours & theirs) / math.sqrt(len(ours) * len(theirs)) >= ALIKE


def _discovered(theme: _Theme, vocabulary: Vocabulary, aggregate: Aggregate) -> Discovered:
    keywords = sorted(theme.forms, key=lambda form: (-theme.forms[form], form))
    written_as_one = theme.key.replace(" ", "")
    label = next(  # Of "court yard" and "courtyard" the one that more write.
        form for form in keywords if vocabulary.key(form).replace(" ", "") == written_as_one
    )
    pattern = "|".join(rf"\b{form.replace(' ', '[ -]+')}\b" for form in keywords)
    written = re.compile(pattern, re.IGNORECASE)
    forms, known = vocabulary.opinions.get(theme.id, ("", {}))
    if forms != pattern:
        known = {}
        vocabulary.opinions[theme.id] = pattern, known
    stems = stems_of(" ".join(keywords))
    for ulid in theme.reviews - known.keys():
        known[ulid] = _opinion(theme.id, stems, aggregate.records[ulid], written)
    opinions = {ulid: known[ulid] for ulid in theme.reviews}
    subject = aggregate.theme(theme.id, label.capitalize(), opinions)
    is_judged = _is_judged(keywords, vocabulary)
    return Discovered(subject, tuple(keywords[:KEYWORDS]), theme.reviews, is_judged)


def _opinion(
    key: str, stems: Collection[str], record: AnalysedReview, written: re.Pattern[str]
) -> Opinion:
    """Opinion of the first sentence that judges the theme, or of the first that mentions it."""
    said = [
        _of_sentence(key, stems, record.text, sentence)
        for sentence in record.sentences
        if written.search(record.text, sentence.start, sentence.end)
    ]
    judging = (opinion for opinion in said if opinion.label != "neutral")
    whole = Opinion(key, record.label, record.score)
    return next(judging, said[0] if said else whole)


def _of_sentence(key: str, stems: Collection[str], text: str, sentence: Sentence) -> Opinion:
    """Opinion of a sentence on a theme: of the remarks about it, where others stand beside them."""
    span = (sentence.start, sentence.end)
    said = text[slice(*span)]
    own = relevance(said, stems).strength
    others = strength(said) - own
    if abs(others) < LEAST_STRENGTH:
        return Opinion(key, sentence.label, sentence.score, span)
    if abs(own) < LEAST_STRENGTH:
        return Opinion(key, "neutral", 0, span)
    score = abs(sentence.score) or 1000
    if own > 0:
        return Opinion(key, "positive", score, span)
    return Opinion(key, "negative", -score, span)
