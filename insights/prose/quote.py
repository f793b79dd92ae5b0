"""Sentences to quote: verbatim, and harmless wherever they are shown."""

import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from insights.aggregate import Aggregate, Subject
from insights.findings import AnalysedReview, Opinion, Span
from review_analysis.grammar import FUNCTION_WORDS
from review_analysis.reading import Label

LENGTHS = range(20, 181)
PULLED_LENGTHS = range(40, 181)
PULLED_FROM = 20_000  # Of the newest reviews.
LEAST_STARS = 4
LEAST_SCORE = 600  # Thousandths.
STRONG = 950
LOOKED_AT = 100  # Of the newest mentions, so that many reviews cost no more than some.

_LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
# A capital, plain letters and common marks, a full stop or exclamation mark: no markup, no
# controls, no letters that run the other way or look like others.
_PLAIN = re.compile(rf"[A-Z][{_LETTERS}0-9 ,;:.!'\u2019&%$()/\u2013\u2014-]*[.!]")
_UNWELCOME = re.compile(
    r"""\w:/|www\.|@|&\w+;|\w\(                              # addresses, markup, programs
    |\w\.(?:com|net|org|io|co|info|biz|us|uk|ca|de|eu|app|example)\b
    |\d{5,}|\d[\d() .-]{5,}\d                               # telephone numbers
    |--|\.[.!]|!\.|!{4}|(.)\1{3,}|\S{30,}                # noise
    |\b(?:ignore|disregard|forget)\b.*\b(?:instruction|prompt|rule)
    |\bsystem\ prompt\b|\bdrop\ table\b|\bmy\ name\ is\b
    |\b(?:fuck|shit|bitch|asshole|bastard|crap|damn|piss|dick|slut|whore)""",
    re.IGNORECASE | re.VERBOSE,
)
_PRICE = re.compile(r"\$|\b(?:dollars?|bucks|euros?|usd|grand|cents?)\b", re.IGNORECASE)
_WORD = re.compile(f"[{_LETTERS}]+")
# Who or what a sentence is about must stand in it if it is shown alone, and be no mere pronoun.
_LEANING = frozenset(
    """i we you he she they it this that these those him her them his which who and but or so also
    then however although because though plus yet nor while otherwise still again only other another
    same such both neither either thats its theyre hes shes""".split()
)
_CAPITALISED = frozenset(
    """I God Christmas Thanksgiving Easter English Spanish American
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    January February March April May June July August September October November December""".split()
)
_RESERVATION = re.compile(
    r"\b(?:but|however|although|though|yet|except|while|fair|minus)\b", re.IGNORECASE
)
_CONTRAST = re.compile(r"\b(?:but|however|although|though|except)\b", re.IGNORECASE)
_ABBREVIATION = 5  # Letters of the longest word that is written in capitals by right: "HVAC".


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


def pull_quote(aggregate: Aggregate, business_name: str = "") -> Written | None:
    """The sentence that praises best, and nothing else: of a clearly positive review, to be
    understood alone."""
    known = public_names(aggregate, business_name)
    for _, _, ulid, span in sorted(_pullable(aggregate)):
        text = aggregate.records[ulid].words(span)
        if (
            _stands_alone(text)
            and not _PRICE.search(text)
            and not _CONTRAST.search(text)
            and is_quotable(text, known)
            and not _begins_with_a_customer(text, aggregate, known)
        ):
            return Written(text, (ulid,))
    return None


def _pullable(aggregate: Aggregate) -> Iterator[tuple[float, int, str, Span]]:
    """Sentences by their worth, the best lowest, then by age and id."""
    newest = aggregate.newest()[:PULLED_FROM]
    shown = {aspect.id for aspect in aggregate.subjects("aspects")}
    for record in newest:
        if record.rating < LEAST_STARS or record.score < LEAST_SCORE or not record.analysed:
            continue
        named = [opinion.quote for opinion in record.aspects if opinion.id in shown]
        age = (newest[0].date - record.date).days
        recency = math.exp(-age / 365)
        for start, end, label, _ in record.sentences:
            if label == "positive" and end - start in PULLED_LENGTHS:
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


def quotations(subject: Subject, label: Label, known: Collection[str]) -> Iterator[Quotation]:
    """Newest sentences that name the subject with this opinion, the clearest first.

    They name nobody but those whose names are made of the `known` words.
    """
    alike = (
        (record, opinion.quote, opinion.score)
        for record, opinion in _mentions(subject)
        if opinion.label == label and opinion.quote
    )
    return _quotable(alike, label, known)


def quotations_with_the_next(
    subject: Subject, label: Label, known: Collection[str]
) -> Iterator[Quotation]:
    """Like `quotations`, each with a next sentence that judges: "We had a new boiler. It hums."

    A next sentence that is about another person or service is none of its own.
    """
    alike = (
        (record, (opinion.quote[0], following.end), following.score)
        for record, opinion in _mentions(subject)
        if opinion.quote and opinion.label in {label, "neutral"}
        for following in record.sentences
        if following.start == opinion.quote[1] + 1
        and following.label == label
        and _is_telling(record, (following.start, following.end))
        and not _names_another(record, subject, (following.start, following.end))
    )
    return _quotable(alike, label, known)


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
    return frozenset(word for label in (*labels, business_name) for word in _words(label))


def _quotable(
    said: Iterable[tuple[AnalysedReview, Span, int]], label: Label, known: Collection[str]
) -> Iterator[Quotation]:
    found: dict[str, tuple[float, AnalysedReview, Span, Quotation]] = {}
    for record, span, score in islice(said, LOOKED_AT):
        length = span[1] - span[0]
        text = record.words(span)
        if record.analysed and length in LENGTHS and text not in found:
            is_telling = _is_telling(record, span)
            judges = any((each.quote, each.label) == (span, label) for each in record.aspects)
            worth = abs(score) / 1000 - 0.1 * abs(length - 80) / 100
            worth += is_telling - 0.5 * bool(_RESERVATION.search(text))
            quotation = Quotation(text, record.ulid, judges, is_telling)
            found[text] = worth, record, span, quotation
    # Sorting is stable, and the newest come first.
    for _, record, span, quotation in sorted(found.values(), key=lambda each: -each[0]):
        sentences = _sentences_within(record, span)
        if all(is_quotable(text, known) for text in sentences) and not _is_signed(
            record, quotation.text
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


def is_quotable(text: str, known: Collection[str] = ()) -> bool:
    """Whether a sentence is plain, complete and decent, and names nobody but those in `known`."""
    return (
        _PLAIN.fullmatch(text) is not None
        and not _UNWELCOME.search(text)
        and text.count("(") == text.count(")")
        and 4 * sum(char.isupper() for char in text) < len(text)
        and all(_is_no_name(word, known) for word in _WORD.findall(text)[1:])
    )


def _is_no_name(word: str, known: Collection[str]) -> bool:
    return (
        word[0].islower()
        or word in _CAPITALISED
        or word in known
        or (word.isupper() and len(word) <= _ABBREVIATION)
    )


def _stands_alone(text: str) -> bool:
    words = _WORD.findall(text)
    return bool(words) and words[0].lower() not in _LEANING


def _begins_with_a_customer(text: str, aggregate: Aggregate, known: Collection[str]) -> bool:
    """Whether a sentence begins with a customer's name, where a capital tells nothing."""
    first = _WORD.findall(text)[0]
    if first in known or first.lower() in FUNCTION_WORDS:  # "The Smiths" do not forbid "The".
        return False
    return any(
        first.lower() in record.author.lower() and _is_signed(record, first)
        for record in aggregate.records.values()
    )


def _is_signed(record: AnalysedReview, text: str) -> bool:
    """Whether a text holds a part of the author's name."""
    names = {word.lower() for word in _WORD.findall(record.author) if len(word) > 1}
    return any(
        word.lower() in names and word.lower() not in FUNCTION_WORDS for word in _words(text)
    )


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if len(word) > 1 and word[0].isupper()]
