"""Worker, scheduler and clock explain their errors in a sentence."""

import datetime as dt
from types import SimpleNamespace

import pytest
import time_machine
from celery.worker.request import Request
from django.db import OperationalError

from config.celery import app
from core.celery import DueTask
from core.db import errors as database_errors
from tests.processes import GOOD, environment, run


@app.task(base=DueTask, name="tests.bad_operations.broken")
def broken(words):
    raise OperationalError(words)


def test_task_without_database_is_logged_and_left_to_sweep(caplog):
    broken("connection failed: connection refused")

    [record] = caplog.records
    assert record.message == (
        "tests.bad_operations.broken did not work: "
        f"{database_errors.UNREACHABLE} (connection failed: connection refused)"
    )
    assert record.exc_info is None


@pytest.mark.slow
def test_worker_reports_unwritable_folder(tmp_path):
    (tmp_path / "broker").touch()
    env = environment(tmp_path, **GOOD, CELERY_BROKER_URL="filesystem://")

    done = run("-m", "celery", "-A", "config", "-q", "worker", env=env)

    assert done.returncode == 1
    assert done.stderr == (
        f"STATE_DIR is '{tmp_path}/broker', which cannot be made (File exists). Set it to a "
        "folder that this user may write.\n"
    )


@pytest.mark.parametrize(("ahead", "is_thrown_away"), [(0, False), (240, False), (360, True)])
def test_sweep_reaches_worker_whose_clock_is_ahead(ahead, is_thrown_away):
    app.loader.import_default_modules()  # As a worker does when it starts.
    entry = app.conf.beat_schedule["sweep the hub"]
    headers, _, body, _ = app.amqp.as_task_v2("id", entry["task"], **entry["options"])
    message = SimpleNamespace(delivery_info={}, properties={}, headers=headers, payload=body)
    request = Request(message, app=app, headers=headers, body=body, decoded=True)

    with time_machine.travel(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=ahead)):
        assert bool(request.maybe_expire()) is is_thrown_away
