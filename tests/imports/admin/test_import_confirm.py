"""The page that confirms the columns of a file once."""

import html
import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from imports import services
from imports.models import ConfirmedShape, ImportBatch
from reviews.models import Review
from tests.factories import make_business
from tests.imports.admin.import_pages import confirm, latest, page, post_file, press

State = ImportBatch.State
PLAIN = b"Date,Name,Stars,Review\n2026-01-02,Ann,5,Fine\n2026-01-03,Bo,2,Late\n"


def authors() -> list[str]:
    return sorted(Review.objects.visible().values_list("author", flat=True))


def text_below_title(answer) -> str:
    """Return the text of the page below its title."""
    content = answer.content.decode().partition('id="content-main"')[2]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", content)).split())


def with_column(heading: str, *cells: str) -> bytes:
    """Return reviews of Ann, Bo, Cy ... with one more column."""
    names = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
    rows = [
        f"2026-01-0{number},{name},5,Text {number},{cell}"
        for number, (name, cell) in enumerate(zip(names, cells, strict=False), 1)
    ]
    return "\n".join([f"Date,Name,Stars,Review,{heading}", *rows]).encode()


def test_new_file_opens_form_with_presets_and_publishes_nothing(admin):
    answer = post_file(admin, PLAIN)

    assert latest().state == State.CONFIRMING
    assert "Nothing from this file is public yet" in text_below_title(answer)
    assert "errornote" not in answer.content.decode()
    assert "2026-01-02 · 2026-01-03" in text_below_title(answer)
    assert "5 → ★★★★★" in text_below_title(answer)
    assert "2026-01-02 → 2 January 2026" in text_below_title(answer)
    assert '<option value="rating" selected>' in answer.content.decode()
    assert "No column decides whether a row is published" in text_below_title(answer)
    assert "all rows are reviews of your business" in text_below_title(answer)
    assert authors() == []


def test_unconfirmed_file_is_not_imported(admin):
    post_file(admin, PLAIN)

    answer = press(admin, "apply")

    assert "This click imported nothing" in answer.content.decode()
    assert authors() == []


def test_confirmed_layout_is_imported_without_question(admin):
    post_file(admin, PLAIN)
    assert 'value="Import the 2 good rows"' in confirm(admin).content.decode()
    press(admin, "apply")
    assert authors() == ["Ann", "Bo"]

    post_file(admin, PLAIN.replace(b"Ann", b"Cy"))

    assert latest().state == State.PREVIEWED
    press(admin, "apply")
    assert authors() == ["Ann", "Bo", "Cy"]
    stored = ConfirmedShape.objects.get()
    assert (stored.file_name, stored.confirmed_by.username) == ("r.csv", "root")


@pytest.mark.parametrize("answers", [{"column-2": "ignore"}, {"column-0": "ignore"}])
def test_rating_and_date_are_required(admin, answers):
    post_file(admin, PLAIN)

    answer = confirm(admin, **answers)

    assert "Say which column holds the" in text_below_title(answer)
    assert latest().state == State.CONFIRMING


def test_viewer_sees_the_columns_and_confirms_nothing(admin):
    post_file(admin, PLAIN)
    viewer = User.objects.create_user("viewer", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_importbatch"))
    client = Client()
    client.force_login(viewer)

    answer = client.get(page("change", latest()))

    assert "Review" in text_below_title(answer)
    assert "Confirm, and show" not in answer.content.decode()
    assert client.post(page("columns", latest())).status_code == 403
    viewer.user_permissions.clear()
    assert client.post(page("columns", latest())).status_code == 403
    assert not ConfirmedShape.objects.exists()


def test_ticked_boxes_publish_and_blank_ones_do_not(admin):
    answer = post_file(admin, with_column("Approved", "checked", "", "checked"))
    assert "checked (2 rows) may be published left out (blank) (1 row)" in text_below_title(answer)

    answer = confirm(admin)
    assert "1 row is left out: Approved is blank (1)." in text_below_title(answer)
    press(admin, "apply")
    assert authors() == ["Ann", "Cy"]


def test_column_of_few_values_decides_publication_if_chosen(admin):
    post_file(admin, with_column("Zone", "north", "south", "north"))
    unanswered = confirm(admin, **{"column-4": "status", "value-4-0": "yes"})
    assert "Say whether rows with south here may be published." in text_below_title(unanswered)

    confirm(admin, **{"column-4": "status", "value-4-0": "yes", "value-4-1": "no"})
    press(admin, "apply")

    assert authors() == ["Ann", "Cy"]


def test_only_new_value_is_asked_about(admin):
    post_file(admin, with_column("Approved", "checked", "", "checked"))
    confirm(admin)
    press(admin, "apply")

    answer = post_file(admin, with_column("Approved", "checked", "later", "checked"))

    assert latest().state == State.CONFIRMING
    assert "Confirmed earlier, or known (4)" in text_below_title(answer)
    assert "Say whether rows with later" in text_below_title(confirm(admin))
    confirm(admin, **{"value-4-1": "no"})  # After checked, which more rows have.
    assert latest().state == State.PREVIEWED


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.text(st.characters(categories=["L"], max_codepoint=0x2FF), min_size=1, max_size=9),
    st.lists(
        st.text(st.characters(categories=["L"], max_codepoint=0x2FF), max_size=8),
        min_size=2,
        max_size=3,
        unique=True,
    ),
)
def test_column_of_any_values_needs_confirmation(admin, heading, cells):
    Review.objects.all().delete()
    ConfirmedShape.objects.all().delete()

    post_file(admin, with_column(heading, *cells))
    press(admin, "apply")

    assert latest().state in {State.CONFIRMING, State.REFUSED}
    assert authors() == []


@pytest.mark.slow
def test_scale_is_asked_for_and_shown_as_stars(admin):
    answer = post_file(admin, b"Date,Name,Stars\n2026-01-02,Ann,50\n2026-01-03,Bo,10\n")
    assert "are above 5" in text_below_title(answer)
    assert "Enter the scale of the ratings" in text_below_title(confirm(admin))

    again = confirm(admin, worst_rating="10", best_rating="50", again="Show again")
    assert latest().state == State.CONFIRMING
    assert "50 → ★★★★★ 10 → ★☆☆☆☆" in text_below_title(again)

    confirm(admin, worst_rating="10", best_rating="50")
    press(admin, "apply")
    assert sorted(Review.objects.values_list("rating", flat=True)) == [1, 5]


def test_date_order_is_asked_for_and_stored(admin):
    answer = post_file(admin, b"Date,Name,Stars\n04/05/2025,Ann,5\n")
    assert "the day comes first" in text_below_title(answer)
    assert "Answer for Order of the numbers as well." in text_below_title(confirm(admin))
    confirm(admin, date_order="dmy")
    press(admin, "apply")
    assert str(Review.objects.get().date) == "2025-05-04"

    post_file(admin, b"Date,Name,Stars\n06/07/2025,Bo,5\n")
    assert latest().state == State.PREVIEWED


def test_place_with_other_name_is_asked_about(admin):
    make_business(name="Tern Hollow")
    rows = b"Business,Date,Name,Stars\nRival Pipes,2026-01-02,Ann,5\nRival Pipes,2026-01-03,Bo,1\n"
    answer = post_file(admin, rows)
    assert "Rival Pipes (2 rows)" in text_below_title(answer)
    assert "Say whether Rival Pipes is yours." in text_below_title(confirm(admin))

    confirm(admin, **{"place-0": "no"})

    assert latest().state == State.REFUSED
    assert authors() == []


def test_source_is_asked_for_on_same_page_and_stored(admin):
    answer = post_file(admin, PLAIN, source="")
    assert "The file does not say where its reviews are from." in text_below_title(answer)
    assert "Enter the source of these reviews." in text_below_title(confirm(admin))

    confirm(admin, other_source="Word of mouth")
    press(admin, "apply")
    assert set(Review.objects.values_list("source", flat=True)) == {"word-of-mouth"}

    post_file(admin, PLAIN.replace(b"Ann", b"Cy"), source="")
    assert latest().state == State.PREVIEWED
    press(admin, "apply")
    assert set(Review.objects.values_list("source", flat=True)) == {"word-of-mouth"}


TITLED = b"Notes,Of,The,Office\nJob list Q3\n\nDay,Mark,Who,Words\n2026-01-01,5,Jo,Great\n"
MEANINGS = {"column-0": "date", "column-1": "rating", "column-2": "author", "column-3": "text"}


@pytest.mark.slow
def test_chosen_heading_row_is_found_in_next_file(admin):
    answer = post_file(admin, TITLED)
    assert "Row 4: Day · Mark · Who · Words" in text_below_title(answer)
    press(admin, "columns", heading_row="4")
    confirm(admin, **MEANINGS)
    press(admin, "apply")
    assert authors() == ["Jo"]

    post_file(admin, TITLED.replace(b"Jo,", b"Sam,").replace(b"Q3", b"Q4"))
    assert latest().state == State.PREVIEWED


def test_columns_without_headings_are_numbered_and_recognised_by_content(admin):
    post_file(admin, b"2025-08-01,5,Jo Park,Great work\n2025-08-02,4,Sam Hill,Quick\n")
    confirm(admin, **MEANINGS)
    press(admin, "apply")
    assert authors() == ["Jo Park", "Sam Hill"]

    post_file(admin, b"2025-08-03,5,Kit Moss,Good work\n2025-08-04,3,Al Reed,Late\n")
    assert latest().state == State.PREVIEWED
    press(admin, "apply")
    assert authors() == ["Al Reed", "Jo Park", "Kit Moss", "Sam Hill"]

    for other in (
        b"5,2025-08-05,Kit Moss,Good work\n3,2025-08-06,Al Reed,Late\n",
        b"2025-08-05,5,Kit Moss,Good work,no\n2025-08-06,3,Al Reed,Late,no\n",
    ):
        post_file(admin, other)
        assert latest().state == State.CONFIRMING


def test_withdrawn_layout_is_asked_about_again(admin):
    post_file(admin, with_column("Approved", "checked", "", "checked"))
    confirm(admin)
    press(admin, "apply")
    stored = ConfirmedShape.objects.get()
    listed = admin.get("/admin/imports/confirmedshape/").content.decode()
    assert "r.csv" in listed
    page_of_it = admin.get(f"/admin/imports/confirmedshape/{stored.pk}/change/").content.decode()
    assert "checked may be published" in page_of_it

    admin.post(f"/admin/imports/confirmedshape/{stored.pk}/delete/", {"post": "yes"})

    post_file(admin, with_column("Approved", "checked", "", "checked"))
    assert latest().state == State.CONFIRMING


@pytest.mark.slow
def test_meaning_changed_after_preview_is_shown_before_import(admin):
    zones = with_column("Zone", "zone 1", "zone 2", "zone 1")
    post_file(admin, zones)
    confirm(admin, **{"column-4": "ignore"})
    press(admin, "apply")
    post_file(admin, zones.replace(b"Ann", b"Gil"))
    first = latest()
    post_file(admin, zones.replace(b"Bo", b"Hal"))
    confirm(admin, **{"column-4": "status"})
    assert latest().state == State.CONFIRMING  # Its values are shown first.
    confirm(admin, **{"value-4-0": "no", "value-4-1": "yes"})
    press(admin, "apply")

    answer = admin.post(page("apply", first), follow=True)

    assert "the meaning of these columns has changed since the preview" in text_below_title(answer)
    assert "Gil" not in authors()
    first.refresh_from_db()
    services.apply(first)
    assert "Gil" not in authors()
