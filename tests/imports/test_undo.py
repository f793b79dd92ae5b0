"""An import is undone once, and later changes of other origin are kept."""

from contextlib import suppress
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction

from imports import revert, services
from imports.models import ImportBatch, ImportChange
from reviews import services as review_services
from reviews.models import Mention, Review
from tests.factories import make_technician
from tests.reviews.imports import COMPLETE, ROWS, State, load, published, revision, table, undo
from tests.threads import run_in_thread

pytestmark = pytest.mark.django_db(transaction=True)


def test_undo_restores_everything_in_one_revision():
    make_technician("Maren Holt")
    load(table(*ROWS))
    before, mentions = published(), mentioned()
    changed = "g-1,Dana,4,2026-03-10,Nobody was quick.,google,,Hello!,2026-03-11"
    report = load(
        table(changed, ROWS[1], "g-4,New,1,2026-03-01,Maren was late.,google,,,"),
        options=replace(COMPLETE, hide_many=True),
    )
    assert (report.new, report.changed, report.hidden) == (1, 1, 1)
    assert published() != before
    at = revision()

    batch = ImportBatch.objects.get(pk=report.batch_id)
    expected = revert.preview(batch)
    done = undo(batch)

    assert done == {"deleted": 1, "restored": 2, "left": 0}
    assert done == {name: getattr(expected, name) for name in done}
    assert (published(), mentioned(), revision()) == (before, mentions, at + 1)
    batch.refresh_from_db()
    assert (batch.state, batch.undone_at is None) == (State.UNDONE, False)


def mentioned() -> list[tuple[str, ...]]:
    return sorted(Mention.objects.values_list("review__external_id", "kind", "subject"))


@pytest.mark.django_db
def test_undo_keeps_later_edits():
    first = load(table(*ROWS))
    review_services.edit_review(Review.objects.get(external_id="g-1"), {"text": "Mended."})
    review_services.hide(
        Review.objects.filter(external_id="g-2"), by=User.objects.create_user("nora")
    )

    batch = ImportBatch.objects.get(pk=first.batch_id)
    expected = revert.preview(batch)
    assert undo(batch) == {"deleted": 1, "restored": 0, "left": 2}
    assert [(kept["review"], kept["why"]) for kept in expected.kept] == [
        ("5/5 by Dana R. on 2026-03-14", "edited by hand"),
        ("4/5 by Ivo B. on 2026-03-13", "edited by hand"),
    ]
    assert set(Review.objects.values_list("external_id", flat=True)) == {"g-1", "g-2"}


@pytest.mark.django_db
def test_undo_keeps_changes_of_later_import_until_undone():
    first = load(table(*ROWS))
    second = load(table(ROWS[1].replace("Good", "Bad")))
    first_batch, second_batch = (
        ImportBatch.objects.get(pk=report.batch_id) for report in (first, second)
    )

    assert (revert.preview(first_batch).deleted, revert.preview(first_batch).left) == (2, 1)
    services.undo(second_batch)
    done = undo(first_batch)

    assert (done["deleted"], done["left"]) == (3, 0)
    assert not Review.objects.exists()


def test_large_undo_is_left_to_worker(monkeypatch):
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 2)
    rung = []
    monkeypatch.setattr(services.tasks.process_batch, "delay", rung.append)

    services.undo(batch)

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count(), rung) == (State.UNDOING, 3, [batch.pk])
    with pytest.raises(services.BatchNotReady, match="only once"):
        services.undo(batch)

    at = revision()
    services.tasks.process_batch(batch.pk)
    services.tasks.process_batch(batch.pk)

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count(), revision()) == (State.UNDONE, 0, at + 1)
    assert batch.preview["undone"] == {"deleted": 3, "restored": 0, "left": 0}


def test_interrupted_undo_changes_nothing_and_can_be_repeated(monkeypatch):
    make_technician("Maren Holt")
    load(table(*ROWS))
    report = load(table(ROWS[1].replace("Good", "Bad"), ROWS[2].replace("g-3", "g-4")))
    batch = ImportBatch.objects.get(pk=report.batch_id)
    before, mentions, at = published(), mentioned(), revision()

    def be_killed(*_, **__):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(revert, "delete_all", be_killed)
        with pytest.raises(SystemExit):
            services.undo(batch)
    batch.refresh_from_db()
    assert batch.state == State.UNDOING
    assert (published(), mentioned(), revision()) == (before, mentions, at)

    ImportBatch.objects.update(claimed_until=batch.created_at)  # As after its claim has expired.
    services.run_now(batch)

    batch.refresh_from_db()
    assert batch.state == State.UNDONE
    assert Review.objects.filter(external_id="g-2", text="Good work.").exists()
    assert not Review.objects.filter(external_id="g-4").exists()


def test_failed_undo_leaves_import_applied(monkeypatch):
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)

    def fail(*_, **__):
        raise OperationalError("disk full")

    monkeypatch.setattr(revert, "delete_all", fail)

    services.undo(batch)
    batch.refresh_from_db()
    assert (batch.state, batch.undone_at, Review.objects.count()) == (State.APPLIED, None, 3)
    assert "Nothing was changed" in batch.refusal


@pytest.mark.django_db
def test_deleted_reviews_leave_no_rows():
    make_technician("Maren Holt")
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    review = Review.objects.get(external_id="g-1")
    ImportChange.objects.create(batch=batch, review=review, row=1, before={}, after={})
    hanging = [relation.related_model for relation in Review._meta.related_objects]
    assert {Mention, ImportChange} <= set(hanging)
    assert Mention.objects.exists()

    Review.objects.update(changed_by_batch=None)
    review_services.delete(Review.objects.filter(created_by_batch=batch))

    assert not any(model._base_manager.exists() for model in [Review, *hanging])


def add_mention(review: Review) -> None:
    """Add a mention as a worker would that reads the review meanwhile, with a short wait."""
    with suppress(OperationalError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '200ms'")
        Review.objects.select_for_update().get(pk=review.pk)
        Mention.objects.create(review=review, kind="technician", subject="theo-brandt")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.parametrize("delete", ["undo", "row", "rows"])
def test_review_being_deleted_gets_no_mentions(delete):
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    review = Review.objects.get(external_id="g-2")

    def meanwhile(execute, sql, params, many, context):
        if sql.startswith('DELETE FROM "reviews_review"'):
            run_in_thread(lambda: add_mention(review))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meanwhile):
        if delete == "undo":
            services.undo(batch)
        elif delete == "row":
            review.delete()
        else:
            Review.objects.filter(external_id="g-2").delete()

    assert not Review.objects.filter(external_id="g-2").exists()
