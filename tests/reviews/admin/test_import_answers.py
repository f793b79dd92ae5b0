"""Questions of an import about publication, statuses and places, and its stored answers."""

import pytest

from reviews.models import ImportAnswer, ImportBatch, Review
from tests.reviews.admin.import_pages import press, upload

State = ImportBatch.State
CONSENT = b"Date,Name,Stars,Consent\n2025-01-02,Ada,5,Yes\n2025-01-03,Bo,1,No\n"
PLACES = (
    b"Business,Date,Reviewer,Stars\nTern Hollow,2024-05-01,Ana,5\nTern Hollow,2024-05-02,Ben,4\n"
    b"Rival,2024-05-03,Cal,1\n"
)
STATUSES = b"Date,Name,Stars,Status\n2025-01-02,Ada,5,Merged\n2025-01-03,Bo,1,Published\n"


def authors() -> list[str]:
    return sorted(Review.objects.values_list("author", flat=True))


def test_column_that_speaks_of_consent_is_asked_about_and_remembered(admin):
    shown = upload(admin, CONSENT).content.decode()
    assert "Do these columns say whether a review may be published?" in shown
    assert "2 rows: Yes, No" in shown

    press(admin, "answers", kind="publication", **{"answer-0": "published"})
    press(admin, "apply")
    assert authors() == ["Ada"]

    upload(admin, CONSENT.replace(b"Bo,1", b"Cy,2").replace(b"Ada", b"Di"))
    press(admin, "apply")
    assert authors() == ["Ada", "Di"]
    assert ImportAnswer.objects.get().subject == "Consent"


def test_other_places_are_left_out_by_the_answer_and_next_time_without_one(admin):
    shown = upload(admin, PLACES).content.decode()
    assert "Which of these places are yours?" in shown
    assert "<strong>Rival</strong> (1 row)" in shown

    press(admin, "answers", kind="place", **{"answer-0": "ours", "answer-1": "other"})
    press(admin, "apply")
    assert authors() == ["Ana", "Ben"]

    shown = upload(admin, PLACES.replace(b"Ana", b"Zoe")).content.decode()
    assert "Reviews of other places, left out: Rival: 1." in shown
    press(admin, "apply")
    assert authors() == ["Ana", "Ben", "Zoe"]


def test_status_that_is_not_understood_is_a_rejected_row_until_it_is_answered(admin):
    shown = upload(admin, STATUSES).content.decode()
    assert "What do these statuses mean?" in shown
    assert "Import the 1 good row" in shown

    shown = press(admin, "answers", kind="status", **{"answer-0": "public"}).content.decode()
    assert "Import the 2 good rows" in shown
    assert "What do these statuses mean?" not in shown


@pytest.mark.parametrize("given", [{}, {"answer-0": "ours"}, {"answer-0": "x", "answer-1": "x"}])
def test_question_wants_every_answer(admin, given):
    upload(admin, PLACES)
    press(admin, "answers", kind="place", **given)

    assert ImportBatch.objects.get().state == State.REFUSED
    assert not ImportAnswer.objects.exists()


def test_answer_to_a_question_that_was_not_asked_changes_nothing(admin):
    upload(admin, PLACES)
    shown = press(admin, "answers", kind="status", **{"answer-0": "public"}).content.decode()

    assert "asks nothing of the kind any more" in shown


def test_answer_that_is_taken_back_is_asked_again(admin):
    upload(admin, CONSENT)
    press(admin, "answers", kind="publication", **{"answer-0": "published"})
    answer = ImportAnswer.objects.get()
    shown = admin.get("/admin/reviews/importanswer/").content.decode()
    assert "Consent" in shown

    admin.post(f"/admin/reviews/importanswer/{answer.pk}/delete/", {"post": "yes"})
    shown = upload(admin, CONSENT).content.decode()
    assert "Do these columns say whether a review may be published?" in shown


def test_same_file_is_read_anew_when_an_answer_has_changed(admin):
    upload(admin, PLACES)
    press(admin, "answers", kind="place", **{"answer-0": "ours", "answer-1": "other"})
    press(admin, "apply")
    ImportAnswer.objects.filter(subject="Rival").update(answer="ours")

    upload(admin, PLACES)
    press(admin, "apply")
    assert authors() == ["Ana", "Ben", "Cal"]


def test_mapping_page_has_the_meaning_may_be_published(admin):
    upload(admin, b"Date,Name,Stars,Weird\n2025-01-02,Ada,5,Yes\n2025-01-03,Bo,1,No\n")
    batch = ImportBatch.objects.get()
    page = f"/admin/reviews/importbatch/{batch.pk}/columns/"
    assert "may be published" in admin.get(page).content.decode()

    chosen = {"column-0": "date", "column-1": "author", "column-2": "rating"}
    admin.post(page, {**chosen, "column-3": "published"})
    press(admin, "apply")
    assert authors() == ["Ada"]


def test_preview_names_the_columns_that_are_not_read(admin):
    shown = upload(admin, b"Date,Name,Stars,Mood\n2025-01-02,Ada,5,good\n").content.decode()

    assert "Columns that are not read: Mood." in shown
