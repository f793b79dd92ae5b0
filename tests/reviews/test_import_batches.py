"""Imports through the services, from the first to the undone one."""

import datetime as dt
import io
import json
import threading
from dataclasses import replace

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.utils import timezone

from reviews import services
from reviews.importing import batch as batches
from reviews.importing import importer, repeat, undo
from reviews.importing.options import ImportOptions
from reviews.importing.report import KEPT_ERRORS
from reviews.importing.store import quiet
from reviews.models import (
    ColumnMapping,
    ImportBatch,
    ImportChange,
    ImportUpload,
    Mention,
    Review,
    Revision,
    Technician,
)
from tests.factories import make_business, make_review, make_technician

HEADING = "id,author,rating,date,text,source,url,owner_reply,owner_reply_date"
ROWS = [
    "g-1,Dana R.,5,2026-03-14,Maren was quick.,google,https://maps.example/1,Thanks!,2026-03-15",
    "g-2,Ivo B.,4,2026-03-13,Good work.,google,,,",
    "g-3,Lena O.,3,2026-03-12,,google,,,",
]
State = ImportBatch.State


def table(*rows: str, heading: str = HEADING) -> bytes:
    return "\n".join([heading, *rows]).encode()


def load(content: bytes, *, options: ImportOptions | None = None, **kwargs):
    return services.import_file(
        io.BytesIO(content), file_name="r.csv", options=options or ImportOptions(), **kwargs
    )


def counts(report) -> tuple[int, ...]:
    return (report.new, report.changed, report.unchanged, report.skipped, report.rejected)


def published() -> list[str]:
    return list(Review.objects.visible().newest_first().values_list("fragment", flat=True))


def revision() -> int:
    return Revision.objects.current(Revision.REVIEWS)


# --- New, changed, unchanged ----------------------------------------------------------------------


@pytest.mark.django_db
def test_new_rows_become_reviews():
    report = load(table(*ROWS))

    assert counts(report) == (3, 0, 0, 0, 0)
    review = Review.objects.get(external_id="g-1")
    assert (review.source, review.author, review.rating) == ("google", "Dana R.", 5)
    assert review.date == dt.date(2026, 3, 14)
    assert (review.reply_text, review.reply_date) == ("Thanks!", dt.date(2026, 3, 15))
    assert review.verified is False
    assert review.created_by_batch_id == report.batch_id


@pytest.mark.django_db
def test_a_row_written_in_bulk_equals_one_that_is_saved():
    make_technician("Maren Holt")
    load(table(*ROWS))

    for review in Review.objects.all():
        written = {field.attname: getattr(review, field.attname) for field in fields_of(review)}
        review.save()
        review.refresh_from_db()
        saved = {field.attname: getattr(review, field.attname) for field in fields_of(review)}
        assert written == saved


def fields_of(review: Review):
    return [field for field in review._meta.concrete_fields if field.name != "updated_at"]


@pytest.mark.django_db
def test_reviews_can_be_added_the_ordinary_way_after_an_import():
    load(table(*ROWS))

    review = make_review()
    load(table("g-4,Ann,5,2026-03-01,Fine.,google,,,"))

    assert Review.objects.count() == 5
    assert Review.objects.get(external_id="g-4").pk > review.pk


@pytest.mark.django_db
def test_technicians_named_in_the_text_are_mentioned():
    make_technician("Maren Holt")

    load(table(*ROWS))

    mention = Mention.objects.get()
    assert (mention.kind, mention.subject) == ("technician", "maren-holt")
    assert mention.review.external_id == "g-1"


@pytest.mark.django_db(transaction=True)
def test_the_same_file_again_changes_nothing_and_raises_no_revision():
    load(table(*ROWS))
    before, at = published(), revision()

    report = load(table(*ROWS))

    assert counts(report) == (0, 0, 3, 0, 0)
    assert (published(), revision()) == (before, at)
    assert not ImportChange.objects.exists()
    today = timezone.now().strftime("%-d %B %Y")
    assert f"You imported this file on {today}; nothing will change." in report.warnings
    assert ImportBatch.objects.get(pk=report.batch_id).state == State.APPLIED


@pytest.mark.django_db
def test_a_repeated_file_is_not_even_read_while_nothing_has_happened(monkeypatch):
    monkeypatch.setattr(repeat, "_program", lambda: "now")
    load(table(*ROWS))
    runs = []
    run = importer.Importer.run
    monkeypatch.setattr(
        importer.Importer, "run", lambda self, *a, **k: (runs.append(1), run(self, *a, **k))
    )

    def again(**options) -> tuple[int, tuple[int, ...]]:
        runs.clear()
        report = load(table(*ROWS), options=ImportOptions(**options))
        return len(runs), counts(report)

    assert again() == (0, (0, 0, 3, 0, 0))
    assert again(round_half_up=True) == (1, (0, 0, 3, 0, 0))
    make_technician("Maren Holt")
    Revision.objects.filter(name=Revision.REVIEWS).update(number=99)
    assert again() == (1, (0, 0, 3, 0, 0))
    assert again() == (0, (0, 0, 3, 0, 0))
    monkeypatch.setattr(repeat, "_program", lambda: "after an update")
    assert again() == (1, (0, 0, 3, 0, 0))
    assert again() == (0, (0, 0, 3, 0, 0))
    quiet(Review).filter(external_id="g-1").delete()
    assert again() == (1, (1, 0, 2, 0, 0))


@pytest.mark.django_db
def test_a_repeated_file_with_bad_rows_is_read_again():
    load(table(*ROWS, BAD))

    report = load(table(*ROWS, BAD))

    assert counts(report) == (0, 0, 3, 0, 1)
    assert len(report.errors) == 1


@pytest.mark.django_db(transaction=True)
def test_an_import_raises_the_revision_once_whatever_it_does(monkeypatch):
    monkeypatch.setattr(importer, "CHUNK", 2)
    make_technician("Maren Holt")
    load(table(*ROWS))
    at = revision()

    changed = [row.replace("Good work.", "Maren did good work.") for row in ROWS[:2]]
    report = load(table(*changed, "g-4,New,1,2026-03-01,Late.,google,,,"))

    assert counts(report) == (1, 1, 1, 0, 0)
    assert revision() == at + 1


@pytest.mark.django_db
def test_a_changed_row_keeps_its_id_and_remembers_what_it_was():
    make_technician("Maren Holt")
    load(table(*ROWS))
    ulid = Review.objects.get(external_id="g-1").ulid

    report = load(table(ROWS[0].replace("Maren was quick.", "Somebody was slow.")))

    review = Review.objects.get(external_id="g-1")
    assert (review.ulid, review.text) == (ulid, "Somebody was slow.")
    assert json.loads(review.fragment)["text"] == "Somebody was slow."
    assert review.text_folded == "somebody was slow."
    assert review.modified_at is not None
    assert not review.mentions.exists()
    change = ImportChange.objects.get()
    assert (change.batch_id, change.row) == (report.batch_id, 2)
    assert change.before["text"] == "Maren was quick."
    assert change.after["text"] == "Somebody was slow."


@pytest.mark.django_db
def test_our_own_export_keeps_its_ids():
    item = {
        "id": "01JWN0000000000000000000AA",
        "author": "Priya Nambiar",
        "author_avatar_url": None,
        "rating": 5,
        "date": "2025-07-07",
        "text": "Same-day sump pump.",
        "source": "google",
        "source_url": None,
        "owner_reply": {"text": "Happy to help.", "date": "2025-07-08"},
        "verified": True,
    }
    load(json.dumps({"reviews": [item]}).encode())

    assert [json.loads(text) for text in published()] == [item]


@pytest.mark.django_db
def test_our_own_export_of_reviews_from_elsewhere_changes_nothing():
    load(table(*ROWS))
    before = published()

    report = load(json.dumps({"reviews": [json.loads(text) for text in before]}).encode())

    assert counts(report) == (0, 0, 3, 0, 0)
    assert published() == before


@pytest.mark.django_db
@pytest.mark.parametrize("verified", [True, False, None])
def test_the_switch_decides_where_the_file_does_not_say(verified):
    load(table(*ROWS), options=ImportOptions(verified=verified))

    assert set(Review.objects.values_list("verified", flat=True)) == {bool(verified)}


@pytest.mark.django_db
def test_an_import_without_a_business_says_that_it_reckons_in_utc():
    assert any("by UTC" in warning for warning in load(table(*ROWS)).warnings)

    make_business()
    assert not any("UTC" in warning for warning in load(table(*ROWS)).warnings)


# --- Nothing, or not all --------------------------------------------------------------------------

BAD = "g-9,Bad,9,2026-03-01,Bad stars.,google,,,"


@pytest.mark.django_db
def test_good_rows_come_in_beside_bad_ones():
    report = load(table(*ROWS, BAD))

    assert counts(report) == (3, 0, 0, 0, 1)
    assert report.rows == 4
    assert [(error["row"], error["code"]) for error in report.errors] == [
        (5, "rating_out_of_range")
    ]


@pytest.mark.django_db(transaction=True)
def test_strict_imports_nothing_when_a_row_is_bad():
    report = load(table(*ROWS, BAD), strict=True)

    assert counts(report) == (0, 0, 0, 0, 1)
    assert report.rows == 4
    assert not Review.objects.exists()
    assert not ImportBatch.objects.exists()
    assert revision() == 0


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_reports_the_same_and_writes_nothing():
    make_review(source="google", external_id="g-2", text="Other.", rating=4)
    at = revision()

    dry = load(table(*ROWS, BAD), dry_run=True)

    assert (Review.objects.count(), ImportBatch.objects.count(), revision()) == (1, 0, at)
    wet = load(table(*ROWS, BAD))
    assert dry.as_json() == wet.as_json()
    assert counts(wet) == (2, 1, 0, 0, 1)


@pytest.mark.django_db(transaction=True)
def test_a_file_that_breaks_off_leaves_nothing_behind(monkeypatch):
    monkeypatch.setattr(importer, "CHUNK", 1)

    def broken(self):
        yield from items(self)
        raise batches.FileRefused("json_invalid", "The file ends too early.")

    items = batches.Export.__iter__
    monkeypatch.setattr(batches.Export, "__iter__", broken)

    report = load(table(*ROWS))

    assert report.as_json()["errors"][0]["code"] == "json_invalid"
    assert (report.rows, report.new, report.format) == (0, 0, None)
    assert not Review.objects.exists()
    assert not ImportBatch.objects.exists()


@pytest.mark.django_db
def test_a_batch_keeps_the_first_errors_and_the_count_of_all():
    report = load(table(ROWS[0], *[BAD] * (KEPT_ERRORS + 5)))

    batch = ImportBatch.objects.get()
    assert len(report.errors) == KEPT_ERRORS + 5
    assert len(batch.errors) == KEPT_ERRORS
    assert batch.rows - batch.new == KEPT_ERRORS + 5


# --- Edits by hand, duplicates, missing reviews ---------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_edit_by_hand_survives_an_import_until_it_is_overwritten():
    load(table(*ROWS))
    services.edit_review(Review.objects.get(external_id="g-2"), {"text": "Mended."})

    kept = load(table(*ROWS))
    assert (kept.conflicts, counts(kept)) == (1, (0, 0, 3, 0, 0))
    assert Review.objects.get(external_id="g-2").text == "Mended."
    assert any("1 field was edited by hand" in warning for warning in kept.warnings)

    taken = load(table(*ROWS), options=ImportOptions(overwrite_edits=True))
    review = Review.objects.get(external_id="g-2")
    assert counts(taken) == (0, 1, 2, 0, 0)
    assert (review.text, review.edited_fields) == ("Good work.", [])


@pytest.mark.django_db
def test_a_probable_duplicate_is_told_and_not_merged():
    load(table(*ROWS))
    ulid = Review.objects.get(external_id="g-2").ulid

    report = load(table(ROWS[1].replace("g-2", "other-id")))

    assert (report.new, report.twins) == (1, 1)
    assert report.samples["twins"] == [{"row": 2, "other": f"review {ulid}"}]
    assert any("1 new review looks like another one" in warning for warning in report.warnings)
    assert Review.objects.count() == 4


@pytest.mark.django_db
def test_a_probable_duplicate_within_the_file_is_told():
    report = load(table(ROWS[1], ROWS[1].replace("g-2", "other-id")))

    assert report.samples["twins"] == [{"row": 3, "other": "row 2"}]


COMPLETE = ImportOptions(complete=True)


@pytest.mark.django_db
def test_a_complete_file_hides_what_it_lacks_of_its_source_alone():
    rows = [f"g-{n},A{n},5,2026-03-01,Text {n}.,google,,," for n in range(10)]
    load(table(*rows))
    make_review(source="yelp", external_id="y-1")

    report = load(table(*rows[1:]), options=COMPLETE)

    assert (report.missing, report.missing_of, report.hidden) == (1, 10, 1)
    assert [r.external_id for r in Review.objects.filter(hidden=True)] == ["g-0"]


@pytest.mark.django_db(transaction=True)
def test_hiding_more_than_a_fifth_needs_a_second_yes():
    load(table(*ROWS))
    at = revision()

    with pytest.raises(importer.TooManyToHide, match="lacks 1 of the 3 reviews"):
        load(table(*ROWS[1:], "g-7,New,5,2026-03-01,New.,google,,,"), options=COMPLETE)

    assert (Review.objects.count(), revision()) == (3, at)
    report = load(table(*ROWS[1:]), options=replace(COMPLETE, hide_many=True))
    assert report.hidden == 1


@pytest.mark.django_db
def test_a_complete_file_with_bad_rows_hides_nothing():
    load(table(*ROWS))

    report = load(table(*ROWS[1:], BAD), options=replace(COMPLETE, hide_many=True))

    assert not Review.objects.filter(hidden=True).exists()
    assert any("No missing review is hidden" in warning for warning in report.warnings)


@pytest.mark.django_db
def test_a_review_shown_by_hand_is_not_hidden_by_a_complete_file():
    load(table(*ROWS))
    review = Review.objects.filter(external_id="g-1")
    services.hide(review, hidden=True)
    services.hide(review, hidden=False)

    report = load(table(*ROWS[1:]), options=replace(COMPLETE, hide_many=True))

    assert report.hidden == 0


# --- Undo -----------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_undo_brings_everything_back_as_it_was_in_one_revision():
    make_technician("Maren Holt")
    load(table(*ROWS))
    before, mentions = published(), mentioned()
    changed = [ROWS[0].replace("Maren", "Nobody").replace("Thanks!", "Hello!"), ROWS[1]]
    report = load(
        table(*changed, "g-4,New,1,2026-03-01,Maren was late.,google,,,"),
        options=replace(COMPLETE, hide_many=True),
    )
    assert (report.new, report.changed, report.hidden) == (1, 1, 1)
    assert published() != before
    at = revision()

    batch = ImportBatch.objects.get(pk=report.batch_id)
    expected = undo.look(batch)
    done = services.undo(batch)

    assert (done.deleted, done.restored, done.left) == (1, 2, 0)
    assert done == expected
    assert (published(), mentioned(), revision()) == (before, mentions, at + 1)
    batch.refresh_from_db()
    assert (batch.state, batch.undone_at is None) == (State.UNDONE, False)


def mentioned() -> list[tuple[str, ...]]:
    return sorted(Mention.objects.values_list("review__external_id", "kind", "subject"))


@pytest.mark.django_db
def test_undo_leaves_what_was_edited_by_hand_since():
    first = load(table(*ROWS))
    services.edit_review(Review.objects.get(external_id="g-1"), {"text": "Mended."})
    services.hide(Review.objects.filter(external_id="g-2"))

    done = services.undo(ImportBatch.objects.get(pk=first.batch_id))

    assert (done.deleted, done.left) == (1, 2)
    assert {kept["why"] for kept in done.kept} == {"edited by hand"}
    assert set(Review.objects.values_list("external_id", flat=True)) == {"g-1", "g-2"}


@pytest.mark.django_db
def test_undo_leaves_what_a_later_import_changed_until_that_one_is_undone():
    first = load(table(*ROWS))
    second = load(table(ROWS[1].replace("Good", "Bad")))
    first_batch, second_batch = (
        ImportBatch.objects.get(pk=report.batch_id) for report in (first, second)
    )

    assert (undo.look(first_batch).deleted, undo.look(first_batch).left) == (2, 1)
    services.undo(second_batch)
    done = services.undo(first_batch)

    assert (done.deleted, done.left) == (3, 0)
    assert not Review.objects.exists()


@pytest.mark.django_db
def test_undo_leaves_a_changed_field_that_was_edited_by_hand_since():
    load(table(*ROWS))
    second = load(table(ROWS[1].replace("Good", "Bad")))
    services.edit_review(Review.objects.get(external_id="g-2"), {"text": "Mended."})

    done = services.undo(ImportBatch.objects.get(pk=second.batch_id))

    assert (done.restored, done.left) == (0, 1)
    assert Review.objects.get(external_id="g-2").text == "Mended."


@pytest.mark.django_db
def test_an_import_can_be_undone_once():
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    services.undo(batch)

    with pytest.raises(services.BatchNotReady, match="only once"):
        services.undo(batch)


@pytest.mark.django_db(transaction=True)
def test_a_large_undo_waits_for_a_worker(monkeypatch):
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 2)
    rung = []
    monkeypatch.setattr(services.tasks.undo_batch, "ring", rung.append)

    assert services.undo(batch) is None

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count(), rung) == (State.UNDOING, 3, [batch.pk])
    with pytest.raises(services.BatchNotReady, match="only once"):
        services.undo(batch)

    at = revision()
    services.tasks.undo_batch(batch.pk)
    services.tasks.undo_batch(batch.pk)

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count(), revision()) == (State.UNDONE, 0, at + 1)
    assert batch.preview["undone"] == {"deleted": 3, "restored": 0, "left": 0}


@pytest.mark.django_db(transaction=True)
def test_an_undo_that_is_cut_off_leaves_everything_and_can_be_run_again(monkeypatch):
    make_technician("Maren Holt")
    load(table(*ROWS))
    report = load(table(ROWS[1].replace("Good", "Bad"), ROWS[2].replace("g-3", "g-4")))
    batch = ImportBatch.objects.get(pk=report.batch_id)
    before, mentions, at = published(), mentioned(), revision()

    def be_killed(*_):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(undo, "_delete_all", be_killed)
        with pytest.raises(SystemExit):
            services.undo(batch)
    batch.refresh_from_db()
    assert batch.state == State.UNDOING
    assert (published(), mentioned(), revision()) == (before, mentions, at)

    services.run_now(batch)

    batch.refresh_from_db()
    assert batch.state == State.UNDONE
    assert Review.objects.filter(external_id="g-2", text="Good work.").exists()
    assert not Review.objects.filter(external_id="g-4").exists()


@pytest.mark.django_db(transaction=True)
def test_an_undo_that_the_database_refuses_leaves_the_import_applied(monkeypatch):
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)

    def fail(*_):
        raise OperationalError("disk full")

    monkeypatch.setattr(undo, "_delete_all", fail)

    assert services.undo(batch) is None
    batch.refresh_from_db()
    assert (batch.state, batch.undone_at, Review.objects.count()) == (State.APPLIED, None, 3)
    assert "nothing was undone" in batch.refusal


@pytest.mark.django_db
def test_an_undone_review_leaves_nothing_behind():
    make_technician("Maren Holt")
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    review = Review.objects.get(external_id="g-1")
    ImportChange.objects.create(batch=batch, review=review, row=1, before={}, after={})
    hanging = [relation.related_model for relation in Review._meta.related_objects]
    assert {Mention, ImportChange} <= set(hanging)
    assert Mention.objects.exists()

    Review.objects.update(changed_by_batch=None)
    undo._delete_all(quiet(Review).filter(created_by_batch=batch))

    assert not any(model._base_manager.exists() for model in [Review, *hanging])


def hang_a_mention_on(review: Review) -> None:
    """As a worker would that reads the review meanwhile; it does not wait for long."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '200ms'")
            Review.objects.select_for_update().get(pk=review.pk)
            Mention.objects.create(review=review, technician=Technician.objects.get())
    except OperationalError:
        pass  # Others hold the review.
    finally:
        connection.close()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("delete", ["undo", "row", "rows"])
def test_nothing_is_hung_on_a_review_while_it_is_deleted(delete):
    make_technician("Theo Brandt")
    batch = ImportBatch.objects.get(pk=load(table(*ROWS)).batch_id)
    review = Review.objects.get(external_id="g-2")

    def meanwhile(execute, sql, params, many, context):
        if sql.startswith('DELETE FROM "reviews_review"'):
            worker = threading.Thread(target=hang_a_mention_on, args=[review])
            worker.start()
            worker.join()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(meanwhile):
        if delete == "undo":
            services.undo(batch)
        elif delete == "row":
            review.delete()
        else:
            Review.objects.filter(external_id="g-2").delete()

    assert not Review.objects.filter(external_id="g-2").exists()


# --- Uploads --------------------------------------------------------------------------------------


def upload(content: bytes, **options) -> ImportBatch:
    return services.upload(content, file_name="r.csv", options=ImportOptions(**options), by=None)


@pytest.mark.django_db
def test_an_upload_is_previewed_without_writing_and_applied_on_demand():
    batch = upload(table(*ROWS, BAD))

    services.preview(batch)

    batch.refresh_from_db()
    assert (batch.state, batch.rows, batch.new) == (State.PREVIEWED, 4, 3)
    assert (batch.preview["rating_before"], batch.preview["rating_after"]) == (None, 4.0)
    assert (batch.preview["oldest"], batch.preview["newest"]) == ("2026-03-12", "2026-03-14")
    assert not Review.objects.exists()

    services.apply(batch)

    batch.refresh_from_db()
    assert (batch.state, batch.new) == (State.APPLIED, 3)
    assert Review.objects.filter(created_by_batch=batch).count() == 3


@pytest.mark.django_db
def test_a_file_is_forgotten_when_applied_unless_its_bad_rows_are_still_wanted():
    clean, bad = upload(table(*ROWS)), upload(table(BAD, ROWS[0]))
    for batch in (clean, bad):
        services.preview(batch)
        batch.refresh_from_db()
        services.apply(batch)

    assert [kept.batch_id for kept in ImportUpload.objects.all()] == [bad.pk]


@pytest.mark.django_db
def test_a_large_file_waits_for_a_worker(monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 2)
    rung = []
    for task in (services.tasks.read_batch, services.tasks.apply_batch):
        monkeypatch.setattr(task, "ring", lambda pk, name=task.name: rung.append((name, pk)))
    batch = upload(table(*ROWS))

    with django_capture_on_commit_callbacks(execute=True):
        services.preview(batch)
    batch.refresh_from_db()
    assert batch.state == State.UPLOADED
    services.tasks.read_batch(batch.pk)
    batch.refresh_from_db()
    assert batch.state == State.PREVIEWED
    with django_capture_on_commit_callbacks(execute=True):
        services.apply(batch)
    batch.refresh_from_db()
    assert batch.state == State.APPLYING
    services.tasks.apply_batch(batch.pk)
    services.tasks.apply_batch(batch.pk)

    batch.refresh_from_db()
    assert (batch.state, Review.objects.count()) == (State.APPLIED, 3)
    assert rung == [
        ("reviews.tasks.read_batch", batch.pk),
        ("reviews.tasks.apply_batch", batch.pk),
    ]


@pytest.mark.django_db
def test_of_two_who_apply_the_same_batch_one_is_told_that_it_is_done():
    batch = upload(table(*ROWS))
    services.preview(batch)
    first, second = ImportBatch.objects.get(), ImportBatch.objects.get()
    services.apply(first)

    with pytest.raises(services.BatchNotReady, match="the import is applied"):
        services.apply(second)

    assert Review.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_workers_apply_a_batch_once():
    batch = upload(table(*ROWS))
    services.preview(batch)
    ImportBatch.objects.update(state=State.APPLYING)

    def work():
        try:
            services.tasks.apply_batch(batch.pk)
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    batch.refresh_from_db()
    assert (batch.state, batch.new, Review.objects.count()) == (State.APPLIED, 3, 3)
    assert revision() == 1


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_the_same_reviews_at_once_make_them_once():
    def work():
        try:
            load(table(*ROWS))
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert Review.objects.count() == 3
    assert sorted(ImportBatch.objects.values_list("new", flat=True)) == [0, 3]


@pytest.mark.django_db
def test_an_import_that_cannot_be_applied_waits_again_and_says_why():
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


@pytest.mark.django_db
def test_a_cancelled_import_forgets_its_file():
    batch = upload(table(*ROWS))
    services.preview(batch)

    services.cancel(batch)

    batch.refresh_from_db()
    assert batch.state == State.CANCELLED
    assert not ImportUpload.objects.exists()
    with pytest.raises(services.BatchNotReady, match="it is cancelled"):
        services.cancel(batch)


@pytest.mark.django_db
def test_old_files_are_forgotten_unless_they_are_being_worked_on():
    old = timezone.now() - dt.timedelta(days=batches.UPLOAD_DAYS, seconds=1)
    kept, purged, fresh = (upload(table(*ROWS)) for _ in range(3))
    ImportBatch.objects.exclude(pk=fresh.pk).update(created_at=old)
    ImportBatch.objects.filter(pk=kept.pk).update(state=State.APPLYING)

    services.tasks.purge_uploads()

    assert set(ImportUpload.objects.values_list("batch_id", flat=True)) == {kept.pk, fresh.pk}
    services.preview(purged)
    purged.refresh_from_db()
    assert (purged.state, purged.refusal) == (
        State.REFUSED,
        "The uploaded file is no longer kept. Upload it again.",
    )


@pytest.mark.django_db
def test_columns_named_once_are_known_in_every_file_with_that_heading():
    strange = table("5,2026-03-14,Fine.", heading="Zufriedenheitsgrad,Besuch,Worte")
    assert load(strange).as_json()["errors"][0]["code"] == "columns_not_recognised"
    first = load(
        strange,
        options=ImportOptions(columns={"Zufriedenheitsgrad": "rating", "Besuch": "date"}),
    )
    assert first.new == 1
    assert not ColumnMapping.objects.exists()

    from reviews.importing.mapping import heading_of, remember

    batch = upload(strange)
    heading = heading_of(batch)
    assert [(column.heading, column.samples) for column in heading.columns] == [
        ("Zufriedenheitsgrad", ("5", "", "")),
        ("Besuch", ("2026-03-14", "", "")),
        ("Worte", ("Fine.", "", "")),
    ]
    chosen = {"Zufriedenheitsgrad": "rating", "Besuch": "date", "Worte": "text"}
    assert remember(batch, heading.signature, chosen).columns == chosen

    report = load(strange.replace(b"Fine.", b"Very fine."))
    assert report.new == 1
    assert Review.objects.latest("id").text == "Very fine."


# --- Single reviews -------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_edit_marks_its_fields_and_matches_mentions_anew():
    make_technician("Maren Holt")
    load(table(*ROWS))
    at = revision()
    review = Review.objects.get(external_id="g-2")

    edited = services.edit_review(review, {"text": "Maren was here.", "rating": 4})

    assert edited.edited_fields == ["text"]
    assert json.loads(edited.fragment)["text"] == "Maren was here."
    assert edited.mentions.count() == 1
    assert revision() == at + 1


@pytest.mark.django_db(transaction=True)
def test_an_edit_that_changes_nothing_is_none():
    load(table(*ROWS))
    at = revision()

    services.edit_review(Review.objects.get(external_id="g-2"), {"text": "Good work."})

    assert (revision(), Review.objects.get(external_id="g-2").edited_fields) == (at, [])
