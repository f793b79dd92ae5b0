"""Celery's task class, warm shutdown, and a broker that stores messages in files.

A message only wakes a worker; the rows say what is due. A message may be lost, delayed or
duplicated, since the schedule of `config.celery` sends it again.
"""

import hashlib
import json
import logging
import mmap
import uuid
from pathlib import Path
from typing import Any, ClassVar

from celery.contrib.django.task import DjangoTask
from django.db import Error
from kombu.exceptions import OperationalError
from kombu.transport import filesystem

from core.db.errors import message_for

logger = logging.getLogger(__name__)


class DueTask(DjangoTask[Any, Any]):
    """Task that handles due rows, so that it may run twice or be lost."""

    expires = 60 * 60  # The schedule has sent a newer message by then.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the task; log known database errors, and leave the work to the next sweep."""
        try:
            return super().__call__(*args, **kwargs)
        except WorkerShuttingDown:
            return None
        except Error as error:
            message = message_for(error)
            if message is None:
                raise
            logger.error("%s did not work: %s", self.name, message)
            return None

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Send a message; only log the failure of the broker, since the rows are stored."""
        try:
            return super().apply_async(*args, **options)
        except (OperationalError, OSError) as error:
            reason = str(error).rstrip(".") or type(error).__name__
            logger.warning(
                "No worker was told of %s: %s. The next sweep takes it up. Look at the broker "
                "that CELERY_BROKER_URL or REDIS_URL names.",
                self.name,
                reason,
            )


# --- Warm shutdown --------------------------------------------------------------------------------


_shutting_down = mmap.mmap(-1, 1)  # Shared with the child processes of a worker.


class WorkerShuttingDown(Exception):
    """Raised to end a task early, because its worker is about to stop."""


def request_shutdown() -> None:
    """Tell the tasks of this worker that it is about to stop."""
    _shutting_down[0] = 1


def is_shutting_down() -> bool:
    """Whether tasks of this worker should end early; another worker continues the due work."""
    return _shutting_down[0] == 1


def checkpoint() -> None:
    """Raise `WorkerShuttingDown` if this worker is about to stop; call it between two steps."""
    if is_shutting_down():
        raise WorkerShuttingDown("The worker was stopped; another one goes on.")


# --- Broker in a folder, for installations without Redis or RabbitMQ ------------------------------


class Channel(filesystem.Channel):
    """Kombu's channel with atomic writes and without duplicates.

    Kombu's reader would read half-written messages. A message replaces an equal unread one, so that
    the folder stays small without a worker.
    """

    def _put(  # type: ignore[override]  # As Kombu's own stubs say of their method.
        self, queue: str, payload: dict[str, Any], **kwargs: Any
    ) -> None:
        folder = Path(self.data_folder_out)
        new = folder / f".{uuid.uuid4().hex}"
        try:
            new.write_text(json.dumps(payload), encoding="utf-8")
            new.replace(folder / f"{_digest(payload)}.{queue}.msg")
        finally:
            new.unlink(missing_ok=True)  # In case the disk is full.


def _digest(payload: dict[str, Any]) -> str:
    """Hash task, arguments and due time."""
    headers = payload.get("headers", {})
    named = [headers.get("task"), headers.get("eta"), payload.get("body")]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


class Transport(filesystem.Transport):
    Channel = Channel
    # Kombu would warn that the URL has no host.
    default_connection_params: ClassVar[dict[str, Any]] = {}
