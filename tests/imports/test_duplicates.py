"""New reviews that look like others are told, and never merged."""

import pytest

from imports.opening import ImportOptions
from reviews.models import Review
from tests.reviews.loading import (
    ROWS,
    load,
    table,
)


@pytest.mark.django_db
def test_a_probable_duplicate_is_told_and_not_merged():
    load(table(*ROWS))
    ulid = Review.objects.get(external_id="g-2").ulid

    report = load(table(ROWS[1].replace("g-2", "other-id")))

    assert (report.new, report.duplicates) == (1, 1)
    assert report.samples["duplicates"] == [{"row": 2, "other": f"review {ulid}"}]
    assert any("1 new review is a probable duplicate" in warning for warning in report.warnings)
    assert Review.objects.count() == 4


@pytest.mark.django_db
@pytest.mark.parametrize("sources", [(None, "google")])
def test_a_probable_duplicate_that_came_without_a_source_is_told(sources):
    review = b"author,rating,date,text\nDana R.,5,2026-03-14,Quick.\n"
    load(review, options=ImportOptions(accept=True, source=sources[0]))

    assert load(review, options=ImportOptions(accept=True, source=sources[1])).duplicates == 1
    assert (
        load(review, options=ImportOptions(accept=True, source="yelp"), dry_run=True).duplicates
        == 1
    )


@pytest.mark.django_db
def test_the_same_words_at_two_sites_are_two_reviews():
    review = b"author,rating,date,text\nDana R.,5,2026-03-14,Quick.\n"
    load(review, options=ImportOptions(accept=True, source="google"))

    assert load(review, options=ImportOptions(accept=True, source="yelp")).duplicates == 0


@pytest.mark.django_db
def test_a_probable_duplicate_within_the_file_is_told():
    report = load(table(ROWS[1], ROWS[1].replace("g-2", "other-id")))

    assert report.samples["duplicates"] == [{"row": 3, "other": "row 2"}]


WITHOUT_ID = "author,rating,date,text,source"


@pytest.mark.django_db
def test_edited_text_without_id_is_a_probable_duplicate():
    load(table("Ann,5,2026-01-02,Great work,google", heading=WITHOUT_ID))
    ulid = Review.objects.get().ulid

    edited = table("Ann,2,2026-01-02,Edited: it broke,google", heading=WITHOUT_ID)
    report = load(edited)

    assert report.samples["duplicates"] == [{"row": 2, "other": f"review {ulid}"}]
    (warning,) = (one for one in report.warnings if "probable duplicate" in one)
    assert "another text, as after an edit" in warning
    assert f"row 2 like review {ulid}" in warning
    assert load(edited).duplicates == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rows",
    [
        # Both are in the file, so that none is an edit of the other.
        ["Ann,5,2026-01-02,Great work,google", "Ann,2,2026-01-02,It broke,google"],
        ["Ann,2,2026-01-03,It broke,google"],
        ["Ben,2,2026-01-02,It broke,google"],
        ["Ann,2,2026-01-02,It broke,yelp"],
    ],
)
def test_another_review_is_no_edited_text(rows):
    load(table("Ann,5,2026-01-02,Great work,google", heading=WITHOUT_ID))

    assert load(table(*rows, heading=WITHOUT_ID)).duplicates == 0


@pytest.mark.django_db
def test_other_id_tells_that_another_text_is_another_review():
    load(table(ROWS[0]))

    assert load(table(ROWS[0].replace("g-1", "g-8").replace("Maren", "Sam"))).duplicates == 0


@pytest.mark.django_db
def test_a_probable_duplicate_of_several_reviews_is_one():
    load(table(ROWS[1], ROWS[1].replace("g-2", "other-id")))

    report = load(table(ROWS[1].replace("g-2", "a-third-id")))

    assert (report.new, report.duplicates) == (1, 1)
