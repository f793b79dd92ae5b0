"""The worker's own sweep, for as long as the broker or the scheduler is away."""

import logging
import subprocess
import sys
import threading
import time
from typing import Any, Literal

from celery import Celery
from celery.signals import task_received
from django.conf import settings
from django.db import connections

from core import heartbeat

logger = logging.getLogger(__name__)

BEAT_TASK = "websub.tasks.sweep_up"  # Web processes and workers send the others too.
MISSED_SWEEPS = 1.5  # The scheduler sends a task with each; after so many the cause is looked for.

Missing = Literal["broker", "scheduler"]


def start(worker: Any) -> threading.Thread:
    """Start a thread that sweeps without broker or scheduler."""
    sweeper = FallbackSweeper(worker)
    task_received.connect(sweeper.listen, weak=False)
    never = threading.Event()
    thread = threading.Thread(
        target=sweeper.watch, args=(never,), name="fallback-sweep", daemon=True
    )
    thread.start()
    return thread


class FallbackSweeper:
    """Sweeps every few seconds while Celery's worker gets no task.

    By a process of its own, as an operator does by hand: a worker's main process does no work.
    """

    def __init__(self, worker: Any) -> None:
        self._worker = worker
        self._heard_at = time.monotonic()
        self._missing: Missing | None = None

    def listen(self, request: Any, **kwargs: Any) -> None:
        if request.name == BEAT_TASK:
            self._heard_at = time.monotonic()

    def watch(self, stop: threading.Event) -> None:
        while not stop.wait(settings.WEBSUB_SWEEP_SECONDS):
            before, self._missing = self._missing, self._look()
            if before and self._missing != before:
                logger.warning("The %s is back.", before)
            if self._missing and self._missing != before:
                logger.warning("The %s is away; sweeping without it.", self._missing)
            if self._missing:
                _sweep()

    def _look(self) -> Missing | None:
        consumer = getattr(self._worker, "consumer", None)  # There is none yet where it begins.
        if consumer is None or consumer.connection is None:
            return "broker"
        quiet = time.monotonic() - self._heard_at
        # A broker that is frozen, or behind a network that drops packets, ends no connection.
        if quiet > MISSED_SWEEPS * settings.WEBSUB_SWEEP_SECONDS and not answers(self._worker.app):
            return "broker"
        if self._missing == "broker":
            self._heard_at = time.monotonic()  # The scheduler has to find it again as well.
        # Other workers may have taken the tasks, so that their absence alone says nothing.
        elif quiet > heartbeat.STALE_SECONDS and not _has_scheduler():
            return "scheduler"
        return None


def sweep_command() -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "sweep", "--skip-checks"]


def answers(app: Celery) -> bool:
    """Whether the broker has a word for a new connection."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=0)
    except Exception:  # noqa: BLE001  (each broker's library has errors of its own)
        return False
    return True


def _has_scheduler() -> bool:
    state = heartbeat.states()["scheduler"]
    # No connection is held until the next look: a pool may fork the process meanwhile.
    connections.close_all()
    return state == "ok"


def _sweep() -> None:
    try:
        done = subprocess.run(  # noqa: S603  (our own)
            sweep_command(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    except OSError as error:  # No memory, or an environment that is being replaced.
        logger.error("The sweep could not be started: %s", error)
        return
    said = done.stderr.splitlines()
    if done.returncode and said:
        # A command's last word is a bare line, which is none in a log of JSON.
        logger.error("The sweep did not work: %s", said.pop())
    sys.stderr.writelines(f"{line}\n" for line in said)
