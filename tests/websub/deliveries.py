"""Deliveries in steps, and all at once."""

import threading

from django.db import connections
from django.utils import timezone

from tests.websub.conftest import FEED
from websub.claims import FIRST, SLOW, claim
from websub.delivery import deliver
from websub.editions import read_edition


def deliver_all() -> int:
    return deliver(FIRST).settled + deliver(SLOW).settled


def claimed(speed=FIRST, topic=FEED, limit=10):
    return claim(read_edition(topic), speed, limit, timezone.now())


def at_once(*works):
    """Each in a thread of its own, as workers are."""
    start = threading.Barrier(len(works))

    def run(work):
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
