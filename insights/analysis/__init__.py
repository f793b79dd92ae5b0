"""The analyser: text in, aspects with sentiment out. Plain Python, without Django."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from insights.analysis.analyser import Analyser
from insights.analysis.model import MODEL

__all__ = ["MODEL", "Analyser", "analyse"]

Roster = Sequence[Mapping[str, Any]]


def analyse(
    text: str | None, rating: int | None, taxonomy: Mapping[str, Any], roster: Roster
) -> dict[str, Any]:
    """What a review says: its sentiment, aspects, entities and sentences, in plain dictionaries.

    `taxonomy` is `{"aspects": [{"id", "label", "terms", "exclude"?, "term_polarity"?}], "services" |
    "problems" | "areas" | "topics": [{"id", "label", "terms"}]}`, `roster` is `[{"id", "name",
    "aliases"}]`. Offsets count code points of `text`; scores run from -1 to 1.
    """
    reading = _compiled(json.dumps([taxonomy, roster])).read(text, rating)
    return {
        "sentiment": {"label": reading.label, "score": _rounded(reading.score)},
        "aspects": [
            {
                "id": aspect.id,
                "label": aspect.label,
                "score": _rounded(aspect.score),
                "phrase": aspect.phrase,
                "mentions": [
                    {
                        "start": mention.start,
                        "end": mention.end,
                        "label": mention.label,
                        "score": _rounded(mention.score),
                    }
                    for mention in aspect.mentions
                ],
            }
            for aspect in reading.aspects
        ],
        "entities": [
            {
                "type": entity.type,
                "id": entity.id,
                "label": entity.label,
                "score": _rounded(entity.score),
                "mentions": [
                    {"start": mention.start, "end": mention.end} for mention in entity.mentions
                ],
            }
            for entity in reading.entities
        ],
        "sentences": [
            {
                "start": sentence.start,
                "end": sentence.end,
                "label": sentence.label,
                "score": _rounded(sentence.score),
            }
            for sentence in reading.sentences
        ],
    }


def _rounded(score: float) -> float:
    return round(score, 3)


@lru_cache(maxsize=8)
def _compiled(content: str) -> Analyser:
    """The analyser of this content, as most reviews are read with the same one."""
    taxonomy, roster = json.loads(content)
    return Analyser(taxonomy, roster)
