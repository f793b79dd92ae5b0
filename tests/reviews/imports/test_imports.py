"""Imports through the services: what becomes of new, changed, unchanged and bad rows."""

import datetime as dt
import json
import unicodedata
from dataclasses import replace

import pytest
from django.utils import timezone

from review_exports.export import Export
from review_exports.records import FileRefused
from reviews import services
from reviews.imports import importer
from reviews.imports.opening import ImportOptions
from reviews.imports.report import KEPT_ERRORS
from reviews.models import ImportBatch, ImportChange, Mention, Review
from tests.factories import make_business, make_review, make_technician
from tests.reviews.loading import (
    BAD,
    COMPLETE,
    ROWS,
    State,
    counts,
    load,
    published,
    revision,
    table,
)

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
@pytest.mark.parametrize(
    "later",
    [
        (),
        (ROWS[0].replace("Maren was quick.", "Maren Holt was slow."),),
        (ROWS[0].replace(",5,", ",4,"), ROWS[2].replace("2026-03-12", "2026-03-11")),
    ],
)
def test_a_row_written_in_bulk_equals_one_that_is_saved(later):
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
    assert any("in UTC" in warning for warning in load(table(*ROWS)).warnings)

    make_business()
    assert not any("UTC" in warning for warning in load(table(*ROWS)).warnings)


# --- Nothing, or not all --------------------------------------------------------------------------


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
    make_review(source="google", external_id="g-2", author="Ivo B.", text="Other.", rating=4)
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
        raise FileRefused("json_invalid", "The file ends too early.")

    items = Export.__iter__
    monkeypatch.setattr(Export, "__iter__", broken)

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
def test_an_export_older_than_the_last_one_leaves_the_newer_version_and_says_so():
    first = takeout("At first.", "2026-01-02T10:00:00.123456789Z")
    load(first)
    load(takeout("In between.", "2026-02-03T12:00:00+02:00"))
    newest = load(takeout("In the end.", "2026-02-03T10:00:01Z"))
    at = revision()

    report = load(first)

    assert counts(report) == (0, 0, 1, 0, 0)
    assert any("1 row is an older version of a review" in warning for warning in report.warnings)
    assert (Review.objects.get().text, revision()) == ("In the end.", at)

    services.undo(ImportBatch.objects.get(pk=newest.batch_id))
    assert Review.objects.get().text == "In between."
    assert counts(load(takeout("In the end.", "2026-02-03T10:00:01Z"))) == (0, 1, 0, 0, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            {"lastEditedAtDate": None, "text": "At first."},
            {"lastEditedAtDate": "2026-02-01T10:00:00.000Z", "text": "In the end."},
        ),
        (
            {"lastEditedAtDate": "2026-02-01T10:00:00.000Z", "text": "At first."},
            {"lastEditedAtDate": "2026-02-01T10:00:00.500Z", "text": "In the end."},
        ),
    ],
    ids=["never edited", "edited before"],
)
def test_other_sources_that_date_their_versions_are_understood_alike(older, newer):
    item = {"reviewId": "r1", "name": "Dana R.", "stars": 5}
    item |= {"publishedAtDate": "2026-01-02T10:00:00.000Z"}
    load(json.dumps([item | newer]).encode())

    assert counts(load(json.dumps([item | older]).encode())) == (0, 0, 1, 0, 0)
    assert Review.objects.get().text == "In the end."


@pytest.mark.django_db
def test_a_probable_duplicate_is_told_and_not_merged():
    load(table(*ROWS))
    ulid = Review.objects.get(external_id="g-2").ulid

    report = load(table(ROWS[1].replace("g-2", "other-id")))

    assert (report.new, report.twins) == (1, 1)
    assert report.samples["twins"] == [{"row": 2, "other": f"review {ulid}"}]
    assert any("1 new review is a probable duplicate" in warning for warning in report.warnings)
    assert Review.objects.count() == 4


@pytest.mark.django_db
@pytest.mark.parametrize("sources", [(None, "google"), ("google", None)])
def test_a_probable_duplicate_that_came_without_a_source_is_told(sources):
    review = b"author,rating,date,text\nDana R.,5,2026-03-14,Quick.\n"
    load(review, options=ImportOptions(source=sources[0]))

    assert load(review, options=ImportOptions(source=sources[1])).twins == 1
    assert load(review, options=ImportOptions(source="yelp"), dry_run=True).twins == 1


@pytest.mark.django_db
def test_the_same_words_at_two_sites_are_two_reviews():
    review = b"author,rating,date,text\nDana R.,5,2026-03-14,Quick.\n"
    load(review, options=ImportOptions(source="google"))

    assert load(review, options=ImportOptions(source="yelp")).twins == 0


@pytest.mark.django_db
def test_a_probable_duplicate_within_the_file_is_told():
    report = load(table(ROWS[1], ROWS[1].replace("g-2", "other-id")))

    assert report.samples["twins"] == [{"row": 3, "other": "row 2"}]


WITHOUT_ID = "author,rating,date,text,source"


@pytest.mark.django_db
def test_edited_text_without_id_is_a_probable_duplicate():
    load(table("Ann,5,2026-01-02,Great work,google", heading=WITHOUT_ID))
    ulid = Review.objects.get().ulid

    edited = table("Ann,2,2026-01-02,Edited: it broke,google", heading=WITHOUT_ID)
    report = load(edited)

    assert report.samples["twins"] == [{"row": 2, "other": f"review {ulid}"}]
    (warning,) = (one for one in report.warnings if "probable duplicate" in one)
    assert "another text, as after an edit" in warning
    assert f"row 2 like review {ulid}" in warning
    assert load(edited).twins == 0


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

    assert load(table(*rows, heading=WITHOUT_ID)).twins == 0


@pytest.mark.django_db
def test_other_id_tells_that_another_text_is_another_review():
    load(table(ROWS[0]))

    assert load(table(ROWS[0].replace("g-1", "g-8").replace("Maren", "Sam"))).twins == 0


@pytest.mark.django_db
def test_unicode_form_of_letters_makes_no_difference():
    heading, row = "Prénom,Note,Date,Commentaire", "René,5,2026-01-02,Très bien"
    load(table(row, heading=heading))

    decomposed = unicodedata.normalize("NFD", f"{heading}\n{row}").encode()
    assert counts(load(decomposed)) == (0, 0, 1, 0, 0)
    assert Review.objects.get().author == "René"


@pytest.mark.django_db
def test_stored_text_in_another_unicode_form_is_unchanged():
    text = unicodedata.normalize("NFD", "Très bien")
    make_review(external_id="é-1", author="René", date=dt.date(2026, 1, 2), text=text, rating=5)

    report = load(table("é-1,René,5,2026-01-02,Très bien,google,,,"))

    assert counts(report) == (0, 0, 1, 0, 0)
    assert Review.objects.get().text == text


@pytest.mark.django_db
def test_a_probable_duplicate_of_several_reviews_is_one():
    load(table(ROWS[1], ROWS[1].replace("g-2", "other-id")))

    report = load(table(ROWS[1].replace("g-2", "a-third-id")))

    assert (report.new, report.twins) == (1, 1)


@pytest.mark.django_db
def test_ids_that_stand_for_other_reviews_in_another_file_are_told():
    survey = "id,author,rating,date,text\n1,Dana R.,5,2026-03-14,Quick.\n2,Ivo B.,4,2026-03-13,\n"
    load(survey.encode())
    other = survey.replace("Dana R.", "Lena O.").replace("03-14", "03-10").replace("Quick", "Slow")

    report = load(other.encode(), dry_run=True)

    assert report.changed == 1
    assert any(
        "1 review has another author, day and text in this file: the same ids may" in warning
        for warning in report.warnings
    )
    apart = load(other.encode(), dry_run=True, options=ImportOptions(source="survey"))
    assert (apart.new, apart.changed) == (2, 0)


JANUARY = (
    b"ID,Date,Name,Rating,Comment\n1,2024-01-02,Ann,5,January praise\n"
    b"2,2024-01-03,Ben,4,January ok\n3,2024-01-04,Cy,1,January blame\n"
)
FEBRUARY = b"ID,Date,Name,Rating,Comment\n1,2024-02-02,Dora,3,Meh\n2,2024-02-03,Eli,5,Wow\n"


@pytest.mark.django_db
@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.parametrize("at_once", [1, 2_000])
def test_ids_that_are_row_numbers_replace_nothing_without_an_answer(monkeypatch, dry_run, at_once):
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


@pytest.mark.django_db
def test_ids_that_are_row_numbers_are_left_out_when_told():
    load(JANUARY)
    row_numbers = ImportOptions(ids="row-numbers")

    assert counts(load(FEBRUARY, options=row_numbers)) == (2, 0, 0, 0, 0)
    assert Review.objects.count() == 5
    assert counts(load(FEBRUARY, options=row_numbers)) == (0, 0, 2, 0, 0)
    assert counts(load(JANUARY)) == (0, 0, 3, 0, 0)


@pytest.mark.django_db
def test_reviews_are_replaced_when_their_ids_are_sure():
    load(JANUARY)
    sure = ImportOptions(ids="same")

    report = load(FEBRUARY, options=sure)

    assert counts(report) == (0, 2, 0, 0, 0)
    assert not any("another author" in warning for warning in report.warnings)
    assert sorted(Review.objects.values_list("author", flat=True)) == ["Cy", "Dora", "Eli"]
    assert counts(load(FEBRUARY, options=sure)) == (0, 0, 2, 0, 0)
    assert counts(load(FEBRUARY)) == (0, 0, 2, 0, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("row", "asks"),
    [
        (b"1,2024-01-09,Ann,5,January praise", False),  # An edit has moved the day.
        (b"1,2024-01-09,Ann,2,Changed my mind", False),
        (b"1,2024-01-02,Anna,2,Changed my mind", False),
        (b"1,2024-01-09,Anna B.,2,January praise", False),
        (b"1,2024-02-02,Dora,3,Meh", True),
        (b"1,2024-02-02,Dora,3,", True),
        (b"1,2024-02-02,,3,Meh", True),
    ],
)
def test_review_is_another_when_author_day_and_text_differ(row, asks):
    load(JANUARY)

    report = load(b"ID,Date,Name,Rating,Comment\n" + row + b"\n", dry_run=True)

    assert report.is_refused is asks


@pytest.mark.django_db
def test_stars_alone_are_told_apart_by_author_and_day():
    load(b"ID,Date,Name,Rating\n1,2024-01-02,Ann,5\n2,2024-01-03,Ben,4\n")

    report = load(b"ID,Date,Name,Rating\n1,2024-02-02,Dora,3\n2,2024-02-03,Eli,5\n")

    assert report.refusal["code"] == "ids_in_doubt"


@pytest.mark.django_db
def test_fields_edited_by_hand_make_no_other_review():
    load(JANUARY)
    review = Review.objects.get(author="Ann")
    services.edit_review(review, {"author": "A.", "text": "[...]"})

    report = load(JANUARY.replace(b"2024-01-02,Ann", b"2024-01-01,Ann"), dry_run=True)

    assert (report.replaced, report.is_refused) == (0, False)


@pytest.mark.django_db
@pytest.mark.parametrize("at_once", [1, 2_000])
@pytest.mark.parametrize("dry_run", [True, False])
def test_an_id_of_ours_is_one_review_whatever_sources_a_file_names(monkeypatch, at_once, dry_run):
    monkeypatch.setattr(importer, "CHUNK", at_once)
    load(table(ROWS[0]))
    review = json.loads(published()[0]) | {"id": "01JXM695E0JPC10XKG98NFFG1V"}
    file = [review | {"source": source} for source in ("yelp", "own-survey")]

    report = load(json.dumps(file).encode(), dry_run=dry_run)

    assert counts(report) == (1, 0, 0, 1, 0)


@pytest.mark.django_db
def test_a_complete_file_hides_what_it_lacks_of_its_source_alone():
    rows = [f"g-{n},A{n},5,2026-03-01,Text {n}.,google,,," for n in range(20)]
    load(table(*rows))
    make_review(source="yelp", external_id="y-1")

    report = load(table(*rows[1:]), options=COMPLETE)

    assert (report.missing, report.missing_of, report.hidden) == (1, 20, 1)
    assert [r.external_id for r in Review.objects.filter(hidden=True)] == ["g-0"]


@pytest.mark.django_db(transaction=True)
def test_what_a_complete_file_has_hidden_is_shown_when_a_file_has_it_again():
    rows = [f"g-{n},A{n},5,2026-03-01,Text {n}.,google,,," for n in range(10)]
    load(table(*rows))
    services.hide(Review.objects.filter(external_id="g-9"))
    before = published()
    hiding = load(table(*rows[1:]), options=replace(COMPLETE, hide_many=True))
    hidden, at = published(), revision()
    again = table(rows[0].replace("Text 0.", "More."), *rows[1:])

    looked = load(again, dry_run=True)
    report = load(again)

    assert counts(report) == (0, 1, 9, 0, 0)
    assert report.warnings[-1] == "1 review that an earlier complete file lacked is shown again."
    assert (looked.warnings, looked.samples) == (report.warnings, report.samples)
    assert looked.ratings_added == report.ratings_added == (5, 1)
    assert sorted(published()) == sorted(one.replace("Text 0.", "More.") for one in before)
    assert revision() == at + 1
    assert load(table(*rows[1:])).shown_again == 0

    # Only the last import can be taken back, and that as it found the review.
    assert services.undo(ImportBatch.objects.get(pk=hiding.batch_id)).left == 1
    services.undo(ImportBatch.objects.get(pk=report.batch_id))
    assert published() == hidden

    assert load(table(*rows)).shown_again == 1  # Also one of which nothing else has changed.
    assert published() == before


@pytest.mark.django_db(transaction=True)
def test_what_was_hidden_by_hand_stays_so_when_its_edits_are_released():
    load(table(*ROWS))
    review = Review.objects.filter(external_id="g-1")
    services.edit_review(review.get(), {"text": "Mended."})
    services.hide(review)

    assert services.release_edits(Review.objects.all()) == 1
    assert services.release_edits(Review.objects.all()) == 0
    report = load(table(*ROWS))

    assert (report.changed, report.shown_again) == (1, 0)
    assert (review.get().hidden, review.get().text) == (True, "Maren was quick.")


@pytest.mark.django_db(transaction=True)
def test_hiding_many_needs_a_second_yes():
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
