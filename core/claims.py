"""Claims of rows: one worker at a time, by a conditional update that expires by itself.

A model with claims has the fields `claimed_until` and `claim_token`. A worker that is killed leaves
its claim, and the row is free again when that expires. A worker that was frozen and has lost its
claim stops at its next step.
"""

import datetime as dt
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, connections, transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

RELEASED = {"claimed_until": None, "claim_token": ""}
RENEWED_PER_CLAIM = 3


class ClaimLost(Exception):
    """The claim has expired, and another worker may have the row."""


def is_free(now: dt.datetime) -> Q:
    """The condition of rows that no worker has claimed, or whose claim has expired."""
    return Q(claimed_until=None) | Q(claimed_until__lte=now)


@dataclass(slots=True)
class Claim:
    """The right to work on one row for some seconds."""

    model: type[Model]
    pk: int
    token: str
    seconds: float

    def rows(self) -> QuerySet[Any]:
        """The row, if the claim stands."""
        return self.model._default_manager.filter(pk=self.pk, claim_token=self.token)

    def store(self, **values: Any) -> None:
        """Store values of the row, if the claim stands; raises `ClaimLost`."""
        if not self.rows().update(**values):
            raise ClaimLost

    def extend(self) -> None:
        """Keep the claim for a while longer; raises `ClaimLost`."""
        self.store(claimed_until=_after(self.seconds))

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Extend the claim in a thread, for work that has no steps; not inside a transaction."""
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(self.seconds / RENEWED_PER_CLAIM):
                with suppress(DatabaseError, ClaimLost):  # The next one may come through.
                    self.extend()
            connections.close_all()

        threading.Thread(target=renew, name="renew claim", daemon=True).start()
        try:
            yield
        finally:
            ended.set()

    def free_after(self, seconds: float) -> None:
        """Let the claim expire then."""
        self.rows().update(claimed_until=_after(seconds))

    def release(self) -> None:
        self.rows().update(**RELEASED)


def claim_first(rows: QuerySet[Any], seconds: float, *, label: str = "") -> Claim | None:
    """Claim the first of these rows that is free; the token begins with the label.

    A row that a transaction has locked is not free.
    """
    free = rows.filter(is_free(timezone.now()))
    if not free.exists():
        return None  # Without a lock of SQLite.
    with transaction.atomic():
        row = free.select_for_update(skip_locked=True, of=("self",)).first()
        if row is None:
            return None
        claim = Claim(rows.model, row.pk, new_token(label), seconds)
        held = rows.model._default_manager.filter(pk=row.pk)
        held.update(claimed_until=_after(seconds), claim_token=claim.token)
    return claim


def new_token(label: str = "") -> str:
    return label + secrets.token_hex(12)


def _after(seconds: float) -> dt.datetime:
    return timezone.now() + dt.timedelta(seconds=seconds)
