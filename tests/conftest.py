"""Fixtures of all tests; no test reaches beyond this machine."""

import gc
import ipaddress
import os
import shutil
import socket
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import readers
from tests.processes import claimed_port, environment, manage

# The processes of a run compile nothing twice, also where the environment keeps no bytecode, as in
# many containers: it was a fifth of the CPU of all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# How long an example takes says how busy the machine is; and a fixture is what all examples of a
# property are tried on.
EXAMPLES = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.register_profile("quick", EXAMPLES, max_examples=15)
settings.register_profile("thorough", EXAMPLES, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than cores where tests wait for processes, deadlines and clocks."""
    return (os.cpu_count() or 1) + (not _leaves_slow_out(config))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        action="store_true",
        help="only the tests that use the database, to try another one; the others never notice",
    )


@pytest.hookimpl(tryfirst=True)  # Before `-m` selects.
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--database"):
        others = [item for item in items if not _uses_the_database(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _uses_the_database(item)]


def _uses_the_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    if "chromium" in fixtures:  # What a browser shows is the same with every database.
        return False
    return bool({"db", "transactional_db"} & fixtures or item.get_closest_marker("django_db"))


def pytest_collection_finish() -> None:
    """Keep the collected tests out of garbage collection, and collect less often.

    To look through them took a tenth of the CPU of the modules that were measured.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if _leaves_slow_out(config):
        terminalreporter.write_line(
            "Left out: tests that start processes, browsers or servers. `make test-all` runs them."
        )


def _leaves_slow_out(config: pytest.Config) -> bool:
    return "not slow" in str(config.getoption("-m"))


class NetworkTouchedError(AssertionError):
    """A test tried to reach another machine."""


@pytest.fixture(scope="session", autouse=True)
def only_this_machine():
    """Connections to loopback and to Unix sockets alone; everything else fails by name."""
    patch = pytest.MonkeyPatch()
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    yield
    patch.undo()


def _guarded(connect):
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in {socket.AF_INET, socket.AF_INET6} and not _is_loopback(address[0]):
            raise NetworkTouchedError(f"A test tried to connect to {address}")
        return connect(self, address)

    return guarded


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def fork_readers(request, monkeypatch):
    """Fork the processes that read files, but in tests that are about processes."""
    marks = ("slow", "scale", "standalone")
    if sys.platform == "linux" and not any(map(request.node.get_closest_marker, marks)):
        monkeypatch.setattr("subprocess.Popen", readers.Popen)


@pytest.fixture(autouse=True)
def one_clock(monkeypatch):
    """The database's clock is this process's, which a test may shift."""
    from django.utils import timezone

    from websub import clock

    monkeypatch.setattr(clock, "now", timezone.now)


@pytest.fixture(autouse=True)
def clear_caches(monkeypatch):
    """Clear the caches of this process, which hold rows and requests of another test."""
    from django.core.cache import cache

    from core.http import rate_limit
    from reviews import current
    from website.status import status_cache

    current.clear_caches()
    cache.clear()
    status_cache.clear()
    monkeypatch.setattr(rate_limit, "limiter", rate_limit.RateLimiter())


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup):
    """Leave the permissions alone where a test that commits empties the tables.

    To write them again took more than half of the time of such a test.
    """
    from django.contrib.contenttypes.management import create_contenttypes
    from django.db.backends.base.introspection import BaseDatabaseIntrospection
    from django.db.models.signals import post_migrate

    table_names = BaseDatabaseIntrospection.django_table_names

    def emptied_table_names(self: Any, *args: Any, **options: Any) -> list[str]:
        names = table_names(self, *args, **options)
        return [name for name in names if name not in {"django_content_type", "auth_permission"}]

    patch = pytest.MonkeyPatch()
    patch.setattr(BaseDatabaseIntrospection, "django_table_names", emptied_table_names)
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    yield
    patch.undo()


@pytest.fixture(scope="session")
def _tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    manage(("migrate", "-v0"), env=environment(folder, SECRET_KEY="k", BASE_URL="http://localhost"))
    return folder


@pytest.fixture
def migrated(_tables: Path, tmp_path: Path) -> Path:
    """The test's folder as a STATE_DIR with all tables, for the processes that it starts."""
    shutil.copytree(_tables, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def silent_port():
    """A port of this machine without a listener."""
    with claimed_port() as port:
        yield port
