"""The import pages of the admin."""

import csv
import io
import json
import re
import zipfile
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from reviews import services
from reviews.admin import imports
from reviews.imports import batch as batches
from reviews.models import ColumnMapping, ImportBatch, ImportUpload, Review
from tests.factories import make_business, make_review

State = ImportBatch.State
LIST = "/admin/reviews/importbatch/"
ADD = f"{LIST}add/"
GOOD = b"id,author,rating,date,text,source\ng-1,Dana R.,5,2026-03-14,Quick.,google\n"
BAD = GOOD + b"=1+1,Bad,9,2026-03-01,+Bad stars,google\n"


@pytest.fixture
def admin(db) -> Client:
    client = Client(enforce_csrf_checks=False)
    client.force_login(User.objects.create_superuser("root", password="x"))
    return client


def upload(client: Client, content: bytes, name: str = "r.csv", **fields):
    file = SimpleUploadedFile(name, content)
    return client.post(ADD, {"file": file, "source": "google", **fields}, follow=True)


def press(client: Client, name: str, **fields):
    batch = ImportBatch.objects.latest("id")
    return client.post(page(name, batch), fields, follow=True)


def page(name: str, batch: ImportBatch) -> str:
    return reverse(f"admin:reviews_importbatch_{name}", args=[batch.pk])


def test_the_upload_form_shows_in_which_zone_days_are_reckoned(admin):
    make_business(time_zone="America/Los_Angeles")

    assert b"America/Los_Angeles" in admin.get(ADD).content


def test_an_upload_shows_what_was_recognised_and_what_would_change(admin):
    make_review(source="google", external_id="g-1", text="Slow.", rating=3)

    shown = upload(admin, BAD).content.decode()

    assert ", UTF-8, 2 rows</strong>" in shown
    assert "<td>Slow.</td><td>Quick.</td>" in shown
    assert "3.0 &rarr; 5.0" in shown
    assert "Import the 1 good row" in shown
    assert "the stars must be from 1 to 5" in shown
    assert Review.objects.get().text == "Slow."


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("database or disk is full", b"The disk of the database is full. Make room;"),
        ("database is locked", b"The database was busy with another change"),
        ("something else", b"The database did not take it in; nothing was changed. Try again."),
    ],
)
def test_what_the_database_refuses_is_told_with_its_cause(admin, monkeypatch, said, shown):
    upload(admin, GOOD)
    monkeypatch.setattr(services, "upload", Mock(side_effect=OperationalError(said)))
    monkeypatch.setattr(services, "apply", Mock(side_effect=OperationalError(said)))

    assert shown in upload(admin, GOOD).content
    assert shown in press(admin, "apply").content


def test_a_preview_shows_of_a_new_review_where_it_is_from_and_what_was_answered(admin):
    reply = b"id,author,rating,date,text,reply\ng-1,Dana R.,5,2026-03-14,Quick.,Thanks\n"

    shown = upload(admin, reply, source="Yelp").content.decode()

    assert "<td>yelp</td><td>2026-03-14</td><td>Dana R.</td>" in shown
    assert "<td>Quick.</td><td>Thanks</td>" in shown


def test_the_good_rows_are_imported_by_one_click(admin):
    upload(admin, BAD)

    shown = press(admin, "apply").content.decode()

    assert "Imported: 1 new." in shown
    assert Review.objects.get().author == "Dana R."
    batch = ImportBatch.objects.get()
    assert (batch.state, batch.created_by.username) == (State.APPLIED, "root")


def test_errors_csv_holds_the_rejected_rows_and_disarms_formulas(admin):
    upload(admin, BAD)
    press(admin, "apply")

    answer = admin.get(page("errors", ImportBatch.objects.get()))

    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    heading, row = csv.reader(io.StringIO(text))
    assert heading == ["id", "author", "rating", "date", "text", "source", "error_code", "error"]
    assert row[:7] == [
        "'=1+1", "Bad", "9", "2026-03-01", "'+Bad stars", "google", "rating_out_of_range"
    ]  # fmt: skip
    assert "1 to 5" in row[7]


def test_what_needs_a_file_that_is_no_longer_kept_says_so(admin):
    upload(admin, BAD)
    press(admin, "apply")
    batch = ImportBatch.objects.get()
    ImportUpload.objects.all().delete()

    for name in ("errors", "columns"):
        shown = admin.get(page(name, batch), follow=True).content.decode()

        assert "file is no longer kept" in shown


def test_only_the_columns_of_a_table_can_be_named(admin):
    upload(admin, b'[{"rating": 5, "date": "2026-03-14"}]', "r.json")

    shown = admin.get(page("columns", ImportBatch.objects.get()), follow=True).content.decode()

    assert "Only the columns of a table can be named" in shown


def test_each_count_of_an_import_leads_to_its_rows(admin):
    preview = upload(admin, BAD).content.decode()
    applied = press(admin, "apply").content.decode()

    for place in ("new", "rejected"):
        assert f'<a href="#{place}">1</a>' in preview
        assert f'<caption id="{place}">' in preview
    batch = ImportBatch.objects.get()
    assert f'?created_by_batch__id__exact={batch.pk}">1</a>' in applied


def test_json_of_another_maker_is_not_called_ours(admin):
    upload(admin, b'[{"author": "Ann", "rating": 5, "date": "2026-03-14"}]', name="r.json")

    listed = admin.get(LIST).content.decode()

    assert '<td class="field-recognised_as">Any JSON</td>' in listed
    assert 'href="?format=own_or_generic_json">Any JSON</a>' in listed
    assert (
        '<option value="own_or_generic_json">Any JSON</option>' in admin.get(ADD).content.decode()
    )


def test_the_list_says_why_a_file_was_refused_and_how_others_were_read(admin):
    upload(admin, GOOD)
    upload(admin, b"%PDF-1.4 ...", name="menu.pdf")

    listed = admin.get(LIST).content.decode()

    assert "This is a PDF." in listed
    assert '<td class="field-recognised_as">Table, CSV</td>' in listed
    assert 'href="?format=generic">Table</a>' in listed
    assert 'href="?format="' not in listed
    assert "menu.pdf" not in admin.get(f"{LIST}?format=generic").content.decode()


def test_a_mended_errors_csv_can_be_imported_alone(admin):
    upload(admin, BAD)
    press(admin, "apply")
    answer = admin.get(page("errors", ImportBatch.objects.get()))
    mended = b"".join(answer.streaming_content).replace(b",9,", b",2,")

    upload(admin, mended)
    press(admin, "apply")

    review = Review.objects.get(rating=2)
    assert (review.external_id, review.text) == ("=1+1", "+Bad stars")


def test_rejected_items_without_columns_are_to_be_mended_in_their_file(admin):
    answer = upload(admin, b'[{"rating": 9, "date": "2026-03-14"}]', "r.json").content

    assert b"correct them in the file itself" in answer
    assert b"correct them there and import that file alone" not in answer
    assert b"correct them there and import that file alone" in upload(admin, BAD).content


def test_a_cancelled_upload_changes_nothing(admin):
    upload(admin, GOOD)

    assert b"Cancelled; nothing was imported." in press(admin, "cancel").content
    assert not Review.objects.exists()
    assert not ImportUpload.objects.exists()


def test_a_second_browser_is_told_that_the_import_is_done(admin):
    upload(admin, GOOD)
    press(admin, "apply")

    shown = press(admin, "apply").content.decode()

    assert "Nothing was imported by this click: the import is applied." in shown
    assert Review.objects.count() == 1


def test_undo_asks_with_counts_and_then_takes_back(admin):
    upload(admin, GOOD)
    press(admin, "apply")
    batch = ImportBatch.objects.get()

    page_text = admin.get(page("undo", batch)).content.decode()
    assert "1 review that this import created will be deleted" in page_text
    assert Review.objects.exists()

    shown = press(admin, "undo").content.decode()
    assert "Undone: 1 deleted, 0 restored, 0 left as they were." in shown
    assert not Review.objects.exists()


def test_a_large_undo_shows_progress_and_can_be_done_here(admin, monkeypatch):
    upload(admin, GOOD)
    press(admin, "apply")
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    monkeypatch.setattr(services.tasks.undo_batch, "nudge", lambda pk: None)

    waiting = press(admin, "undo").content.decode()
    assert "Being undone: 1 reviews. This page refreshes itself." in waiting
    assert "Cancel" not in waiting
    assert Review.objects.exists()

    monkeypatch.setattr(imports, "WORKER_START_TIMEOUT", -imports.WORKER_START_TIMEOUT)
    waiting = admin.get(page("change", ImportBatch.objects.get())).content.decode()
    assert "If no worker runs, it can be done here instead." in waiting
    shown = press(admin, "run").content.decode()

    assert "1 deleted, 0 restored, 0 left as they were." in shown
    assert not Review.objects.exists()


def test_the_history_says_who_when_and_what(admin):
    upload(admin, GOOD)
    press(admin, "apply")
    upload(admin, GOOD)
    press(admin, "apply")

    shown = admin.get("/admin/reviews/importbatch/").content.decode()

    assert "1 new" in shown
    assert "no change" in shown
    assert "root" in shown


def test_the_same_file_again_is_announced_as_no_change(admin):
    upload(admin, GOOD)
    press(admin, "apply")

    assert b"nothing will change." in upload(admin, GOOD).content


STRANGE = b"Zufriedenheitsgrad,Besuch,Worte\n5,2026-03-14,<b>Fein</b>\n"


def test_unknown_columns_are_asked_for_once(admin):
    refused = upload(admin, STRANGE).content.decode()
    assert "No column for rating and date was recognised" in refused
    assert "Say what the columns mean" in refused
    batch = ImportBatch.objects.get()

    page_text = admin.get(page("columns", batch)).content.decode()
    assert "Zufriedenheitsgrad" in page_text
    assert "&lt;b&gt;Fein&lt;/b&gt;" in page_text

    unclear = press(admin, "columns", **{"column-0": "rating"}).content.decode()
    assert "Say which column holds the date." in unclear

    shown = press(
        admin, "columns", **{"column-0": "rating", "column-1": "date", "column-2": "text"}
    ).content.decode()
    assert "Import the 1 good row" in shown
    assert ColumnMapping.objects.count() == 1

    assert b"as named for an earlier file" in upload(admin, STRANGE + b"4,2026-03-15,Gut\n").content


def test_what_the_columns_mean_holds_for_the_errors_csv_of_the_file_too(admin):
    upload(admin, STRANGE + b"9,2026-03-15,Gut\n")
    press(admin, "columns", **{"column-0": "rating", "column-1": "date", "column-2": "text"})
    answer = admin.get(page("errors", ImportBatch.objects.get()))

    upload(admin, b"".join(answer.streaming_content).replace(b"9,2026", b"4,2026"))
    press(admin, "apply")

    assert [(review.rating, review.text) for review in Review.objects.all()] == [(4, "Gut")]


@pytest.mark.parametrize("heading", [b"Note\0,Visit,Words", b"rating\0,da\x07te,text"])
def test_headings_with_control_characters_can_be_named(admin, heading):
    upload(admin, heading + b"\n5,2026-03-14,Fine\n")
    press(admin, "columns", **{"column-0": "rating", "column-1": "date", "column-2": "text"})
    press(admin, "apply")

    assert Review.objects.get().text == "Fine"


def test_a_file_without_sources_gets_the_one_that_is_given(admin):
    upload(admin, b"rating,date,text\n5,2026-03-14,Fine\n", source="Trust Pilot")
    press(admin, "apply")

    assert Review.objects.get().source == "trustpilot"


def test_ambiguous_dates_are_asked_for_once(admin):
    content = b"rating,date,text\n5,04/05/2025,Fine\n"

    assert b"The day comes first" in upload(admin, content).content
    press(admin, "date-order", date_order="dmy")
    press(admin, "apply")

    assert str(Review.objects.get().date) == "2025-05-04"


def test_only_the_orders_that_remain_are_asked_for(admin):
    page_of_question = upload(admin, b"rating,date,text\n5,24/03/05,Fine\n").content

    assert b"The year comes first" in page_of_question
    assert b"The month comes first" not in page_of_question
    press(admin, "date-order", date_order="ymd")
    press(admin, "apply")

    assert str(Review.objects.get().date) == "2024-03-05"


NUMBERED = b"id,author,rating,date,text\n1,Ann,5,2024-01-02,Praise\n2,Ben,4,2024-01-03,Fine\n"
OTHERS = b"id,author,rating,date,text\n1,Dora,3,2024-02-02,Meh\n2,Eli,5,2024-02-03,Wow\n"


def test_ids_of_other_reviews_are_asked_about_before_any_is_replaced(admin):
    upload(admin, NUMBERED)
    press(admin, "apply")

    question = upload(admin, OTHERS).content.decode()

    assert "Of the 2 stored reviews that have an id of this file, 2 have another author" in question
    assert "<td>Ann, 2024-01-02: Praise</td><td>Dora, 2024-02-02: Meh</td>" in question
    assert '<input type="checkbox" name="ids_are_sure" required>' in question
    assert "--ids" not in question
    unanswered = press(admin, "apply").content.decode()
    assert "Nothing was imported. Say that they are only row numbers" in unanswered
    assert 'name="ids_are_sure"' in unanswered
    assert sorted(Review.objects.values_list("author", flat=True)) == ["Ann", "Ben"]
    press(admin, "apply", ids_are_sure="on")
    assert sorted(Review.objects.values_list("author", flat=True)) == ["Dora", "Eli"]


def test_ids_that_are_only_row_numbers_are_left_out(admin):
    upload(admin, NUMBERED)
    press(admin, "apply")
    upload(admin, OTHERS)

    preview = press(admin, "row-numbers").content.decode()

    assert "ids_are_sure" not in preview
    assert "Import the 2 good rows" in preview
    press(admin, "apply")
    assert Review.objects.count() == 4


def test_question_about_ids_that_came_up_after_the_preview_is_asked_then(admin):
    upload(admin, OTHERS)
    first = ImportBatch.objects.latest("id")
    upload(admin, NUMBERED)
    press(admin, "apply")

    answer = admin.post(page("apply", first), follow=True).content.decode()

    assert "Nothing was imported. Say that they are only row numbers" in answer
    assert 'name="ids_are_sure"' in answer


def test_stars_above_five_are_asked_for_once(admin):
    rows = (
        f"{stars},2025-04-05,{name}"
        for stars, name in [(9, "Ada"), (4, "Bo"), (10, "Cy"), (8, "Di")]
    )
    content = "\n".join(["rating,date,author", *rows]).encode()

    assert b"They count up to 10" in upload(admin, content).content
    press(admin, "best-rating", best_rating="10")
    press(admin, "apply")

    assert sorted(Review.objects.values_list("rating", flat=True)) == [2, 4, 5, 5]


def test_how_far_stars_count_is_taken_from_the_form_of_the_upload(admin):
    upload(admin, b"rating,date,author\n4,2025-04-05,Bo\n", best_rating="20")
    press(admin, "apply")

    assert Review.objects.get().rating == 1


def test_a_conflict_is_overwritten_only_when_ticked(admin):
    upload(admin, GOOD)
    press(admin, "apply")
    services.edit_review(Review.objects.get(), {"text": "By hand."})
    content = GOOD.replace(b",5,", b",4,")

    shown = upload(admin, content).content.decode()
    assert "Overwrite 1 field edited by hand" in shown
    assert "<td>By hand.</td><td>Quick.</td>" in shown
    press(admin, "apply")
    assert (Review.objects.get().text, Review.objects.get().rating) == ("By hand.", 4)

    upload(admin, content)
    press(admin, "apply", overwrite_edits="on")
    assert Review.objects.get().text == "Quick."


def test_a_complete_file_asks_again_before_it_hides_many(admin):
    make_review(source="google", external_id="g-2")

    shown = upload(admin, GOOD, complete="on").content.decode()
    assert "Yes, hide 1 of 1 reviews" in shown
    assert b"more than 5 % or 20" in press(admin, "apply").content
    assert Review.objects.filter(hidden=True).count() == 0

    press(admin, "apply", hide_many="on")
    assert Review.objects.filter(hidden=True).count() == 1


def test_a_large_file_shows_progress_and_can_be_read_here(admin, monkeypatch):
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    monkeypatch.setattr(services.tasks.read_batch, "nudge", lambda pk: None)
    monkeypatch.setattr(services.tasks.apply_batch, "nudge", lambda pk: None)

    waiting = upload(admin, GOOD).content.decode()
    assert '<meta http-equiv="refresh" content="1">' in waiting
    assert "Do it right now" not in waiting

    monkeypatch.setattr(imports, "WORKER_START_TIMEOUT", -imports.WORKER_START_TIMEOUT)
    batch = ImportBatch.objects.get()
    waiting = admin.get(page("change", batch)).content.decode()
    assert "No worker has started this import yet." in waiting
    assert "Import the 1 good row" in press(admin, "run").content.decode()

    assert b"Being applied: 0 of 1 rows" in press(admin, "apply").content
    assert not Review.objects.exists()
    press(admin, "run")
    assert Review.objects.count() == 1


def test_an_import_shows_how_far_it_is_before_its_transaction_ends(admin, monkeypatch):
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    upload(admin, GOOD)
    seen, finish = [], batches.Writer.finish

    def look_and_finish(writer):
        seen.append(admin.get(page("change", writer.batch)).content)
        finish(writer)

    monkeypatch.setattr(batches.Writer, "finish", look_and_finish)
    press(admin, "run")
    press(admin, "apply")
    press(admin, "run")

    (while_applying,) = seen
    assert b"Being applied: 1 of 1 rows" in while_applying


def test_an_import_goes_on_where_nobody_can_be_told_how_far_it_is(admin, monkeypatch):
    away = Mock(side_effect=ConnectionError)
    monkeypatch.setattr(batches, "cache", Mock(get=away, set=away))
    monkeypatch.setattr(services, "IN_REQUEST_ROWS", 0)
    upload(admin, GOOD)
    press(admin, "run")

    assert b"Being applied: 0 of 1 rows" in press(admin, "apply").content
    press(admin, "run")
    assert Review.objects.count() == 1


def test_a_file_over_the_limit_names_the_command(admin, settings):
    settings.IMPORT_MAX_BYTES = len(GOOD) - 1
    shown = upload(admin, GOOD).content.decode()
    assert "manage.py import_reviews FILE" in shown
    assert not ImportBatch.objects.exists()

    settings.IMPORT_MAX_BYTES, settings.IMPORT_MAX_ROWS = 1_000, 1
    refused = upload(admin, BAD).content
    assert b"import_reviews" in refused
    assert b"Dana R." not in refused  # Nothing of it is new, so nothing is shown as new.


def test_texts_of_a_file_are_shown_and_never_run(admin):
    content = GOOD.replace(b"Dana R.", b"<script>alert(1)</script>")

    shown = upload(admin, content, name="<img src=x>.csv").content.decode()

    assert "<script>alert" not in shown
    assert "<img src=x>" not in shown


@pytest.mark.parametrize(
    "name",
    ["apply", "cancel", "run", "undo", "columns", "date-order", "best-rating", "row-numbers"],
)
def test_every_button_needs_a_token(admin, name):
    upload(admin, GOOD)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get())

    assert strict.post(page(name, ImportBatch.objects.get())).status_code == 403


@pytest.mark.parametrize(
    "name", ["apply", "cancel", "run", "date-order", "best-rating", "row-numbers"]
)
def test_a_get_presses_no_button_and_shows_the_batch(admin, name):
    """So that whoever had to sign in again in between finds the page that has the button."""
    upload(admin, GOOD)
    batch = ImportBatch.objects.get()

    response = admin.get(page(name, batch))

    assert (response.status_code, response.headers["Location"]) == (302, page("change", batch))
    batch.refresh_from_db()
    assert batch.state == State.PREVIEWED


def test_the_same_file_again_shows_the_average_as_it_is(admin):
    for _ in range(2):
        upload(admin, GOOD)
        shown = press(admin, "apply").content.decode()

    assert "5.0 &rarr; 5.0" in shown


@pytest.mark.parametrize(("name", "expected"), [("r.csv", "errors-r.csv"), ("r.x", "errors-r.csv")])
def test_the_rejected_rows_are_named_after_the_file(admin, name, expected):
    upload(admin, BAD, name=name)

    header = admin.get(page("errors", ImportBatch.objects.get())).headers["Content-Disposition"]

    assert header == f"attachment; filename*=UTF-8''{expected}"


def test_a_source_without_letters_is_no_source(admin):
    shown = upload(admin, GOOD, source="!!!").content.decode()

    assert "Write a name like google." in shown
    assert not ImportBatch.objects.exists()


@pytest.mark.parametrize(
    "name",
    ["apply", "cancel", "run", "undo", "columns", "date-order", "best-rating", "row-numbers"],
)
def test_who_may_only_look_presses_no_button(admin, name):
    upload(admin, GOOD)
    viewer = User.objects.create_user("viewer", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_importbatch"))
    client = Client()
    client.force_login(viewer)
    batch = ImportBatch.objects.get()

    assert client.get(page("change", batch)).status_code == 200
    assert client.post(page(name, batch)).status_code == 403
    assert client.get(ADD).status_code == 403


@pytest.mark.parametrize("name", ["apply", "cancel", "run", "undo", "columns", "errors", "change"])
def test_a_batch_that_does_not_exist_is_not_found(admin, name):
    address = reverse(f"admin:reviews_importbatch_{name}", args=[10**30])

    assert admin.post(address).status_code == 404


@pytest.mark.parametrize("number", ["9" * 5_000, "\u0663", "x"])
def test_a_number_that_no_batch_can_have_is_not_found(admin, number):
    assert admin.get(f"/admin/reviews/importbatch/{number}/change/").status_code == 404


def zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("Takeout/reviews.json", content)
    return file.getvalue()


hostile = st.one_of(
    st.binary(min_size=1, max_size=300),
    st.binary(min_size=1, max_size=80).map(zipped),
    st.sampled_from([b"[", b"{", b"<", b"rating,date\n", b"\xff\xfe", b"\xef\xbb\xbf"]).flatmap(
        lambda start: st.binary(max_size=100).map(lambda rest: start + rest)
    ),
    st.text(max_size=60).map(
        lambda text: b"rating,date,text\n5,2026-01-01," + text.encode("utf-8", "surrogatepass")
    ),
)


@given(content=hostile, name=st.text(max_size=20))
def test_any_bytes_give_a_page_and_never_a_partial_write(admin, content, name):
    Review.objects.all().delete()

    answer = upload(admin, content, name="a" + name.replace("/", ""))

    assert answer.status_code == 200
    assert not Review.objects.exists()
    batch = ImportBatch.objects.order_by("-id").first()
    if batch and batch.state == State.PREVIEWED:
        assert press(admin, "apply").status_code == 200
        assert Review.objects.count() == batch.new


def test_preview_counts_skipped_rows_by_reason(admin):
    again = b"g-1,Dana R.,5,2026-03-14,Quick.,google\n"

    shown = upload(admin, GOOD + again + again).content.decode()

    assert "<caption>Why rows are skipped</caption>" in shown
    assert (
        "<td>2</td><td>The file has this review before; the repetition is left out.</td>" in shown
    )


# --- Which row holds the headings -----------------------------------------------------------------

TITLED = b"Job list Q3\n\nDay,Mark,Who,Words\n2026-01-01,5,Jo,Great\n2026-01-02,4,Sam,Ok\n"
HEADLESS = b"2025-08-01,5,Jo Park,Great work\n2025-08-02,4,Sam Hill,Quick\n"
MEANINGS = {"column-0": "date", "column-1": "rating", "column-2": "author", "column-3": "text"}


def columns_page(heading_row: int | None = None) -> str:
    url = page("columns", ImportBatch.objects.latest("id"))
    return url if heading_row is None else f"{url}?heading_row={heading_row}"


def test_mapping_page_asks_which_row_holds_the_headings(admin):
    upload(admin, TITLED)

    shown = admin.get(columns_page()).content.decode()

    assert "Which row holds the headings?" in shown
    assert "<td>Job list Q3</td>" in shown
    assert 'value="3" aria-describedby="which-row" checked' in shown
    assert ">Words:</label>" in shown


def test_another_row_of_headings_shows_its_columns_and_is_read(admin):
    upload(admin, b"Notes,Of,The,Office\n" + TITLED)

    assert ">Words:</label>" not in admin.get(columns_page()).content.decode()
    shown = admin.get(columns_page(4)).content.decode()
    assert ">Words:</label>" in shown

    admin.post(columns_page(4), MEANINGS, follow=True)
    press(admin, "apply")

    assert sorted(Review.objects.values_list("author", flat=True)) == ["Jo", "Sam"]


def test_row_of_headings_is_remembered_for_the_next_file(admin):
    upload(admin, b"Notes,Of,The,Office\n" + TITLED)
    admin.post(columns_page(4), MEANINGS, follow=True)

    shown = upload(admin, b"Other,Notes,Of,June\n" + TITLED).content.decode()

    assert "read as named for an earlier file" in shown
    assert "Import the 2 good rows" in shown


def test_file_without_headings_is_read_by_numbered_columns(admin):
    shown = upload(admin, HEADLESS).content.decode()
    assert "There seems to be no row of headings" in shown
    assert "--" not in shown.partition('errornote">')[2].partition("</p>")[0]

    shown = admin.get(columns_page()).content.decode()
    assert 'value="0" aria-describedby="which-row" checked' in shown
    assert ">Column 4:</label>" in shown
    admin.post(columns_page(), MEANINGS, follow=True)
    press(admin, "apply")

    assert sorted(Review.objects.values_list("author", flat=True)) == ["Jo Park", "Sam Hill"]
    assert not ColumnMapping.objects.exists()


@pytest.mark.parametrize("row", ["99", "-1", "x", "9" * 30])
def test_row_that_is_none_is_told(admin, row):
    upload(admin, TITLED)

    shown = admin.get(f"{columns_page()}?heading_row={row}", follow=True)

    assert shown.status_code == 200
    assert (b"Row 99 holds nothing" in shown.content) == (row == "99")


# --- Remedies that an office manager has ----------------------------------------------------------

SHELL = re.compile(r"--[a-z]|import_reviews")
REPLIES = [{"id": n, "rating": 5, "date": "2026-01-02", "reply": [{"x": "Thanks"}]} for n in "ab"]


@pytest.mark.parametrize(
    "content",
    [
        GOOD,  # Without a business there is no time zone.
        b'[{"stars_given": 5, "date": "2026-01-02"}]',
        b'[{"a": 1}]',
        json.dumps(REPLIES).encode(),
        b"first_name,email\nA,B\n",
        b"author,rating,date\nAnn,,2026-01-02\nBen,4.5,2026-01-02\n",
        b"author,rating,date\nAnn,5,01/02/2026\n",
        b"author,rating,date\nAnn,9,2026-01-02\nBen,8,2026-01-02\n",
        b"author,rating,date,consent given by\nAnn,5,2026-01-02,Bob\n",
    ],
)
def test_administration_names_no_option_of_the_command(admin, content):
    shown = upload(admin, content).content.decode()

    words = re.sub(r"<[^<>]*>", " ", shown.partition('id="content-main"')[2])
    assert not SHELL.search(words)


def test_file_of_too_many_rows_is_to_be_uploaded_in_parts(admin, settings):
    settings.IMPORT_MAX_ROWS = 1

    shown = upload(admin, GOOD + b"g-2,Ivo,5,2026-03-14,Quick.,google\n").content.decode()

    assert "Upload it in parts, each with the headings" in shown
    assert "--" not in shown.partition('errornote">')[2].partition("</p>")[0]


def test_column_without_heading_cannot_be_named(admin):
    upload(admin, b"Day,,Mark\n2026-01-01,x,5\n2026-01-02,y,4\n")

    shown = admin.get(columns_page()).content.decode()

    assert "Column B, without a heading:" in shown
    assert 'name="column-1" disabled' in shown or 'disabled name="column-1"' in shown
