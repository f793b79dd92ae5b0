"""The dispatcher: hanging callbacks hold a thread and delay no other row."""

import mmap
import threading
from collections import deque
from types import SimpleNamespace

import pytest

from websub import concurrency, dispatcher
from websub.concurrency import single_process_lock

TIMEOUT_SECONDS = 0.05


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(dispatcher, "DRAIN_SECONDS", TIMEOUT_SECONDS)
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

    def run(self, **given) -> dispatcher.RunResult:
        values = {"threads": 2, "batch": 4, "run_seconds": 5.0, "is_single": False}
        queue = dispatcher.Queue("world", **values | given)
        return dispatcher.run(
            queue, dispatcher.Job(self.claim, self.attempt, self.processed.extend)
        )


def test_stuck_threads_are_replaced():
    world = World(*(f"hangs-{n}" for n in range(4)), *(f"quick-{n}" for n in range(20)))

    ended = world.run()

    assert ended == dispatcher.RunResult(processed=24, is_cut_short=False)
    assert [how for how in world.processed if how.endswith("held everybody up")] == []


def test_stuck_threads_are_limited_by_the_queue(monkeypatch):
    monkeypatch.setattr(dispatcher, "MAX_REPLACED_THREADS", 1)
    world = World(*(f"hangs-{n}" for n in range(12)))
    at_once, most = threading.Semaphore(0), []

    def attempt(rows):
        for row in rows:
            at_once.release()
            most.append(at_once._value)
            threading.Event().wait(3 * TIMEOUT_SECONDS)
            at_once.acquire()
            yield row.callback_host

    queue = dispatcher.Queue("bounded", threads=2, batch=12, run_seconds=5.0, is_single=False)
    ended = dispatcher.run(queue, dispatcher.Job(world.claim, attempt, world.processed.extend))

    assert ended.processed == 12
    assert max(most) == queue.max_threads == 4


def test_rows_of_a_hanging_host_leave_the_batch_to_others():
    world = World(*["hangs.example"] * 40, *(f"quick-{n}" for n in range(20)))

    world.run()

    quick = [how for how in world.processed if how.startswith("quick")]
    assert len(quick) == 20
    assert [how for how in world.processed if how.endswith("held everybody up")] == []


def test_hanging_callback_does_not_delay_others_of_its_host():
    hang, quick = (SimpleNamespace(callback_host="shared.example") for _ in range(2))
    due = [hang, *[quick] * 9]
    all_quick = threading.Event()
    processed: list[str] = []

    def claim(limit, exclude_hosts):
        taken, due[:] = due[:limit], due[limit:]
        return taken

    def attempt(rows):
        for row in rows:
            if row is hang:
                yield "waited" if all_quick.wait(10) else "held everybody up"
            else:
                yield "quick"

    def record(results):
        processed.extend(results)
        if processed.count("quick") == 9:
            all_quick.set()

    queue = dispatcher.Queue("shared", threads=2, batch=4, run_seconds=5.0, is_single=False)
    dispatcher.run(queue, dispatcher.Job(claim, attempt, record))

    assert sorted(processed) == [*["quick"] * 9, "waited"]


def test_run_that_waits_for_a_host_goes_on_claiming():
    world = World("hangs.example", "quick.example")
    slow, quick = world.due
    due = [[slow], [quick]]
    work = dispatcher.Job(
        lambda limit, exclude_hosts: due.pop(0) if due else [],
        world.attempt,
        world.processed.extend,
    )

    ended = dispatcher.run(
        dispatcher.Queue("held up", 2, 4, run_seconds=0.01, is_single=False), work
    )

    assert sorted(world.processed) == ["hangs.example waited", "quick.example quick"]
    assert ended == dispatcher.RunResult(processed=2, is_cut_short=False)


def test_run_finishes_its_rows_when_the_worker_shuts_down(monkeypatch):
    stopping = mmap.mmap(-1, 1)
    monkeypatch.setattr(concurrency, "_shutting_down", stopping)
    tried: list[str] = []
    processed: list[str] = []

    def claim(limit, exclude_hosts):
        return [SimpleNamespace(callback_host=f"endless-{n}.example") for n in range(limit)]

    def attempt(rows):
        for row in rows:
            tried.append(row.callback_host)
            if len(tried) == 20:
                concurrency.request_shutdown()
            yield row.callback_host

    queue = dispatcher.Queue("endless", threads=2, batch=4, run_seconds=60.0, is_single=False)
    ended = dispatcher.run(queue, dispatcher.Job(claim, attempt, processed.extend))

    assert ended.is_cut_short
    # What was in hand, and what a claim brought that was being made.
    assert 20 <= ended.processed == len(processed) <= 20 + 2 * queue.batch


def test_single_queue_of_another_process_is_left_to_it():
    world = World("quick.example")

    with single_process_lock("world"):
        ended = world.run(is_single=True)

    assert ended == dispatcher.RunResult(processed=0, is_cut_short=False)
    assert len(world.due) == 1


def test_queue_that_is_not_single_runs_in_several_processes():
    world = World("quick.example")

    with single_process_lock("world"):
        ended = world.run(is_single=False)

    assert ended.processed == 1


def test_run_that_fails_begins_nothing_more(monkeypatch):
    monkeypatch.setattr(
        dispatcher, "DRAIN_SECONDS", 60.0
    )  # The row in hand does not end the thread.
    world = World(*["quick.example"] * 8)
    has_begun, has_failed = threading.Event(), threading.Event()

    def attempt(rows):
        for row in rows:
            has_begun.set()
            assert has_failed.wait(10)
            world.tried.append(row.callback_host)
            yield row.callback_host

    claims = [list(world.due)[:4]]

    def claim(limit, exclude_hosts):
        if claims:
            return claims.pop()
        assert has_begun.wait(10)
        raise ConnectionError("The database is away.")

    queue = dispatcher.Queue("fails", threads=1, batch=8, run_seconds=5.0, is_single=False)
    with pytest.raises(ConnectionError):
        dispatcher.run(queue, dispatcher.Job(claim, attempt, world.processed.extend))
    has_failed.set()
    queue.pool().shutdown()
    dispatcher._pool.cache_clear()

    assert world.tried == ["quick.example"]
    assert not dispatcher._hosts._active


def test_error_in_a_thread_is_raised_by_the_run():
    world = World("quick.example")
    queue = dispatcher.Queue("faulty", threads=1, batch=8, run_seconds=5.0, is_single=False)

    def attempt(rows):
        for row in rows:
            yield row.callback_host / 1

    with pytest.raises(TypeError):
        dispatcher.run(queue, dispatcher.Job(world.claim, attempt, world.processed.extend))

    assert not dispatcher._hosts._active
