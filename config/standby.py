"""The worker's own sweep: while no broker can be reached, nobody rings."""

import logging
import subprocess
import sys
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import task_received
from django.conf import settings

from config.env import BASE_DIR

logger = logging.getLogger(__name__)

COMMAND = [sys.executable, str(BASE_DIR / "manage.py"), "sweep", "--skip-checks"]
QUIET_SWEEPS = 1.5  # The clock rings with each; who hears nothing for so long looks why.

_heard_at = time.monotonic()


def start(worker: Any) -> threading.Thread:
    """Stand by from a daemon thread for as long as this process lives."""
    task_received.connect(_note_that_a_bell_rang)
    never = threading.Event()
    thread = threading.Thread(target=watch, args=(worker, never), name="standby", daemon=True)
    thread.start()
    return thread


def watch(worker: Any, stop: threading.Event) -> None:
    """Sweep every few seconds for as long as Celery's worker hears nothing of the broker.

    By a process of its own, as an operator does by hand: a worker's main process does no work.
    """
    was_cut_off = False
    while not stop.wait(settings.WEBSUB_SWEEP_SECONDS):
        is_cut_off = _is_cut_off(worker)
        if is_cut_off != was_cut_off:
            logger.warning(
                "The broker is %s", "away; sweeping without it." if is_cut_off else "back."
            )
        if is_cut_off:
            _sweep()
        was_cut_off = is_cut_off


def _sweep() -> None:
    try:
        done = subprocess.run(  # noqa: S603  (our own)
            COMMAND,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    except OSError as error:  # No memory, or an environment that is being made anew.
        logger.error("The sweep could not be started: %s", error)
        return
    said = done.stderr.splitlines()
    if done.returncode and said:
        # A command's last word is a bare line, which is none in a log of JSON.
        logger.error("The sweep did not work: %s", said.pop())
    sys.stderr.writelines(f"{line}\n" for line in said)


def _is_cut_off(worker: Any) -> bool:
    consumer = getattr(worker, "consumer", None)  # There is none yet in a worker that begins.
    if consumer is None or consumer.connection is None:
        return True
    # A broker that is frozen, or behind a network that drops packets, ends no connection.
    is_quiet = time.monotonic() - _heard_at > QUIET_SWEEPS * settings.WEBSUB_SWEEP_SECONDS
    return is_quiet and not answers(worker.app)


def answers(app: Celery) -> bool:
    """Whether the broker has a word for a new connection."""
    try:
        with app.connection_for_write() as connection:
            connection.ensure_connection(max_retries=0)
    except Exception:  # noqa: BLE001  (each broker's library has errors of its own)
        return False
    return True


def _note_that_a_bell_rang(**kwargs: Any) -> None:
    global _heard_at  # noqa: PLW0603  (a worker is one process)
    _heard_at = time.monotonic()
