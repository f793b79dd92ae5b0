"""Sentences to quote: verbatim, and answering what they are quoted for."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from insights.aggregate import Aggregate, Subject
from insights.findings import AnalysedReview, Opinion, Span
from insights.prose.quotable import (
    begins_with_a_customer,
    has_subject,
    is_quotable,
    is_signed,
    is_whole,
    judging_stems,
    proper_words,
    refers_back,
    stems,
    stems_of,
)
from review_analysis.reading import Label

LENGTHS = range(20, 181)
PULLED_LENGTHS = range(40, 181)
PULLED_FROM = 20_000  # Of the newest reviews.
LEAST_STARS = 4
LEAST_SCORE = 600  # Thousandths.
STRONG = 950
LOOKED_AT = 200  # Of the newest mentions, so that many reviews cost no more than some.
BEGINNING = 5  # Words.
MOST_OTHERS = 2  # Aspects beside its own that a sentence about an aspect may judge.

_PRICE = re.compile(r"\$|\b(?:dollars?|bucks|euros?|usd|grand|cents?)\b", re.IGNORECASE)
_BY_PRONOUN = re.compile(r"(?:I|We|You|They|He|She|It|My|Our|Your|Their|His|Her|Its)\b")
_BY_THEY = re.compile(r"They\b")
_RESERVATION = re.compile(
    r"\b(?:but|however|although|though|yet|except|while|fair|minus)\b", re.IGNORECASE
)
_CONTRAST = re.compile(r"\b(?:but|however|although|though|except)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """A text, and the reviews that are the evidence for it."""

    text: str
    review_ids: tuple[str, ...]
    quoted: str = ""  # The end of the text that holds a reviewer's words.


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence of a review, verbatim."""

    text: str
    review_id: str
    judges: bool  # Whether it is the clearest sentence about an aspect, and agrees.
    is_telling: bool  # Whether it says what is thought, rather than what it is about.


def pull_quote(
    aggregate: Aggregate, business_name: str = "", themes: Sequence[Subject] = ()
) -> Written | None:
    """The sentence that praises best, and nothing else: of a clearly positive review, to be
    understood alone. It does not speak of what most reviews blame.
    """
    known = public_names(aggregate, business_name)
    blamed = aggregate.most_blamed(themes)
    about = stems(blamed.label) if blamed else frozenset()
    for _, _, ulid, span in sorted(_pullable(aggregate, blamed)):
        text = aggregate.records[ulid].words(span)
        if (
            not _BY_PRONOUN.match(text)
            and not _PRICE.search(text)
            and not _CONTRAST.search(text)
            and is_quotable(text, known)
            and is_whole(text)
            and has_subject(text)
            and not about & stems_of(text)
            and not begins_with_a_customer(
                text, known, (record.author for record in aggregate.records.values())
            )
        ):
            return Written(text, (ulid,))
    return None


def _pullable(
    aggregate: Aggregate, blamed: Subject | None
) -> Iterator[tuple[float, int, str, Span]]:
    """Sentences by their worth, the best lowest, then by age and id."""
    newest = aggregate.newest()[:PULLED_FROM]
    shown = {aspect.id for aspect in aggregate.subjects("aspects")}
    for record in newest:
        if record.rating < LEAST_STARS or record.score < LEAST_SCORE or not record.analysed:
            continue
        named = [opinion.quote for opinion in record.aspects if opinion.id in shown]
        avoided = [
            opinion.quote for opinion in record.aspects if blamed and opinion.id == blamed.id
        ]
        age = (newest[0].date - record.date).days
        recency = math.exp(-age / 365)
        for start, end, label, _ in record.sentences:
            if label != "positive" or end - start not in PULLED_LENGTHS:
                continue
            if (start, end) not in avoided:
                worth = (
                    record.score / 1000
                    + 0.3 * named.count((start, end))
                    + 0.2 * recency
                    - 0.1 * abs(end - start - 100) / 100
                )
                yield -worth, age, record.ulid, (start, end)


def sample_quote(aggregate: Aggregate, subject: Subject) -> str | None:
    """Words that name it and say what most say of it, verbatim: a sentence that judges, or one with
    the judgement that follows it, or else any.
    """
    where = (subject, subject.totals.most_common_label, public_names(aggregate))
    naming = list(quotations(*where))
    # What names a service mostly sets the scene, however glad the review is.
    telling = [each for each in naming if each.judges]
    if subject.kind != "services":
        telling = [each for each in naming if each.is_telling]
    found = chain(telling, quotations_with_the_next(*where), naming)
    return next((quotation.text for quotation in found), None)


def quotations(
    subject: Subject,
    label: Label,
    known: Collection[str],
    about: Collection[str] = frozenset(),
) -> Iterator[Quotation]:
    """Newest sentences that name the subject with this opinion, the clearest first.

    They name nobody but those whose names are made of the `known` words. Those that share a stem
    with `about`, and the words by which most speak of the subject, come before others.
    """
    alike = (
        (record, opinion.quote, opinion.score)
        for record, opinion in _mentions(subject)
        if opinion.label == label and opinion.quote and _agrees(record, opinion.quote, label)
    )
    wanted = {**_typical(subject), **dict.fromkeys(about, 1.0)}
    return _quotable(subject, alike, label, known, wanted)


def _typical(subject: Subject) -> Mapping[str, float]:
    """Stems of the words, other than praise and blame, by which reviews speak of a subject.

    With the share of the newest mentions that have each.
    """
    phrases = [opinion.phrase for _, opinion in islice(_mentions(subject), LOOKED_AT)]
    counts = Counter(each for phrase in phrases for each in stems_of(phrase) - judging_stems())
    return {each: count / len(phrases) for each, count in counts.items()}


def quotations_with_the_next(
    subject: Subject, label: Label, known: Collection[str]
) -> Iterator[Quotation]:
    """Like `quotations`, each with a next sentence that judges: "We had a new boiler. It hums."

    A next sentence that is about anything else is none of its own.
    """
    about = stems(subject.label)
    alike = (
        (record, (opinion.quote[0], following.end), following.score)
        for record, opinion in _mentions(subject)
        if opinion.quote and opinion.label in {label, "neutral"}
        for following in record.sentences
        if following.start == opinion.quote[1] + 1
        and following.label == label
        and _is_telling(record, (following.start, following.end))
        and not _names_another(record, subject, (following.start, following.end))
        and refers_back(record.words((following.start, following.end)), about)
    )
    return _quotable(subject, alike, label, known, {})


def _beginning(text: str) -> str:
    """First words of a sentence, which mostly say what it is about."""
    return " ".join(text.split()[:BEGINNING])


def _agrees(record: AnalysedReview, span: Span, label: Label) -> bool:
    """Whether the whole sentence says the same: none that praises one thing and blames another."""
    return any(each[:2] == span and each.label == label for each in record.sentences)


def _names_another(record: AnalysedReview, subject: Subject, span: Span) -> bool:
    return any(
        other.id != subject.id and other.quote == span for other in record.opinions(subject.kind)
    )


def _mentions(subject: Subject) -> Iterator[tuple[AnalysedReview, Opinion]]:
    """The reviews that mention it with what they say of it, newest first."""
    return ((said.record, said.opinion) for said in subject.outcome.newest)


def public_names(aggregate: Aggregate, business_name: str = "") -> frozenset[str]:
    """The words of the names that may be told: of the roster and of the business."""
    names = aggregate.names
    labels = (*names.technicians.values(), *names.services.values(), *names.areas.values())
    return frozenset(word for label in (*labels, business_name) for word in proper_words(label))


def _quotable(
    subject: Subject,
    said: Iterable[tuple[AnalysedReview, Span, int]],
    label: Label,
    known: Collection[str],
    wanted: Mapping[str, float],
) -> Iterator[Quotation]:
    found: dict[str, tuple[float, AnalysedReview, Span, Quotation]] = {}
    for record, span, score in islice(said, LOOKED_AT):
        length = span[1] - span[0]
        text = record.words(span)
        if not record.analysed or length not in LENGTHS or text in found:
            continue
        judged = [each for each in record.aspects if each.quote == span]
        others = sum(each.id != subject.id for each in judged) if subject.kind == "aspects" else 0
        if others > MOST_OTHERS:
            continue
        is_telling = subject.kind == "topics" or _is_telling(record, span)
        worth = (
            abs(score) / 1000
            - 0.1 * abs(length - 80) / 100
            + is_telling
            + 0.6 * max((wanted.get(each, 0.0) for each in stems_of(text)), default=0.0)
            + 0.3 * max((wanted.get(each, 0.0) for each in stems_of(_beginning(text))), default=0.0)
            - 0.25 * others
            - 0.3 * bool(_BY_THEY.match(text))
            - 0.3 * (not has_subject(text))
            - 0.5 * bool(_RESERVATION.search(text))
        )
        judges = any(each.label == label for each in judged)
        found[text] = worth, record, span, Quotation(text, record.ulid, judges, is_telling)
    # Sorting is stable, and the newest come first.
    for _, record, span, quotation in sorted(found.values(), key=lambda each: -each[0]):
        sentences = _sentences_within(record, span)
        if (
            all(is_quotable(text, known) for text in sentences)
            and is_whole(quotation.text)
            and not is_signed(quotation.text, record.author)
        ):
            yield quotation


def _sentences_within(record: AnalysedReview, span: Span) -> list[str]:
    start, end = span
    return [
        record.words((sentence.start, sentence.end))
        for sentence in record.sentences
        if start <= sentence.start and sentence.end <= end
    ]


def _is_telling(record: AnalysedReview, span: Span) -> bool:
    """Whether a sentence judges: "We had a new boiler" names no aspect, and says nothing strong."""
    return any(aspect.quote == span for aspect in record.aspects) or any(
        (sentence.start, sentence.end) == span and abs(sentence.score) >= STRONG
        for sentence in record.sentences
    )
