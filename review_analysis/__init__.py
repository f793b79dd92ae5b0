"""The analyser: text in, aspects with sentiment out. Plain Python, without Django."""

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from review_analysis.analyser import Analyser
from review_analysis.ensemble import PolarityModel
from review_analysis.model import MODEL

__version__ = "1.0.0"

__all__ = ["MODEL", "Analyser", "analyse"]

Taxonomy = Mapping[str, Any]
Roster = Sequence[Mapping[str, Any]]

_rounded = partial(round, ndigits=3)


def analyse(
    text: str | None,
    rating: float | None,
    taxonomy: Taxonomy,
    roster: Roster,
    second_model: PolarityModel | None = None,
) -> dict[str, Any]:
    """Sentiment, aspects, entities and sentences of a review, in plain dictionaries.

    `taxonomy` is `{"aspects": [{"id", "label", "terms", "exclude"?, "term_polarity"?}],
    "services" | "problems" | "areas" | "topics": [{"id", "label", "terms"}]}`, `roster` is
    `[{"id", "name", "aliases"}]`; every list may be left out. Offsets count code points of
    `text`; scores run from -1 to 1. A rating that is no whole number of stars from 1 to 5 is taken
    for the nearest, and NaN for none. A second model takes part in the polarity.
    """
    reading = _compiled(taxonomy, roster, second_model).read(text, _stars(rating))
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
                **({"concept": entity.concept} if entity.type == "problem" else {}),
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
        "complaints": [
            {"start": complaint.start, "end": complaint.end, "concept": complaint.concept}
            for complaint in reading.complaints
        ],
    }


def _stars(rating: float | None) -> int | None:
    if rating is None or math.isnan(rating):
        return None
    return round(min(5, max(1, rating)))


_MAX_COMPILED = 8
_compiled_last: list[tuple[Taxonomy, Roster, PolarityModel | None, Analyser]] = []


def _compiled(taxonomy: Taxonomy, roster: Roster, model: PolarityModel | None) -> Analyser:
    """The analyser of this content: most reviews are read with the same one.

    Comparing with a copy is quicker than hashing, as most of its texts are the very same objects.
    """
    global _compiled_last  # noqa: PLW0603 - one list takes another's place, for all threads at once
    recent = _compiled_last
    for known_taxonomy, known_roster, known_model, analyser in recent:
        if known_model is model and known_taxonomy == taxonomy and known_roster == roster:
            return analyser
    analyser = Analyser(taxonomy, roster, model)
    entry = deepcopy(taxonomy), deepcopy(roster), model, analyser
    _compiled_last = [entry, *recent[: _MAX_COMPILED - 1]]
    return analyser
