"""How far an import is while its transaction is open, of which nobody else sees anything.

So it is told by the shared cache. Where that does not answer nobody is told, and the work goes on.
"""

from contextlib import suppress

from django.core.cache import cache

from reviews.models import ImportBatch

KEPT_SECONDS = 900  # What an import may take at most.


class Progress:
    """Called with the number of rows that are done."""

    def __init__(self, batch: ImportBatch) -> None:
        self._key = _key(batch)
        self._is_heard = True

    def __call__(self, rows: int) -> None:
        if self._is_heard:
            try:
                cache.set(self._key, rows, KEPT_SECONDS)
            except Exception:  # noqa: BLE001  Each cache backend has errors of its own.
                self._is_heard = False  # A cache that hangs costs its timeout once.


def rows_done(batch: ImportBatch) -> int:
    """As far as is known; 0 before the work has begun."""
    with suppress(Exception):
        return int(cache.get(_key(batch)) or 0)
    return 0


def _key(batch: ImportBatch) -> str:
    # Asked for anew, it begins anew.
    return f"import:{batch.pk}:{batch.asked_at.timestamp()}"
