"""The page on which a person names the columns of a table."""

import pytest

from reviews.models import ColumnMapping, ImportBatch, Review
from tests.reviews.admin.import_pages import page, press, upload


def test_only_the_columns_of_a_table_can_be_named(admin):
    upload(admin, b'[{"rating": 5, "date": "2026-03-14"}]', "r.json")

    shown = admin.get(page("columns", ImportBatch.objects.get()), follow=True).content.decode()

    assert "Only the columns of a table can be named" in shown


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


def test_column_without_heading_cannot_be_named(admin):
    upload(admin, b"Day,,Mark\n2026-01-01,x,5\n2026-01-02,y,4\n")

    shown = admin.get(columns_page()).content.decode()

    assert "Column B, without a heading:" in shown
    assert 'name="column-1" disabled' in shown or 'disabled name="column-1"' in shown
