"""Tasks of imports: each handles due batches, and may run twice or never."""

import logging
import threading
from collections import deque

from celery import shared_task
from django.db import DatabaseError

from core.celery import is_shutting_down
from imports import batch

logger = logging.getLogger(__name__)

_waiting: deque[int] = deque()
_at_work = threading.Lock()


@shared_task
def process_batch(batch_id: int) -> None:
    """Reads, applies or undoes a batch, whatever it waits for."""
    process_batches(batch_id)


@shared_task
def resume_batches() -> None:
    """Takes up the work of killed workers and of lost messages."""
    if not _at_work.locked():  # Otherwise the next sweep finds what waits then.
        process_batches(*batch.unclaimed_batches())


def process_batches(*batch_ids: int) -> None:
    """Work off batches, of which a process reads one at a time.

    Returns at once where another thread is at work, which takes these up as well: a file may take
    minutes, and several would keep all threads of a worker from other tasks.
    """
    _waiting.extend(batch_ids)
    # Looked at again after the release: a batch may have come just before it.
    while _waiting and not is_shutting_down() and _at_work.acquire(blocking=False):
        try:
            while _waiting and not is_shutting_down():
                batch_id = _waiting.popleft()
                try:
                    batch.process(batch_id)
                except DatabaseError:  # Of this batch, or of all; the next ones show which.
                    logger.exception("Batch %d was not worked off", batch_id)
        finally:
            _at_work.release()


@shared_task
def purge_uploads() -> None:
    batch.purge()
