"""Worker of the hub for projects without Celery, with one thread per queue."""

import logging
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error, close_old_connections, connections

from websub import cleanup, conf, delivery, verification
from websub.claims import FAST, SLOW
from websub.dispatcher import RunResult, request_shutdown

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5


class Command(BaseCommand):
    help = (
        "Verify requests, deliver new versions and clean up, until SIGTERM or Ctrl-C. "
        "Needs no Celery; several may run."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self._ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        self.stdout.write("The hub's worker runs; SIGTERM or Ctrl-C ends it.")
        self.stdout.flush()
        jobs: dict[Callable[[], Any], float] = {
            verification.verify: POLL_SECONDS,
            partial(delivery.deliver, FAST): POLL_SECONDS,
            partial(delivery.deliver, SLOW): POLL_SECONDS,
            cleanup.run_cleanup: conf.get("WEBSUB_SWEEP_SECONDS"),
        }
        with ThreadPoolExecutor(len(jobs)) as threads:
            list(threads.map(self._repeat, jobs, jobs.values()))
        self.stdout.write("The hub's worker has ended.")

    def _end(self, *signalled: object) -> None:
        request_shutdown()
        self._ended.set()

    def _repeat(self, job: Callable[[], Any], pause: float) -> None:
        """Repeat the job until the worker ends; pause when no more rows are due."""
        try:
            while not self._ended.is_set():
                close_old_connections()
                try:
                    done = job()
                    seconds = 0.0 if isinstance(done, RunResult) and done.is_cut_short else pause
                except Exception as error:
                    # A database outage passes, and needs no traceback.
                    is_known = isinstance(error, Error)
                    logger.error("The hub's worker failed: %s", error, exc_info=not is_known)
                    seconds = conf.get("WEBSUB_SWEEP_SECONDS")
                self._ended.wait(seconds)
        finally:
            connections.close_all()
