"""Run work in threads with own connections, as in other processes."""

import threading
import time
from collections.abc import Callable

from django.db import connections

AT_MOST_SECONDS = 60


def run_concurrently(*works: Callable[[], object]) -> None:
    """Run each work in its own thread, started together. Return when all have ended.

    Fails if one still waits after a minute, for example for a lock that the caller holds.
    """
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait()
            work()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + AT_MOST_SECONDS
    for thread in threads:
        thread.join(max(0, deadline - time.monotonic()))
    assert not any(thread.is_alive() for thread in threads), "One still waits."


def run_in_thread(work: Callable[[], object]) -> None:
    """Run in a thread with its own connection, as another process would."""
    run_concurrently(work)
