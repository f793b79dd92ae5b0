"""Celery's task class and its broker of files: a message says "look for work", the rows say what.

A message may be lost, come late or come twice; the schedule of `config.celery` looks again.
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
    """Task that does whatever is due; it may run twice or never."""

    expires = 60 * 60  # By then the schedule has long sent a newer message.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run; leave what the database cannot do now to the next sweep, with a log line."""
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
        """Send a message; a broker that takes none is a log line, since the work is stored."""
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


_shutting_down = mmap.mmap(-1, 1)  # Anonymous and shared: a worker's child processes see it too.


class WorkerShuttingDown(Exception):
    """This worker is about to stop; another takes up the remaining work."""


def request_shutdown() -> None:
    """Tell the tasks of this worker that it is about to stop."""
    _shutting_down[0] = 1


def is_shutting_down() -> bool:
    """Whether a task should come to its end: another worker takes up the due work."""
    return _shutting_down[0] == 1


def checkpoint() -> None:
    """End a long task between two steps when its worker stops: raises `WorkerShuttingDown`."""
    if is_shutting_down():
        raise WorkerShuttingDown("The worker was stopped; another one goes on.")


# --- The broker of an installation without a broker -----------------------------------------------


class Channel(filesystem.Channel):
    """Kombu's, with messages that appear whole, and each once.

    Its reader takes those that are half written. The same message takes the place of one that no
    worker has read, so that the folder stays small without a worker.
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
            new.unlink(missing_ok=True)  # A full disk is not filled with beginnings.


def _digest(payload: dict[str, Any]) -> str:
    """Digest of task, arguments and due time."""
    headers = payload.get("headers", {})
    named = [headers.get("task"), headers.get("eta"), payload.get("body")]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


class Transport(filesystem.Transport):
    Channel = Channel
    # A folder has no host; Kombu would warn that the URL names none.
    default_connection_params: ClassVar[dict[str, Any]] = {}
