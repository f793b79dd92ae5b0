"""The revision of the reviews as this process knows it: a moment old, for hardly any query."""

import time
from typing import NamedTuple

from django.conf import settings

from reviews.search.query import revision


class Reading(NamedTuple):
    number: int
    at: float  # Monotonic, taken before the database was asked.


class RevisionWatch:
    """Holds the revision and reads it again when it is `VERSION_POLL_MS` old; any thread may ask.

    Threads that find it old at the same moment each read it: that is cheaper than to queue behind
    a database that hangs. A read that fails is told to whoever asked, since no answer may rest on
    a revision that has perhaps passed.
    """

    def __init__(self) -> None:
        self._held: Reading | None = None

    def current(self) -> int:
        """The revision, read within the last `VERSION_POLL_MS`."""
        held = self._held
        if held is not None and (time.monotonic() - held.at) * 1_000 <= settings.VERSION_POLL_MS:
            return held.number
        return self.read()

    def read(self) -> int:
        """The revision as the database has it now."""
        began = time.monotonic()
        self._held = reading = Reading(revision(), began)
        return reading.number

    def forget(self) -> None:
        """Read the database again at the next question."""
        self._held = None


revision_cache = RevisionWatch()
