"""Deleted reviews stay deleted until an administrator lifts the deletion."""

import json
import re

import pytest
from django.core.management import call_command
from django.utils import timezone

from imports import services as import_services
from imports.models import ImportBatch
from reviews import services
from reviews.models import DeletedReview, Review
from reviews.search.query import find_removed
from tests.administration import page_html
from tests.reviews.imports import ROWS, counts, load, table

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"
DELETED = "/admin/reviews/deletedreview/"


def delete(external_id: str) -> str:
    review = Review.objects.get(external_id=external_id)
    services.delete(Review.objects.filter(pk=review.pk))
    return review.ulid


def external_ids() -> set[str]:
    return set(Review.objects.values_list("external_id", flat=True))


def test_deleted_review_is_skipped_by_later_imports():
    load(table(*ROWS))
    delete("g-1")

    report = load(table(*ROWS))

    assert counts(report) == (0, 0, 2, 1, 0)
    assert external_ids() == {"g-2", "g-3"}
    assert report.as_json()["deleted"] == 1
    assert any("1 row is a review that was deleted here" in said for said in report.warnings)
    assert report.samples["skipped"][0]["code"] == "deleted"


def test_file_of_deleted_reviews_only_succeeds(tmp_path, capsys):
    file = tmp_path / "r.csv"
    file.write_bytes(table(ROWS[0]))
    load(table(ROWS[0]))
    delete("g-1")

    call_command("import_reviews", file)
    assert "deleted here" in capsys.readouterr().out

    call_command("import_reviews", file, "--json")
    printed = json.loads(capsys.readouterr().out)
    assert (printed["skipped"], printed["deleted"], printed["errors"]) == (1, 1, [])
    assert not Review.objects.exists()


def test_same_review_with_other_id_stays_deleted():
    load(table(*ROWS))
    delete("g-1")

    report = load(table(ROWS[0].replace("g-1", "other-id"), ROWS[1].replace("g-2", "other-2")))

    assert report.deleted == 1
    assert external_ids() == {"g-2", "g-3", "other-2"}


def test_deleted_review_keeps_no_personal_data():
    load(table(*ROWS))
    delete("g-1")

    row = DeletedReview.objects.values().get()

    kept = " ".join(str(value) for value in row.values())
    assert not re.search("Dana|Maren|g-1|maps", kept)


def test_undone_import_is_listed_as_removed_and_can_be_imported_again():
    report = load(table(*ROWS))
    ids = sorted(Review.objects.values_list("ulid", flat=True))
    before = timezone.now()
    import_services.undo(ImportBatch.objects.get(pk=report.batch_id))
    assert find_removed(before) == ids
    assert not Review.objects.exists()

    again = load(table(*ROWS))

    assert counts(again) == (3, 0, 0, 0, 0)


def test_administrator_deletes_and_lifts_deletion(admin_client, admin_user):
    load(table(*ROWS))
    review = Review.objects.get(external_id="g-1")
    admin_client.post(f"{REVIEWS}{review.pk}/delete/", {"post": "yes"})
    row = DeletedReview.objects.get()
    assert (row.ulid, row.deleted_by, row.kept_out) == (review.ulid, admin_user, True)
    assert "google" in page_html(admin_client.get(DELETED))
    assert load(table(*ROWS)).deleted == 1

    lifted = admin_client.post(
        DELETED, {"action": "lift", "_selected_action": [row.pk]}, follow=True
    )

    assert "the next import of a file that has it brings it back" in page_html(lifted)
    assert review.ulid not in page_html(admin_client.get(DELETED))
    assert counts(load(table(*ROWS))) == (1, 0, 2, 0, 0)


def test_removed_ids_are_listed_with_time():
    load(table(*ROWS))
    before = timezone.now()
    deleted = delete("g-1")
    services.hide(Review.objects.filter(external_id="g-2"))
    hidden = Review.objects.get(external_id="g-2")

    assert find_removed(before) == sorted([deleted, hidden.ulid])
    assert find_removed(timezone.now()) == []
    services.hide(Review.objects.filter(external_id="g-2"), hidden=False)
    assert find_removed(before) == [deleted]
