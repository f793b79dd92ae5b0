"""The worker's own sweep while no broker can be reached."""

import logging
import subprocess
from types import SimpleNamespace

import pytest

from config import standby
from tests.processes import environment


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
    consumer = SimpleNamespace(connection=None)

    def reconnect():
        consumer.connection = "connected"

    with caplog.at_level(logging.WARNING):
        commands = swept(consumer, lambda: None, reconnect, stop=After(3))

    assert [command[-1] for command in commands] == ["sweep", "sweep"]
    assert [record.getMessage() for record in caplog.records] == [
        "The broker is away; sweeping without it.",
        "The broker is back.",
    ]


def test_worker_with_a_broker_leaves_sweeping_to_the_clock(swept):
    assert swept(SimpleNamespace(connection="connected"), stop=After(3)) == []


def test_command_is_the_one_an_operator_runs(migrated):
    env = environment(migrated, SECRET_KEY="k" * 50, BASE_URL="http://localhost")

    done = subprocess.run(
        standby.COMMAND, env=env, check=True, capture_output=True, text=True, timeout=300
    )

    assert "Published a new version of /reviews.json" in done.stdout
