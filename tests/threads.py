"""Work in threads with connections of their own, as that of other processes."""

import threading
import time
from collections.abc import Callable

from django.db import connections

AT_MOST_SECONDS = 60


def at_once(*works: Callable[[], object]) -> None:
    """Each in a thread of its own, begun together; returns when all have ended.

    A work that waits for what the caller holds would never end: then the test fails.
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


def elsewhere(work: Callable[[], object]) -> None:
    """As another process would, while this one waits."""
    at_once(work)
