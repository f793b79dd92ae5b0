"""Celery's scheduler, once per installation and with a heartbeat."""

import fcntl
import logging
import os
import socket
import threading
import time
from pathlib import Path
from typing import IO, Any

from celery import bootsteps
from celery.beat import PersistentScheduler, Service
from django.db import connections

from core import heartbeat
from core.celery.nudge import log_publish_failure

logger = logging.getLogger(__name__)


class Scheduler(PersistentScheduler):
    """Keeps its schedule in a file; a second one with the same file waits for its turn."""

    schedule_filename: str
    _lock_file: IO[str]
    _next_sign = 0.0
    _has_beaten = False

    def setup_schedule(self) -> None:
        lock = Path(f"{self.schedule_filename}.lock")
        try:
            self._lock_file = lock.open("w")
        except OSError as error:
            # No Exception, since Celery shows those with their stack.
            raise SystemExit(
                f"{lock} cannot be written ({error.strerror}). Give this user write access to the "
                "folder that STATE_DIR names, or name another one."
            ) from None
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            logger.warning("Another scheduler holds %s; this one waits until it ends.", lock)
            fcntl.flock(self._lock_file, fcntl.LOCK_EX)
        super().setup_schedule()

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send the task; a broker that takes none, as on a full disk, is a line in the log."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except Exception as error:  # noqa: BLE001  (each broker's library has errors of its own)
            log_publish_failure(entry.task, str(error.__context__ or error))

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        # From the loop itself, so that a clock that hangs is seen to be stale.
        if time.monotonic() >= self._next_sign:
            self._send_heartbeat()
            self._reset_future_times()
            connections.close_all()
            self._next_sign = time.monotonic() + heartbeat.BEAT_SECONDS
        return super().tick(*args, **kwargs)

    def _reset_future_times(self) -> None:
        """Reset times in the future, which would delay their tasks until then."""
        now = self.app.now()
        ahead = [entry for entry in self.schedule.values() if (entry.last_run_at or now) > now]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            self._heap = None  # Celery makes its list of what is next from the schedule.

    def _send_heartbeat(self) -> None:
        # The lock in the folder keeps two apart on one machine; this tells of one on another.
        name = f"{socket.gethostname()}:{os.getpid()}"
        other = heartbeat.beat_alone("scheduler", name, has_beaten=self._has_beaten)
        self._has_beaten = True
        if other:
            logger.warning(
                "Another scheduler runs at %s beside this one (%s). Every task is sent twice, "
                "which is harmless; stop one of them.",
                other,
                name,
            )


class BeatThread(bootsteps.StartStopStep):
    """Runs the scheduler in a thread of the worker, given `--with-beat`.

    Celery's own `--beat` forks a process, which takes as much memory as the worker.
    """

    RESTART_SECONDS = 5.0

    def __init__(self, worker: Any, *, with_beat: bool = False, **options: Any) -> None:
        super().__init__(worker, **options)
        self.enabled = with_beat
        self._stopped = threading.Event()
        self._service: Service | None = None

    def start(self, worker: Any) -> None:
        threading.Thread(target=self._run, args=(worker.app,), name="beat", daemon=True).start()

    def stop(self, worker: Any) -> None:
        self._stopped.set()
        if self._service:
            self._service.stop()

    def terminate(self, worker: Any) -> None:
        self.stop(worker)

    def _run(self, app: Any) -> None:
        while not self._stopped.is_set():
            self._service = Service(app, scheduler_cls=Scheduler)
            try:
                self._service.start()
            except SystemExit as error:  # Not to be had by a restart.
                logger.error("The scheduler cannot run: %s", error)
                return
            except Exception:
                logger.exception("The scheduler has ended; it is started again.")
                self._stopped.wait(self.RESTART_SECONDS)
