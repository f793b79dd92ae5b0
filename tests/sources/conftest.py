"""Sources on loopback, and the work of a worker."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sources import polling
from sources.connectors import recipe
from tests.sources.servers import MakerServer, maker_server


@pytest.fixture
def allow_local_sources(settings, tmp_path) -> None:
    """Allow sources on this machine, and give each test its own inbox."""
    settings.SOURCES_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    settings.INBOX_DIR = tmp_path / "inbox"


@pytest.fixture
def maker(allow_local_sources) -> Iterator[MakerServer]:
    with maker_server() as server:
        yield server


@pytest.fixture
def recipes(maker, monkeypatch, tmp_path) -> Iterator[Path]:
    """Return the folder of the shipped recipes, redirected to the maker's local server."""
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
def fetch_due(clock, transactional_db):
    """Shift the clock, by default by seven hours, and run due tasks."""

    def fetch_due(seconds: float = 7 * 3600) -> None:
        clock.shift(seconds)
        polling.poll_due()

    return fetch_due
