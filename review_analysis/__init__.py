"""The analyser: text in, aspects with sentiment out. Plain Python, without Django."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from review_analysis.analyser import Analyser
from review_analysis.ensemble import PolarityModel
from review_analysis.model import MODEL
from review_analysis.reading import Reading
from review_analysis.rosters import RosterEntry
from review_analysis.taxonomies import AspectEntry, Entry, Taxonomy

__all__ = [
    "MODEL", "Analyser", "AspectEntry", "Entry", "Reading", "RosterEntry", "Taxonomy", "analyse",
]  # fmt: skip

__version__ = "1.0.0"

_Taxonomy = Mapping[str, Any]
_Roster = Sequence[Mapping[str, Any]]
_rounded = partial(round, ndigits=3)


def analyse(
    text: str | None,
    rating: float | None,
    taxonomy: _Taxonomy,
    roster: _Roster,
    second_model: PolarityModel | None = None,
) -> dict[str, Any]:
    """Sentiment, aspects, people, entities, sentences and complaints of a review, as dictionaries.

    `taxonomy` has the shape of `Taxonomy`, and each of `roster` that of `RosterEntry`. Offsets
    count code points of `text`; scores run from -1 to 1. Among the entities people stand as well,
    with the type "technician". A second model takes part in the polarity. ValueError: the rating is
    no number from 1 to 5.
    """
    reading = _compiled(taxonomy, roster, second_model).read(text, rating)
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
        "people": [
            {
                "id": person.id,
                "role": person.role,
                "label": person.label,
                "score": _rounded(person.score),
                "mentions": [{"start": each.start, "end": each.end} for each in person.mentions],
            }
            for person in reading.people
        ],
        "entities": [
            {
                "type": "technician" if entity.type == "person" else entity.type,
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


_MAX_COMPILED = 8
_compiled_last: list[tuple[_Taxonomy, _Roster, PolarityModel | None, Analyser]] = []


def _compiled(taxonomy: _Taxonomy, roster: _Roster, model: PolarityModel | None) -> Analyser:
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
