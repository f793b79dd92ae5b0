"""Findings of a review, as they are counted and stored.

Scores are thousandths from -1000 to 1000, so that sums are exact. Spans count code points of the
review's text.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from sys import intern
from typing import Any, Literal, NamedTuple

import orjson

from insights.statistics import LABELS
from review_analysis.reading import AspectReading, EntityReading, Label, Mention, Reading
from reviews.stars import LEAST_POSITIVE, MOST_UNHAPPY

Kind = Literal["aspects", "technicians", "services", "problems", "areas", "topics"]
KINDS: tuple[Kind, ...] = ("aspects", "technicians", "services", "problems", "areas", "topics")
# Kinds by the types of `EntityReading`.
TYPES: Mapping[str, Kind] = {
    "person": "technicians",
    "service": "services",
    "problem": "problems",
    "area": "areas",
    "topic": "topics",
}
NAMED: tuple[Kind, ...] = ("technicians", "services", "areas")  # Kinds with stored mentions.

_PER_OTHER = 0.2  # Score that a sentence loses for each other aspect in it.
_CROWD = 4
LONGEST_PHRASE = 80  # Characters; a language model may quote the whole review.
MAX_NEUTRAL_SCORE = 150  # Thousandths.

Span = tuple[int, int]


class Phrase(NamedTuple):
    """Words about a subject; spellings with the same key are counted together."""

    key: str
    text: str
    score: int


class Opinion(NamedTuple):
    """Opinion of a review on one aspect, person, service, problem, area or topic."""

    id: str
    label: Label
    score: int
    quote: Span | None = None  # The clearest sentence; None if the reading has no place.
    phrase: str = ""  # The decisive words, verbatim; for a service the words that name it.
    phrases: tuple[Phrase, ...] = ()  # Of an aspect, or the words that identified a topic.
    resolved: bool = False  # For problems.


class Sentence(NamedTuple):
    start: int
    end: int
    label: Label
    score: int
    aspects: tuple[str, ...] = ()  # Aspects on which it agrees with the whole review.


class Complaint(NamedTuple):
    """A sentence about a fault of the business."""

    start: int
    end: int
    id: str = ""  # Of a concept, problem or aspect; empty if unrecognised.
    label: str = ""  # For a problem that a language model named.


@dataclass(frozen=True, slots=True)
class Findings:
    """Stored findings of a review."""

    analysed: bool  # False if the sentiment is that of the stars.
    label: Label
    score: int
    aspects: tuple[Opinion, ...] = ()
    technicians: tuple[Opinion, ...] = ()
    services: tuple[Opinion, ...] = ()
    problems: tuple[Opinion, ...] = ()
    areas: tuple[Opinion, ...] = ()
    topics: tuple[Opinion, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    complaints: tuple[Complaint, ...] = ()

    def opinions(self, kind: Kind) -> tuple[Opinion, ...]:
        found: tuple[Opinion, ...] = getattr(self, kind)
        return found


_FOUND = tuple(member.name for member in fields(Findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedReview(Findings):
    """A public review with everything that is counted."""

    ulid: str
    author: str
    rating: int
    date: dt.date
    text: str  # Empty for a rating without words.
    model: str  # Name and version of the analyser that read this review.

    @classmethod
    def of(cls, findings: Findings, **facts: Any) -> "AnalysedReview":
        """Combine findings with the facts of their review."""
        return cls(**{name: getattr(findings, name) for name in _FOUND}, **facts)

    @property
    def is_unhappy(self) -> bool:
        return self.rating <= MOST_UNHAPPY

    def words(self, span: Span) -> str:
        """Text at a span, verbatim."""
        return self.text[slice(*span)]


# --- From a reading -------------------------------------------------------------------------------


def findings_of(
    reading: Reading,
    mentioned: Mapping[Kind, Sequence[str]],
    text: str,
    named: Sequence[Complaint] = (),
) -> Findings:
    """Convert a reading of `text`, with the technicians, services and areas in `mentioned`.

    A mention that the reading does not place, such as one from a column of a file, has the
    sentiment of the whole review. The complaints in `named` replace unrecognised ones in the same
    sentences.
    """
    # Number of aspects by sentence.
    crowd = Counter(
        number
        for aspect in reading.aspects
        for number in {mention.sentence for mention in aspect.mentions}
    )
    read: dict[Kind, dict[str, Opinion]] = {kind: {} for kind in KINDS}
    for aspect in reading.aspects:
        read["aspects"][aspect.id] = _opinion(aspect, reading, crowd)._replace(
            phrase=aspect.phrase,
            phrases=tuple(
                Phrase(phrase.key, phrase.text, thousandths(phrase.score))
                for phrase in aspect.phrases
            ),
        )
    for entity in reading.entities:
        opinion = _opinion(entity, reading, crowd)._replace(resolved=entity.resolved)
        if entity.type == "topic":
            opinion = opinion._replace(phrases=_words(entity.mentions, text))
        if entity.type == "service" and entity.mentions:
            first = entity.mentions[0]
            opinion = opinion._replace(phrase=text[first.start : first.end][:LONGEST_PHRASE])
        read[TYPES[entity.type]][entity.id] = opinion
    score = thousandths(reading.score)
    for kind in NAMED:
        read[kind] = {
            slug: read[kind].get(slug, Opinion(slug, reading.label, score))
            for slug in mentioned.get(kind, ())
        }
    places = {(each.start, each.end) for each in named}
    unnamed = (
        each for each in _complaints(reading) if each.id or (each.start, each.end) not in places
    )
    return Findings(
        reading.analysed,
        reading.label,
        score,
        **{str(kind): tuple(read[kind][key] for key in sorted(read[kind])) for kind in KINDS},
        sentences=tuple(_sentences(reading)),
        complaints=(*named, *unnamed),
    )


def _complaints(reading: Reading) -> Iterator[Complaint]:
    """Yield the complaints; a problem or aspect of the sentence replaces a missing concept."""
    problems, blamed = defaultdict[int, set[str]](set), defaultdict[int, set[str]](set)
    for entity in reading.entities:
        for mention in entity.mentions if entity.type == "problem" and not entity.concept else ():
            problems[mention.sentence].add(entity.id)
    for aspect in reading.aspects:
        for mention in aspect.mentions:
            if mention.label == "negative":
                blamed[mention.sentence].add(aspect.id)
    numbers = {sentence.start: number for number, sentence in enumerate(reading.sentences)}
    for complaint in dict.fromkeys(reading.complaints):
        number = numbers.get(complaint.start, -1)
        ids = (
            {complaint.concept} if complaint.concept else problems[number] or blamed[number] or {""}
        )
        yield from (Complaint(complaint.start, complaint.end, each) for each in sorted(ids))


def _sentences(reading: Reading) -> Iterator[Sentence]:
    aspects = defaultdict[int, dict[str, None]](dict)
    for aspect in reading.aspects:
        for mention in aspect.mentions:
            if mention.label == aspect.label:
                aspects[mention.sentence][aspect.id] = None
    for number, each in enumerate(reading.sentences):
        score = thousandths(each.score)
        yield Sentence(each.start, each.end, each.label, score, tuple(aspects[number]))


def limited_by_stars(findings: Findings, rating: int) -> Findings:
    """Make a positive sentiment neutral for at most three stars.

    Opinions on single aspects stay: the food may be good although the evening was not.
    """
    if findings.label != "positive" or rating >= LEAST_POSITIVE:
        return findings
    return replace(findings, label="neutral", score=min(findings.score, MAX_NEUTRAL_SCORE))


def thousandths(score: float) -> int:
    return round(score * 1000)


def _opinion(
    read: AspectReading | EntityReading, reading: Reading, crowd: Mapping[int, int]
) -> Opinion:
    """Opinion on a subject, with the sentence of the clearest mention that agrees.

    A sentence about fewer aspects is clearer.
    """

    def clearness(mention: Mention) -> tuple[bool, float]:
        others = min(crowd[mention.sentence], _CROWD)
        return mention.label == read.label, abs(mention.score) - _PER_OTHER * others

    quote = None
    if read.mentions:
        sentence = reading.sentences[max(read.mentions, key=clearness).sentence]
        quote = sentence.start, sentence.end
    return Opinion(read.id, read.label, thousandths(read.score), quote)


def _words(mentions: Sequence[Mention], text: str) -> tuple[Phrase, ...]:
    found = {
        text[mention.start : mention.end].lower(): thousandths(mention.score)
        for mention in mentions
        if mention.end - mention.start <= LONGEST_PHRASE
    }
    return tuple(Phrase(words, words, score) for words, score in found.items())


# --- Stored ---------------------------------------------------------------------------------------


def dump(findings: Findings) -> str:
    """Serialise findings as JSON."""
    members = {name: getattr(findings, name) for name in _FOUND}
    return orjson.dumps(members, default=tuple).decode()


def load(stored: str) -> Findings:
    """Parse the result of `dump`."""
    members: dict[str, Any] = orjson.loads(stored)
    return Findings(
        members["analysed"],
        _LABELS[members["label"]],
        members["score"],
        **{str(kind): tuple(map(_loaded, members[kind])) for kind in KINDS},
        sentences=tuple(
            Sentence(start, end, _LABELS[label], score, tuple(map(intern, aspects)))
            for start, end, label, score, aspects in members["sentences"]
        ),
        complaints=tuple(
            Complaint(start, end, intern(slug), intern(label))
            for start, end, slug, label in members.get("complaints", ())
        ),
    )


_LABELS: Mapping[str, Label] = {label: label for label in LABELS}


def _loaded(stored: list[Any]) -> Opinion:
    slug, label, score, quote, phrase, phrases, resolved = stored
    return Opinion(
        intern(slug),  # Few distinct values occur very often.
        _LABELS[label],
        score,
        tuple(quote) if quote else None,
        phrase,
        tuple(Phrase(intern(key), intern(text), said) for key, text, said in phrases),
        resolved,
    )
