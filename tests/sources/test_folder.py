"""The watched folder: unchanged files are imported and moved."""

import os

import pytest

from imports.models import ImportBatch
from reviews.models import Review
from sources import services
from sources.models import SourceRun
from sources.selectors import waiting_runs
from tests.sources.rows import entries, make_connection


@pytest.fixture
def inbox(allow_local_sources, settings):
    settings.INBOX_DIR.mkdir()
    return settings.INBOX_DIR


@pytest.fixture
def connection(inbox, transactional_db):
    return make_connection("folder", name="Inbox", interval_seconds=5)


@pytest.fixture
def look_twice(fetch_due):
    """Fetch twice, since a file must be unchanged between two fetches."""

    def look_twice() -> None:
        fetch_due(5)
        fetch_due(6)

    return look_twice


def names(path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir()) if path.exists() else []


def test_unchanged_file_is_imported_and_moved_to_done(inbox, connection, look_twice):
    (inbox / "reviews.json").write_bytes(entries(3))

    look_twice()

    assert Review.objects.count() == 3
    assert names(inbox) == ["done"]
    assert names(inbox / "done") == ["reviews.json"]
    assert SourceRun.objects.get().file_name == "reviews.json"


def test_growing_file_is_ignored_until_unchanged(inbox, connection, fetch_due):
    file = inbox / "reviews.json"
    whole = entries(3)
    file.write_bytes(whole[:40])
    fetch_due(5)
    file.write_bytes(whole)
    fetch_due(6)
    assert not SourceRun.objects.exists()

    fetch_due(6)

    assert Review.objects.count() == 3


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"Nothing but words.", "no table of reviews"), (entries(9), "larger than 100 bytes")],
)
@pytest.mark.usefixtures("connection")
def test_unusable_file_is_moved_to_failed_with_reason(inbox, look_twice, settings, content, reason):
    settings.IMPORT_MAX_BYTES = 100
    (inbox / "notes.txt").write_bytes(content)

    look_twice()

    assert names(inbox / "failed") == ["notes.txt", "notes.txt.txt"]
    assert reason in (inbox / "failed" / "notes.txt.txt").read_text()
    assert not ImportBatch.objects.exclude(state="refused").exists()


def test_several_files_are_imported_in_turn(inbox, connection, fetch_due, look_twice):
    for number in range(3):
        (inbox / f"{number}.json").write_bytes(entries(number + 1))

    look_twice()
    fetch_due(6)
    fetch_due(6)

    assert names(inbox / "done") == ["0.json", "1.json", "2.json"]
    assert Review.objects.count() == 3


def test_file_waiting_for_approval_stays_until_decision(inbox, connection, fetch_due):
    (inbox / "reviews.json").write_bytes(entries(3))
    fetch_due(5)
    services.preview_now(connection)
    fetch_due(6)
    assert names(inbox) == ["reviews.json"]

    services.reject(waiting_runs().get(), by=None)

    assert names(inbox) == ["failed"]
    assert (inbox / "failed" / "reviews.json.txt").read_text() == "Rejected.\n"


@pytest.mark.parametrize("name", [".hidden.json", "~lock.json", "a.json.part", "b.crdownload"])
def test_partial_and_hidden_files_are_ignored(inbox, connection, look_twice, name):
    (inbox / name).write_bytes(entries(3))

    look_twice()

    assert names(inbox) == [name]
    assert not SourceRun.objects.exists()


def test_links_and_folders_are_ignored(inbox, connection, look_twice, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_bytes(entries(3))
    (inbox / "link.json").symlink_to(secret)
    (inbox / "folder").mkdir()

    look_twice()

    assert not SourceRun.objects.exists()
    assert secret.exists()


def test_undecodable_file_name_is_made_readable(inbox, connection, fetch_due, look_twice):
    with open(os.fsencode(inbox) + b"/caf\xe9.json", "wb") as file:  # noqa: PTH123  (bytes)
        file.write(entries(2))

    look_twice()
    fetch_due(6)

    assert names(inbox / "done") == ["caf\ufffd.json"]


def test_unreadable_folder_is_named(connection, inbox, fetch_due, settings):
    settings.INBOX_DIR = inbox / "file" / "inside"
    (inbox / "file").write_bytes(b"")

    fetch_due()

    connection.refresh_from_db()
    assert "cannot be read" in connection.last_error
    assert "INBOX_DIR" in connection.last_error
