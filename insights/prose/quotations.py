"""Choose sentences of reviews that answer a question about a subject; each is verbatim."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter

from insights.aggregate import Aggregate, Subject
from insights.complaints import Complaints
from insights.findings import AnalysedReview, Span
from insights.prose.quotable import (
    is_clear,
    is_quotable,
    judging_stems,
    proper_words,
    stems,
    stems_of,
    without_judging_names,
)
from insights.prose.relevance import blames, relevance, says
from insights.prose.wording import answering_stems
from insights.verdicts import MIN_COMPARED
from review_analysis.reading import Label
from reviews.stars import LEAST_POSITIVE

SIDES: tuple[Label, ...] = ("positive", "negative")
LENGTHS = range(20, 181)
GOOD_LENGTH = 80
LOOKED_AT = 200  # Of the newest mentions, which bounds the work for many reviews.
BEGINNING = 5  # Words.
MAX_OTHERS = 2  # Other aspects that a sentence about an aspect may judge.

PULLED_LENGTHS = range(40, 181)
PULLED_FROM = 20_000  # Newest reviews.
MIN_SCORE = 600  # Thousandths.
UNRECOGNISED_QUOTES = 2
_PRICE = re.compile(r"\$|\b(?:dollars?|bucks|euros?|usd|grand|cents?)\b", re.IGNORECASE)
_BY_PRONOUN = re.compile(r"(?:I|We|You|They|He|She|It|My|Our|Your|Their|His|Her|Its)\b")


@dataclass(frozen=True, slots=True)
class Written:
    """A text and the reviews that are the evidence for it."""

    text: str
    review_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence of a review, verbatim."""

    text: str
    review_id: str


def public_names(aggregate: Aggregate, business_name: str = "") -> frozenset[str]:
    """Words of the names that may be published: those of the roster and the business."""
    names = aggregate.names
    labels = (*names.technicians.values(), *names.services.values(), *names.areas.values())
    return frozenset(word for label in (*labels, business_name) for word in proper_words(label))


# --- About a subject ------------------------------------------------------------------------------


def quotations(
    subject: Subject,
    label: Label,
    known: frozenset[str],
    about: Collection[str] = (),
) -> Iterator[Quotation]:
    """Yield sentences with this opinion on a subject, the best first, of equals the newest.

    The names in a sentence are made of `known` words. With stems in `about`, a person is named at
    the beginning; any other sentence is mostly about what the stems name, and praises or blames it.
    A sentence about a service or area also judges an aspect, since it often just sets the scene.
    """
    naming = {*about, *(_usual_stems(subject) if subject.kind == "services" else ())}
    needs_aspect = subject.kind in {"services", "areas"}

    def is_about(text: str) -> bool:
        if not about:
            return True
        if subject.kind == "technicians":
            return not stems_of(_beginning(text)).isdisjoint(about)
        plain = without_judging_names(text, known)
        return relevance(plain, naming).says(label) and says(plain, label)

    found: dict[str, tuple[float, AnalysedReview, Quotation]] = {}
    for record, span, score, judged in islice(_candidates(subject, label), LOOKED_AT):
        text = record.words(span)
        others = len(judged - {subject.id}) if subject.kind == "aspects" else 0
        is_candidate = text not in found and others <= MAX_OTHERS and (judged or not needs_aspect)
        if len(text) in LENGTHS and is_candidate and is_about(text):
            value = abs(score) / 1000 + _value(text, label, naming) - 0.25 * others
            found[text] = value, record, Quotation(text, record.ulid)
    for _, record, quotation in sorted(found.values(), key=lambda each: -each[0]):
        text = quotation.text
        is_clean = record.analysed and is_quotable(text, record.author, known)
        if is_clean and is_clear(text, label, known):
            yield quotation


def _candidates(
    subject: Subject, label: Label
) -> Iterator[tuple[AnalysedReview, Span, int, set[str]]]:
    """Yield sentences with this opinion on a subject, their scores and judged aspects."""
    for _, _, _, record, opinion in subject.derived.newest:
        for start, end, sentence_label, score, aspects in record.sentences:
            span = start, end
            is_named = span == opinion.quote or (
                subject.kind == "aspects" and subject.id in aspects
            )
            if opinion.label == sentence_label == label and is_named:
                judged = {each.id for each in record.aspects if each.quote == span}
                yield record, span, score, judged.union(aspects)


def _usual_stems(subject: Subject) -> frozenset[str]:
    """Stems of the words by which reviews name a service."""
    newest = subject.derived.newest[:LOOKED_AT]
    return stems(*(said.opinion.phrase for said in newest)) - judging_stems()


def _value(text: str, label: Label, naming: Collection[str]) -> float:
    """How well a sentence answers: early, about little else, strong, of good length."""
    said = relevance(text, naming)
    return (
        0.5 * (not stems_of(_beginning(text)).isdisjoint(naming))
        + 0.5 * said.share
        + 0.3 * max(0.0, min(said.agreeing(label), 4.0))
        - 0.1 * abs(len(text) - GOOD_LENGTH) / 100
        - 0.3 * text.startswith("They ")
    )


def _beginning(text: str) -> str:
    return " ".join(text.split()[:BEGINNING])


def aspect_quotes(
    aggregate: Aggregate, business_name: str = ""
) -> Mapping[tuple[str, Label], Quotation]:
    """Choose the best praise and the best blame of each aspect, one quotation per review."""
    known = public_names(aggregate, business_name)
    chosen: dict[tuple[str, Label], Quotation] = {}
    quoted: set[str] = set()
    for aspect in aggregate.subjects("aspects"):
        if aspect.count < MIN_COMPARED:
            continue
        about = answering_stems(aspect.id, aspect.label)
        for side in SIDES:
            offered = quotations(aspect, side, known, about)
            unused = (each for each in offered if each.review_id not in quoted)
            if quotation := next(unused, None):
                chosen[aspect.id, side] = quotation
                quoted.add(quotation.review_id)
    return chosen


def sample_quote(aggregate: Aggregate, subject: Subject) -> str | None:
    """Choose a sentence with the usual opinion on a person or service, preferably by name."""
    opinion = subject, subject.totals.most_common_label, public_names(aggregate)
    naming = quotations(*opinion, stems(subject.label))
    others = () if subject.kind == "services" else quotations(*opinion)
    return next((each.text for each in chain(naming, others)), None)


# --- The pull quote -------------------------------------------------------------------------------


def pull_quote(aggregate: Aggregate, business_name: str = "") -> Written | None:
    """Choose the best sentence of a clearly positive review that only praises.

    It does not mention an aspect that many reviews blame.
    """
    known = public_names(aggregate, business_name)
    blamed = aggregate.blamed()
    avoided = stems(*(subject.label for subject in blamed))
    for _, _, ulid, span in sorted(_pullable(aggregate, blamed)):
        record = aggregate.records[ulid]
        text = record.words(span)
        plain = without_judging_names(text, known)
        if (
            not _BY_PRONOUN.match(text)
            and not _PRICE.search(text)
            and is_quotable(text, record.author, known)
            and is_clear(text, "positive", known)
            and says(plain, "positive")
            and not blames(plain)
            and avoided.isdisjoint(stems_of(text))
        ):
            return Written(text, (ulid,))
    return None


def _pullable(
    aggregate: Aggregate, blamed: Sequence[Subject]
) -> Iterator[tuple[float, int, str, Span]]:
    """Yield sentences with their negated value, age in days, and review id."""
    newest = aggregate.newest()[:PULLED_FROM]
    shown = {aspect.id for aspect in aggregate.subjects("aspects")}
    blamed_ids = {subject.id for subject in blamed}
    for record in newest:
        if record.rating < LEAST_POSITIVE or record.score < MIN_SCORE or not record.analysed:
            continue
        named = [opinion.quote for opinion in record.aspects if opinion.id in shown]
        avoided = [opinion.quote for opinion in record.aspects if opinion.id in blamed_ids]
        age = (newest[0].date - record.date).days
        for start, end, label, *_ in record.sentences:
            is_long_enough = end - start in PULLED_LENGTHS
            if label == "positive" and is_long_enough and (start, end) not in avoided:
                value = (
                    record.score / 1000
                    + 0.3 * named.count((start, end))
                    + 0.2 * math.exp(-age / 365)
                    - 0.1 * abs(end - start - 100) / 100
                )
                yield -value, age, record.ulid, (start, end)


# --- Complaints -----------------------------------------------------------------------------------


def complaint_quotes(complaints: Complaints, known: frozenset[str]) -> Mapping[str, Written]:
    """Choose a sentence for each complaint, at most one of each review."""
    quotes: dict[str, Written] = {}
    quoted: set[str] = set()
    for complaint in complaints.items:
        candidates = (
            (sum(span in other for other in complaints.sentences[ulid].values()), ulid, span)
            for ulid, spans in complaint.sentences.items()
            for span in spans
            if ulid not in quoted
        )
        if quote := next(_presentable(complaints, candidates, known), None):
            quotes[complaint.id] = quote
            quoted.update(quote.review_ids)
    return quotes


def unrecognised_quotes(complaints: Complaints, known: frozenset[str]) -> Sequence[Written]:
    """Choose sentences of unhappy reviews in which no complaint was recognised."""
    candidates = (
        (0, record.ulid, (sentence.start, sentence.end))
        for record in complaints.unrecognised
        for sentence in record.sentences
        if sentence.label != "positive"
    )
    chosen: dict[str, Written] = {}
    for quote in _presentable(complaints, candidates, known):
        chosen.setdefault(quote.review_ids[0], quote)
    return list(chosen.values())[:UNRECOGNISED_QUOTES]


def _presentable(
    complaints: Complaints, candidates: Iterable[tuple[int, str, Span]], known: frozenset[str]
) -> Iterator[Written]:
    """Yield the quotable sentences: with fewest complaints, unhappy, clear, of good length."""
    ranked = []
    for number, (count, ulid, span) in enumerate(islice(candidates, LOOKED_AT)):
        record = complaints.records[ulid]
        text = record.words(span).strip()
        if len(text) in LENGTHS and is_quotable(text, record.author, known):
            is_unclear = not is_clear(text, "negative", known)
            rank = count, not record.is_unhappy, is_unclear, abs(len(text) - GOOD_LENGTH), number
            ranked.append((rank, Written(text, (ulid,))))
    return (written for _, written in sorted(ranked, key=itemgetter(0)))
