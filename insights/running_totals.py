"""The sums over all public reviews, held in memory and kept in step with the rows."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from insights import selectors
from insights.aggregate import Aggregate
from insights.findings import AnalysedReview
from insights.per_review import PerReview
from insights.selectors import AnalysisInputs
from insights.vocabulary import Vocabulary

REREAD = 2_000  # So many changes are looked up one by one; with more, all rows are read.


class ReviewsDue(Exception):
    """A public review is due from these inputs."""


class RunningTotals:
    """Counts from the same inputs. A change of one review costs that review alone."""

    def __init__(self, inputs: AnalysisInputs) -> None:
        self.inputs = inputs
        self.aggregate = Aggregate(inputs.names)
        self.vocabulary = Vocabulary()
        self.entries = PerReview(inputs.names)
        self._counted: dict[int, tuple[str | None, AnalysedReview]] = {}

    def follow(self) -> None:
        """Bring the sums in step with the rows; the caller holds a snapshot of them.

        Raises `ReviewsDue`, and counts nothing.
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
                self.vocabulary.remove(record)
        if len(changed) <= REREAD:
            self._count(changed, stamps)
        else:
            with _frozen_gc():
                self._count(None, stamps)

    def _count(self, keys: Sequence[int] | None, stamps: Mapping[int, str | None]) -> None:
        for key, record in selectors.records(keys):
            if key not in self._counted:
                self.aggregate.add(record)
                self.vocabulary.add(record)
                self._counted[key] = stamps[key], record


@contextmanager
def _frozen_gc() -> Iterator[None]:
    """Freeze the objects made inside, so that garbage collection skips them.

    To do so would take a second of 100,000 reviews, in the midst of an edit.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()
