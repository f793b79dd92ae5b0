import sqlite3
from contextlib import closing

import pytest

from config import checks


def test_public_address_without_tls_is_warned_of(settings):
    settings.BASE_URL, settings.IS_HTTPS = "http://reviews.example", False

    [warning] = checks.public_address_uses_tls()

    assert warning.id == "reviews.W001"
    assert warning.msg == "BASE_URL is http://reviews.example, without TLS."


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_local_address_needs_no_tls(settings, host):
    settings.BASE_URL, settings.IS_HTTPS, settings.DEBUG = f"http://{host}", False, True

    assert checks.public_address_uses_tls() == []
    assert checks.debug_stays_at_home() == []


def test_debug_at_a_public_address_is_warned_of(settings):
    settings.BASE_URL, settings.DEBUG = "https://reviews.example", True

    [warning] = checks.debug_stays_at_home()

    assert (warning.id, warning.msg) == ("reviews.W002", "DEBUG is on at https://reviews.example.")


def test_state_folder_that_is_gone_is_warned_of(settings, tmp_path):
    settings.STATE_DIR = tmp_path / "gone"

    [warning] = checks.state_can_be_written()

    assert warning.id == "reviews.W003"


def test_messages_in_files_beside_a_database_server_are_warned_of(settings):
    settings.USES_SQLITE, settings.CELERY_BROKER_URL = False, "filesystem://"

    [warning] = checks.messages_reach_every_machine()

    assert warning.id == "reviews.W004"

    settings.CELERY_BROKER_URL = "redis://127.0.0.1:6379/0"
    assert checks.messages_reach_every_machine() == []


def test_migrate_alone_makes_the_table_of_the_shared_cache(migrated):
    with closing(sqlite3.connect(migrated / "cache.sqlite3")) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}

    assert "shared_cache" in tables
