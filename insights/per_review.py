"""Entries of single reviews in the dataset."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import orjson

from insights.aggregate import Names
from insights.findings import AnalysedReview, Opinion
from insights.statistics import rounded


class _Entry(NamedTuple):
    record: AnalysedReview
    topics: Sequence[str]
    complaints: Sequence[str]
    json: bytes


class PerReview:
    """The entries of the dataset's `per_review`; each is written once for a record."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._entries: dict[str, _Entry] = {}

    def json(
        self,
        records: Iterable[AnalysedReview],
        themes: Mapping[str, Sequence[str]],
        complaints: Mapping[str, Sequence[str]],
    ) -> bytes:
        """An object with one entry for each record, with the themes and complaints of its id.

        Text by text: as one tree, 100,000 would double the memory of the process.
        """
        held, self._entries = self._entries, {}
        for record in records:
            entry = held.get(record.ulid)
            own = themes.get(record.ulid, ()), complaints.get(record.ulid, ())
            if entry is None or entry.record is not record or entry[1:3] != own:
                entry = _Entry(record, *own, self._written(record, *own))
            self._entries[record.ulid] = entry
        return b"{%b}" % b",".join([entry.json for entry in self._entries.values()])

    def _written(
        self, record: AnalysedReview, themes: Sequence[str], complaints: Sequence[str]
    ) -> bytes:
        names = self._names
        said = {
            "sentiment": {"score": _score(record.score), "label": record.label},
            "aspects": [
                {
                    "id": aspect.id,
                    "label": aspect.label,
                    "score": _score(aspect.score),
                    "phrase": aspect.phrase,
                }
                for aspect in record.aspects
                if aspect.id in names.aspects
            ],
            "technicians": _ids(record.technicians, names.technicians),
            "services": _ids(record.services, names.services),
            "problems": _ids(record.problems, names.problems),
            "service_areas": _ids(record.areas, names.areas),
            "topics": sorted([*_ids(record.topics, names.topics), *themes]),
            "complaints": complaints,
        }
        return b'"%b":%b' % (record.ulid.encode(), orjson.dumps(said))


def _ids(opinions: Iterable[Opinion], known: Mapping[str, str]) -> list[str]:
    return [opinion.id for opinion in opinions if opinion.id in known]


# Rounded once each: a review's score is one of 2,001.
_SCORES = {score: rounded(score / 1000, 2) for score in range(-1000, 1001)}


def _score(thousandths: int) -> float:
    return _SCORES[thousandths]
