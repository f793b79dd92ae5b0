"""Analyser of reviews: sentiment, aspects, people and complaints of a text; see README.md."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from review_analysis.analyser import Analyser
from review_analysis.ensemble import PolarityModel
from review_analysis.model import MODEL
from review_analysis.reading import EntityReading, Reading
from review_analysis.rosters import RosterEntry
from review_analysis.taxonomies import AspectEntry, Entry, Taxonomy

__all__ = [
    "MODEL", "Analyser", "AspectEntry", "Entry", "Reading", "RosterEntry", "Taxonomy", "analyse",
]  # fmt: skip

__version__ = "1.0.0"

_Taxonomy = Mapping[str, Any]
_Roster = Sequence[Mapping[str, Any]]


def analyse(
    text: str | None,
    rating: float | None,
    taxonomy: _Taxonomy,
    roster: _Roster,
    second_model: PolarityModel | None = None,
) -> dict[str, Any]:
    """Analyse a review and return dictionaries.

    `taxonomy` has the shape of `Taxonomy`, each item of `roster` that of `RosterEntry`. Offsets
    count code points of `text`, and scores run from -1 to 1. The entities include the people, with
    the type "technician". The polarity is averaged with that of `second_model`. Raises ValueError
    if the rating is not a number from 1 to 5.
    """
    reading = _compiled(taxonomy, roster, second_model).read(text, rating)
    of_mentions = "start end label score"
    return {
        "sentiment": _fields(reading, "label score"),
        "aspects": [
            _fields(aspect, "id label score phrase")
            | {"mentions": [_fields(each, of_mentions) for each in aspect.mentions]}
            for aspect in reading.aspects
        ],
        "people": [
            _fields(person, "id role label score") | _places(person) for person in reading.people
        ],
        "entities": [
            {"type": "technician" if entity.type == "person" else entity.type}
            | _fields(entity, "id label score" + " concept" * (entity.type == "problem"))
            | _places(entity)
            for entity in reading.entities
        ],
        "sentences": [_fields(sentence, of_mentions) for sentence in reading.sentences],
        "complaints": [_fields(complaint, "start end concept") for complaint in reading.complaints],
    }


def _fields(part: object, names: str) -> dict[str, Any]:
    values = {name: getattr(part, name) for name in names.split()}
    return {
        name: round(value, 3) if isinstance(value, float) else value
        for name, value in values.items()
    }


def _places(entity: EntityReading) -> dict[str, Any]:
    return {"mentions": [_fields(mention, "start end") for mention in entity.mentions]}


_MAX_COMPILED = 8
_compiled_last: list[tuple[_Taxonomy, _Roster, PolarityModel | None, Analyser]] = []


def _compiled(taxonomy: _Taxonomy, roster: _Roster, model: PolarityModel | None) -> Analyser:
    """Return the analyser of a taxonomy and roster, from the recent ones if possible.

    Comparison with a copy is faster than hashing, because most texts are identical objects.
    """
    global _compiled_last  # noqa: PLW0603 - replacing the whole list is atomic
    recent = _compiled_last
    for known_taxonomy, known_roster, known_model, analyser in recent:
        if known_model is model and known_taxonomy == taxonomy and known_roster == roster:
            return analyser
    analyser = Analyser(taxonomy, roster, model)
    entry = deepcopy(taxonomy), deepcopy(roster), model, analyser
    _compiled_last = [entry, *recent[: _MAX_COMPILED - 1]]
    return analyser
