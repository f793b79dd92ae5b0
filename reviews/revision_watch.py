"""The revision of the reviews as this process knows it: a moment old, for hardly any query."""

import time
from threading import Lock
from typing import NamedTuple

from django.conf import settings

from reviews.search import revision


class Reading(NamedTuple):
    number: int
    at: float  # Monotonic, taken before the database was asked.


class RevisionWatch:
    """Holds the revision and reads it again when it is `VERSION_POLL_MS` old; any thread may ask.

    A read that fails is reported to whoever asked: no answer rests on a revision that may have
    passed.
    """

    def __init__(self) -> None:
        self._held: Reading | None = None
        self._reading = Lock()

    def current(self) -> int:
        """The revision, read within the last `VERSION_POLL_MS`."""
        number = self._fresh()
        if number is not None:
            return number
        with self._reading:
            number = self._fresh()  # Another thread may just have read it.
            return self.read() if number is None else number

    def read(self) -> int:
        """The revision as the database has it now."""
        began = time.monotonic()
        self._held = reading = Reading(revision(), began)
        return reading.number

    def forget(self) -> None:
        """Read the database again at the next question."""
        self._held = None

    def _fresh(self) -> int | None:
        held = self._held
        if held is None or (time.monotonic() - held.at) * 1_000 > settings.VERSION_POLL_MS:
            return None
        return held.number


watch = RevisionWatch()
