"""Clean up ended leases, requests that were not verified in time, and old log entries."""

import datetime as dt
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from websub import clock, conf
from websub.models import RELEASED_CLAIM, Attempt, Subscription, Verification, lock_rows
from websub.topics import refresh

LOG_MAX_AGE = dt.timedelta(days=7)
REQUEST_MAX_AGE = dt.timedelta(hours=1)
MAX_ROWS = 5_000  # Per kind and run, to keep runs short.

TOO_LATE = "The callback could not be verified in time."


class CleanupResult(NamedTuple):
    expired: int
    timed_out: int
    deleted: int


def run_cleanup() -> CleanupResult:
    """Refresh topics, end expired rows, and delete old ones; safe to repeat."""
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
        deleted=_delete(Attempt.objects.filter(at__lt=now - LOG_MAX_AGE))
        + _delete(finished.filter(finished_at__lt=now - LOG_MAX_AGE)),
    )


def _delete(rows: QuerySet[Any]) -> int:
    keys = list(rows.values_list("pk", flat=True)[:MAX_ROWS])
    if not keys:
        return 0
    # `rows` repeats its condition here: a subscription may have been renewed since.
    expired = rows.filter(pk__in=keys)
    with transaction.atomic():
        lock_rows(expired)
        _, by_model = expired.delete()
    return by_model.get(rows.model._meta.label, 0)
