"""The page of a running import."""

from imports import services
from imports.admin import batches as batch_admin
from imports.models import ImportBatch
from imports.writer import Writer
from reviews.models import Review
from tests.imports.admin.import_pages import GOOD, page, press, upload


def test_large_undo_shows_progress_and_can_run_in_request(admin, monkeypatch):
    upload(admin, GOOD)
    press(admin, "apply")
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    monkeypatch.setattr(services.tasks.process_batch, "delay", lambda pk: None)

    waiting = press(admin, "undo").content.decode()
    assert "Being undone: 1 review. This page refreshes automatically." in waiting
    assert "Cancel" not in waiting
    assert Review.objects.exists()

    monkeypatch.setattr(batch_admin, "WORKER_START_TIMEOUT", -batch_admin.WORKER_START_TIMEOUT)
    waiting = admin.get(page("change", ImportBatch.objects.get())).content.decode()
    assert "If no worker is running, you can do it here." in waiting
    shown = press(admin, "run").content.decode()

    assert "1 deleted, 0 restored, 0 left as they were." in shown
    assert not Review.objects.exists()


def test_import_progress_is_visible_before_commit(admin, monkeypatch):
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    upload(admin, GOOD)
    seen, finish = [], Writer.finish

    def look_and_finish(writer):
        seen.append(admin.get(page("change", writer.batch)).content)
        finish(writer)

    monkeypatch.setattr(Writer, "finish", look_and_finish)
    press(admin, "run")
    press(admin, "apply")
    press(admin, "run")

    (while_applying,) = seen
    assert b"Being applied: 1 of 1 rows" in while_applying
