"""Kill processes and fill disks during migrations, imports and undos.

Nothing is half done: earlier data stays, and repeating the work succeeds.
"""

import pytest
from django.db import connection

from tests.deploy.interruptions import empty_database, points
from tests.deploy.work import (
    APPLY_AGAIN,
    MIGRATE,
    MIGRATE_CHECK,
    PREPARE,
    PUBLISHED,
    STATE,
    UNDO_AGAIN,
    WORK,
    WORK_OR_FAIL,
)

pytestmark = [pytest.mark.scale, pytest.mark.django_db]

KILLS = 8  # Sampled writes for each kind of work. The statements between two are alike.
MIGRATE_KILLS = ({"record": 2}, {"write": 23}, {"record": 3}, {"write": 41})


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def empty(request, tmp_path_factory):
    """A database without tables."""
    is_sqlite = request.param == "sqlite"
    if not is_sqlite and connection.vendor != "postgresql":
        pytest.skip("DATABASE_URL names no PostgreSQL")
    server = None if is_sqlite else connection.settings_dict
    with empty_database(tmp_path_factory.mktemp("places"), server) as place:
        yield place


@pytest.fixture(scope="module")
def migrated(empty):
    place = empty.copy("migrated")
    place.run(MIGRATE)
    return place


@pytest.fixture(scope="module")
def applying(migrated):
    place = migrated.copy("applying")
    place.run(PREPARE)
    return place


@pytest.fixture(scope="module")
def undoing(applying):
    place = applying.copy("undoing")
    place.run(WORK)
    place.run(UNDO_AGAIN)
    return place


def test_killed_migrate_is_completed_by_next_run(empty):
    place = empty.copy("killed")

    # Each run continues after the kill of the run before: in the middle of a migration, or before a
    # migration is recorded.
    for at in MIGRATE_KILLS:
        assert place.killed(MIGRATE, **at)

    place.run(MIGRATE)
    place.run(MIGRATE_CHECK)
    assert place.result(PREPARE + WORK + PUBLISHED) == 80


def killed_work_changes_nothing(begun, states, count):
    before = begun.result(STATE)
    done = begun.copy("counted")
    writes = done.run(WORK)["writes"]
    after = done.result(STATE)
    assert (before["state"], after["state"]) == states
    assert (len(after["texts"]), after["revision"]) == (count, before["revision"] + 1)

    for number in points(writes, KILLS):
        place = begun.copy(f"killed-{number}")
        assert place.killed(WORK, write=number)
        assert place.result(STATE) == before
        place.run(WORK)
        assert place.result(STATE) == after


def test_killed_import_changes_nothing_and_can_be_repeated(applying):
    killed_work_changes_nothing(applying, ("applying", "applied"), 80)


def test_killed_undo_changes_nothing_and_can_be_repeated(undoing):
    killed_work_changes_nothing(undoing, ("undoing", "undone"), 40)


def test_killed_restore_changes_nothing_and_can_be_repeated(migrated, applying):
    file = migrated.folder / "backup"
    applying.run(f"call_command('backup', {str(file)!r}, verbosity=0)")
    restore = f"call_command('restore', {str(file)!r}, replace=True, verbosity=0)"
    place = migrated.copy("other")
    place.run(PREPARE.replace("google,g-", "facebook,f-"))
    before, wanted = place.result(STATE), applying.result(STATE)
    assert before["texts"] != wanted["texts"]
    done = place.copy("counted")
    writes = done.run(restore)["writes"]
    after = done.result(STATE)
    assert after["texts"] == wanted["texts"]

    for number in points(writes, KILLS):
        killed = place.copy(f"killed-{number}")
        assert killed.killed(restore, write=number)
        assert killed.result(STATE) in (before, after)
        killed.run(restore)
        assert killed.result(STATE)["texts"] == after["texts"]
        assert killed.result(PUBLISHED) == 40


def test_backup_during_import_excludes_it(migrated, applying):
    file = migrated.folder / "during"
    before = applying.result(STATE)
    writes = applying.copy("measured").run(WORK)["writes"]
    place = applying.copy("importing")

    with place.beside() as other, place.paused(WORK, write=writes // 2):
        other.run(f"call_command('backup', {str(file)!r}, verbosity=0)")

    assert len(place.result(STATE)["texts"]) == 80
    restored = migrated.copy("restored")
    restored.run(f"call_command('restore', {str(file)!r}, replace=True, verbosity=0)")
    kept = restored.result(STATE)
    assert (kept["texts"], kept["mentions"]) == (before["texts"], before["mentions"])
    assert restored.result(PUBLISHED) == 40


@pytest.mark.parametrize(
    ("start", "request_again"), [("applying", APPLY_AGAIN), ("undoing", UNDO_AGAIN)]
)
def test_full_disk_changes_nothing_and_work_succeeds_later(applying, undoing, start, request_again):
    begun = {"applying": applying, "undoing": undoing}[start]
    if begun.server:
        pytest.skip("The files of PostgreSQL belong to processes of its own")
    before = begun.result(STATE)
    place = begun.copy("full")

    place.run(WORK_OR_FAIL, file_bytes=32_768)  # The write-ahead log grows first.

    kept = place.result(STATE)
    assert kept["state"] in {start, "previewed", "applied"}
    assert {**kept, "state": ""} == {**before, "state": ""}
    # The batch waits for a decision if its error could still be stored.
    place.run(WORK if kept["state"] == start else request_again + WORK)
    assert place.result(STATE)["texts"] != before["texts"]
