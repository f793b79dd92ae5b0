"""Work in threads with connections of their own, as that of other processes."""

import threading
from collections.abc import Callable

from django.db import connections


def at_once(*works: Callable[[], object]) -> None:
    """Each in a thread of its own, begun together; returns when all have ended."""
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
    for thread in threads:
        thread.join()


def elsewhere(work: Callable[[], object]) -> None:
    """As another process would, while this one waits."""
    at_once(work)
