"""Sentences of reviews that answer a question about a subject, verbatim, the best first."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise

from insights.aggregate import Aggregate, Subject
from insights.findings import AnalysedReview, Opinion, Sentence, Span
from insights.nouns import EMPTY, EMPTY_ALONE
from insights.prose.quotable import (
    is_quotable,
    is_signed,
    judging_stems,
    proper_words,
    stems,
    stems_of,
    without_judging_names,
)
from insights.prose.relevance import begins_without_verb, relevance, says
from insights.prose.wholeness import goes_on_from_the_one_before, has_subject, is_whole
from review_analysis.reading import Label

LENGTHS = range(20, 181)
GOOD_LENGTH = 80
STRONG = 950  # Thousandths of a score.
SURE = 800
LOOKED_AT = 200  # Of the newest mentions, so that many reviews cost no more than some.
BEGINNING = 5  # Words.
MOST_OTHERS = 2  # Aspects beside its own that a sentence about an aspect may judge.
USUAL = 1 / 3  # The share of mentions with a word, from which it names the subject.
NOTHING: Mapping[str, float] = {}

CONTRAST = re.compile(r"\b(?:but|however|although|though|except)\b|, yet\b", re.IGNORECASE)
_BY_THEY = re.compile(r"They\b")
_RESERVATION = re.compile(r"\b(?:yet|while|minus)\b", re.IGNORECASE)
# "I suppose" takes back a part of what is said, "the only downside was" all the rest.
_HALF_SAID = re.compile(
    r"\b(?:I (?:guess|suppose|imagine)|maybe|perhaps|more or less|only \w+ (?:is|was))\b",
    re.IGNORECASE,
)
# "The service is better" than what?
_COMPARISON = re.compile(
    r"\b(?:is|are|was|were|gets?|got) (?:\w+ly |even |much )?(?:better|worse)\b(?!.*\bthan\b)",
    re.IGNORECASE,
)
# Advice to readers: it tells the writer's opinion at most by the way.
_ADVICE = re.compile(r"(?:suggest|try)\b|.*\b(?:so|and) (?:make|be) sure\b", re.IGNORECASE)
# Wishes, orders and regrets, which praise does not hold.
_WISH = re.compile(
    r"""\b(?:could|should|would|wish)\b(?!\ not\b|n't\b)
    |\b(?:I|we)\ (?:\w+\ )?(?:requested|asked\ for|wanted|expected|hoped)\b
    |\bcan\ be\ (?:improved|better)\b|\b(?:sadly|unfortunately)\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence of a review, verbatim."""

    text: str
    review_id: str
    judges: bool  # Whether it praises or blames an aspect, and agrees.
    is_telling: bool  # Whether it says what is thought, rather than what it is about.


def quotations(
    subject: Subject,
    label: Label,
    known: frozenset[str],
    about: Mapping[str, float] = NOTHING,
) -> Iterator[Quotation]:
    """Newest sentences that name the subject with this opinion, the clearest first.

    They name nobody but those whose names are made of the `known` words. If there are stems
    `about` it, by weight, a person is named at the beginning, and of anything else they praise or
    blame what one of those names, or one of the words by which most speak of it.
    """
    alike = islice(_alike(subject, label), LOOKED_AT)
    wanted = {**_typical(subject), **about}
    naming = {
        each
        for each, weight in wanted.items()
        if each in about or weight >= USUAL or subject.kind == "services"
    }

    def is_about(text: str) -> bool:
        if not about:
            return True
        if subject.kind == "technicians":
            return not stems_of(_beginning(text)).isdisjoint(about)
        plain = without_judging_names(text, known)
        return relevance(plain, naming).says(label) and says(plain, label)

    said = (each for each in alike if is_about(each[0].words(each[1])))
    return _quotable(subject, said, label, known, wanted)


def _alike(subject: Subject, label: Label) -> Iterator[tuple[AnalysedReview, Span, int]]:
    """Sentences as a whole of this opinion that mention it, in reviews of this opinion on it."""
    for record, opinion in _mentions(subject):
        if opinion.label != label:
            continue
        for sentence in record.sentences:
            if sentence.label == label and _mentions_it(sentence, subject, opinion):
                yield record, sentence[:2], sentence.score


def _mentions_it(sentence: Sentence, subject: Subject, opinion: Opinion) -> bool:
    is_aspect = subject.kind == "aspects"
    return sentence[:2] == opinion.quote or (is_aspect and subject.id in sentence.aspects)


def _mentions(subject: Subject) -> Iterator[tuple[AnalysedReview, Opinion]]:
    """The reviews that mention it with what they say of it, newest first."""
    return ((said.record, said.opinion) for said in subject.outcome.newest)


def _typical(subject: Subject) -> Mapping[str, float]:
    """Stems of the words, other than praise and blame, by which reviews speak of a subject.

    With the share of the newest mentions that have each.
    """
    phrases = [opinion.phrase for _, opinion in islice(_mentions(subject), LOOKED_AT)]
    saying_nothing = judging_stems()
    if subject.kind == "aspects":  # A service has the words that it goes by.
        saying_nothing |= _empty_stems()
    counts = Counter(each for phrase in phrases for each in stems_of(phrase) - saying_nothing)
    return {each: count / len(phrases) for each, count in counts.items()}


@cache
def _empty_stems() -> frozenset[str]:
    """Stems of nouns of every trade: "place", "day"."""
    return stems(*EMPTY, *EMPTY_ALONE)


def quotations_with_the_next(
    subject: Subject, label: Label, known: frozenset[str]
) -> Iterator[Quotation]:
    """Like `quotations`, each with a next sentence that judges: "We had a new boiler. It hums."

    A next sentence that is about anything else is none of its own.
    """
    about = stems(subject.label)
    alike = (
        (record, (first.start, following.end), following.score)
        for record, opinion in _mentions(subject)
        if opinion.quote and opinion.label in {label, "neutral"}
        for first, following in pairwise(record.sentences)
        if first[:2] == opinion.quote
        and following.start == first.end + 1
        and first.label in {label, "neutral"}
        and following.label == label
        and _is_telling(record, following[:2])
        and (abs(following.score) >= SURE or says(record.words(following[:2]), label))
        and not _names_another(record, subject, following[:2])
        and _refers_back(record.words(following[:2]), about)
    )
    return _quotable(subject, islice(alike, LOOKED_AT), label, known, NOTHING)


def _names_another(record: AnalysedReview, subject: Subject, span: Span) -> bool:
    return any(
        other.id != subject.id and other.quote == span for other in record.opinions(subject.kind)
    )


def _refers_back(text: str, about: Collection[str]) -> bool:
    """Whether a sentence goes on about what stands before it, or about something `about` names."""
    return goes_on_from_the_one_before(text) or not stems_of(text).isdisjoint(about)


def public_names(aggregate: Aggregate, business_name: str = "") -> frozenset[str]:
    """The words of the names that may be told: of the roster and of the business."""
    names = aggregate.names
    labels = (*names.technicians.values(), *names.services.values(), *names.areas.values())
    return frozenset(word for label in (*labels, business_name) for word in proper_words(label))


# --- Which may be quoted, and which first ---------------------------------------------------------


def _quotable(
    subject: Subject,
    said: Iterable[tuple[AnalysedReview, Span, int]],
    label: Label,
    known: frozenset[str],
    wanted: Mapping[str, float],
) -> Iterator[Quotation]:
    found: dict[str, tuple[float, AnalysedReview, Span, Quotation]] = {}
    for record, span, score in said:
        text = record.words(span)
        others = _others(record, span, subject) if subject.kind == "aspects" else 0
        if span[1] - span[0] not in LENGTHS or text in found or others > MOST_OTHERS:
            continue
        is_telling = subject.kind == "topics" or _is_telling(record, span)
        worth = abs(score) / 1000 + is_telling + _worth(text, label, wanted) - 0.25 * others
        judges = any(each.label == label and each.quote == span for each in record.aspects) or any(
            each[:2] == span and each.aspects for each in record.sentences
        )
        found[text] = worth, record, span, Quotation(text, record.ulid, judges, is_telling)
    # Sorting is stable, and the newest come first.
    for _, record, span, quotation in sorted(found.values(), key=lambda each: -each[0]):
        if is_clear(quotation.text, label, known) and _is_public(record, span, known):
            yield quotation


def _worth(text: str, label: Label, wanted: Mapping[str, float]) -> float:
    """How well a sentence answers, by its words and its length."""
    said = relevance(text, wanted)
    return (
        _greatest(wanted, text)
        + 0.5 * _greatest(wanted, _beginning(text))
        + 0.5 * said.share
        + 0.3 * max(0.0, min(said.agreeing(label), 4.0))
        - 0.1 * abs(len(text) - GOOD_LENGTH) / 100
        - 0.3 * bool(_BY_THEY.match(text))
        - 0.5 * bool(_RESERVATION.search(text))
        - 0.3 * begins_without_verb(text)
    )


def _greatest(wanted: Mapping[str, float], text: str) -> float:
    return max((wanted.get(each, 0.0) for each in stems_of(text)), default=0.0)


def _beginning(text: str) -> str:
    """First words of a sentence, which mostly say what it is about."""
    return " ".join(text.split()[:BEGINNING])


def _others(record: AnalysedReview, span: Span, subject: Subject) -> int:
    """The number of other aspects that a sentence judges."""
    judged = {each.id for each in record.aspects if each.quote == span}
    judged.update(id_ for each in record.sentences if each[:2] == span for id_ in each.aspects)
    return len(judged - {subject.id})


def _is_telling(record: AnalysedReview, span: Span) -> bool:
    """Whether a sentence judges: "We had a new boiler" names no aspect, and says nothing strong."""
    return any(aspect.quote == span for aspect in record.aspects) or any(
        each[:2] == span and (each.aspects or abs(each.score) >= STRONG)
        for each in record.sentences
    )


def is_clear(text: str, label: Label, known: frozenset[str]) -> bool:
    """Whether a text is whole, and says one thing."""
    return (
        not CONTRAST.search(text)
        and not _HALF_SAID.search(text)
        and not _ADVICE.match(text)
        and not _COMPARISON.search(text)
        and not (label == "positive" and _WISH.search(text))
        and is_whole(text, known)
        and has_subject(text, known)
    )


def _is_public(record: AnalysedReview, span: Span, known: Collection[str]) -> bool:
    """Whether a text of one sentence or more is plain, and names nobody who is not known."""
    start, end = span
    sentences = (
        record.words(each[:2])
        for each in record.sentences
        if start <= each.start and each.end <= end
    )
    return (
        record.analysed
        and all(is_quotable(text, known) for text in sentences)
        and not is_signed(record.words(span), record.author)
    )
