"""Claims of connections: one worker at a time, by a conditional update that expires by itself.

A worker that is killed leaves its claim, and the connection is free again when that expires. Each
request and each step extends the claim; a worker that was frozen and has lost it stops there.
"""

import datetime as dt
import secrets
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from sources.models import RELEASED_CLAIM, ConnectionQuerySet, SourceConnection

CLAIM_SECONDS = 180.0  # Longer than one request, or one step of an import of a usual file.
CANDIDATES = 20


class ClaimLost(Exception):
    """The claim has expired, and another worker may have the connection."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on one connection."""

    connection_id: int
    token: str

    def _row(self) -> ConnectionQuerySet:
        return SourceConnection.objects.filter(pk=self.connection_id, claim_token=self.token)

    def extend(self) -> None:
        """Keep the claim for a while longer; raises `ClaimLost`."""
        if not self._row().update(claimed_until=_until()):
            raise ClaimLost

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

    def release(self) -> None:
        self._row().update(**RELEASED_CLAIM)


def claim_one(rows: ConnectionQuerySet) -> Claim | None:
    """Claim the first of these free connections that no other worker claims at the same time."""
    for pk in list(rows.values_list("pk", flat=True)[:CANDIDATES]):
        token = secrets.token_hex(16)
        free = SourceConnection.objects.free(timezone.now()).filter(pk=pk)
        if free.update(claimed_until=_until(), claim_token=token):
            return Claim(pk, token)
    return None


def _until() -> dt.datetime:
    return timezone.now() + dt.timedelta(seconds=CLAIM_SECONDS)
