"""A text with its findings in place, for a page that shows what was found and why."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from insights.aggregate import Names
from insights.findings import TYPES
from review_analysis.reading import AspectReading, EntityReading, Mention, Reading


class Span(NamedTuple):
    """Some of the text, and what it is a mention of; nothing for what lies between."""

    text: str
    of: tuple[str, ...] = ()
    label: str = ""


def marked(text: str, reading: Reading, names: Names) -> dict[str, Any]:
    """The reading with its sentences as spans, and everything found under its name.

    All pieces together are the text of the sentences, verbatim.
    """
    found = list(_found(reading, names))
    spoken = [(name, mention) for _, name, read in found for mention in read.mentions]
    return {
        "reading": reading,
        "sentences": [
            {"spans": list(_spans(text, each.start, each.end, spoken)), "read": each}
            for each in reading.sentences
        ],
        "findings": [
            {
                "kind": kind,
                "name": name,
                "read": read,
                "words": _once(text[each.start : each.end] for each in read.mentions),
                "because": _once(reason for each in read.mentions for reason in each.because),
            }
            for kind, name, read in found
        ],
    }


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


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
        yield Span(text[first:last], tuple(_once(of for of, _ in over)), label)
