import csv
import io
import json
import re
import zipfile
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission, User
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from imports import services
from imports.models import ImportBatch, ImportUpload
from reviews.models import Review
from tests.factories import make_review
from tests.imports.admin.import_pages import ADD, BAD, GOOD, page, post_file, press, upload

State = ImportBatch.State


def test_upload_shows_recognised_format_and_changes(admin):
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
        ("something else", b"The database rejected it. Nothing was changed. Try again."),
    ],
)
def test_database_error_is_reported_with_cause(admin, monkeypatch, said, shown):
    upload(admin, GOOD)
    monkeypatch.setattr(services, "upload", Mock(side_effect=OperationalError(said)))
    monkeypatch.setattr(services, "apply", Mock(side_effect=OperationalError(said)))

    assert shown in upload(admin, GOOD).content
    assert shown in press(admin, "apply").content


def test_good_rows_are_imported_with_one_click(admin):
    upload(admin, BAD)

    shown = press(admin, "apply").content.decode()

    assert "Imported: 1 new." in shown
    assert Review.objects.get().author == "Dana R."
    batch = ImportBatch.objects.get()
    assert (batch.state, batch.created_by.username) == (State.APPLIED, "root")


def test_errors_csv_holds_rejected_rows_and_escapes_formulas(admin):
    upload(admin, BAD)
    press(admin, "apply")

    answer = admin.get(page("errors", ImportBatch.objects.get()))

    assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''errors-r.csv"
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    heading, row = csv.reader(io.StringIO(text))
    assert heading == ["id", "author", "rating", "date", "text", "source", "error_code", "error"]
    assert row[:7] == [
        "'=1+1", "Bad", "0", "2026-03-01", "'+Bad stars", "google", "rating_out_of_range"
    ]  # fmt: skip
    assert "1 to 5" in row[7]
    ImportUpload.objects.all().delete()
    later = admin.get(page("errors", ImportBatch.objects.get()), follow=True)
    assert "file is no longer stored" in later.content.decode()


@pytest.mark.slow
def test_corrected_errors_csv_can_be_imported(admin):
    upload(admin, BAD)
    press(admin, "apply")
    answer = admin.get(page("errors", ImportBatch.objects.get()))
    mended = b"".join(answer.streaming_content).replace(b",0,", b",2,")

    upload(admin, mended)
    press(admin, "apply")

    review = Review.objects.get(rating=2)
    assert (review.external_id, review.text) == ("=1+1", "+Bad stars")


def test_cancelled_upload_changes_nothing(admin):
    upload(admin, GOOD)

    assert b"Cancelled; nothing was imported." in press(admin, "cancel").content
    assert not Review.objects.exists()
    assert not ImportUpload.objects.exists()


def test_undo_asks_with_counts_before_undoing(admin):
    upload(admin, GOOD)
    press(admin, "apply")
    batch = ImportBatch.objects.get()

    page_text = admin.get(page("undo", batch)).content.decode()
    assert "1 review that this import created will be deleted" in page_text
    assert Review.objects.exists()

    shown = press(admin, "undo").content.decode()
    assert "Undone: 1 deleted, 0 restored, 0 left as they were." in shown
    assert not Review.objects.exists()


def test_file_over_the_limit_names_the_command(admin, settings):
    settings.IMPORT_MAX_BYTES = len(GOOD) - 1
    shown = post_file(admin, GOOD).content.decode()
    assert "manage.py import_reviews FILE" in shown
    assert not ImportBatch.objects.exists()

    settings.IMPORT_MAX_BYTES, settings.IMPORT_MAX_ROWS = 1_000, 1
    refused = upload(admin, BAD).content
    assert b"import_reviews" in refused
    assert b"Dana R." not in refused  # Nothing in the file is new, so nothing is shown as new.


def test_texts_of_file_are_escaped(admin):
    content = GOOD.replace(b"Dana R.", b"<script>alert(1)</script>")

    shown = upload(admin, content, name="<img src=x>.csv").content.decode()

    assert "<script>alert" not in shown
    assert "<img src=x>" not in shown


@pytest.mark.parametrize("name", ["apply", "cancel", "run", "undo", "columns", "row-numbers"])
def test_buttons_need_csrf_token(admin, name):
    upload(admin, GOOD)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get())

    assert strict.post(page(name, ImportBatch.objects.get())).status_code == 403


@pytest.mark.parametrize("name", ["apply", "cancel", "run", "row-numbers"])
def test_get_of_button_url_shows_batch(admin, name):
    """A sign-in in between opens the URL of a button with GET."""
    upload(admin, GOOD)
    batch = ImportBatch.objects.get()

    response = admin.get(page(name, batch))

    assert (response.status_code, response.headers["Location"]) == (302, page("change", batch))
    batch.refresh_from_db()
    assert batch.state == State.PREVIEWED


@pytest.mark.parametrize("name", ["apply", "cancel", "run", "undo", "columns", "row-numbers"])
def test_viewer_cannot_press_buttons(admin, name):
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
def test_batch_that_does_not_exist_is_not_found(admin, name):
    address = reverse(f"admin:imports_importbatch_{name}", args=[10**30])

    assert admin.post(address).status_code == 404


@pytest.mark.parametrize("number", ["9" * 5_000, "\u0663", "x"])
def test_impossible_batch_number_is_not_found(admin, number):
    assert admin.get(f"/admin/imports/importbatch/{number}/change/").status_code == 404


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


@pytest.mark.slow
@given(content=hostile, name=st.text(max_size=20))
def test_any_bytes_give_page_without_partial_write(admin, content, name):
    Review.objects.all().delete()

    answer = upload(admin, content, name="a" + name.replace("/", ""))

    assert answer.status_code == 200
    assert not Review.objects.exists()
    batch = ImportBatch.objects.order_by("-id").first()
    if batch and batch.state == State.PREVIEWED:
        assert press(admin, "apply").status_code == 200
        assert Review.objects.count() == batch.new


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
def test_administration_names_no_command_options(admin, content):
    shown = upload(admin, content).content.decode()

    words = re.sub(r"<[^<>]*>", " ", shown.partition('id="content-main"')[2])
    assert not SHELL.search(words)
