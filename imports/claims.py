"""Claims of import batches: one worker at a time; a claim that is not renewed expires.

So a batch whose worker was killed is taken up again within a minute. While a batch is applied or
undone, the lock of its transaction keeps others away instead, and ends with the process.
"""

import datetime as dt
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import DatabaseError, connections, transaction
from django.db.models import F, Q
from django.utils import timezone

from imports.models import ImportBatch

CLAIM = dt.timedelta(seconds=30)
RENEWAL_SECONDS = 10
RETRY_AFTER = dt.timedelta(minutes=1)  # Of a try that failed.


def claim(batch_id: int, *states: str) -> ImportBatch | None:
    """Claim a batch in one of these states for a try, and count the try.

    Returns the batch as it was before, with the token; None where another worker has it.
    """
    is_free = Q(claim_token="") | Q(claimed_until__lt=timezone.now())
    free = ImportBatch.objects.filter(is_free, pk=batch_id, state__in=states)
    with transaction.atomic():
        batch = free.select_for_update(skip_locked=True).first()
        if batch is not None:
            batch.claim_token = secrets.token_hex(12)
            ImportBatch.objects.filter(pk=batch_id).update(
                claim_token=batch.claim_token, claimed_until=_until(), tries=F("tries") + 1
            )
    return batch


@contextmanager
def renewed(batch: ImportBatch) -> Iterator[None]:
    """Renew the claim of a batch in a thread, for work outside of a transaction."""
    claimed = ImportBatch.objects.filter(pk=batch.pk, claim_token=batch.claim_token)
    ended = threading.Event()

    def renew() -> None:
        while not ended.wait(RENEWAL_SECONDS):
            with suppress(DatabaseError):  # The next renewal may come through.
                claimed.update(claimed_until=_until())
        connections.close_all()

    threading.Thread(target=renew, name="renew claim", daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def unclaimed_batches() -> list[int]:
    """Batches that wait for a worker, as theirs was killed, or its message was lost.

    Those that were tried least come first, so that one that kills its worker keeps none waiting.
    """
    is_due = Q(claimed_until=None) | Q(claimed_until__lt=timezone.now())
    waiting = ImportBatch.objects.filter(is_due, state__in=ImportBatch.AT_WORK)
    return list(waiting.order_by("tries", "id").values_list("pk", flat=True))


def _until() -> dt.datetime:
    return timezone.now() + CLAIM
