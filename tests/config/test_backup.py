"""One file holds everything, and comes back whole or not at all."""

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
    """Version, ETag, time and bytes of everything that is published."""
    return {
        document.path: (document.version, document.digest, document.changed_at, document.identity)
        for document in Document.objects.published()
    }


@pytest.fixture
def kept(everything, tmp_path):
    """A backup of everything."""
    backup.write(tmp_path / "kept")
    return tmp_path / "kept"


def altered(file: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(file)) as copy, copy:
        for statement in statements:
            copy.execute(statement)
    return file


def test_restored_rows_are_those_that_were_kept(kept):
    texts = set(Review.objects.values_list("text", flat=True))
    Review.objects.all().delete()
    make_review(text="Written after the backup.")

    assert backup.restore(kept, replace=True) == 0

    assert set(Review.objects.values_list("text", flat=True)) == texts
    assert decrypt(Subscription.objects.get().encrypted_secret) == "open sesame"
    make_review(text="Written after the restore.")
    make_subscription()


def test_documents_are_the_same_to_the_byte_and_stay_so(kept):
    before = documents()
    make_review(text="Written after the backup, and never published.")

    backup.restore(kept, replace=True)

    assert documents() == before
    assert not is_due()
    assert publisher.publish_due() == []
    assert documents() == before


def _without_first_instant(body):
    """The document but for its own time, which stands first."""
    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"", body, count=1)


def test_documents_come_after_what_was_published_in_their_place(kept):
    before = documents()
    make_review(text="Published after the backup.")
    refresh()
    publisher.publish_due()
    lost = documents()

    backup.restore(kept, replace=True)
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


def test_changes_are_counted_on_above_any_number_that_was_given_out(kept):
    for number in range(5):
        make_review(text=f"Lost with the restore, {number}.")
    given_out = Revision.objects.current(Revision.REVIEWS)

    backup.restore(kept, replace=True)

    assert Revision.objects.current(Revision.REVIEWS) > given_out
    assert Revision.objects.current(Revision.INSIGHTS) == Revision.objects.current(Revision.REVIEWS)


def test_restore_releases_claims_and_sends_nothing_twice(kept):
    backup.restore(kept, replace=True)

    for model in (Subscription, Verification):
        row = model.objects.get()
        assert (row.claimed_until, row.claim_token) == (None, "")
    assert Subscription.objects.get().acknowledged_version == 1
    assert not Attempt.objects.exists()


def test_file_does_not_hold_sessions_or_failed_sign_ins(client, everything, tmp_path):
    client.force_login(get_user_model().objects.get(username="root"))
    backup.write(tmp_path / "kept")

    assert client.session.session_key.encode() not in (tmp_path / "kept").read_bytes()


def test_database_that_holds_something_is_left_alone_unless_told_otherwise(kept):
    with pytest.raises(backup.BackupRefused, match=r"^The database holds 2 reviews already\."):
        backup.restore(kept, replace=False)

    call_command("flush", interactive=False, verbosity=0)
    backup.restore(kept, replace=False)

    assert Review.objects.count() == 2


def test_older_backup_is_migrated_upward(everything, tmp_path):
    (tmp_path / "older").write_bytes(gzip.decompress(RELEASED.read_bytes()))

    lost = backup.restore(tmp_path / "older", replace=True)

    assert lost == 2  # Of its source and its subscription, which another key has encrypted.
    assert (Review.objects.count(), Review.objects.visible().count()) == (12, 11)
    assert ("config", "0004_roles") in MigrationRecorder(connection).applied_migrations()
    publisher.publish_due()
    assert b'"review_count":11' in Document.objects.get(path="/reviews.json").identity


def test_newer_backup_is_refused_by_its_migration(kept):
    altered(
        kept,
        "INSERT INTO django_migrations (app, name, applied) VALUES ('reviews', '0999_later', '')",
    )

    with pytest.raises(backup.BackupRefused) as refused:
        backup.restore(kept, replace=True)

    assert str(refused.value) == (
        f"The backup has the migration reviews.0999_later, which this version ({build()}) lacks. "
        "Upgrade to a version that has it, then restore."
    )


def test_altered_row_is_refused_and_nothing_restored(kept):
    altered(kept, "UPDATE reviews_mention SET review_id = 4711")

    with pytest.raises(backup.BackupRefused, match="damaged"):
        backup.restore(kept, replace=True)

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
def test_file_of_another_kind_is_named_as_such(tmp_path, content, sentence):
    (tmp_path / "file").write_bytes(content)

    with pytest.raises(backup.BackupRefused) as refused:
        backup.restore(tmp_path / "file", replace=True)

    assert str(refused.value) == sentence


def test_commands_keep_a_file_for_its_owner_and_restore_it(everything, tmp_path, capsys, settings):
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
def test_file_that_cannot_be_written_is_named(tmp_path, name, sentence):
    (tmp_path / "kept").write_text("yesterday's")

    with pytest.raises(CommandError, match=sentence):
        call_command("backup", str(tmp_path / name))

    assert (tmp_path / "kept").read_text() == "yesterday's"


def test_command_names_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match=r"cannot be read \(No such file or directory\)\.$"):
        call_command("restore", str(tmp_path / "nothing"))


@pytest.mark.slow
def test_other_installation_takes_the_file_from_standard_input(kept, migrated):
    values = environment(migrated, SECRET_KEY=KEY, BASE_URL="https://reviews.example")
    manage = [sys.executable, str(ROOT / "manage.py")]

    def run(*arguments, given=b""):
        return subprocess.run(
            [*manage, *arguments], env=values, input=given, capture_output=True, check=True
        ).stdout

    assert run("restore", "-", given=kept.read_bytes()).startswith(b"Restored ")
    assert run("backup", "-").startswith(b"SQLite format 3")
