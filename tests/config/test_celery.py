"""Messages to the broker: callers never fail, and lost messages are sent again."""

import socket
from queue import Empty

import pytest
from celery import shared_task
from django.core.cache import cache
from django.core.cache.backends.base import InvalidCacheBackendError
from kombu import Connection

from config.celery import REQUEST_ID, app
from core import heartbeat
from core.logging import NO_REQUEST, request_id
from tests.processes import GOOD, environment, run

SEND_TWICE = """
import time
import django
from celery import shared_task
from django.db import transaction
django.setup()

@shared_task(name="somebody")
def somebody(number): ...

began = time.monotonic()
somebody.delay_on_commit(1)
somebody.delay(2)
print(time.monotonic() - began)
"""
NOT_SENT = (
    ". The next sweep takes it up. Look at the broker that CELERY_BROKER_URL or REDIS_URL names."
)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_refusing_broker_is_a_warning(tmp_path, silent_port, scheme):
    broker = f"{scheme}://127.0.0.1:{silent_port}//"
    env = environment(tmp_path, **GOOD, CELERY_BROKER_URL=broker)

    done = run("-c", SEND_TWICE, env=env | {"DJANGO_SETTINGS_MODULE": "config.settings"})

    log = done.stderr.splitlines()
    assert done.returncode == 0
    assert len(log) == 2
    said = "WARNING core.celery [-] No worker was told of somebody: "
    assert all(said in line and line.endswith(NOT_SENT) for line in log)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_silent_broker_is_waited_for_a_few_seconds(tmp_path, scheme):
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        broker = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}//"
        env = environment(tmp_path, **GOOD, CELERY_BROKER_URL=broker)
        done = run("-c", SEND_TWICE, env=env | {"DJANGO_SETTINGS_MODULE": "config.settings"})

    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 2
    assert float(done.stdout) < 10


def test_message_reaches_the_broker_with_its_argument_and_request_id():
    @shared_task(name="tests.reached")
    def reached(batch: int) -> None: ...

    token = request_id.set("asked.2")
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue("reviews")
        queue.clear()
        reached.delay(7)
        message = queue.get(timeout=2)
        message.ack()
        queue.close()
    request_id.reset(token)

    assert message.headers["task"] == "tests.reached"
    assert message.headers[REQUEST_ID] == "asked.2"
    assert message.payload[0] == [7]
    assert message.content_type == "application/json"


def test_worker_logs_request_id_of_message():
    @shared_task(name="tests.logging")
    def logs() -> None:
        seen.append(request_id.get())

    seen: list[str] = []
    logs.apply(headers={REQUEST_ID: "asked.1"})
    logs.apply(headers={REQUEST_ID: NO_REQUEST}, task_id="of-the-clock")
    logs.apply(task_id="of-nobody")

    assert seen == ["asked.1", "of-the-clock", "of-nobody"]


@pytest.mark.django_db  # Celery runs Django's checks, which query the database since 6.0.
def test_schedule_entries_name_tasks():
    app.loader.import_default_modules()

    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)


@pytest.fixture
def transport(tmp_path):
    options = {"data_folder_in": str(tmp_path), "data_folder_out": str(tmp_path)}
    options["control_folder"] = str(tmp_path / "control")
    with Connection("filesystem://", transport_options=options) as connection:
        yield connection.default_channel


def message(task: str) -> dict:
    return {"headers": {"task": task}, "body": "[]", "properties": {}}


def test_unread_message_is_stored_once(transport):
    for task in ("publish", "deliver", "publish"):
        transport._put("reviews", message(task))

    tasks = [transport._get("reviews")["headers"]["task"] for _ in range(2)]

    assert sorted(tasks) == ["deliver", "publish"]
    with pytest.raises(Empty):
        transport._get("reviews")


def test_heartbeat_is_stale_after_half_a_minute(time_machine):
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    heartbeat.beat("worker")

    time_machine.shift(30)
    assert heartbeat.states() == {"worker": "ok", "scheduler": "absent"}
    time_machine.shift(1)
    assert heartbeat.states() == {"worker": "stale", "scheduler": "absent"}


def test_heartbeats_are_absent_while_cache_fails(monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise InvalidCacheBackendError("gone")

    monkeypatch.setattr(cache, "get_many", fail, raising=False)
    monkeypatch.setattr(cache, "set", fail, raising=False)

    heartbeat.beat("scheduler")

    assert heartbeat.states() == {"worker": "absent", "scheduler": "absent"}
    assert caplog.messages == [
        "The scheduler cannot leave its sign of life: gone",
        "The signs of life cannot be read: gone",
    ]
