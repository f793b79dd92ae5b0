from pathlib import Path

import pytest

from config import checks
from tests.processes import GOOD, environment, run


@pytest.mark.parametrize(
    ("values", "check", "warning"),
    [
        ({"BASE_URL": "http://a.example", "IS_HTTPS": False}, "public_address_uses_tls", "W001"),
        ({"BASE_URL": "https://a.example", "DEBUG": True}, "debug_stays_at_home", "W002"),
        ({"STATE_DIR": Path("/gone")}, "state_can_be_written", "W003"),
        (
            {"USES_SQLITE": False, "CELERY_BROKER_URL": "filesystem://"},
            "messages_reach_every_machine",
            "W004",
        ),
    ],
)
def test_doubtful_setting_is_a_warning(settings, values, check, warning):
    assert getattr(checks, check)() == []
    for name, value in values.items():
        setattr(settings, name, value)

    assert [found.id for found in getattr(checks, check)()] == [f"reviews.{warning}"]


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701])
def test_state_folder_open_to_other_users_is_a_warning(settings, tmp_path, mode):
    settings.STATE_DIR = tmp_path
    tmp_path.chmod(0o700)
    assert checks.state_is_private() == []

    tmp_path.chmod(mode)
    [warning] = checks.state_is_private()

    assert warning.id == "reviews.W005"
    assert warning.hint.endswith(f"chmod -R go= {tmp_path}")


def script_with_usual_umask(*command):
    """Return a script that runs `manage.py` with the usual umask."""
    return (
        "import os, runpy, sys; os.umask(0o022); "
        f"sys.argv = {['manage.py', *command]!r}; runpy.run_path('manage.py', run_name='__main__')"
    )


@pytest.mark.slow
def test_state_files_are_private(tmp_path):
    tmp_path.chmod(0o755)
    script = script_with_usual_umask("createcachetable", "--database", "cache")

    done = run("-c", script, env=environment(tmp_path, **GOOD))

    assert done.returncode == 0, done.stderr
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes["cache.sqlite3"] == 0o600
    assert not any(mode & 0o077 for mode in modes.values())


@pytest.mark.slow
def test_static_files_are_readable_by_web_server(tmp_path):
    folder = tmp_path / "static"
    script = script_with_usual_umask("collectstatic", "--noinput", "--verbosity", "0")

    done = run("-c", script, env=environment(tmp_path, **GOOD) | {"STATIC_ROOT": str(folder)})

    assert done.returncode == 0, done.stderr
    found = list(folder.rglob("*"))
    assert any(path.suffix == ".gz" for path in found)
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in found)
