"""Cleanup: ended leases, requests that could not be verified in time, and old log entries."""

import datetime as dt
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from websub import clock, conf
from websub.models import RELEASED_CLAIM, Attempt, Subscription, Verification, lock_rows
from websub.topics import refresh

KEPT = dt.timedelta(days=7)
REQUEST_MAX_AGE = dt.timedelta(hours=1)
MAX_ROWS = 5_000  # Of each kind in one run, so that none takes long.

TOO_LATE = "The callback could not be asked in time."


class CleanupResult(NamedTuple):
    expired: int
    timed_out: int
    deleted: int


def sweep() -> CleanupResult:
    """Look for changes, end what is over and delete what is old; doing it again changes nothing."""
    now = clock.now()
    refresh()
    waited = REQUEST_MAX_AGE + dt.timedelta(seconds=sum(conf.get("WEBSUB_VERIFY_RETRY_SECONDS")))
    finished = Verification.objects.exclude(state=Verification.State.PENDING)
    return CleanupResult(
        expired=_delete(Subscription.objects.expired()),
        timed_out=Verification.objects.pending()
        .filter(requested_at__lt=now - waited)
        .update(
            state=Verification.State.FAILED,
            last_error=TOO_LATE,
            finished_at=now,
            encrypted_secret="",
            **RELEASED_CLAIM,
        ),
        deleted=_delete(Attempt.objects.filter(at__lt=now - KEPT))
        + _delete(finished.filter(finished_at__lt=now - KEPT)),
    )


def _delete(rows: QuerySet[Any]) -> int:
    keys = list(rows.values_list("pk", flat=True)[:MAX_ROWS])
    if not keys:
        return 0
    # The condition once more: a subscription may have been renewed since.
    over = rows.filter(pk__in=keys)
    with transaction.atomic():
        lock_rows(over)
        _, by_model = over.delete()
    return by_model.get(rows.model._meta.label, 0)
