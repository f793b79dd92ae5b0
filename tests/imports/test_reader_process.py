"""Files are read in a process with limits, and not retried forever."""

import subprocess
import sys
import threading

import pytest
from django.db import connections

from imports import batch as batches
from imports import reader_process, services, tasks
from imports.models import ImportBatch, ImportOptions
from reviews.models import Review
from tests.review_exports import bombs
from tests.reviews.imports import ROWS, load, table

pytestmark = pytest.mark.django_db

MEGABYTE = 1 << 20
ENDLESS = "import time; time.sleep(60)"
KILLED = "The process that reads the file was killed (signal 9)"


def upload(content=None):
    content = content or table(*ROWS)
    batch = services.upload(content, file_name="r.csv", options=ImportOptions(accept=True), by=None)
    services.preview(batch)
    batch.refresh_from_db()
    return batch


def read_by(program, monkeypatch):
    """Start this program instead of each reader."""
    started = subprocess.Popen

    def start(_command, **kwargs):
        return started([sys.executable, "-c", program], **kwargs)

    monkeypatch.setattr(reader_process.subprocess, "Popen", start)


@pytest.fixture
def killed_readers(monkeypatch):
    """Kill readers before they answer, as the system does without memory."""
    read_by("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", monkeypatch)
    monkeypatch.setattr(tasks.process_batch, "delay", lambda pk: None)


def test_file_that_needs_too_much_memory_is_refused_with_limit(settings):
    settings.IMPORT_MEMORY_LIMIT = 128 * MEGABYTE

    batch = upload(bombs.of_nested_empty_lists(3_000_000))

    assert batch.state == ImportBatch.State.REFUSED
    assert "more than 128 MB of memory, the limit that IMPORT_MEMORY_LIMIT sets" in batch.refusal
    assert (batch.tries, batch.last_failure) == (0, None)


@pytest.mark.slow
def test_file_that_takes_too_long_is_refused_with_limit(settings, monkeypatch):
    settings.IMPORT_READ_TIMEOUT = 0.01
    read_by(ENDLESS, monkeypatch)

    report = load(table(*ROWS))

    assert report.refusal["code"] == "file_takes_too_long"
    assert (
        "longer than 0.01 seconds, the limit that IMPORT_READ_TIMEOUT" in report.refusal["message"]
    )
    assert not Review.objects.exists()


@pytest.mark.slow
def test_slow_file_is_left_to_worker(monkeypatch):
    monkeypatch.setattr(batches, "IN_REQUEST_SECONDS", 0.01)
    monkeypatch.setattr(tasks.process_batch, "delay", lambda pk: None)

    with monkeypatch.context() as during_the_request:
        read_by(ENDLESS, during_the_request)
        assert not batches.process(upload().pk, at_most=10)
    batch = ImportBatch.objects.get()
    assert (batch.state, batch.tries) == (ImportBatch.State.UPLOADED, 0)

    services.run_now(batch)
    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.PREVIEWED


@pytest.mark.slow
def test_reader_has_no_secret_and_ends_with_file(monkeypatch):
    environments, processes, started = [], [], subprocess.Popen

    def start(*args, env, **kwargs):
        environments.append(env)
        processes.append(started(*args, env=env, **kwargs))
        return processes[-1]

    monkeypatch.setattr(reader_process.subprocess, "Popen", start)
    upload()

    (environment,) = environments
    assert sorted(environment) == ["OPENPYXL_LXML", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH"]
    assert [process.returncode is None for process in processes] == [False]


@pytest.mark.slow
def test_file_whose_reader_is_killed_three_times_is_refused(killed_readers):
    batch = upload()
    assert (batch.state, batch.tries) == (ImportBatch.State.UPLOADED, 1)
    assert KILLED in batch.last_failure

    services.run_now(batch)
    services.run_now(batch)

    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.REFUSED
    assert batch.refusal.startswith(
        f"This file was tried 3 times, and no try came to an end. {KILLED}"
    )


def test_file_that_kills_its_worker_three_times_is_refused():
    batch = upload()
    # The state after a worker was killed while reading.
    reading = {"state": ImportBatch.State.READING, "tries": batches.TRIES_MAX}
    ImportBatch.objects.update(**reading)

    services.run_now(batch)

    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.REFUSED
    assert "The worker was stopped or killed each time." in batch.refusal


def test_import_whose_reader_is_killed_three_times_waits_for_decision(request):
    batch = upload()
    request.getfixturevalue("killed_readers")
    services.apply(batch)
    services.run_now(batch)
    services.run_now(batch)

    batch.refresh_from_db()
    assert batch.state == ImportBatch.State.PREVIEWED
    assert "tried 3 times" in batch.refusal
    assert not Review.objects.exists()


def test_error_of_one_batch_does_not_stop_others(monkeypatch):
    first, second = upload(), upload()
    ImportBatch.objects.update(state=ImportBatch.State.UPLOADED)
    merge_file = batches.merge_file

    def fail_for_first(file, batch, **kwargs):
        if batch.pk == first.pk:
            raise TypeError
        return merge_file(file, batch, **kwargs)

    monkeypatch.setattr(batches, "merge_file", fail_for_first)
    tasks.resume_batches()

    first.refresh_from_db()
    second.refresh_from_db()
    assert first.last_failure == "An internal error occurred (TypeError). The log has the details."
    assert second.state == ImportBatch.State.PREVIEWED


@pytest.mark.django_db(transaction=True)
def test_uploads_use_one_thread_of_worker(monkeypatch):
    uploaded = [upload() for _ in range(3)]
    ImportBatch.objects.update(state=ImportBatch.State.UPLOADED)
    is_reading, may_end = threading.Event(), threading.Event()
    merge_file = batches.merge_file

    def wait_and_merge(*args, **kwargs):
        is_reading.set()
        assert may_end.wait(60)
        return merge_file(*args, **kwargs)

    monkeypatch.setattr(batches, "merge_file", wait_and_merge)
    first = threading.Thread(target=worker_reads, args=(uploaded[0].pk,))
    first.start()
    assert is_reading.wait(60)
    # Both return immediately, otherwise the test would hang.
    tasks.process_batch(uploaded[1].pk)
    tasks.process_batch(uploaded[2].pk)
    tasks.resume_batches()
    assert ImportBatch.objects.filter(state=ImportBatch.State.UPLOADED).count() == 2
    may_end.set()
    first.join(60)

    assert ImportBatch.objects.filter(state=ImportBatch.State.PREVIEWED).count() == 3


def worker_reads(batch_id):
    try:
        tasks.process_batch(batch_id)
    finally:
        connections.close_all()
