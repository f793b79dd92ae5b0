"""Warm shutdown: long tasks end between two steps, and other workers take up the rest."""

import mmap

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
