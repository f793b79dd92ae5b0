"""Celery tasks of imports, which may run twice or never."""

import logging
import threading
from collections import deque

from celery import shared_task
from django.db import DatabaseError

from core.celery import is_shutting_down
from imports import batch

logger = logging.getLogger(__name__)

_queue: deque[int] = deque()
_lock = threading.Lock()


@shared_task
def process_batch(batch_id: int) -> None:
    """Read, apply or undo a batch, depending on its state."""
    process_batches(batch_id)


@shared_task
def resume_batches() -> None:
    """Process batches whose worker was killed or whose message was lost."""
    if not _lock.locked():  # If it is, the next run finds the remaining batches.
        process_batches(*batch.unclaimed_batches())


def process_batches(*batch_ids: int) -> None:
    """Process batches, one at a time in each operating system process.

    If another thread is processing batches, it takes over these as well. A file may take minutes,
    and several at once would block all threads of a worker.
    """
    _queue.extend(batch_ids)
    # Checked again after the release, since another thread may have added a batch before it.
    while _queue and not is_shutting_down() and _lock.acquire(blocking=False):
        try:
            while _queue and not is_shutting_down():
                batch_id = _queue.popleft()
                try:
                    batch.process(batch_id)
                except DatabaseError:  # It may concern this batch alone.
                    logger.exception("Batch %d was not processed", batch_id)
        finally:
            _lock.release()


@shared_task
def purge_uploads() -> None:
    batch.purge()
