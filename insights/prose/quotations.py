"""Sentences of reviews that answer a question about a subject, verbatim, the best first."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

from insights.aggregate import Aggregate, Subject
from insights.complaints import Complaints
from insights.findings import AnalysedReview, Span
from insights.prose.quotable import (
    begins_with_a_customer,
    is_clear,
    is_quotable,
    is_signed,
    judging_stems,
    naming_stems,
    proper_words,
    stems,
    stems_of,
    without_judging_names,
)
from insights.prose.relevance import blames, relevance, says
from insights.prose.wording import answering_stems
from insights.stop_nouns import EMPTY, EMPTY_ALONE
from insights.verdicts import LEAST_COMPARED
from review_analysis.reading import Label
from reviews.stars import LEAST_POSITIVE

SIDES: tuple[Label, ...] = ("positive", "negative")
LENGTHS = range(20, 181)
GOOD_LENGTH = 80
STRONG = 950  # Thousandths of a score.
LOOKED_AT = 200  # Of the newest mentions, so that many reviews cost no more than some.
BEGINNING = 5  # Words.
MOST_OTHERS = 2  # Aspects beside its own that a sentence about an aspect may judge.
USUAL = 1 / 3  # The share of mentions with a word, from which it names the subject.
NOTHING: Mapping[str, float] = {}

PULLED_LENGTHS = range(40, 181)
PULLED_FROM = 20_000  # Of the newest reviews.
LEAST_SCORE = 600  # Thousandths.
UNRECOGNISED_QUOTES = 2
_PRICE = re.compile(r"\$|\b(?:dollars?|bucks|euros?|usd|grand|cents?)\b", re.IGNORECASE)
_BY_PRONOUN = re.compile(r"(?:I|We|You|They|He|She|It|My|Our|Your|Their|His|Her|Its)\b")


@dataclass(frozen=True, slots=True)
class Written:
    """A text, and the reviews that are the evidence for it."""

    text: str
    review_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence of a review, verbatim."""

    text: str
    review_id: str
    judges: bool  # Whether it praises or blames an aspect, and agrees.
    is_telling: bool  # Whether it says what is thought, rather than what it is about.


def public_names(aggregate: Aggregate, business_name: str = "") -> frozenset[str]:
    """The words of the names that may be told: of the roster and of the business."""
    names = aggregate.names
    labels = (*names.technicians.values(), *names.services.values(), *names.areas.values())
    return frozenset(word for label in (*labels, business_name) for word in proper_words(label))


# --- About a subject ------------------------------------------------------------------------------


def quotations(
    subject: Subject,
    label: Label,
    known: frozenset[str],
    about: Mapping[str, float] = NOTHING,
) -> Iterator[Quotation]:
    """Newest sentences that name the subject with this opinion, the clearest first.

    They hold no names but those made of the `known` words. If there are stems
    `about` it, by weight, a person is named at the beginning, and of anything else they praise or
    blame what one of those names, or one of the words by which most speak of it.
    """
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

    found: dict[str, tuple[float, AnalysedReview, Quotation]] = {}
    for record, span, score, judged in islice(_alike(subject, label), LOOKED_AT):
        text = record.words(span)
        others = len(judged - {subject.id}) if subject.kind == "aspects" else 0
        if len(text) in LENGTHS and text not in found and others <= MOST_OTHERS and is_about(text):
            is_telling = subject.kind == "topics" or bool(judged) or abs(score) >= STRONG
            worth = abs(score) / 1000 + is_telling + _worth(text, label, wanted) - 0.25 * others
            quotation = Quotation(text, record.ulid, bool(judged), is_telling)
            found[text] = worth, record, quotation
    # Sorting is stable, and the newest come first.
    for _, record, quotation in sorted(found.values(), key=lambda each: -each[0]):
        text = quotation.text
        is_public = record.analysed and not is_signed(text, record.author)
        if is_public and is_clear(text, label, known) and is_quotable(text, known):
            yield quotation


def _alike(subject: Subject, label: Label) -> Iterator[tuple[AnalysedReview, Span, int, set[str]]]:
    """Sentences of this opinion on it, newest first, with scores and judged aspects."""
    for _, _, _, record, opinion in subject.outcome.newest:
        for start, end, said, score, aspects in record.sentences:
            span = start, end
            is_named = span == opinion.quote or (
                subject.kind == "aspects" and subject.id in aspects
            )
            if opinion.label == said == label and is_named:
                judged = {each.id for each in record.aspects if each.quote == span}
                yield record, span, score, judged.union(aspects)


def _typical(subject: Subject) -> Mapping[str, float]:
    """Stems of the words, other than praise and blame, by which reviews speak of a subject.

    With the share of the newest mentions that have each.
    """
    phrases = [said.opinion.phrase for said in subject.outcome.newest[:LOOKED_AT]]
    saying_nothing = judging_stems()
    if subject.kind == "aspects":  # A service has the words that it goes by.
        saying_nothing |= _empty_stems()
    counts = Counter(each for phrase in phrases for each in stems_of(phrase) - saying_nothing)
    return {each: count / len(phrases) for each, count in counts.items()}


@cache
def _empty_stems() -> frozenset[str]:
    """Stems of nouns of every trade: "place", "day"."""
    return stems(*EMPTY, *EMPTY_ALONE)


def _worth(text: str, label: Label, wanted: Mapping[str, float]) -> float:
    """How well a sentence answers, by its words and its length."""
    said = relevance(text, wanted)
    return (
        _greatest(wanted, text)
        + 0.5 * _greatest(wanted, _beginning(text))
        + 0.5 * said.share
        + 0.3 * max(0.0, min(said.agreeing(label), 4.0))
        - 0.1 * abs(len(text) - GOOD_LENGTH) / 100
        - 0.3 * text.startswith("They ")
    )


def _greatest(wanted: Mapping[str, float], text: str) -> float:
    return max((wanted.get(each, 0.0) for each in stems_of(text)), default=0.0)


def _beginning(text: str) -> str:
    """First words of a sentence, which mostly say what it is about."""
    return " ".join(text.split()[:BEGINNING])


def aspect_quotes(
    aggregate: Aggregate, business_name: str = ""
) -> Mapping[tuple[str, Label], Quotation]:
    """The sentence that tells best what each side says of each aspect, no review's twice."""
    known = public_names(aggregate, business_name)
    chosen: dict[tuple[str, Label], Quotation] = {}
    quoted: set[str] = set()
    for aspect in aggregate.subjects("aspects"):
        if aspect.count < LEAST_COMPARED:
            continue
        about = answering_stems(aspect.id, aspect.label)
        for side in SIDES:
            said = quotations(aspect, side, known, about)
            fresh = (each for each in said if each.is_telling and each.review_id not in quoted)
            if quotation := next(fresh, None):
                chosen[aspect.id, side] = quotation
                quoted.add(quotation.review_id)
    return chosen


def sample_quote(aggregate: Aggregate, subject: Subject) -> str | None:
    """A sentence that names it and says what most say of it, verbatim; of a service one that judges
    an aspect as well, since to name one mostly sets the scene.
    """
    where = (subject, subject.totals.most_common_label, public_names(aggregate))
    naming = list(quotations(*where, naming_stems(subject.label)))
    if subject.kind == "services":
        return next((each.text for each in naming if each.judges), None)
    others = list(quotations(*where))
    telling = [each for each in (*naming, *others) if each.is_telling]
    return next((each.text for each in (*telling, *others)), None)


# --- The sentence on the front --------------------------------------------------------------------


def pull_quote(aggregate: Aggregate, business_name: str = "") -> Written | None:
    """The sentence of a clearly positive review that praises best, and nothing else.

    It does not speak of what reviews blame.
    """
    known = public_names(aggregate, business_name)
    blamed = aggregate.blamed()
    about = {stem for subject in blamed for stem in stems(subject.label)}
    for _, _, ulid, span in sorted(_pullable(aggregate, blamed)):
        text = aggregate.records[ulid].words(span)
        plain = without_judging_names(text, known)
        if (
            not _BY_PRONOUN.match(text)
            and not _PRICE.search(text)
            and is_quotable(text, known)
            and is_clear(text, "positive", known)
            and says(plain, "positive")
            and not blames(plain)
            and not about & stems_of(text)
            and not begins_with_a_customer(
                text, known, (record.author for record in aggregate.records.values())
            )
        ):
            return Written(text, (ulid,))
    return None


def _pullable(
    aggregate: Aggregate, blamed: Sequence[Subject]
) -> Iterator[tuple[float, int, str, Span]]:
    """Sentences by their worth, the best lowest, then by age and id."""
    newest = aggregate.newest()[:PULLED_FROM]
    shown = {aspect.id for aspect in aggregate.subjects("aspects")}
    blamed_ids = {subject.id for subject in blamed}
    for record in newest:
        if record.rating < LEAST_POSITIVE or record.score < LEAST_SCORE or not record.analysed:
            continue
        named = [opinion.quote for opinion in record.aspects if opinion.id in shown]
        avoided = [opinion.quote for opinion in record.aspects if opinion.id in blamed_ids]
        age = (newest[0].date - record.date).days
        for start, end, label, *_ in record.sentences:
            is_long_enough = end - start in PULLED_LENGTHS
            if label == "positive" and is_long_enough and (start, end) not in avoided:
                worth = (
                    record.score / 1000
                    + 0.3 * named.count((start, end))
                    + 0.2 * math.exp(-age / 365)
                    - 0.1 * abs(end - start - 100) / 100
                )
                yield -worth, age, record.ulid, (start, end)


# --- Complaints -----------------------------------------------------------------------------------


def complaint_quotes(complaints: Complaints, known: frozenset[str]) -> Mapping[str, Written]:
    """A sentence that tells of each complaint, no review's twice."""
    quotes: dict[str, Written] = {}
    quoted: set[str] = set()
    records = {record.ulid: record for record in complaints.records}
    for complaint in complaints.items:
        places = (
            (sum(span in spans for spans in complaints.sentences[ulid].values()), record, span)
            for ulid, spans in complaint.sentences.items()
            for record, span in ((records[ulid], span) for span in spans)
            if ulid not in quoted
        )
        if quote := next(_telling(places, known), None):
            quotes[complaint.id] = quote
            quoted.update(quote.review_ids)
    return quotes


def unrecognised_quotes(complaints: Complaints, known: frozenset[str]) -> Sequence[Written]:
    """Sentences of unhappy reviews in which nothing was recognised, as they are."""
    places = (
        (0, record, (sentence.start, sentence.end))
        for record in complaints.unrecognised
        for sentence in record.sentences
        if sentence.label != "positive"
    )
    chosen: dict[str, Written] = {}
    for quote in _telling(places, known):
        chosen.setdefault(quote.review_ids[0], quote)
    return list(chosen.values())[:UNRECOGNISED_QUOTES]


def _telling(
    places: Iterable[tuple[int, AnalysedReview, Span]], known: frozenset[str]
) -> Iterator[Written]:
    """Sentences fit to be shown: with fewest complaints, of the unhappy, clear, of good length."""
    fit = []
    for number, (complaints, record, span) in enumerate(islice(places, LOOKED_AT)):
        text = record.words(span).strip()
        is_fit = len(text) in LENGTHS and is_quotable(text, known)
        if is_fit and not is_signed(text, record.author):
            is_unclear = not is_clear(text, "negative", known)
            worth = complaints, not record.is_unhappy, is_unclear, abs(len(text) - GOOD_LENGTH)
            fit.append((*worth, number, Written(text, (record.ulid,))))
    return (written for *_, written in sorted(fit, key=lambda each: each[:-1]))
