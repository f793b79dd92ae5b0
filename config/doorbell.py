"""The tasks that everybody may ring, whatever becomes of the broker."""

import logging
import threading
import time
from typing import Any

from celery import Task
from django.db import Error

from config.logs import request_id
from reviews.database_trouble import told
from reviews.doorbell import Stopping
from reviews.patience import WORK_SECONDS, patience

logger = logging.getLogger(__name__)

RING_SECONDS = 1.5  # What a caller waits at most, whatever the broker does.
UNHEARD = (
    "The next sweep takes it up. Look at the broker that CELERY_BROKER_URL or REDIS_URL names."
)
MESSAGE_SECONDS = 60 * 60  # An older doorbell has long been answered by the sweep.
REQUEST_ID = "reviews_request_id"  # The header in which a message names whose request it is of.


class Doorbell(Task[Any, Any]):
    """A task that others call with `ring` and nothing else."""

    expires = MESSAGE_SECONDS
    _ringing: threading.Thread | None = None
    _rings_at = 0.0  # When the alarm that this process set goes off, on the monotonic clock.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run; what the database cannot do now is left to the next sweep, with a sentence."""
        before = patience.set(WORK_SECONDS)
        try:
            return super().__call__(*args, **kwargs)
        except Stopping:
            return None
        except Error as error:
            why = told(error)
            if why is None:
                raise
            logger.error("%s did not work: %s", self.name, why)
            return None
        finally:
            patience.reset(before)

    def ring(self, *args: Any) -> None:
        """Ask a worker to look for work, at once if one listens.

        Never raises and never takes longer than `RING_SECONDS`: it is called after a commit, and
        what is committed is found by the next sweep if nobody hears the bell.
        """
        self._ring_in_thread(args)

    def ring_in(self, seconds: float) -> None:
        """Ask a worker to look for work after a wait; as safe to call as `ring`.

        Whoever is rung sets the next alarm, so one at a time is enough for each process: an earlier
        one that is still to go off stands for this one.
        """
        now = time.monotonic()
        if now <= self._rings_at <= now + seconds:
            return
        self._rings_at = now + seconds
        self._ring_in_thread((), countdown=seconds)

    def _ring_in_thread(self, args: tuple[Any, ...], **options: Any) -> None:
        if Doorbell._ringing and Doorbell._ringing.is_alive():
            return  # An earlier bell still waits for the broker, and has said so.
        # In a thread, because no client library bounds name resolution, connecting, its own
        # retries and a silent peer together.
        options["headers"] = {REQUEST_ID: request_id.get()}
        thread = threading.Thread(
            target=self._ring, args=(args, options), name="doorbell", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # No thread to be had, or the interpreter is on its way out.
            return
        thread.join(RING_SECONDS)
        if thread.is_alive():
            Doorbell._ringing = thread
            say_unheard(self.name, "the broker has not answered")

    def _ring(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        try:
            self.apply_async(args, **options)
        except Exception as error:  # noqa: BLE001  (each broker's library has errors of its own)
            say_unheard(self.name, str(error) or type(error).__name__)


def say_unheard(task: str, why: str) -> None:
    logger.warning("No worker was told of %s: %s. %s", task, why.rstrip("."), UNHEARD)
