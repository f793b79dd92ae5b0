"""One file holds everything, and either database takes it back."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from config import backup
from insights.refresh import is_due, refresh
from publishing import publisher
from reviews.models import Review, Revision
from tests.config.backups import documents, lines, restore, written
from tests.factories import make_review
from tests.processes import ROOT, environment
from tests.websub.rows import make_subscription
from websub.models import Attempt, Subscription, Verification
from websub.secrets import decrypt

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "tests-only-" + "k" * 50


def _without_first_instant(body):
    """The document but for its own time, which stands first."""
    return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", b"", body, count=1)


def without_claims_and_revisions(data):
    """The lines but for what a restore changes on purpose."""
    kept, table = [], {}
    for value in lines(data):
        table = value if isinstance(value, dict) else table
        if isinstance(value, list):
            row = dict(zip(table["columns"], value, strict=True))
            gone = {"claimed_until", "claim_token", "revision"}
            gone |= {"number"} if table["table"] == "reviews.revision" else set()
            kept.append({name: held for name, held in row.items() if name not in gone})
        else:
            kept.append(value)
    return kept


def test_restored_rows_are_those_that_were_kept(everything):
    data = written()
    Review.objects.all().delete()
    make_review(text="Written after the backup.")

    restored = restore(data)

    assert without_claims_and_revisions(written()) == without_claims_and_revisions(data)
    assert restored.rows == lines(data)[-1]["rows"] > 20
    assert restored.unreadable_secrets == 0
    assert decrypt(Subscription.objects.get().encrypted_secret) == "open sesame"


def test_documents_are_the_same_to_the_byte_and_stay_so(everything):
    before = documents()
    data = written()
    make_review(text="Written after the backup, and never published.")

    restore(data)

    assert documents() == before
    assert not is_due()
    assert publisher.publish_due() == []
    assert documents() == before


def test_documents_come_after_what_was_published_in_their_place(everything):
    before = documents()
    data = written()
    make_review(text="Published after the backup.")
    refresh()
    publisher.publish_due()
    lost = documents()

    restore(data)
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
    assert publisher.publish_due() == []


def test_changes_are_counted_on_above_any_number_that_was_given_out(everything):
    data = written()
    for number in range(5):
        make_review(text=f"Lost with the restore, {number}.")
    given_out = Revision.objects.current(Revision.REVIEWS)

    restore(data)

    assert Revision.objects.current(Revision.REVIEWS) > given_out
    assert Revision.objects.current(Revision.INSIGHTS) == Revision.objects.current(Revision.REVIEWS)


def test_restore_releases_claims_and_sends_nothing_twice(everything):
    data = written()

    restore(data)

    for model in (Subscription, Verification):
        row = model.objects.get()
        assert (row.claimed_until, row.claim_token) == (None, "")
    assert Subscription.objects.get().acknowledged_version == 1
    assert not Attempt.objects.exists()


def test_new_rows_get_keys_of_their_own_after_a_restore(everything):
    restore(written())

    make_review(text="Written after the restore.")
    make_subscription()

    assert Review.objects.count() == 3


def test_file_does_not_hold_sessions_or_failed_sign_ins(everything):
    tables = {line["table"] for line in lines(written()) if "table" in line}

    assert "reviews.review" in tables
    assert "auth.user_groups" in tables
    assert not tables & backup.LEFT_OUT


def test_database_that_holds_something_is_left_alone_unless_told_otherwise(everything):
    data = written()

    with pytest.raises(backup.BackupRefused, match=r"^The database holds 2 reviews already\."):
        restore(data, replace=False)

    assert Review.objects.count() == 2


def test_empty_database_needs_no_flag(everything):
    data = written()
    call_command("flush", interactive=False, verbosity=0)

    restore(data, replace=False)

    assert Review.objects.count() == 2


def test_secret_under_a_key_that_is_gone_is_counted(everything, settings):
    data = written()
    settings.SECRET_KEY = "another-" + "k" * 50

    assert restore(data).unreadable_secrets == 1


def test_other_database_takes_the_file_and_gives_it_back(everything, migrated):
    data = written()
    values = environment(migrated, SECRET_KEY=KEY, BASE_URL="https://reviews.example")
    manage = [sys.executable, str(ROOT / "manage.py")]

    def run(*arguments, given=b""):
        return subprocess.run(
            [*manage, *arguments], env=values, input=given, capture_output=True, check=True
        ).stdout

    said = run("restore", "-", given=data)
    again = run("backup", "-")

    assert said.decode() == f"Restored {lines(data)[-1]['rows']} rows.\n"
    assert without_claims_and_revisions(again) == without_claims_and_revisions(data)


def test_backup_that_finds_no_room_on_standard_output_says_so(migrated):
    values = environment(migrated, SECRET_KEY=KEY, BASE_URL="https://reviews.example")

    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "manage.py", "backup", "-"],
            cwd=ROOT,
            env=values,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == (
        "CommandError: Standard output cannot be written (No space left on device). What is there "
        "is not a backup.\n"
    )


def test_snapshot_does_not_see_what_is_written_meanwhile(everything, monkeypatch):
    first, *rest = backup._tables()

    def tables():
        yield first
        # By a connection of its own, like another process; the first table has been read by now.
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("UPDATE reviews_review SET author = 'Changed meanwhile'")
        other.close()
        yield from rest

    monkeypatch.setattr(backup, "_tables", tables)

    data = written()

    assert Review.objects.filter(author="Changed meanwhile").count() == 2
    assert b"Changed meanwhile" not in gzip.decompress(data)
