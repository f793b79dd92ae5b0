"""Fixtures of all tests. No test connects to another machine."""

import datetime as dt
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
from tests.browser import browser
from tests.processes import environment, manage, reserved_port

# Write bytecode even where the environment disables it, as many containers do. Compiling in each
# process took a fifth of the CPU of all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The duration of an example depends on the load of the machine. All examples of a property share
# one fixture on purpose.
EXAMPLES = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.register_profile("quick", EXAMPLES, max_examples=15)
settings.register_profile("thorough", EXAMPLES, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use one worker more than cores if slow tests run, since those mostly wait."""
    return (os.cpu_count() or 1) + (not _excludes_slow(config))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        action="store_true",
        help="only the tests that use the database, to try another one; the others never notice",
    )


@pytest.hookimpl(tryfirst=True)  # Run before `-m` selects.
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--database"):
        others = [item for item in items if not _uses_the_database(item)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if _uses_the_database(item)]


def _uses_the_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    if "chromium" in fixtures:  # Browser tests do not depend on the database.
        return False
    return bool({"db", "transactional_db"} & fixtures or item.get_closest_marker("django_db"))


def pytest_collection_finish() -> None:
    """Freeze the collected tests and run the garbage collector less often.

    Traversing them took a tenth of the CPU of the modules that were measured.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if _excludes_slow(config):
        terminalreporter.write_line(
            "Left out: tests that start processes, browsers or servers. `make test-all` runs them."
        )


def _excludes_slow(config: pytest.Config) -> bool:
    return "not slow" in str(config.getoption("-m"))


class NetworkTouchedError(AssertionError):
    """A test tried to reach another machine."""


@pytest.fixture(scope="session", autouse=True)
def block_network():
    """Allow connections to loopback and Unix sockets alone. Others raise NetworkTouchedError."""
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
    """Fork the reader processes, except in tests that are about processes."""
    marks = ("slow", "scale", "standalone")
    if sys.platform == "linux" and not any(map(request.node.get_closest_marker, marks)):
        monkeypatch.setattr("subprocess.Popen", readers.Popen)


@pytest.fixture(autouse=True)
def use_process_clock(monkeypatch):
    """Use the clock of this process as the database's clock, so that tests can shift it."""
    from django.utils import timezone

    from websub import clock

    monkeypatch.setattr(clock, "now", timezone.now)


@pytest.fixture(autouse=True)
def clear_caches(monkeypatch):
    """Clear the process caches, which may hold rows and requests of another test."""
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
    """Keep the permissions when a test that commits empties the tables.

    Writing them again took more than half of the time of such a test.
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
    """Return the test's folder as a STATE_DIR with all tables, for processes to start."""
    shutil.copytree(_tables, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def silent_port():
    """Reserve a port without a listener."""
    with reserved_port() as port:
        yield port


@pytest.fixture
def clock(time_machine):
    """Stop the time of day, which a test may shift."""
    time_machine.move_to(dt.datetime.now(dt.UTC))
    return time_machine


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as page:
        yield page
