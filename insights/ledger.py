"""The sums over all public reviews, held in memory and kept in step with the rows."""

from insights import selectors
from insights.aggregate import Aggregate
from insights.records import Record
from insights.selectors import Basis
from insights.topics import Vocabulary

REREAD = 2_000  # So many changes are looked up one by one; with more, all rows are read.


class Ledger:
    """Counts on one basis. A change of one review costs that review alone."""

    def __init__(self, basis: Basis) -> None:
        self.basis = basis
        self.aggregate = Aggregate(basis.names)
        self.vocabulary = Vocabulary()
        self._counted: dict[int, tuple[str, Record]] = {}

    def follow(self) -> None:
        """Bring the sums in step with the rows; the caller holds a snapshot of them."""
        stamps = selectors.stamps()
        counted = self._counted
        gone = [key for key in counted if key not in stamps]
        changed = [
            key for key, stamp in stamps.items() if key not in counted or counted[key][0] != stamp
        ]
        for key in (*gone, *changed):
            if key in counted:
                _, record = counted.pop(key)
                self.aggregate.remove(record)
                self.vocabulary.remove(record)
        wanted = None if len(changed) > REREAD else changed
        for key, record in selectors.records(wanted):
            if key not in counted:
                self.aggregate.add(record)
                self.vocabulary.add(record)
                counted[key] = stamps[key], record
