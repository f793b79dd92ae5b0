"""Claim rows, so that one worker at a time processes a row.

A model with claims has the fields `claimed_until` and `claim_token`. The claim of a killed worker
expires. A worker that lost its claim while it was frozen stops at its next step.
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
    """Raised after a claim has expired: another worker may have claimed the row."""


def is_free(now: dt.datetime) -> Q:
    """Condition of rows without a claim or with an expired one."""
    return Q(claimed_until=None) | Q(claimed_until__lte=now)


@dataclass(slots=True)
class Claim:
    """Claim of one row for some seconds."""

    model: type[Model]
    pk: int
    token: str
    seconds: float

    def rows(self) -> QuerySet[Any]:
        """Query set of the row, empty if the claim is lost."""
        return self.model._default_manager.filter(pk=self.pk, claim_token=self.token)

    def store(self, **values: Any) -> None:
        """Update the row. Raises `ClaimLost`."""
        if not self.rows().update(**values):
            raise ClaimLost

    def extend(self) -> None:
        """Extend the claim by its seconds from now. Raises `ClaimLost`."""
        self.store(claimed_until=_after(self.seconds))

    @contextmanager
    def renewed(self) -> Iterator[None]:
        """Extend the claim regularly in a thread; do not use this inside a transaction."""
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(self.seconds / RENEWED_PER_CLAIM):
                with suppress(DatabaseError, ClaimLost):  # The next attempt may succeed.
                    self.extend()
            connections.close_all()

        threading.Thread(target=renew, name="renew claim", daemon=True).start()
        try:
            yield
        finally:
            ended.set()

    def free_after(self, seconds: float) -> None:
        """Let the claim expire after some seconds."""
        self.rows().update(claimed_until=_after(seconds))

    def release(self) -> None:
        self.rows().update(**RELEASED)


def claim_first(rows: QuerySet[Any], seconds: float, *, label: str = "") -> Claim | None:
    """Claim the first free row, skipping locked rows; the token begins with the label."""
    free = rows.filter(is_free(timezone.now()))
    if not free.exists():
        return None  # Without SQLite's write lock.
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
