"""Claims of connections: one worker at a time, by a conditional update that expires by itself.

A worker that is killed leaves its claim, and the connection is free again when that expires. Each
request and each step extends the claim; a worker that was frozen and has lost it stops there.
"""

import datetime as dt
import secrets
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from sources.models import LOOK, RELEASED_CLAIM, ConnectionQuerySet, SourceConnection
from sources.schedule import LONGEST_WAIT_SECONDS

LOOK_SECONDS = 75.0  # Longer than one request.
CLAIM_SECONDS = 180.0  # Longer than one step of an import of a usual file.
RETRY_SECONDS = 10.0
CANDIDATES = 20


_unstored: Counter[int] = Counter()  # Looks in a row that this process could not store.


class ClaimLost(Exception):
    """The claim has expired, and another worker may have the connection."""


@dataclass(slots=True)
class Claim:
    """The right to work on one connection."""

    connection_id: int
    token: str

    def _row(self) -> ConnectionQuerySet:
        return SourceConnection.objects.filter(pk=self.connection_id, claim_token=self.token)

    def extend(self) -> None:
        """Keep the claim for a while longer; raises `ClaimLost`."""
        self.store(claimed_until=_until(self.token))

    def begin_import(self) -> None:
        """Turn the claim for a look into one for an import; raises `ClaimLost`."""
        token = _new_token()
        self.store(claimed_until=_until(token), claim_token=token)
        self.token = token

    def connection(self) -> SourceConnection:
        """The connection as it is now; raises `ClaimLost`."""
        found = self._row().first()
        if found is None:
            raise ClaimLost
        return found

    def store(self, **values: Any) -> None:
        """Store values of the connection, if the claim stands; raises `ClaimLost`."""
        if not self._row().update(**values):
            raise ClaimLost

    def retry_soon(self) -> None:
        """Let the claim expire soon, so that the work is tried again.

        Looks that cannot be stored are tried again after twice the time each: a look may be billed.
        """
        seconds = RETRY_SECONDS
        if self.token.startswith(LOOK):
            seconds = min(seconds * 2 ** _unstored[self.connection_id], LONGEST_WAIT_SECONDS)
            _unstored[self.connection_id] += 1
        soon = timezone.now() + dt.timedelta(seconds=seconds)
        self._row().update(claimed_until=soon)

    def release(self) -> None:
        _unstored.pop(self.connection_id, None)
        self._row().update(**RELEASED_CLAIM)


def claim_one(rows: ConnectionQuerySet, *, for_look: bool = False) -> Claim | None:
    """Claim the first of these connections that no other worker claims."""
    for pk in list(rows.values_list("pk", flat=True)[:CANDIDATES]):
        token = _new_token(LOOK if for_look else "")
        free = SourceConnection.objects.free(timezone.now()).filter(pk=pk)
        if free.update(claimed_until=_until(token), claim_token=token):
            return Claim(pk, token)
    return None


def _new_token(work: str = "") -> str:
    return work + secrets.token_hex(12)


def _until(token: str) -> dt.datetime:
    seconds = LOOK_SECONDS if token.startswith(LOOK) else CLAIM_SECONDS
    return timezone.now() + dt.timedelta(seconds=seconds)
