"""Imports through the services: effects of new, changed, unchanged and bad rows."""

import json
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from imports import importer
from imports import services as import_services
from imports.models import ImportBatch, ImportChange, ImportOptions
from imports.reader_process import ReadFile
from imports.report import KEPT_ERRORS
from review_exports.records import FileRefused
from reviews import services
from reviews.models import Review
from tests.factories import make_business, make_review, make_technician
from tests.reviews.imports import BAD, ROWS, State, counts, load, published, revision, table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "later",
    [
        (),
        (ROWS[0].replace("Maren was quick.", "Maren Holt was slow."),),
        (ROWS[0].replace(",5,", ",4,"), ROWS[2].replace("2026-03-12", "2026-03-11")),
    ],
)
def test_row_written_in_bulk_equals_saved_row(later):
    make_technician("Maren Holt")
    load(table(*ROWS))
    if later:
        assert load(table(*later)).changed == len(later)

    for review in Review.objects.all():
        written = {field.attname: getattr(review, field.attname) for field in fields_of(review)}
        review.save()
        review.refresh_from_db()
        saved = {field.attname: getattr(review, field.attname) for field in fields_of(review)}
        assert written == saved


def fields_of(review: Review):
    return [field for field in review._meta.concrete_fields if field.name != "updated_at"]


@pytest.mark.django_db(transaction=True)
def test_same_file_changes_nothing_and_keeps_revision():
    load(table(*ROWS))
    before, at = published(), revision()

    report = load(table(*ROWS))

    assert counts(report) == (0, 0, 3, 0, 0)
    assert (published(), revision()) == (before, at)
    assert not ImportChange.objects.exists()
    today = timezone.now().strftime("%-d %B %Y")
    assert f"You already imported this file on {today}. Nothing will change." in report.warnings
    assert ImportBatch.objects.get(pk=report.batch_id).state == State.APPLIED


def test_changed_row_keeps_id_and_stores_old_values():
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


@pytest.mark.django_db(transaction=True)
def test_dry_run_gives_same_report_and_writes_nothing():
    make_review(source="google", external_id="g-2", author="Ivo B.", text="Other.", rating=4)
    at = revision()

    dry = load(table(*ROWS, BAD), dry_run=True)

    assert (Review.objects.count(), ImportBatch.objects.count(), revision()) == (1, 0, at)
    wet = load(table(*ROWS, BAD))
    assert dry.as_json() == wet.as_json()
    assert counts(wet) == (2, 1, 0, 0, 1)


@pytest.mark.django_db(transaction=True)
def test_truncated_file_imports_nothing(monkeypatch):
    monkeypatch.setattr(importer, "CHUNK", 1)

    def broken(self):
        yield from items(self)
        raise FileRefused("json_invalid", "The file ends too early.")

    items = ReadFile.__iter__
    monkeypatch.setattr(ReadFile, "__iter__", broken)

    report = load(table(*ROWS))

    assert report.as_json()["errors"][0]["code"] == "json_invalid"
    assert (report.rows, report.new) == (0, 0)
    assert not Review.objects.exists()
    assert not ImportBatch.objects.exists()


def test_batch_stores_first_errors_and_count_of_all():
    bad = [BAD.replace("g-9", f"g-{number}") for number in range(9, KEPT_ERRORS + 14)]
    report = load(table(ROWS[0], *bad))

    batch = ImportBatch.objects.get()
    assert len(report.errors) == KEPT_ERRORS + 5
    assert len(batch.errors) == KEPT_ERRORS
    assert batch.rows - batch.new == KEPT_ERRORS + 5


@pytest.mark.django_db(transaction=True)
def test_edit_by_hand_survives_an_import_until_it_is_overwritten():
    load(table(*ROWS))
    services.edit_review(Review.objects.get(external_id="g-2"), {"text": "Mended."})

    kept = load(table(*ROWS))
    assert (kept.conflicts, counts(kept)) == (1, (0, 0, 3, 0, 0))
    assert Review.objects.get(external_id="g-2").text == "Mended."
    assert any("1 field was edited by hand" in warning for warning in kept.warnings)

    taken = load(table(*ROWS), options=ImportOptions(accept=True, overwrite_edits=True))
    review = Review.objects.get(external_id="g-2")
    assert counts(taken) == (0, 1, 2, 0, 0)
    assert (review.text, review.edited_fields) == ("Good work.", [])


def takeout(comment: str, updated: str) -> bytes:
    review = {
        "name": "accounts/1/locations/2/reviews/3",
        "reviewer": {"displayName": "Dana R."},
        "starRating": "FIVE",
        "comment": comment,
        "createTime": "2026-01-02T10:00:00Z",
        "updateTime": updated,
    }
    return json.dumps({"reviews": [review]}).encode()


@pytest.mark.django_db(transaction=True)
def test_older_export_keeps_newer_version_and_reports_it():
    first = takeout("At first.", "2026-01-02T10:00:00.123456789Z")
    load(first)
    load(takeout("In between.", "2026-02-03T12:00:00+02:00"))
    newest = load(takeout("In the end.", "2026-02-03T10:00:01Z"))
    at = revision()

    report = load(first)

    assert counts(report) == (0, 0, 1, 0, 0)
    assert any("1 row has an older version of a review" in warning for warning in report.warnings)
    assert (Review.objects.get().text, revision()) == ("In the end.", at)

    import_services.undo(ImportBatch.objects.get(pk=newest.batch_id))
    assert Review.objects.get().text == "In between."
    assert counts(load(takeout("In the end.", "2026-02-03T10:00:01Z"))) == (0, 1, 0, 0, 0)


def rows_of_one_day(kind: str, count: int) -> bytes:
    return table(*(f"{kind}-{n},A.,5,2024-05-01,Text {kind} {n}.,google,,," for n in range(count)))


def test_imported_reviews_follow_hidden_ones_of_their_day_in_few_queries():
    make_business()
    load(rows_of_one_day("hidden", 700))
    Review.objects.update(hidden=True)

    with CaptureQueriesContext(connection) as queries:
        load(rows_of_one_day("new", 700))

    looked_up = [query for query in queries if '"published_at" IN' in query["sql"]]
    assert len(looked_up) <= 4
    times = Review.objects.order_by("published_at").values_list("published_at", flat=True)
    assert {(after - before).total_seconds() for before, after in pairwise(times)} == {1.0}
    assert len(times) == 1_400
