"""A nudge never makes its caller wait or fail, whatever the broker does."""

import errno
import logging
import os
import threading
from pathlib import Path
from queue import Empty

import pytest
from celery import shared_task
from django.core.cache import cache
from django.core.cache.backends.base import InvalidCacheBackendError
from kombu import Connection

from config.celery import app
from core import heartbeat
from core.celery.nudge import PUBLISH_FAILED, PUBLISH_TIMEOUT, REQUEST_ID, NudgeTask
from core.logging import NO_REQUEST, request_id
from tests.processes import GOOD, environment, run

RING_TWICE = """
import django
from celery import shared_task
django.setup()

@shared_task(name="somebody")
def somebody(number): ...

for _ in range(2):
    somebody.nudge(1)
"""


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_broker_that_refuses_costs_a_warning(tmp_path, silent_port, scheme):
    broker = f"{scheme}://127.0.0.1:{silent_port}//"
    env = environment(tmp_path, **GOOD, CELERY_BROKER_URL=broker)

    done = run("-c", RING_TWICE, env=env | {"DJANGO_SETTINGS_MODULE": "config.settings"})

    log = done.stderr.splitlines()
    assert done.returncode == 0
    # On a machine that is busy the first bell may be given up before it has been refused.
    assert log
    said = "WARNING core.celery.nudge [-] No worker was told of somebody: "
    assert all(said in line for line in log)
    assert all(line.endswith(f". {PUBLISH_FAILED}") for line in log)


def test_broker_that_says_nothing_is_not_waited_for(monkeypatch, caplog):
    @shared_task(name="tests.silent")
    def silent() -> None: ...

    nudged, answer = threading.Semaphore(0), threading.Event()

    def say_nothing(*args, **options):
        nudged.release()
        answer.wait(60)

    monkeypatch.setattr(silent, "apply_async", say_nothing)
    monkeypatch.setattr("core.celery.nudge.PUBLISH_TIMEOUT", 0.01)
    for _ in range(2):  # The second bell does not even begin, while the first is still waiting.
        silent.nudge()
    waiting, NudgeTask._publishing = NudgeTask._publishing, None

    assert nudged.acquire(timeout=60)
    assert not nudged.acquire(blocking=False)
    assert waiting.is_alive()
    assert caplog.messages == [
        f"No worker was told of tests.silent: the broker has not answered. {PUBLISH_FAILED}"
    ]
    answer.set()
    waiting.join()


def test_ring_reaches_the_broker_with_its_arguments():
    @shared_task(name="tests.reached")
    def reached(batch: int) -> None: ...

    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue("reviews")
        queue.clear()
        reached.nudge(7)
        message = queue.get(timeout=2)
        message.ack()
        queue.close()

    assert message.headers["task"] == "tests.reached"
    assert message.payload[0] == [7]
    assert message.content_type == "application/json"


def test_worker_logs_under_the_id_of_the_request_that_rang():
    @shared_task(name="tests.logging")
    def logs() -> None:
        seen.append(request_id.get())

    seen: list[str] = []
    logs.apply(headers={REQUEST_ID: "asked.1"})
    logs.apply(headers={REQUEST_ID: NO_REQUEST}, task_id="of-the-clock")
    logs.apply(task_id="of-nobody")

    assert seen == ["asked.1", "of-the-clock", "of-nobody"]


def test_message_carries_request_id():
    @shared_task(name="tests.asked")
    def nudged() -> None: ...

    token = request_id.set("asked.2")
    with app.connection_for_read() as connection:
        queue = connection.SimpleQueue("reviews")
        queue.clear()
        nudged.nudge()
        message = queue.get(timeout=2)
        message.ack()
        queue.close()
    request_id.reset(token)

    assert message.headers[REQUEST_ID] == "asked.2"


def test_delay_is_as_safe_as_a_nudge(monkeypatch, caplog):
    @shared_task(name="tests.delayed")
    def delayed() -> None: ...

    def fail(*args, **kwargs):
        raise OSError("No route to host.")

    monkeypatch.setattr(delayed, "apply_async", fail)
    with caplog.at_level(logging.WARNING, "core.celery.nudge"):
        delayed.delay()

    assert caplog.messages == [
        f"No worker was told of tests.delayed: No route to host. {PUBLISH_FAILED}"
    ]


def test_error_of_the_broker_is_logged_and_swallowed(monkeypatch, caplog):
    @shared_task(name="tests.failing")
    def failing() -> None: ...

    def fail(*args, **kwargs):
        raise OSError("No route to host.")

    monkeypatch.setattr(failing, "apply_async", fail)
    with caplog.at_level(logging.WARNING, "core.celery.nudge"):
        failing.nudge()

    assert caplog.messages == [
        f"No worker was told of tests.failing: No route to host. {PUBLISH_FAILED}"
    ]


def test_worker_listens_to_every_queue_of_the_hub():
    app.loader.import_default_modules()

    queues = {queue.name for queue in app.conf.task_queues}
    routed = {task: route["queue"] for task, route in app.conf.task_routes.items()}
    assert set(routed.values()) | {"reviews"} == queues
    assert len(set(routed.values())) == 3
    assert set(routed) <= set(app.tasks)
    assert app.conf.worker_concurrency >= 4


def test_every_task_is_a_nudge_and_messages_are_json():
    assert isinstance(app.tasks["publishing.tasks.publish_due"], NudgeTask)
    assert app.conf.accept_content == ["json"]
    assert PUBLISH_TIMEOUT < 2


@pytest.mark.django_db  # Celery has Django check its models, which asks the database since 6.0.
def test_every_entry_of_the_schedule_names_a_task():
    app.loader.import_default_modules()

    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)


# --- Messages in files --------------------------------------------------------------------------


@pytest.fixture
def transport(tmp_path):
    options = {"data_folder_in": str(tmp_path), "data_folder_out": str(tmp_path)}
    options["control_folder"] = str(tmp_path / "control")
    with Connection("filesystem://", transport_options=options) as connection:
        yield connection.default_channel


def message(task: str, body: str = "[]", eta: str | None = None) -> dict:
    return {"headers": {"task": task, "eta": eta}, "body": body, "properties": {}}


def test_waiting_message_is_stored_once(transport, tmp_path):
    for _ in range(100):
        transport._put("reviews", message("publish"))
    transport._put("reviews", message("publish", body="[7]"))
    transport._put("reviews", message("publish", eta="2026-01-01T00:00:00"))
    transport._put("reviews", message("refresh"))

    assert transport._size("reviews") == 4
    assert len(list(tmp_path.glob("*.msg"))) == 4


def test_messages_are_read_in_the_order_of_sending(transport, tmp_path):
    for age, task in enumerate(("third", "second", "first")):
        transport._put("reviews", message(task))
        newest = max(tmp_path.glob("*.msg"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (3 - age,) * 2)  # Seconds of 1970, whatever the clock says.

    assert [transport._get("reviews")["headers"]["task"] for _ in range(3)] == [
        "first",
        "second",
        "third",
    ]
    with pytest.raises(Empty):
        transport._get("reviews")


def test_message_sent_again_after_it_was_taken_is_stored_again(transport):
    transport._put("reviews", message("publish"))
    transport._get("reviews")
    transport._put("reviews", message("publish"))

    assert transport._get("reviews")["headers"]["task"] == "publish"


def test_message_that_finds_no_room_leaves_no_beginning(transport, tmp_path, monkeypatch):
    def fill_the_disk(path, text, **options):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", fill_the_disk)
        with pytest.raises(OSError, match="No space left"):
            transport._put("reviews", message("publish"))

    assert [path for path in tmp_path.iterdir() if path.is_file()] == []


@pytest.mark.parametrize("left", [b"", b"\0" * 300, b'{"body": ', b"\xff\xfe\x00"])
def test_message_that_a_power_cut_has_spoilt_is_thrown_away(transport, tmp_path, caplog, left):
    (tmp_path / "spoilt.reviews.msg").write_bytes(left)
    os.utime(tmp_path / "spoilt.reviews.msg", (0, 0))
    transport._put("reviews", message("publish"))

    assert transport._get("reviews")["headers"]["task"] == "publish"
    assert list(tmp_path.glob("*.msg")) == []
    assert "spoilt.reviews.msg cannot be read and is removed" in caplog.text


def test_unreadable_message_of_another_user_is_removed(transport, tmp_path, caplog, monkeypatch):
    transport._put("reviews", message("publish"))

    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)

    with pytest.raises(Empty):
        transport._get("reviews")
    assert list(tmp_path.glob("*.msg")) == []
    assert "cannot be read and is removed" in caplog.text


def test_queue_sees_its_own_messages_only(transport):
    transport._put("other", message("publish"))

    with pytest.raises(Empty):
        transport._get("reviews")


# --- Signs of life --------------------------------------------------------------------------------


def test_role_that_never_spoke_is_absent():
    assert heartbeat.states() == {"worker": "absent", "scheduler": "absent"}


def test_sign_of_life_is_ok_for_half_a_minute_and_then_stale(time_machine):
    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    heartbeat.beat("worker")

    time_machine.shift(30)
    assert heartbeat.states() == {"worker": "ok", "scheduler": "absent"}
    time_machine.shift(1)
    assert heartbeat.states() == {"worker": "stale", "scheduler": "absent"}


def test_sign_of_a_clock_that_is_ahead_is_no_sign_of_life_now(time_machine):
    time_machine.move_to("2026-05-01T12:00:31Z", tick=False)
    heartbeat.beat("worker")

    time_machine.move_to("2026-05-01T12:00:00Z", tick=False)
    assert heartbeat.states()["worker"] == "stale"


def test_cache_that_fails_makes_all_absent_and_raises_nothing(monkeypatch, caplog):
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


# --- Redis ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_channel_that_outlives_its_connection_fails_as_a_lost_connection(scheme):
    connection = Connection(f"{scheme}://127.0.0.1:1/0")
    transport = connection.transport
    channel = object.__new__(transport.Channel)  # Making one would ask the server.
    channel.connection = transport
    connection.release()

    with pytest.raises(transport.connection_errors, match="has been given up"):
        channel._get_pool()
