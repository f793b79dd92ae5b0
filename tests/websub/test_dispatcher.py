"""The dispatcher: hanging callbacks hold a thread and delay no other row."""

import mmap
import threading
from collections import deque
from types import SimpleNamespace

import pytest

from websub import dispatcher

TIMEOUT_SECONDS = 0.05


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(dispatcher, "CHECK_SECONDS", TIMEOUT_SECONDS)
    monkeypatch.setattr(dispatcher, "RECORD_SECONDS", 0.01)


class World:
    """Rows that are due; some hang until all the others have been tried."""

    def __init__(self, *rows: str) -> None:
        self.due = deque(SimpleNamespace(callback_host=host) for host in rows)
        self.quick = sum(not host.startswith("hangs") for host in rows)
        self.others_are_done = threading.Event()
        self.tried: list[str] = []
        self.processed: list[str] = []

    def claim(self, limit, exclude_hosts):
        rows = [row for row in self.due if row.callback_host not in exclude_hosts][:limit]
        for row in rows:
            self.due.remove(row)
        return rows

    def attempt(self, rows):
        for row in rows:
            if row.callback_host.startswith("hangs"):
                how = "waited" if self.others_are_done.wait(10) else "held everybody up"
            else:
                self.tried.append(row.callback_host)
                how = "quick"
                if len(self.tried) == self.quick:
                    self.others_are_done.set()
            yield f"{row.callback_host} {how}"

    def run(self) -> dispatcher.RunResult:
        values = {"threads": 2, "batch": 4, "run_seconds": 5.0, "is_single": False}
        steps = {"claim": self.claim, "attempt": self.attempt, "record": self.processed.extend}
        return dispatcher.run(dispatcher.Queue("world", **values, **steps))


def test_hanging_host_leaves_threads_and_batch_to_others():
    world = World(*["hangs.example"] * 40, *(f"quick-{n}" for n in range(20)))

    world.run()

    assert len(world.processed) == 60
    assert [how for how in world.processed if how.endswith("held everybody up")] == []


def test_run_finishes_its_rows_when_the_worker_shuts_down(monkeypatch):
    stopping = mmap.mmap(-1, 1)
    monkeypatch.setattr(dispatcher, "_shutting_down", stopping)
    tried: list[str] = []
    processed: list[str] = []

    def claim(limit, exclude_hosts):
        return [SimpleNamespace(callback_host=f"endless-{n}.example") for n in range(limit)]

    def attempt(rows):
        for row in rows:
            tried.append(row.callback_host)
            if len(tried) == 20:
                dispatcher.request_shutdown()
            yield row.callback_host

    queue = dispatcher.Queue("endless", 2, 4, 60.0, False, claim, attempt, processed.extend)
    ended = dispatcher.run(queue)

    assert ended.is_cut_short
    # What was in hand, and what a claim brought that was being made.
    assert 20 <= ended.processed == len(processed) <= 20 + 2 * queue.batch
