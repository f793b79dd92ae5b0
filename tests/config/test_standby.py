"""The worker's own sweep while no broker can be reached."""

import logging
import subprocess
import threading
from types import SimpleNamespace

import pytest

from config import standby
from tests.processes import environment


@pytest.fixture
def swept(settings, monkeypatch):
    """The commands that were run; each may say what happens meanwhile."""
    settings.WEBSUB_SWEEP_SECONDS = 0.01
    commands = []
    meanwhile = iter(())

    def run(command, **options):
        commands.append(command[1:])
        next(meanwhile)()

    monkeypatch.setattr(subprocess, "run", run)

    def watch(consumer, *happenings, stop):
        nonlocal meanwhile
        meanwhile = iter(happenings)
        standby.watch(consumer, stop)
        return commands

    return watch


def test_worker_without_a_broker_sweeps_until_it_is_back(swept, caplog):
    consumer, stop = SimpleNamespace(connection=None), threading.Event()
    back = threading.Timer(0.2, stop.set)

    def reconnect():
        consumer.connection = "connected"
        back.start()

    with caplog.at_level(logging.WARNING):
        commands = swept(consumer, lambda: None, reconnect, stop=stop)

    assert [command[-1] for command in commands] == ["sweep", "sweep"]
    assert [record.getMessage() for record in caplog.records] == [
        "The broker is away; sweeping without it.",
        "The broker is back.",
    ]


def test_worker_with_a_broker_leaves_sweeping_to_the_clock(swept):
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()

    assert swept(SimpleNamespace(connection="connected"), stop=stop) == []


def test_command_is_the_one_an_operator_runs(migrated):
    env = environment(migrated, SECRET_KEY="k" * 50, BASE_URL="http://localhost")

    done = subprocess.run(
        standby.COMMAND, env=env, check=True, capture_output=True, text=True, timeout=300
    )

    assert "Published a new version of /reviews.json" in done.stdout
