import pytest

from config import checks
from tests.processes import GOOD, environment, run


def test_public_address_without_tls_is_warned_of(settings):
    settings.BASE_URL, settings.IS_HTTPS = "http://reviews.example", False

    [warning] = checks.public_address_uses_tls()

    assert warning.id == "reviews.W001"
    assert warning.msg == "BASE_URL is http://reviews.example, without TLS."


def test_debug_at_a_public_address_is_warned_of(settings):
    settings.BASE_URL, settings.DEBUG = "https://reviews.example", True

    [warning] = checks.debug_stays_at_home()

    assert (warning.id, warning.msg) == ("reviews.W002", "DEBUG is on at https://reviews.example.")


def test_state_folder_that_is_gone_is_warned_of(settings, tmp_path):
    settings.STATE_DIR = tmp_path / "gone"

    [warning] = checks.state_can_be_written()

    assert warning.id == "reviews.W003"


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701])
def test_state_folder_that_is_open_to_other_users_is_warned_of(settings, tmp_path, mode):
    settings.STATE_DIR = tmp_path
    tmp_path.chmod(0o700)
    assert checks.state_is_private() == []

    tmp_path.chmod(mode)
    [warning] = checks.state_is_private()

    assert warning.id == "reviews.W005"
    assert warning.hint.endswith(f"chmod -R go= {tmp_path}")


def as_others_start(*command):
    """A script that runs `manage.py` under the usual umask."""
    return (
        "import os, runpy, sys; os.umask(0o022); "
        f"sys.argv = {['manage.py', *command]!r}; runpy.run_path('manage.py', run_name='__main__')"
    )


@pytest.mark.slow
def test_files_of_the_state_folder_are_for_their_user_alone(tmp_path):
    tmp_path.chmod(0o755)
    script = as_others_start("createcachetable", "--database", "cache")

    done = run("-c", script, env=environment(tmp_path, **GOOD))

    assert done.returncode == 0, done.stderr
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes["cache.sqlite3"] == 0o600
    assert not any(mode & 0o077 for mode in modes.values())


@pytest.mark.slow
def test_static_files_are_for_the_web_server_too(tmp_path):
    folder = tmp_path / "static"
    script = as_others_start("collectstatic", "--noinput", "--verbosity", "0")

    done = run("-c", script, env=environment(tmp_path, **GOOD) | {"STATIC_ROOT": str(folder)})

    assert done.returncode == 0, done.stderr
    found = list(folder.rglob("*"))
    assert any(path.suffix == ".gz" for path in found)
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in found)


def test_messages_in_files_beside_a_database_server_are_warned_of(settings):
    settings.USES_SQLITE, settings.CELERY_BROKER_URL = False, "filesystem://"

    [warning] = checks.messages_reach_every_machine()

    assert warning.id == "reviews.W004"

    settings.CELERY_BROKER_URL = "redis://127.0.0.1:6379/0"
    assert checks.messages_reach_every_machine() == []
