"""The worker's own sweep while there is no broker, or no scheduler."""

import logging
import socket
import subprocess
import time
from types import SimpleNamespace

import pytest
from celery import Celery
from django.core.cache import cache

from core.celery import fallback_sweep
from tests.processes import environment

HOUR = 60 * 60


class After:
    """An event that is set after so many looks at it."""

    def __init__(self, looks):
        self.looks = looks

    def wait(self, seconds):
        self.looks -= 1
        return self.looks < 0


@pytest.fixture
def swept(monkeypatch):
    """The commands that were run; each may say what happens meanwhile."""
    commands = []
    meanwhile = iter(())

    def run(command, **options):
        commands.append(command[2:])
        words = next(meanwhile)()
        return SimpleNamespace(returncode=bool(words), stderr=words or "")

    monkeypatch.setattr(subprocess, "run", run)

    def watch(worker, *happenings, stop, quiet=0, nudges=()):
        nonlocal meanwhile
        meanwhile = iter(happenings)
        standing_by = fallback_sweep.FallbackSweeper(worker)
        monkeypatch.setattr(time, "monotonic", lambda: now + quiet)
        for task in nudges:
            standing_by.listen(SimpleNamespace(name=task))
        standing_by.watch(stop)
        return commands

    now = time.monotonic()
    return watch


def worker(connection, broker="memory://"):
    """Celery's worker, as far as it is looked at; one that begins has no consumer yet."""
    app = Celery(set_as_current=False)
    app.conf.broker_write_url = broker  # The environment of tests names the other one.
    app.conf.broker_transport_options = {"socket_timeout": 0.1, "read_timeout": 0.1}
    app.conf.broker_connection_timeout = 0.1
    return SimpleNamespace(app=app, consumer=SimpleNamespace(connection=connection))


@pytest.fixture
def sign_of_scheduler(monkeypatch):
    """How long ago the scheduler has left its sign of life."""

    def leave(seconds_ago):
        cache.set("heartbeat:scheduler", time.time() - seconds_ago)

    yield leave
    cache.delete("heartbeat:scheduler")


@pytest.fixture
def silent_port():
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


def test_worker_without_a_broker_sweeps_until_it_is_back(swept, caplog):
    cut_off = worker(connection=None)

    def reconnect():
        cut_off.consumer.connection = "connected"

    with caplog.at_level(logging.WARNING):
        commands = swept(cut_off, lambda: None, reconnect, stop=After(3))

    assert [command[0] for command in commands] == ["sweep", "sweep"]
    assert [record.getMessage() for record in caplog.records] == [
        "The broker is away; sweeping without it.",
        "The broker is back.",
    ]


def test_sweep_that_fails_is_a_line_of_the_log(swept, caplog, capsys):
    said = '{"level":"WARNING"}\nThe database does not answer.\n'

    with caplog.at_level(logging.ERROR):
        swept(worker(connection=None), lambda: said, stop=After(1))

    assert caplog.messages == ["The sweep did not work: The database does not answer."]
    assert capsys.readouterr().err == '{"level":"WARNING"}\n'


def test_sweep_that_cannot_be_started_is_tried_again(swept, caplog):
    def find_no_python():
        raise FileNotFoundError(2, "No such file or directory", ".venv/bin/python")

    with caplog.at_level(logging.ERROR):
        commands = swept(worker(connection=None), find_no_python, lambda: None, stop=After(2))

    assert [command[0] for command in commands] == ["sweep", "sweep"]
    assert caplog.messages == [
        "The sweep could not be started: [Errno 2] No such file or directory: '.venv/bin/python'"
    ]


def test_worker_that_begins_while_the_broker_is_away_sweeps(swept):
    beginning = worker(connection=None)
    del beginning.consumer

    assert len(swept(beginning, lambda: None, stop=After(1))) == 1


def test_worker_with_a_broker_leaves_sweeping_to_the_clock(swept, sign_of_scheduler):
    sign_of_scheduler(seconds_ago=20)

    assert swept(worker("connected"), stop=After(3), quiet=HOUR) == []


@pytest.mark.parametrize("scheme", ["redis", "amqp"])
def test_worker_whose_broker_falls_silent_sweeps(swept, silent_port, scheme):
    silent = worker("connected", broker=f"{scheme}://127.0.0.1:{silent_port}")

    assert len(swept(silent, lambda: None, stop=After(1), quiet=HOUR)) == 1


def test_worker_that_hears_the_clock_asks_no_further(swept, silent_port):
    silent = worker("connected", f"redis://127.0.0.1:{silent_port}")

    assert swept(silent, stop=After(3), quiet=HOUR, nudges=["websub.tasks.sweep_up"]) == []


def test_worker_without_a_scheduler_sweeps_until_it_is_back(swept, sign_of_scheduler, caplog):
    sign_of_scheduler(seconds_ago=40)

    def begin_again():
        sign_of_scheduler(seconds_ago=0)

    with caplog.at_level(logging.WARNING):
        # Others send nudges as well, but only for what is new.
        commands = swept(
            worker("connected"),
            lambda: None,
            begin_again,
            stop=After(3),
            quiet=HOUR,
            nudges=["publishing.tasks.publish_due"],
        )

    assert [command[0] for command in commands] == ["sweep", "sweep"]
    assert [record.getMessage() for record in caplog.records] == [
        "The scheduler is away; sweeping without it.",
        "The scheduler is back.",
    ]


def test_scheduler_has_time_to_find_a_broker_that_is_back(swept, sign_of_scheduler, caplog):
    sign_of_scheduler(seconds_ago=40)
    cut_off = worker(connection=None)

    def reconnect():
        cut_off.consumer.connection = "connected"

    with caplog.at_level(logging.WARNING):
        swept(cut_off, reconnect, stop=After(4), quiet=HOUR)

    assert [record.getMessage() for record in caplog.records] == [
        "The broker is away; sweeping without it.",
        "The broker is back.",
    ]


def test_command_is_the_one_an_operator_runs(migrated):
    env = environment(migrated, SECRET_KEY="k" * 50, BASE_URL="http://localhost")

    done = subprocess.run(
        fallback_sweep.sweep_command(),
        env=env,
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert "Published a new version of /reviews.json" in done.stdout
