"""Daily backups: when they are made, where they go, what is kept, and how a failure is seen."""

import datetime as dt
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import time_machine
from django.db import connection

from config import scheduled_backups
from config.backup import STARTS
from config.backup_store import FolderStore, S3Store, store
from config.models import Backup
from reviews.models import Review
from tests.administration import shown
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
    """Restores that were asked for; each finds seven reviews."""
    files = []
    monkeypatch.setattr(scheduled_backups, "verify", lambda file: files.append(file) or 7)
    return files


def back_up(at=NIGHT):
    with time_machine.travel(at, tick=False):
        return scheduled_backups.back_up_if_due()


def test_backup_is_made_once_a_day_from_its_hour_on(folder, restored):
    assert not back_up(NIGHT.replace(hour=2))
    assert back_up()
    assert not back_up(NIGHT + dt.timedelta(hours=3))
    assert back_up(NIGHT + dt.timedelta(days=1))

    assert sorted(path.name for path in folder.iterdir()) == [NAME, NAME.replace("20.", "21.")]
    assert [(row.reviews, row.error) for row in Backup.objects.all()] == [(7, ""), (7, "")]
    assert len(restored) == 2


@pytest.mark.slow
def test_stored_file_is_restored_into_a_scratch_database(everything, folder):
    assert back_up()

    assert Backup.objects.get().reviews == Review.objects.count()
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == ["backups"]


@pytest.mark.slow
def test_damaged_file_is_no_backup(folder, monkeypatch):
    monkeypatch.setattr(FolderStore, "get", lambda _, name, file: file.write_bytes(b"SQLite for"))

    assert not back_up()

    assert "cannot be restored" in Backup.objects.get().error


def test_failure_is_shown_and_tried_again(folder, restored, admin_client, client):
    folder.write_text("a file in its place")

    assert not back_up()
    assert not back_up(NIGHT + dt.timedelta(minutes=30))

    page = shown(admin_client.get("/admin/"))
    assert "The backup failed" in page
    assert "File exists" in page
    assert client.get("/status.json").json()["backups"] == "failed"
    folder.unlink()
    assert back_up(NIGHT + dt.timedelta(hours=2))
    with time_machine.travel(NIGHT + dt.timedelta(hours=3)):
        assert scheduled_backups.state() == "ok"
    with time_machine.travel(NIGHT + dt.timedelta(days=3)):
        assert scheduled_backups.state() == "late"
        assert "No backup was made" in shown(admin_client.get("/admin/"))


def test_without_a_place_nothing_is_made_and_nothing_is_said(client):
    assert not back_up()
    assert not Backup.objects.exists()
    assert "backups" not in client.get("/status.json").json()


def test_retention_keeps_days_and_weeks():
    days = [dt.date(2026, 5, 31) - dt.timedelta(days=number) for number in range(40)]

    kept = scheduled_backups.kept_days(days, daily=3, weekly=3)

    assert sorted(f"{day:%m-%d}" for day in kept) == ["05-17", "05-24", "05-29", "05-30", "05-31"]


def test_older_backups_go_and_other_files_stay(folder, restored, settings):
    settings.BACKUP_KEEP_DAYS, settings.BACKUP_KEEP_WEEKS = 1, 1
    folder.mkdir()
    for name in ("reviews-2026-05-19.backup", "reviews-2026-01-01.backup", "mine.backup"):
        (folder / name).write_text("former")

    assert back_up()

    assert sorted(path.name for path in folder.iterdir()) == ["mine.backup", NAME]


class _Bucket(BaseHTTPRequestHandler):
    """As much of S3 as a backup needs: PUT, GET, DeleteObjects and ListObjectsV2."""

    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.add(self.headers.get("Authorization", "").partition("/")[0])
        self.server.objects[self._key()] = body
        self._answer(200, ETag='"1"')

    def do_GET(self):
        parts = urlsplit(self.path)
        if "list-type" in parts.query:
            prefix = parse_qs(parts.query).get("prefix", [""])[0]
            rows = "".join(
                f"<Contents><Key>{key}</Key><LastModified>2026-05-20T00:00:00Z</LastModified>"
                f'<ETag>"1"</ETag><Size>{len(body)}</Size></Contents>'
                for key, body in sorted(self.server.objects.items())
                if key.startswith(prefix)
            )
            self._answer(200, f"<ListBucketResult>{rows}</ListBucketResult>".encode())
        elif self._key() in self.server.objects:
            modified = "Wed, 20 May 2026 00:00:00 GMT"
            body = self.server.objects[self._key()]
            self._answer(200, body, **{"ETag": '"1"', "Last-Modified": modified})
        else:
            self._answer(404)

    def do_POST(self):
        """DeleteObjects."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        keys = re.findall(r"<Key>(.*?)</Key>", body)
        for key in keys:
            self.server.objects.pop(key, None)
        rows = "".join(f"<Deleted><Key>{key}</Key></Deleted>" for key in keys)
        self._answer(200, f"<DeleteResult>{rows}</DeleteResult>".encode())

    def _key(self):
        return unquote(urlsplit(self.path).path).removeprefix("/reviews/")

    def _answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def bucket(settings):
    with ThreadingHTTPServer(("127.0.0.1", 0), _Bucket) as server:
        server.objects, server.seen, server.daemon_threads = {}, set(), True
        Thread(target=server.serve_forever, daemon=True).start()
        settings.BACKUP_TO = "s3://reviews/nightly"
        settings.BACKUP_S3_ENDPOINT = f"http://127.0.0.1:{server.server_port}"
        settings.BACKUP_S3_KEY_ID, settings.BACKUP_S3_SECRET = "key-of-mine", "sesame"
        yield server
        server.shutdown()


def test_bucket_takes_gives_and_drops_backups(bucket, restored, settings, tmp_path):
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


def test_bucket_that_does_not_answer_is_a_failure_without_secrets(bucket, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    settings.BACKUP_S3_ENDPOINT = "http://127.0.0.1:1"

    assert not back_up()

    assert Backup.objects.get().error
    assert "sesame" not in Backup.objects.get().error
