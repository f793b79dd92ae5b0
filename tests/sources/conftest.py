"""Sources on loopback, and the work that a worker would do."""

import datetime as dt
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sources import polling
from sources.connectors import recipe
from tests.sources.servers import MakerServer, maker_server


@pytest.fixture
def allowed(settings, tmp_path) -> None:
    """Sources on this machine are allowed, and the inbox is the test's own."""
    settings.SOURCES_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    settings.INBOX_DIR = tmp_path / "inbox"


@pytest.fixture
def maker(allowed) -> Iterator[MakerServer]:
    with maker_server() as server:
        yield server


@pytest.fixture
def recipes(maker, monkeypatch, tmp_path) -> Iterator[Path]:
    """The folder of the shipped recipes, which ask the maker's server on loopback here."""
    folder = tmp_path / "recipes"
    shutil.copytree(recipe.FOLDER, folder)
    for path in folder.glob("*.toml"):
        base = f'address = "{maker.url("/")}'
        path.write_text(re.sub(r'address = "https://[^/"]+/', base, path.read_text()))
    monkeypatch.setattr(recipe, "FOLDER", folder)
    recipe.shipped.cache_clear()
    yield folder
    recipe.shipped.cache_clear()


@pytest.fixture
def clock(time_machine):
    """The time of day, which a test may shift."""
    time_machine.move_to(dt.datetime.now(dt.UTC))
    return time_machine


@pytest.fixture
def look(clock, transactional_db):
    """Let the time pass until the next look, and have a worker do what is due."""

    def look(seconds: float = 7 * 3600) -> None:
        clock.shift(seconds)
        polling.poll_due()

    return look
