"""Progress of an import while its transaction is open, shared through the cache.

Other connections do not see the transaction. A cache that fails hides the progress, not the work.
"""

from contextlib import suppress

from django.core.cache import cache

from reviews.models import ImportBatch

KEPT_SECONDS = 900  # The longest time of an import.


class Progress:
    """Stores the number of rows done each time it is called."""

    def __init__(self, batch: ImportBatch) -> None:
        self._key = _key(batch)
        self._is_available = True

    def __call__(self, rows: int) -> None:
        if self._is_available:
            try:
                cache.set(self._key, rows, KEPT_SECONDS)
            except Exception:  # noqa: BLE001  Each cache backend has errors of its own.
                self._is_available = False  # A cache that hangs costs its timeout once.


def rows_done(batch: ImportBatch) -> int:
    """The number of rows done; 0 before the work has begun, or if it is unknown."""
    with suppress(Exception):
        return int(cache.get(_key(batch)) or 0)
    return 0


def _key(batch: ImportBatch) -> str:
    # A batch that is started again counts from the beginning.
    return f"import:{batch.pk}:{batch.requested_at.timestamp()}"
