"""`manage.py websub_worker`: the hub's worker for projects without Celery.

One process, a thread for each queue.
"""

import logging
import signal
import threading
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error, close_old_connections, connections

from websub import cleanup, conf, delivery, dispatcher, verification
from websub.claims import FAST, SLOW
from websub.dispatcher import request_shutdown

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5  # Between two looks for due rows.

Run = Callable[[], dispatcher.RunResult]


class Worker:
    """Verifies, delivers and sweeps until it is stopped; ends runs cleanly."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def run(self) -> None:
        """Work until `stop` is called and the runs have ended."""
        jobs: dict[str, Callable[[], float]] = {
            "verify": lambda: _process(verification.verify),
            "deliver": lambda: _process(lambda: delivery.deliver(FAST)),
            "deliver slow": lambda: _process(lambda: delivery.deliver(SLOW)),
            "sweep": _sweep,
        }
        threads = [
            threading.Thread(target=self._repeat, args=(name, job), name=name)
            for name, job in jobs.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def stop(self) -> None:
        request_shutdown()
        self._stop.set()

    def _repeat(self, name: str, job: Callable[[], float]) -> None:
        """Call `job` again and again, after the seconds that it returns each time."""
        try:
            while not self._stop.is_set():
                close_old_connections()
                try:
                    pause = job()
                except Exception as error:
                    # A database that is away comes back, and needs no traceback.
                    logger.error(
                        "%s failed: %s", name, error, exc_info=not isinstance(error, Error)
                    )
                    pause = conf.get("WEBSUB_SWEEP_SECONDS")
                self._stop.wait(pause)
        finally:
            connections.close_all()


def _process(run: Run) -> float:
    return 0.0 if run().is_cut_short else POLL_SECONDS


def _sweep() -> float:
    cleanup.sweep()
    seconds: float = conf.get("WEBSUB_SWEEP_SECONDS")
    return seconds


class Command(BaseCommand):
    help = (
        "Verify requests, deliver new versions and clean up, until SIGTERM or Ctrl-C. "
        "Needs no Celery; several may run."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        worker = Worker()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        self.stdout.write("The hub's worker runs; SIGTERM or Ctrl-C ends it.")
        self.stdout.flush()
        worker.run()
        self.stdout.write("The hub's worker has ended.")
