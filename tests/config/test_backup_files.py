"""Backups that are damaged, altered or of another version, and the commands that keep them."""

import contextlib
import gzip
import json
import tracemalloc

import pytest
from django.core.management import CommandError, call_command

from config import backup
from reviews.models import Review
from tests.config.backups import documents, lines, packed, restore, written

pytestmark = pytest.mark.django_db(transaction=True)


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
            {"reviews": ["0021_customers_words"]},
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


@pytest.mark.slow
@pytest.mark.parametrize("value", [[], 10**30])
def test_value_of_another_kind_is_taken_or_refused(everything, value):
    pristine = lines(written())
    at = next(n for n, line in enumerate(pristine) if "reviews.review" in str(line)[:30])
    for column in range(len(pristine[at]["columns"])):
        altered = json.loads(json.dumps(pristine))
        altered[at + 1][column] = value
        with contextlib.suppress(backup.BackupRefused):
            restore(packed(altered))


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
