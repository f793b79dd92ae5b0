"""Annotate a text with its findings, for the administration."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from insights.aggregate import Names
from insights.findings import TYPES
from review_analysis.reading import AspectReading, EntityReading, Mention, Reading


class Span(NamedTuple):
    """A part of the text, with the names of the subjects that it mentions."""

    text: str
    of: tuple[str, ...] = ()
    label: str = ""


def annotate(text: str, reading: Reading, names: Names) -> dict[str, Any]:
    """Return the sentences of a reading as spans, and its findings by name.

    The spans of a sentence add up to its text.
    """
    found = list(_found(reading, names))
    mentions = [(name, mention) for _, name, read in found for mention in read.mentions]
    return {
        "reading": reading,
        "sentences": [
            {"spans": list(_spans(text, each.start, each.end, mentions)), "read": each}
            for each in reading.sentences
        ],
        "findings": [
            {
                "kind": kind,
                "name": name,
                "read": read,
                "words": _unique(text[each.start : each.end] for each in read.mentions),
                "because": _unique(reason for each in read.mentions for reason in each.because),
            }
            for kind, name, read in found
        ],
    }


def _unique(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _found(
    reading: Reading, names: Names
) -> Iterator[tuple[str, str, AspectReading | EntityReading]]:
    """Yield the kind, name and reading of every subject."""
    for aspect in reading.aspects:
        yield "aspect", names.aspects[aspect.id], aspect
    for entity in reading.entities:
        yield entity.type, names.of(TYPES[entity.type])[entity.id], entity


def _spans(text: str, start: int, end: int, mentions: list[tuple[str, Mention]]) -> Iterator[Span]:
    """Split a part of the text where mentions begin or end."""
    here = [(of, m) for of, m in mentions if m.start < end and m.end > start]
    cuts = {start, end}
    for _, mention in here:
        cuts |= {max(start, mention.start), min(end, mention.end)}
    for first, last in pairwise(sorted(cuts)):
        over = [(of, m) for of, m in here if m.start <= first and m.end >= last]
        label = over[0][1].label if over else ""
        yield Span(text[first:last], tuple(_unique(of for of, _ in over)), label)
