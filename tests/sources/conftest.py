"""Sources on loopback, and the work that a worker would do."""

import datetime as dt
from collections.abc import Iterator

import pytest

from sources import looks
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
def clock(time_machine):
    """The time of day, which a test may shift."""
    time_machine.move_to(dt.datetime.now(dt.UTC))
    return time_machine


@pytest.fixture
def look(clock, transactional_db):
    """Let the time pass until the next look, and have a worker do what is due."""

    def look(seconds: float = 7 * 3600) -> None:
        clock.shift(seconds)
        looks.look_at_due()

    return look
