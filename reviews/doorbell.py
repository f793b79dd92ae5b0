"""Tasks as this project uses them: doorbells that say "look for work"."""

import mmap
from collections.abc import Callable
from typing import Any, Protocol, cast

from celery import shared_task


class Doorbell(Protocol):
    """A task of the project's Celery app; see `config.doorbell.Doorbell`."""

    def __call__(self, *args: Any) -> None: ...

    def ring(self, *args: Any) -> None:
        """Have a worker run it soon. Never raises, and never holds the caller up for long."""

    def ring_in(self, seconds: float) -> None:
        """Have a worker run it after a wait, unless this process has asked for an earlier run."""


def doorbell(work: Callable[..., None]) -> Doorbell:
    """Register `work` as a task. It may run twice or never, so it works off what is due."""
    return cast("Doorbell", shared_task(work))


# --- Stopping -------------------------------------------------------------------------------------

_stopping = mmap.mmap(-1, 1)  # Anonymous and shared: the processes that a worker forks see it too.


def announce_stop() -> None:
    """Tell the tasks of this worker that it is about to stop."""
    _stopping[0] = 1


def is_stopping() -> bool:
    """Whether a task should come to its end: what is due is taken up by another worker."""
    return _stopping[0] == 1


class Stopping(Exception):
    """This worker is about to stop; another takes up what is left."""


def go_on() -> None:
    """Asked between two steps of long work; raises `Stopping`, which ends a task without a word."""
    if is_stopping():
        raise Stopping("The worker was stopped; another one goes on.")
