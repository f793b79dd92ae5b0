"""Worker, scheduler and clock say in a sentence what is wrong with them."""

import datetime as dt
import errno
import time
from types import SimpleNamespace

import pytest
import time_machine
from celery.beat import ScheduleEntry, Scheduler
from celery.worker.request import Request
from django.db import OperationalError

from config.celery import app
from core import heartbeat
from core.celery import DueTask
from core.db import errors as database_errors
from publishing import publisher
from tests.processes import GOOD, environment, run


@app.task(base=DueTask, name="tests.bad_operations.broken")
def broken(words):
    raise OperationalError(words)


# --- Worker and scheduler -------------------------------------------------------------------------


def test_task_without_a_database_is_a_sentence_and_left_to_the_sweep(caplog):
    broken("connection failed: connection refused")

    [record] = caplog.records
    assert record.message == (
        "tests.bad_operations.broken did not work: "
        f"{database_errors.UNREACHABLE} (connection failed: connection refused)"
    )
    assert record.exc_info is None


@pytest.mark.slow
def test_worker_that_cannot_write_its_folder_says_so(tmp_path):
    (tmp_path / "broker").touch()
    env = environment(tmp_path, **GOOD, CELERY_BROKER_URL="filesystem://")

    done = run("-m", "celery", "-A", "config", "-q", "worker", env=env)

    assert done.returncode == 1
    assert done.stderr == (
        f"STATE_DIR is '{tmp_path}/broker', which cannot be made (File exists). Set it to a "
        "folder that this user may write.\n"
    )


def test_full_disk_fails_no_sender(monkeypatch, caplog):
    def fill_the_disk(*args, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("celery.app.task.Task.apply_async", fill_the_disk)
    scheduler = Scheduler(app, lazy=True)
    scheduler.apply_entry(
        ScheduleEntry("sent", "publishing.tasks.publish_due", schedule=60, app=app),
        producer=app.amqp.Producer(app.connection_for_write()),
    )

    [record] = caplog.records
    assert record.message.startswith(
        "No worker was told of publishing.tasks.publish_due: [Errno 28] No space left on device. "
    )
    assert record.exc_info is None


def beat(monkeypatch, seconds):
    class Enough(Exception):
        pass

    slept = []

    def sleep(span):
        slept.append(span)
        if sum(slept) >= seconds:
            raise Enough

    monkeypatch.setattr(heartbeat, "beat", lambda role: None)
    monkeypatch.setattr(heartbeat, "time", SimpleNamespace(sleep=sleep, time=time.time))
    monkeypatch.setattr(heartbeat.connections, "close_all", lambda: None)
    with pytest.raises(Enough):
        heartbeat._beat_for_ever("worker")


class Cursor:
    def __init__(self, now):
        self.now = now

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def execute(self, statement):
        assert statement == "SELECT extract(epoch FROM clock_timestamp())"

    def fetchone(self):
        return [self.now]


# --- The clock ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ahead", "expected"),
    [
        (0, "ok"),
        (4, "ok"),
        (-4, "ok"),
        (42, "This machine's clock is 42 s ahead of the database's."),
        (-42, "This machine's clock is 42 s behind the database's."),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_clock_that_differs_from_the_database_s_is_told(
    client, settings, monkeypatch, ahead, expected
):
    class Server:
        def cursor(self):
            return Cursor(time.time() - ahead)

    settings.USES_SQLITE = False
    monkeypatch.setattr(heartbeat, "connection", Server())

    publisher.publish_due()
    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json()["clock"].startswith(expected)


@pytest.mark.parametrize(("seconds", "times"), [(10, 1), (60, 1), (70, 2), (600, 10)])
def test_worker_tells_of_its_clock_in_its_log_each_minute(
    settings, monkeypatch, caplog, seconds, times
):
    class Server:
        def cursor(self):
            return Cursor(time.time() - 42)

    settings.USES_SQLITE = False
    monkeypatch.setattr(heartbeat, "connection", Server())
    beat(monkeypatch, seconds)

    assert [record.message[:54] for record in caplog.records] == [
        "This machine's clock is 42 s ahead of the database's. "
    ] * times


@pytest.mark.parametrize(("ahead", "is_thrown_away"), [(0, False), (240, False), (360, True)])
def test_sweep_is_heard_by_a_worker_whose_clock_is_minutes_ahead(ahead, is_thrown_away):
    app.loader.import_default_modules()  # As a worker does when it starts.
    entry = app.conf.beat_schedule["sweep the hub"]
    headers, _, body, _ = app.amqp.as_task_v2("id", entry["task"], **entry["options"])
    message = SimpleNamespace(delivery_info={}, properties={}, headers=headers, payload=body)
    request = Request(message, app=app, headers=headers, body=body, decoded=True)

    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=ahead)):
        assert bool(request.maybe_expire()) is is_thrown_away
