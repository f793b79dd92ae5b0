"""A backup is one file, restored completely or not at all."""

import gzip
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config import backup
from config.version import build
from insights.refresh import is_due, refresh
from publishing import publisher
from publishing.models import Document
from reviews.models import Review, Revision
from tests.factories import make_review
from tests.processes import ROOT, environment
from tests.websub.rows import make_subscription
from websub.models import Attempt, Subscription, Verification
from websub.secrets import decrypt

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the tests' database has no pg_dump"),
]

RELEASED = ROOT / "tests" / "deploy" / "released" / "reviews.sqlite3.gz"
KEY = "tests-only-" + "k" * 50


def documents():
    """Return version, ETag, time and bytes of each published document."""
    return {
        document.path: (document.version, document.digest, document.changed_at, document.identity)
        for document in Document.objects.published()
    }


@pytest.fixture
def backup_file(all_rows, tmp_path):
    """Return a backup of all rows."""
    backup.write(tmp_path / "kept")
    return tmp_path / "kept"


def altered(file: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(file)) as copy, copy:
        for statement in statements:
            copy.execute(statement)
    return file


def test_restored_rows_equal_backed_up_rows(backup_file):
    texts = set(Review.objects.values_list("text", flat=True))
    Review.objects.all().delete()
    make_review(text="Written after the backup.")

    assert backup.restore(backup_file, replace=True) == 0

    assert set(Review.objects.values_list("text", flat=True)) == texts
    assert decrypt(Subscription.objects.get().encrypted_secret) == "open sesame"
    make_review(text="Written after the restore.")
    make_subscription()


def test_restored_documents_keep_their_bytes(backup_file):
    before = documents()
    make_review(text="Written after the backup, and never published.")

    backup.restore(backup_file, replace=True)

    assert documents() == before
    assert not is_due()
    assert publisher.publish_due() == []
    assert documents() == before


def _without_first_instant(body):
    """Remove the document's own time, which comes first."""
    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"", body, count=1)


def test_restored_documents_are_newer_than_replaced_ones(backup_file):
    before = documents()
    make_review(text="Published after the backup.")
    refresh()
    publisher.publish_due()
    lost = documents()

    backup.restore(backup_file, replace=True)
    refresh()
    publisher.publish_due()

    after = documents()
    replaced = {path for path in before if lost[path] != before[path]}
    assert {"/reviews.json", "/insights.json", "/feed.xml", "/api/feed.json"} <= replaced
    for path in before:
        *_, body = before[path]
        if path not in replaced:
            assert after[path] == before[path]
            continue
        assert after[path][0] > lost[path][0]
        assert after[path][2] > lost[path][2]
        assert _without_first_instant(after[path][3]) == _without_first_instant(body), path


def test_restored_revision_is_above_every_published_one(backup_file):
    for number in range(5):
        make_review(text=f"Lost with the restore, {number}.")
    given_out = Revision.objects.current(Revision.REVIEWS)

    backup.restore(backup_file, replace=True)

    assert Revision.objects.current(Revision.REVIEWS) > given_out
    assert Revision.objects.current(Revision.INSIGHTS) == Revision.objects.current(Revision.REVIEWS)


def test_restore_releases_claims_and_sends_nothing_twice(backup_file):
    backup.restore(backup_file, replace=True)

    for model in (Subscription, Verification):
        row = model.objects.get()
        assert (row.claimed_until, row.claim_token) == (None, "")
    assert Subscription.objects.get().acknowledged_version == 1
    assert not Attempt.objects.exists()


def test_backup_excludes_sessions_and_failed_sign_ins(client, all_rows, tmp_path):
    client.force_login(get_user_model().objects.get(username="root"))
    backup.write(tmp_path / "kept")

    assert client.session.session_key.encode() not in (tmp_path / "kept").read_bytes()


def test_database_with_rows_is_replaced_only_when_forced(backup_file):
    with pytest.raises(backup.BackupRefused, match=r"^The database holds 2 reviews already\."):
        backup.restore(backup_file, replace=False)

    call_command("flush", interactive=False, verbosity=0)
    backup.restore(backup_file, replace=False)

    assert Review.objects.count() == 2


def test_older_backup_is_migrated_upward(all_rows, tmp_path):
    (tmp_path / "older").write_bytes(gzip.decompress(RELEASED.read_bytes()))

    lost = backup.restore(tmp_path / "older", replace=True)

    assert lost == 2  # Secrets of its source and subscription, which another key has encrypted.
    assert (Review.objects.count(), Review.objects.visible().count()) == (12, 11)
    assert ("config", "0004_roles") in MigrationRecorder(connection).applied_migrations()
    publisher.publish_due()
    assert b'"review_count":11' in Document.objects.get(path="/reviews.json").identity


def test_newer_backup_is_refused_by_its_migration(backup_file):
    altered(
        backup_file,
        "INSERT INTO django_migrations (app, name, applied) VALUES ('reviews', '0999_later', '')",
    )

    with pytest.raises(backup.BackupRefused) as refused:
        backup.restore(backup_file, replace=True)

    assert str(refused.value) == (
        f"The backup has the migration reviews.0999_later, which this version ({build()}) lacks. "
        "Upgrade to a version that has it, then restore."
    )


def test_altered_row_is_refused_and_nothing_restored(backup_file):
    altered(backup_file, "UPDATE reviews_mention SET review_id = 4711")

    with pytest.raises(backup.BackupRefused, match="damaged"):
        backup.restore(backup_file, replace=True)

    assert Review.objects.count() == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", backup.NOT_OURS),
        (b"id,rating\n1,5\n", backup.NOT_OURS),
        (b"PGDMP\x01\x0e", backup.OTHER_DATABASE),
        (gzip.compress(b"{}"), backup.NOT_OURS),
    ],
    ids=["empty", "table", "PostgreSQL", "compressed"],
)
def test_file_of_another_kind_is_refused(tmp_path, content, sentence):
    (tmp_path / "file").write_bytes(content)

    with pytest.raises(backup.BackupRefused) as refused:
        backup.restore(tmp_path / "file", replace=True)

    assert str(refused.value) == sentence


def test_commands_write_private_file_and_restore_it(all_rows, tmp_path, capsys, settings):
    file = tmp_path / "reviews.backup"
    call_command("backup", str(file))
    assert capsys.readouterr().out.startswith(f"Kept everything of {build()} in {file} (")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.backup"]

    settings.SECRET_KEY = "another-" + "k" * 50
    call_command("restore", str(file), "--replace")

    said = capsys.readouterr()
    assert said.out == f"Restored {Review.objects.count()} reviews.\n"
    assert "1 secrets cannot be read" in said.err


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("kept", "already exists"), ("x" * 300, r"cannot be written \(File name too long\)\.$")],
)
def test_unwritable_file_is_named(tmp_path, name, sentence):
    (tmp_path / "kept").write_text("yesterday's")

    with pytest.raises(CommandError, match=sentence):
        call_command("backup", str(tmp_path / name))

    assert (tmp_path / "kept").read_text() == "yesterday's"


def test_missing_file_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"cannot be read \(No such file or directory\)\.$"):
        call_command("restore", str(tmp_path / "nothing"))


@pytest.mark.slow
def test_backup_is_restored_from_standard_input(backup_file, migrated):
    values = environment(migrated, SECRET_KEY=KEY, BASE_URL="https://reviews.example")
    manage = [sys.executable, str(ROOT / "manage.py")]

    def run(*arguments, given=b""):
        return subprocess.run(
            [*manage, *arguments], env=values, input=given, capture_output=True, check=True
        ).stdout

    assert run("restore", "-", given=backup_file.read_bytes()).startswith(b"Restored ")
    assert run("backup", "-").startswith(b"SQLite format 3")
