"""The worker's own sweep: while no broker can be reached, nobody rings."""

import logging
import subprocess
import sys
import threading
from typing import Any

from django.conf import settings

from config.env import BASE_DIR

logger = logging.getLogger(__name__)

COMMAND = [sys.executable, str(BASE_DIR / "manage.py"), "sweep"]


def start(consumer: Any) -> threading.Thread:
    """Stand by from a daemon thread for as long as this process lives."""
    never = threading.Event()
    thread = threading.Thread(target=watch, args=(consumer, never), name="standby", daemon=True)
    thread.start()
    return thread


def watch(consumer: Any, stop: threading.Event) -> None:
    """Sweep every few seconds for as long as Celery's consumer has no connection to the broker.

    By a process of its own, as an operator does by hand: a worker's main process does no work.
    """
    was_cut_off = False
    while not stop.wait(settings.WEBSUB_SWEEP_SECONDS):
        is_cut_off = consumer.connection is None
        if is_cut_off != was_cut_off:
            logger.warning(
                "The broker is %s", "away; sweeping without it." if is_cut_off else "back."
            )
        if is_cut_off:
            subprocess.run(  # noqa: S603  (our own)
                COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False
            )
        was_cut_off = is_cut_off
