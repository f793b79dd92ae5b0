"""Daily backups: schedule, storage, retention and failures."""

import datetime as dt
import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import time_machine
from django.db import connection

from config import scheduled_backups
from config.backup import STARTS
from config.backup_store import FolderStore, S3Store, store
from config.models import Backup
from reviews.models import Review
from tests.administration import page_html
from tests.sources.servers import Reply, maker_server
from website.status import status_cache

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pg_dump")]

NIGHT = dt.datetime(2026, 5, 20, 4, tzinfo=dt.UTC)
NAME = "reviews-2026-05-20.backup"


@pytest.fixture(autouse=True)
def _fresh_status():
    status_cache.clear()


@pytest.fixture
def folder(settings, tmp_path):
    settings.BACKUP_TO = str(tmp_path / "backups")
    settings.STATE_DIR = tmp_path
    return tmp_path / "backups"


@pytest.fixture
def restored(monkeypatch):
    """Record the requested restores. Each finds seven reviews."""
    files = []
    monkeypatch.setattr(scheduled_backups, "verify", lambda file: files.append(file) or 7)
    return files


def back_up(at=NIGHT):
    with time_machine.travel(at, tick=False):
        return scheduled_backups.back_up_if_due()


def test_backup_is_made_once_a_day_after_its_hour(folder, restored):
    assert not back_up(NIGHT.replace(hour=2))
    assert back_up()
    assert not back_up(NIGHT + dt.timedelta(hours=3))
    assert back_up(NIGHT + dt.timedelta(days=1))

    assert sorted(path.name for path in folder.iterdir()) == [NAME, NAME.replace("20.", "21.")]
    assert [(row.reviews, row.error) for row in Backup.objects.all()] == [(7, ""), (7, "")]
    assert len(restored) == 2


@pytest.mark.slow
def test_stored_file_is_restored_into_scratch_database(all_rows, folder):
    assert back_up()

    assert Backup.objects.get().reviews == Review.objects.count()
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == ["backups"]


@pytest.mark.slow
def test_damaged_file_is_refused(folder, monkeypatch):
    monkeypatch.setattr(FolderStore, "get", lambda _, name, file: file.write_bytes(b"SQLite for"))

    assert not back_up()

    assert "cannot be restored" in Backup.objects.get().error


def test_failed_backup_is_reported_and_retried(folder, restored, admin_client, client):
    folder.write_text("a file in its place")

    assert not back_up()
    assert not back_up(NIGHT + dt.timedelta(minutes=30))

    page = page_html(admin_client.get("/admin/"))
    assert "The backup failed" in page
    assert "File exists" in page
    assert client.get("/status.json").json()["backups"] == "failed"
    folder.unlink()
    assert back_up(NIGHT + dt.timedelta(hours=2))
    with time_machine.travel(NIGHT + dt.timedelta(hours=3)):
        assert scheduled_backups.state() == "ok"
    with time_machine.travel(NIGHT + dt.timedelta(days=3)):
        assert scheduled_backups.state() == "late"
        assert "No backup has been made" in page_html(admin_client.get("/admin/"))


def test_backups_are_off_without_destination(client):
    assert not back_up()
    assert not Backup.objects.exists()
    assert "backups" not in client.get("/status.json").json()


def test_retention_keeps_days_and_weeks():
    days = [dt.date(2026, 5, 31) - dt.timedelta(days=number) for number in range(40)]

    kept = scheduled_backups.kept_days(days, daily=3, weekly=3)

    assert sorted(f"{day:%m-%d}" for day in kept) == ["05-17", "05-24", "05-29", "05-30", "05-31"]


def test_old_backups_are_removed_and_other_files_stay(folder, restored, settings):
    settings.BACKUP_KEEP_DAYS, settings.BACKUP_KEEP_WEEKS = 1, 1
    folder.mkdir()
    for name in ("reviews-2026-05-19.backup", "reviews-2026-01-01.backup", "mine.backup"):
        (folder / name).write_text("former")

    assert back_up()

    assert sorted(path.name for path in folder.iterdir()) == ["mine.backup", NAME]


class Bucket:
    """Implement the part of S3 that backups use: PUT, GET, DeleteObjects, ListObjectsV2."""

    def __init__(self):
        self.objects, self.seen = {}, set()

    def __call__(self, requested):
        parts = urlsplit(requested.target)
        key = unquote(parts.path).removeprefix("/reviews/")
        if requested.method == "PUT":
            self.seen.add(requested.headers.get("authorization", "").partition("/")[0])
            self.objects[key] = requested.body
            return Reply(headers={"ETag": '"1"'})
        if requested.method == "POST":
            keys = re.findall(r"<Key>(.*?)</Key>", requested.body.decode())
            for each in keys:
                self.objects.pop(each, None)
            rows = "".join(f"<Deleted><Key>{each}</Key></Deleted>" for each in keys)
            return Reply(f"<DeleteResult>{rows}</DeleteResult>".encode())
        if "list-type" in parts.query:
            prefix = parse_qs(parts.query).get("prefix", [""])[0]
            rows = "".join(
                f"<Contents><Key>{each}</Key><LastModified>2026-05-20T00:00:00Z</LastModified>"
                f'<ETag>"1"</ETag><Size>{len(body)}</Size></Contents>'
                for each, body in sorted(self.objects.items())
                if each.startswith(prefix)
            )
            return Reply(f"<ListBucketResult>{rows}</ListBucketResult>".encode())
        if key not in self.objects:
            return Reply(status=404)
        modified = "Wed, 20 May 2026 00:00:00 GMT"
        return Reply(self.objects[key], headers={"ETag": '"1"', "Last-Modified": modified})


@pytest.fixture
def bucket(settings):
    with maker_server() as server:
        server.reply = bucket = Bucket()
        settings.BACKUP_TO = "s3://reviews/nightly"
        settings.BACKUP_S3_ENDPOINT = server.url("")
        settings.BACKUP_S3_KEY_ID, settings.BACKUP_S3_SECRET = "key-of-mine", "sesame"
        yield bucket


def test_bucket_stores_returns_and_deletes_backups(bucket, restored, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    settings.BACKUP_KEEP_DAYS, settings.BACKUP_KEEP_WEEKS = 1, 0

    assert back_up()
    assert back_up(NIGHT + dt.timedelta(days=1))

    assert [*bucket.objects] == [f"nightly/{NAME.replace('20.', '21.')}"]
    assert bucket.objects[f"nightly/{NAME.replace('20.', '21.')}"].startswith(
        STARTS[connection.vendor]
    )
    assert bucket.seen == {"AWS4-HMAC-SHA256 Credential=key-of-mine"}
    assert isinstance(store(), S3Store)


def test_unreachable_bucket_is_reported_without_secrets(bucket, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    settings.BACKUP_S3_ENDPOINT = "http://127.0.0.1:1"

    assert not back_up()

    assert Backup.objects.get().error
    assert "sesame" not in Backup.objects.get().error
