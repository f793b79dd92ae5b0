"""One file holds everything, and either database takes it back."""

import contextlib
import datetime as dt
import gzip
import io
import json
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from config import backup
from insights.refresh import is_due, refresh
from publishing import publisher
from publishing.models import Document
from reviews.models import ImportBatch, Review, Revision
from tests.factories import make_business, make_review, make_service, make_technician
from tests.processes import ROOT, environment
from tests.websub.rows import make_attempt, make_subscription, make_verification
from websub.models import Attempt, Subscription, Verification
from websub.secrets import decrypt

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "tests-only-" + "k" * 50


@pytest.fixture
def everything():
    """Rows of every kind, published, with a subscription that somebody has in hand."""
    make_business()
    make_technician("Maren Holt", aliases=["Mar"])
    make_service("Leak detection")
    batch = ImportBatch.objects.create(
        file_name="ätna.csv", sha256="0" * 64, preview={"big": 10**30}
    )
    make_review(text="Maren fixed it: 5★ \u2028 «so quick»", technicians=["maren-holt"])
    make_review(text="", rating=1, created_by_batch=batch, reply_text="Sorry.")
    user = get_user_model().objects.create_superuser("root", "root@example.com", "long enough")
    user.groups.add(Group.objects.create(name="editors"))
    user.user_permissions.add(Permission.objects.get(codename="change_review"))
    hour = dt.timedelta(hours=1)
    subscription = make_subscription(
        secret="open sesame",
        acknowledged_version=1,
        claimed_until=timezone.now() + hour,
        claim_token="held",
    )
    make_verification(claimed_until=timezone.now() + hour, claim_token="held")
    make_attempt(subscription=subscription)
    refresh()
    publisher.publish_due()


def written():
    out = io.BytesIO()
    backup.write(out)
    return out.getvalue()


def lines(data):
    return [json.loads(line) for line in gzip.decompress(data).splitlines()]


def packed(values):
    return gzip.compress(b"".join(json.dumps(value).encode() + b"\n" for value in values), mtime=0)


def restore(data, *, replace=True):
    return backup.restore(io.BytesIO(data), replace=replace)


def documents():
    stored = Document.objects.values_list("path", "version", "digest", "changed_at")
    return {row[0]: (*row[1:], Document.objects.get(path=row[0]).identity) for row in stored}


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


def test_nobody_holds_what_was_held_and_nothing_is_sent_twice(everything):
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


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_file_that_is_cut_off_changes_nothing(everything, share):
    data = written()
    before = documents()

    with pytest.raises(backup.BackupRefused, match="cut off"):
        restore(data[: int(len(data) * share)])

    assert documents() == before
    assert Review.objects.count() == 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"id,rating\n1,5\n",
        gzip.compress(b"[]\n", mtime=0),
        gzip.compress(b"[" * 100_000 + b"\n", mtime=0),
        packed([{"format": backup.FORMAT, "version": "1.0.0"}]),
        packed([{"format": backup.FORMAT, "version": "1.0.0", "migrations": []}]),
    ],
    ids=["empty", "table", "list", "deep", "head without migrations", "migrations in a list"],
)
def test_file_of_another_kind_is_named_as_such(content):
    with pytest.raises(backup.BackupRefused, match=r"is not a backup|is cut off"):
        restore(content)


def test_file_that_was_damaged_changes_nothing(everything):
    data = bytearray(written())
    before = documents()
    for at in (len(data) // 3, len(data) // 2, len(data) - 6):
        damaged = data.copy()
        damaged[at] ^= 0b1000

        with pytest.raises(backup.BackupRefused, match=r"damaged|cut off|altered|other columns"):
            restore(bytes(damaged))

    assert documents() == before


def test_rows_without_a_table_are_refused(everything):
    header, _table, row, *_ = lines(written())

    with pytest.raises(backup.BackupRefused, match="is not a backup"):
        restore(packed([header, row]))


@pytest.mark.parametrize("place", [0, 1, 2], ids=["header", "table", "row"])
def test_endless_line_is_refused_before_it_fills_the_memory(everything, monkeypatch, place):
    whole = gzip.decompress(written()).splitlines(keepends=True)
    monkeypatch.setattr(backup, "LONGEST_LINE", max(map(len, whole)))
    restore(gzip.compress(b"".join(whole)))
    endless = b"".join(whole[:place]) + b"[" * 100_000_000
    packed_endless = gzip.compress(endless, compresslevel=1)
    del endless

    tracemalloc.start()
    try:
        with pytest.raises(backup.BackupRefused, match="longer than any row of a backup"):
            restore(packed_endless)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 20_000_000
    assert Review.objects.count() == 2


def test_lines_without_their_end_are_refused(everything):
    with pytest.raises(backup.BackupRefused, match="cut off"):
        restore(packed(lines(written())[:-1]))


@pytest.mark.parametrize(
    ("migrations", "sentence"),
    [
        (
            {"reviews": ["0999_future"]},
            (
                "The backup is of version 9.9 with the migration reviews.0999_future, which this "
                "version (1.0.0) does not have. Upgrade first, then restore."
            ),
        ),
        (
            {"reviews": ["0001_initial"]},
            (
                "The backup is of version 9.9, before a migration of this one (1.0.0). Restore it "
                "with that version, then upgrade."
            ),
        ),
    ],
)
def test_backup_of_another_version_is_refused(everything, migrations, sentence):
    header, *rest = lines(written())
    header |= {"version": "9.9", "migrations": header["migrations"] | migrations}

    with pytest.raises(backup.BackupRefused) as refused:
        restore(packed([header, *rest]))

    assert str(refused.value) == sentence


def test_migrations_of_libraries_are_their_own_matter(everything):
    apps = set(lines(written())[0]["migrations"])

    assert {"reviews", "websub"} <= apps
    assert not apps & {"auth", "axes", "sessions"}


def test_table_with_other_columns_is_refused(everything):
    altered = lines(written())
    table = next(line for line in altered if "table" in line and line["table"] == "auth.group")
    table["columns"] = ["id", "title"]

    with pytest.raises(backup.BackupRefused, match=r"^The table auth.group has other columns"):
        restore(packed(altered))


@pytest.mark.parametrize(
    ("table", "column", "value", "sentence"),
    [
        ("reviews.review", "rating", 9, r"^The file was altered"),
        ("reviews.mention", "review_id", 4_711, r"^The file was altered.*reviews_mention"),
    ],
)
def test_altered_row_is_refused_and_nothing_restored(everything, table, column, value, sentence):
    altered = lines(written())
    at = next(n for n, line in enumerate(altered) if table in str(line)[:30])
    altered[at + 1][altered[at]["columns"].index(column)] = value

    with pytest.raises(backup.BackupRefused, match=sentence):
        restore(packed(altered))

    assert Review.objects.count() == 2


@pytest.mark.parametrize(
    "line",
    [5, "text", None, {}, {"table": "reviews.review"}, {"rows": "all"}, {"table": 5}, []],
    ids=str,
)
def test_line_that_is_none_of_ours_is_refused(everything, line):
    altered = lines(written())

    with pytest.raises(backup.BackupRefused):
        restore(packed([*altered[:-1], line, altered[-1]]))

    assert Review.objects.count() == 2


@pytest.mark.parametrize("value", [[], 10**30])
def test_value_of_another_kind_is_taken_or_refused(everything, value):
    pristine = lines(written())
    at = next(n for n, line in enumerate(pristine) if "reviews.review" in str(line)[:30])
    for column in range(len(pristine[at]["columns"])):
        altered = json.loads(json.dumps(pristine))
        altered[at + 1][column] = value
        with contextlib.suppress(backup.BackupRefused):
            restore(packed(altered))


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


# --- The commands ---------------------------------------------------------------------------------


def test_command_keeps_a_file_for_its_owner_alone(everything, tmp_path, capsys):
    file = tmp_path / "reviews.backup"

    call_command("backup", str(file))

    assert capsys.readouterr().out.startswith(f"Kept {lines(file.read_bytes())[-1]['rows']} rows")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["reviews.backup"]


def test_command_writes_over_no_file(tmp_path):
    file = tmp_path / "reviews.backup"
    file.write_text("yesterday's")

    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(file))

    assert file.read_text() == "yesterday's"


def test_command_names_a_file_that_no_folder_takes(tmp_path):
    with pytest.raises(CommandError, match=r"cannot be written \(File name too long\)\.$"):
        call_command("backup", str(tmp_path / ("x" * 300)))


def test_command_that_cannot_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(out):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "write", full)

    with pytest.raises(CommandError, match=r"cannot be written \(No space left on device\)\.$"):
        call_command("backup", str(tmp_path / "reviews.backup"))

    assert not list(tmp_path.iterdir())


def test_command_says_what_it_restored(everything, tmp_path, capsys, settings):
    call_command("backup", str(tmp_path / "reviews.backup"))
    settings.SECRET_KEY = "another-" + "k" * 50
    capsys.readouterr()

    call_command("restore", str(tmp_path / "reviews.backup"), "--replace")

    said = capsys.readouterr()
    assert said.out.startswith("Restored ")
    assert "add the key of the former installation to SECRET_KEY_FALLBACKS" in said.err


def test_command_names_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match=r"cannot be read \(No such file or directory\)\.$"):
        call_command("restore", str(tmp_path / "nothing"))
