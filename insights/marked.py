"""Pure: a text with its findings in place, for a page that shows what was found and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from insights.aggregate import Names
from insights.analysis.reading import Label, Mention, Reading
from insights.records import TYPES


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
class Piece:
    """Some of the text, and what it is a mention of; nothing for what lies between."""

    text: str
    of: tuple[str, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class SentenceShown:
    pieces: tuple[Piece, ...]
    label: Label
    score: float


@dataclass(frozen=True, slots=True)
class Marked:
    """A text as it was read. All pieces together are the text of its sentences, verbatim."""

    is_read: bool
    label: Label
    score: float
    sentences: tuple[SentenceShown, ...]
    findings: tuple[Finding, ...]


def marked(text: str, reading: Reading, names: Names) -> Marked:
    """The reading, ready to be shown under the names of what it found."""
    spoken = list(_spoken(reading, names))
    return Marked(
        reading.analysed,
        reading.label,
        reading.score,
        tuple(
            SentenceShown(
                tuple(_pieces(text, sentence.start, sentence.end, spoken)),
                sentence.label,
                sentence.score,
            )
            for sentence in reading.sentences
        ),
        tuple(_findings(text, reading, names)),
    )


def _spoken(reading: Reading, names: Names) -> Iterator[tuple[str, Mention]]:
    for aspect in reading.aspects:
        yield from ((names.aspects[aspect.id], mention) for mention in aspect.mentions)
    for entity in reading.entities:
        name = names.of(TYPES[entity.type])[entity.id]
        yield from ((name, mention) for mention in entity.mentions)


def _pieces(text: str, start: int, end: int, spoken: list[tuple[str, Mention]]) -> Iterator[Piece]:
    """The text from start to end, cut wherever a mention begins or ends."""
    here = [(of, m) for of, m in spoken if m.start < end and m.end > start]
    cuts = {start, end}
    for _, mention in here:
        cuts |= {max(start, mention.start), min(end, mention.end)}
    places = sorted(cuts)
    for first, last in pairwise(places):
        over = [(of, m) for of, m in here if m.start <= first and m.end >= last]
        label = over[0][1].label if over else ""
        yield Piece(text[first:last], tuple(dict.fromkeys(of for of, _ in over)), label)


def _findings(text: str, reading: Reading, names: Names) -> Iterator[Finding]:
    for aspect in reading.aspects:
        yield Finding(
            "aspect",
            names.aspects[aspect.id],
            aspect.label,
            aspect.score,
            _words(text, aspect.mentions),
            _because(aspect.mentions),
        )
    for entity in reading.entities:
        yield Finding(
            entity.type,
            names.of(TYPES[entity.type])[entity.id],
            entity.label,
            entity.score,
            _words(text, entity.mentions),
            _because(entity.mentions),
            entity.resolved,
        )


def _words(text: str, mentions: tuple[Mention, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text[mention.start : mention.end] for mention in mentions))


def _because(mentions: tuple[Mention, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason for mention in mentions for reason in mention.because))
