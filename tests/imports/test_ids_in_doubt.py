"""Ids of a file that belong to different stored reviews."""

import json

import pytest

from imports import importer
from imports.models import ImportBatch, ImportOptions
from reviews import services
from reviews.models import Review
from tests.reviews.imports import ROWS, counts, load, published, revision, table

pytestmark = pytest.mark.django_db


def test_ids_of_other_reviews_in_other_file_are_reported():
    survey = "id,author,rating,date,text\n1,Dana R.,5,2026-03-14,Quick.\n2,Ivo B.,4,2026-03-13,\n"
    load(survey.encode())
    other = survey.replace("Dana R.", "Lena O.").replace("03-14", "03-10").replace("Quick", "Slow")

    report = load(other.encode(), dry_run=True)

    assert report.changed == 1
    assert any(
        "1 review has another author, day and text in this file: the file may use" in warning
        for warning in report.warnings
    )
    apart = load(other.encode(), dry_run=True, options=ImportOptions(accept=True, source="survey"))
    assert (apart.new, apart.changed) == (2, 0)


JANUARY = (
    b"ID,Date,Name,Rating,Comment\n1,2024-01-02,Ann,5,January praise\n"
    b"2,2024-01-03,Ben,4,January ok\n3,2024-01-04,Cy,1,January blame\n"
)
FEBRUARY = b"ID,Date,Name,Rating,Comment\n1,2024-02-02,Dora,3,Meh\n2,2024-02-03,Eli,5,Wow\n"


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.parametrize("at_once", [1, 2_000])
def test_row_numbers_as_ids_replace_nothing_without_answer(monkeypatch, dry_run, at_once):
    monkeypatch.setattr(importer, "CHUNK", at_once)
    load(JANUARY)
    before, at = published(), revision()

    report = load(FEBRUARY, dry_run=dry_run)

    assert report.is_refused
    assert report.refusal["code"] == "ids_in_doubt"
    assert (
        "Of the 2 stored reviews that have an id of this file, 2 have another author, day and "
        "text: row 2 (id 1) is of Dora on 2024-02-02, the review that is stored of Ann on "
        "2024-01-02; row 3 (id 2) is of Eli"
    ) in report.refusal["message"]
    assert (published(), revision(), ImportBatch.objects.count()) == (before, at, 1)


def test_row_numbers_as_ids_are_ignored_by_option():
    load(JANUARY)
    row_numbers = ImportOptions(accept=True, ids="row-numbers")

    assert counts(load(FEBRUARY, options=row_numbers)) == (2, 0, 0, 0, 0)
    assert Review.objects.count() == 5
    assert counts(load(FEBRUARY, options=row_numbers)) == (0, 0, 2, 0, 0)
    assert counts(load(JANUARY)) == (0, 0, 3, 0, 0)


def test_reviews_are_replaced_if_ids_are_confirmed():
    load(JANUARY)
    sure = ImportOptions(accept=True, ids="same")

    report = load(FEBRUARY, options=sure)

    assert counts(report) == (0, 2, 0, 0, 0)
    assert not any("another author" in warning for warning in report.warnings)
    assert sorted(Review.objects.values_list("author", flat=True)) == ["Cy", "Dora", "Eli"]
    assert counts(load(FEBRUARY, options=sure)) == (0, 0, 2, 0, 0)
    assert counts(load(FEBRUARY)) == (0, 0, 2, 0, 0)


@pytest.mark.parametrize(
    ("row", "asks"),
    [
        (b"1,2024-01-09,Ann,5,January praise", False),  # An edit has changed the day.
        (b"1,2024-01-09,Ann,2,Changed my mind", False),
        (b"1,2024-01-02,Anna,2,Changed my mind", False),
        (b"1,2024-01-09,Anna B.,2,January praise", False),
        (b"1,2024-02-02,Dora,3,Meh", True),
        (b"1,2024-02-02,Dora,3,", True),
        (b"1,2024-02-02,,3,Meh", True),
    ],
)
def test_review_with_other_author_day_and_text_is_different(row, asks):
    load(JANUARY)

    report = load(b"ID,Date,Name,Rating,Comment\n" + row + b"\n", dry_run=True)

    assert report.is_refused is asks


def test_reviews_without_text_differ_by_author_and_day():
    load(b"ID,Date,Name,Rating\n1,2024-01-02,Ann,5\n2,2024-01-03,Ben,4\n")

    report = load(b"ID,Date,Name,Rating\n1,2024-02-02,Dora,3\n2,2024-02-03,Eli,5\n")

    assert report.refusal["code"] == "ids_in_doubt"


def test_fields_edited_by_hand_do_not_make_review_different():
    load(JANUARY)
    review = Review.objects.get(author="Ann")
    services.edit_review(review, {"author": "A.", "text": "[...]"})

    report = load(JANUARY.replace(b"2024-01-02,Ann", b"2024-01-01,Ann"), dry_run=True)

    assert (report.replaced, report.is_refused) == (0, False)


@pytest.mark.parametrize("at_once", [1, 2_000])
@pytest.mark.parametrize("dry_run", [True, False])
def test_own_id_is_one_review_under_any_source(monkeypatch, at_once, dry_run):
    monkeypatch.setattr(importer, "CHUNK", at_once)
    load(table(ROWS[0]))
    review = json.loads(published()[0]) | {"id": "01JXM695E0JPC10XKG98NFFG1V"}
    file = [review | {"source": source} for source in ("yelp", "own-survey")]

    report = load(json.dumps(file).encode(), dry_run=dry_run)

    assert counts(report) == (1, 0, 0, 1, 0)
