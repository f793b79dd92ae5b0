"""Threads wait for their turn while requests queue, and only then."""

import os
import sys
import threading
from contextlib import suppress
from unittest.mock import Mock

import pytest

from publishing import cache, cpu_scheduling, publisher
from publishing.cpu_scheduling import Interruptions
from tests.factories import make_review
from tests.processes import run
from tests.waiting import eventually

if sys.platform != "linux":  # Where the names of the policies are missing, too.
    pytest.skip("Only Linux lets a thread wait for its turn", allow_module_level=True)


class Clocks:
    """Of a process that uses as much of a processor as a test says."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._used = 0.0

    def go_on(self, share: float) -> None:
        self._seconds += 1
        self._used += share

    def monotonic(self) -> float:
        return self._seconds

    def process_time(self) -> float:
        return self._used


@pytest.fixture
def clocks(monkeypatch):
    clocks = Clocks()
    monkeypatch.setattr(cpu_scheduling, "time", clocks)
    return clocks


@pytest.fixture
def threads():
    """The interruptions of this process, which has another thread."""
    over = threading.Event()
    another = threading.Thread(target=over.wait)
    another.start()
    threads = Interruptions()
    yield threads
    threads.allow()
    over.set()
    another.join()


def policies() -> set[int]:
    found = set()
    for thread in cpu_scheduling.THREADS.iterdir():
        with suppress(ProcessLookupError):  # It has ended since.
            found.add(os.sched_getscheduler(int(thread.name)))
    return found


@pytest.mark.parametrize(
    ("share", "policy"),
    [(0.74, os.SCHED_OTHER), (0.75, os.SCHED_BATCH), (1.9, os.SCHED_BATCH)],
)
def test_threads_wait_for_their_turn_while_the_process_is_busy(threads, clocks, share, policy):
    with threads.by_load():
        clocks.go_on(share)
        assert policies() == {os.SCHED_OTHER}
    assert policies() == {policy}

    with threads.by_load():
        clocks.go_on(0.1)
        assert policies() == {policy}
    assert policies() == {os.SCHED_OTHER}


def test_threads_interrupt_each_other_beside_long_work(threads, clocks):
    with threads.by_load():
        clocks.go_on(1)

    threads.allow()

    assert policies() == {os.SCHED_OTHER}


def test_process_that_can_open_no_file_leaves_its_threads_as_they_are(threads, clocks, monkeypatch):
    with monkeypatch.context() as away:
        away.setattr(cpu_scheduling, "THREADS", Mock(iterdir=Mock(side_effect=OSError(24, "full"))))
        with threads.by_load():
            clocks.go_on(1)
    assert policies() == {os.SCHED_OTHER}

    with threads.by_load():
        clocks.go_on(1)

    assert policies() == {os.SCHED_BATCH}


CHOSEN = """
import os
from publishing import cpu_scheduling
os.sched_setscheduler(0, os.{policy}, os.sched_param(0))
cpu_scheduling.BUSY = 0
threads = cpu_scheduling.Interruptions()
with threads.by_load():
    pass
assert os.sched_getscheduler(0) == os.{policy}
threads.allow()
assert os.sched_getscheduler(0) == os.{policy}
"""


@pytest.mark.parametrize("policy", ["SCHED_IDLE", "SCHED_BATCH"])
def test_policy_that_somebody_chose_stays(policy):
    done = run("-c", CHOSEN.format(policy=policy), env=dict(os.environ))

    assert done.returncode == 0, done.stderr


@pytest.mark.django_db(transaction=True)
def test_documents_are_built_beside_readers_who_interrupt(monkeypatch, clocks):
    seen, publish = [], publisher.publish

    def look_and_publish(resource):
        seen.append(policies())
        return publish(resource)

    monkeypatch.setattr(publisher, "publish", look_and_publish)
    make_review()
    held = cache.DocumentCache()
    with held._interruptions.by_load():
        clocks.go_on(1)
    assert policies() == {os.SCHED_BATCH}

    held.refresh()

    assert seen
    assert all(policy == {os.SCHED_OTHER} for policy in seen)


@pytest.mark.django_db(transaction=True)
def test_web_process_that_stays_busy_has_its_threads_wait(monkeypatch, settings):
    settings.VERSION_POLL_MS = 10
    monkeypatch.setattr(cpu_scheduling, "BUSY", 0)
    held = cache.DocumentCache()
    try:
        held.keep()
        eventually(lambda: policies() == {os.SCHED_BATCH})
    finally:
        held.stop()
    assert policies() == {os.SCHED_OTHER}
