"""An uploaded file is previewed, applied by one of many processes, and removed."""

import datetime as dt
import importlib

import pytest
from django.apps import apps
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from core.claims import claim_first
from imports import batch as batches
from imports import services
from imports.models import ImportBatch, ImportOptions, ImportUpload
from imports.writer import Writer
from reviews.models import Review
from tests.reviews.imports import BAD, ROWS, State, load, revision, table, upload
from tests.threads import run_concurrently, run_in_thread
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


def test_applied_file_is_removed_unless_bad_rows_are_needed():
    clean, bad = upload(table(*ROWS)), upload(table(BAD, ROWS[0]))
    for batch in (clean, bad):
        services.preview(batch)
        batch.refresh_from_db()
        services.apply(batch)

    assert [kept.batch_id for kept in ImportUpload.objects.all()] == [bad.pk]


def test_migration_keeps_files_encrypted_with_hub_keys_or_unencrypted():
    encrypted, plain = upload(table(*ROWS)), upload(table(*ROWS))
    migration = importlib.import_module("imports.migrations.0002_own_keys")
    migration.backwards(apps, None)
    ImportUpload.objects.filter(batch=plain).update(content=table(*ROWS))

    migration.forwards(apps, None)

    for batch in (encrypted, plain):
        services.preview(batch)
        batch.refresh_from_db()
        assert (batch.state, batch.new) == (State.PREVIEWED, 3)


def test_large_file_is_left_to_worker(monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 2)
    rung = []
    monkeypatch.setattr(services.tasks.process_batch, "delay", rung.append)
    batch = upload(table(*ROWS))

    with django_capture_on_commit_callbacks(execute=True):
        services.preview(batch)
    batch.refresh_from_db()
    assert batch.state == State.UPLOADED
    services.tasks.process_batch(batch.pk)
    batch.refresh_from_db()
    assert batch.state == State.PREVIEWED
    with django_capture_on_commit_callbacks(execute=True):
        services.apply(batch)
    batch.refresh_from_db()
    assert batch.state == State.APPLYING
    services.tasks.process_batch(batch.pk)
    services.tasks.process_batch(batch.pk)

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count()) == (State.APPLIED, 3)
    assert rung == [batch.pk, batch.pk]


def test_killed_work_is_resumed_when_its_claim_expires(time_machine, monkeypatch):
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    time_machine.move_to("2026-03-20T12:00:00Z", tick=False)
    batch = upload(table(*ROWS))

    def killed(state):
        """Return the state after a worker with a claim was killed."""
        assert claim_first(ImportBatch.objects.filter(state=state), batches.CLAIM_SECONDS)
        services.tasks.resume_batches()
        batch.refresh_from_db()
        assert batch.state == state
        time_machine.shift(dt.timedelta(seconds=59))
        services.tasks.resume_batches()
        batch.refresh_from_db()

    killed(State.UPLOADED)
    assert batch.state == State.PREVIEWED
    services.apply(batch)
    killed(State.APPLYING)
    assert (batch.state, Review.objects.count()) == (State.APPLIED, 3)
    services.undo(batch)
    killed(State.UNDOING)
    assert (batch.state, Review.objects.count()) == (State.UNDONE, 0)


@pytest.mark.django_db(transaction=True)
def test_worker_renews_its_claim_while_it_reads(monkeypatch):
    batch, merge_file = upload(table(*ROWS)), batches.merge_file
    monkeypatch.setattr(batches, "CLAIM_SECONDS", 0.2)

    def read_long_enough(*args, **kwargs):
        ImportBatch.objects.update(claimed_until=timezone.now())
        wait_until(lambda: not batches.unclaimed_batches())
        return merge_file(*args, **kwargs)

    monkeypatch.setattr(batches, "merge_file", read_long_enough)
    services.preview(batch)

    batch.refresh_from_db()
    assert (batch.state, batch.claimed_until) == (State.PREVIEWED, None)


def test_worker_that_lost_its_claim_stores_nothing(monkeypatch):
    batch, merge_file = upload(table(*ROWS)), batches.merge_file

    def lose_claim(*args, **kwargs):
        ImportBatch.objects.update(claim_token="another")
        return merge_file(*args, **kwargs)

    monkeypatch.setattr(batches, "merge_file", lose_claim)
    services.preview(batch)

    batch.refresh_from_db()
    assert (batch.state, batch.claim_token) == (State.UPLOADED, "another")


def test_tried_batch_is_retried_after_others(db):
    first, second = upload(table(*ROWS)), upload(table(*ROWS))
    ImportBatch.objects.filter(pk=first.pk).update(tries=1)

    assert batches.unclaimed_batches() == [second.pk, first.pk]


@pytest.mark.django_db(transaction=True)
def test_claimed_batch_is_skipped(monkeypatch):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    batch = upload(table(*ROWS))
    services.preview(batch)
    ImportBatch.objects.update(state=State.APPLYING)
    monkeypatch.setattr(batches, "acquire_import_lock", lambda: pytest.fail("It waited."))

    with transaction.atomic():
        ImportBatch.objects.select_for_update().get()
        run_in_thread(lambda: services.tasks.process_batch(batch.pk))

    batch.refresh_from_db()
    assert batch.state == State.APPLYING


@pytest.mark.django_db(transaction=True)
def test_two_workers_apply_batch_once():
    batch = upload(table(*ROWS))
    services.preview(batch)
    ImportBatch.objects.update(state=State.APPLYING)

    run_concurrently(*2 * [lambda: batches.process(batch.pk)])

    batch.refresh_from_db()
    assert (batch.state, batch.new, Review.objects.count()) == (State.APPLIED, 3, 3)
    assert revision() == 1


@pytest.mark.django_db(transaction=True)
def test_concurrent_imports_create_reviews_once():
    run_concurrently(*2 * [lambda: load(table(*ROWS))])

    assert Review.objects.count() == 3
    assert sorted(ImportBatch.objects.values_list("new", flat=True)) == [0, 3]


def test_failed_import_waits_again_with_reason():
    load(table(*ROWS))
    batch = upload(table(*ROWS[1:]), complete=True)
    services.preview(batch)
    batch.refresh_from_db()
    assert (batch.preview["missing"], batch.preview["hidden"]) == (1, 0)

    services.apply(batch)

    batch.refresh_from_db()
    assert batch.state == State.PREVIEWED
    assert "lacks 1 of the 3 reviews" in batch.refusal
    services.apply(batch, hide_many=True)
    assert Review.objects.filter(hidden=True).count() == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("database or disk is full", "The disk of the database is full. Make room;"),
        ("something else", "The database rejected it. Nothing was changed."),
    ],
)
def test_import_refused_by_database_waits_again_with_reason(monkeypatch, said, why):
    batch = upload(table(*ROWS))
    services.preview(batch)
    batch.refresh_from_db()

    def fail(*_):
        raise OperationalError(said)

    monkeypatch.setattr(Writer, "finish", fail)

    services.apply(batch)

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count()) == (State.PREVIEWED, 0)
    assert batch.refusal.startswith(why)


def test_old_files_are_removed_unless_claimed():
    old = timezone.now() - dt.timedelta(days=batches.UPLOAD_DAYS, seconds=1)
    kept, purged, fresh = (upload(table(*ROWS)) for _ in range(3))
    ImportBatch.objects.exclude(pk=fresh.pk).update(created_at=old)
    ImportBatch.objects.filter(pk=kept.pk).update(state=State.APPLYING)

    services.tasks.purge_uploads()

    assert set(ImportUpload.objects.values_list("batch_id", flat=True)) == {kept.pk, fresh.pk}
    services.read_again(purged, ImportOptions(accept=True))
    purged.refresh_from_db()
    assert (purged.state, purged.refusal) == (
        State.REFUSED,
        "The uploaded file is no longer stored. Upload it again.",
    )
