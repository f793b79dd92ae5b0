"""Sums over all public reviews, kept in memory and updated from the database."""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext

import orjson

from insights import selectors
from insights.aggregate import Aggregate, Names
from insights.findings import AnalysedReview, Opinion
from insights.selectors import AnalysisInputs
from insights.statistics import rounded
from insights.topics import NounCounts

REREAD = 2_000  # Changes that are read by key; with more, all rows are read.


class ReviewsDue(Exception):
    """A public review has not been analysed with the current inputs."""


class RunningTotals:
    """Sums for one set of analysis inputs. An update reads changed reviews only."""

    def __init__(self, inputs: AnalysisInputs) -> None:
        self.inputs = inputs
        self.aggregate = Aggregate(inputs.names)
        self.nouns = NounCounts()
        self.entries = PerReview(inputs.names)
        self._counted: dict[int, tuple[str | None, AnalysedReview]] = {}

    def update(self) -> None:
        """Update the sums from the rows, in a snapshot of the caller.

        Raises `ReviewsDue` before it changes anything.
        """
        stamps = selectors.stamps(self.inputs.digest)
        counted = self._counted
        gone = [key for key in counted if key not in stamps]
        changed = [
            key for key, stamp in stamps.items() if key not in counted or counted[key][0] != stamp
        ]
        if any(stamps[key] is None for key in changed):
            raise ReviewsDue
        for key in (*gone, *changed):
            if key in counted:
                _, record = counted.pop(key)
                self.aggregate.remove(record)
                self.nouns.remove(record)
        are_few = len(changed) <= REREAD
        with nullcontext() if are_few else _frozen_gc():
            for key, record in selectors.records(changed if are_few else None):
                if key not in counted:
                    self.aggregate.add(record)
                    self.nouns.add(record)
                    counted[key] = stamps[key], record


@contextmanager
def _frozen_gc() -> Iterator[None]:
    """Exempt the objects created inside from garbage collection.

    Collecting 100,000 reviews takes a second, which would delay an edit.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


# --- Entries of single reviews --------------------------------------------------------------------


class PerReview:
    """Entries of `per_review` in the dataset; unchanged entries are reused."""

    def __init__(self, names: Names) -> None:
        self._names = names
        # By id the record, its themes and complaints, and the JSON of all.
        self._entries: dict[str, tuple[AnalysedReview, tuple[Sequence[str], ...], bytes]] = {}

    def json(
        self,
        records: Iterable[AnalysedReview],
        themes: Mapping[str, Sequence[str]],
        complaints: Mapping[str, Sequence[str]],
    ) -> bytes:
        """Return a JSON object with an entry for each record.

        Entries are serialised one by one, since a tree of 100,000 would double the memory in use.
        """
        previous, self._entries = self._entries, {}
        for record in records:
            entry = previous.get(record.ulid)
            own = themes.get(record.ulid, ()), complaints.get(record.ulid, ())
            if entry is None or entry[0] is not record or entry[1] != own:
                entry = record, own, self._entry(record, *own)
            self._entries[record.ulid] = entry
        return b"{%b}" % b",".join([json for _, _, json in self._entries.values()])

    def _entry(
        self, record: AnalysedReview, themes: Sequence[str], complaints: Sequence[str]
    ) -> bytes:
        names = self._names
        members = {
            "sentiment": {"score": _SCORES[record.score], "label": record.label},
            "aspects": [
                {
                    "id": aspect.id,
                    "label": aspect.label,
                    "score": _SCORES[aspect.score],
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
        return b'"%b":%b' % (record.ulid.encode(), orjson.dumps(members))


def _ids(opinions: Iterable[Opinion], known: Mapping[str, str]) -> list[str]:
    return [opinion.id for opinion in opinions if opinion.id in known]


# Rounding is slow, and a score has 2,001 values.
_SCORES = {score: rounded(score / 1000, 2) for score in range(-1000, 1001)}
