"""A text with its findings in place, for a page that shows what was found and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from insights.aggregate import Names
from insights.findings import TYPES
from review_analysis.reading import AspectReading, EntityReading, Label, Mention, Reading


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a text speaks of, with its places."""

    kind: str
    name: str
    label: Label
    score: float
    words: tuple[str, ...]
    because: tuple[str, ...]
    is_resolved: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Some of the text, and what it is a mention of; nothing for what lies between."""

    text: str
    of: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    spans: tuple[Span, ...]
    label: Label
    score: float


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A text as it was read. All pieces together are the text of its sentences, verbatim."""

    is_read: bool
    label: Label
    score: float
    sentences: tuple[AnnotatedSentence, ...]
    findings: tuple[Finding, ...]


def marked(text: str, reading: Reading, names: Names) -> AnnotatedText:
    """The reading, ready to be shown under the names of what it found."""
    found = list(_found(reading, names))
    spoken = [(name, mention) for _, name, read in found for mention in read.mentions]
    return AnnotatedText(
        reading.analysed,
        reading.label,
        reading.score,
        tuple(
            AnnotatedSentence(
                tuple(_spans(text, sentence.start, sentence.end, spoken)),
                sentence.label,
                sentence.score,
            )
            for sentence in reading.sentences
        ),
        tuple(
            Finding(
                kind,
                name,
                read.label,
                read.score,
                _words(text, read.mentions),
                _because(read.mentions),
                isinstance(read, EntityReading) and read.resolved,
            )
            for kind, name, read in found
        ),
    )


def _found(
    reading: Reading, names: Names
) -> Iterator[tuple[str, str, AspectReading | EntityReading]]:
    """Everything that a text speaks of, with its kind and name."""
    for aspect in reading.aspects:
        yield "aspect", names.aspects[aspect.id], aspect
    for entity in reading.entities:
        yield entity.type, names.of(TYPES[entity.type])[entity.id], entity


def _spans(text: str, start: int, end: int, spoken: list[tuple[str, Mention]]) -> Iterator[Span]:
    """The text from start to end, cut wherever a mention begins or ends."""
    here = [(of, m) for of, m in spoken if m.start < end and m.end > start]
    cuts = {start, end}
    for _, mention in here:
        cuts |= {max(start, mention.start), min(end, mention.end)}
    for first, last in pairwise(sorted(cuts)):
        over = [(of, m) for of, m in here if m.start <= first and m.end >= last]
        label = over[0][1].label if over else ""
        yield Span(text[first:last], tuple(dict.fromkeys(of for of, _ in over)), label)


def _words(text: str, mentions: tuple[Mention, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text[mention.start : mention.end] for mention in mentions))


def _because(mentions: tuple[Mention, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason for mention in mentions for reason in mention.because))
