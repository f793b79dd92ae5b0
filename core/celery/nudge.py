"""Celery tasks as nudges: a message says "look for work" and holds nothing that could be lost."""

import logging
import mmap
import threading
from collections.abc import Callable
from typing import Any, cast

from celery import Task, shared_task
from django.db import Error, close_old_connections

from core.db.errors import message_for
from core.db.transactions import TASK_TIMEOUT, query_timeout
from core.logging import request_id

logger = logging.getLogger(__name__)

PUBLISH_TIMEOUT = 1.5  # Seconds that a caller waits at most, whatever the broker does.
PUBLISH_FAILED = (
    "The next sweep takes it up. Look at the broker that CELERY_BROKER_URL or REDIS_URL names."
)
MESSAGE_SECONDS = 60 * 60  # The sweep has long done the work of an older message.
REQUEST_ID = "reviews_request_id"  # The header in which a message names the request it is of.


class NudgeTask(Task[Any, Any]):
    """A task that does whatever is due; it may run twice or never."""

    expires = MESSAGE_SECONDS
    _publishing: threading.Thread | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run; leave what the database cannot do now to the next sweep, with a log line."""
        token = query_timeout.set(TASK_TIMEOUT)
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
        finally:
            query_timeout.reset(token)
            if not (self.request.called_directly or self.request.is_eager):
                close_old_connections()  # Those that are broken, or older than CONN_MAX_AGE.

    def nudge(self, *args: Any) -> None:
        """Have a worker run this task soon.

        Never raises and never takes longer than `PUBLISH_TIMEOUT`: it is called after a commit, and
        the next sweep finds the committed work if the message is lost.
        """
        if NudgeTask._publishing and NudgeTask._publishing.is_alive():
            return  # An earlier message still waits for the broker, and is in the log.
        # In a thread, because no client library bounds name resolution, connecting, its own
        # retries and a silent peer together.
        thread = threading.Thread(
            target=self._publish, args=(args, request_id.get()), name="nudge", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # No thread to be had, or the interpreter is on its way out.
            return
        thread.join(PUBLISH_TIMEOUT)
        if thread.is_alive():
            NudgeTask._publishing = thread
            log_publish_failure(self.name, "the broker has not answered")

    def delay(self, *args: Any, **kwargs: Any) -> Any:
        """Nudge, so that libraries which know Celery's own names are as safe."""
        self.nudge(*args)

    def _publish(self, args: tuple[Any, ...], caller_id: str) -> None:
        try:
            self.apply_async(args, headers={REQUEST_ID: caller_id})
        except Exception as error:  # noqa: BLE001  (each broker's library has errors of its own)
            log_publish_failure(self.name, str(error) or type(error).__name__)


def nudge(task: Callable[..., Any]) -> None:
    """Have a worker run a library's task, which the project's Celery app made a `NudgeTask`."""
    cast("NudgeTask", task).nudge()


def nudge_task(work: Callable[..., None]) -> NudgeTask:
    """Register `work` as a task of the project's Celery app, whose task class is `NudgeTask`."""
    return cast("NudgeTask", shared_task(work))


def log_publish_failure(task: str, reason: str) -> None:
    logger.warning("No worker was told of %s: %s. %s", task, reason.rstrip("."), PUBLISH_FAILED)


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
