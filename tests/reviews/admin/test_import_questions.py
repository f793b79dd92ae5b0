"""Questions of the import page: dates, stars, ids, edits, missing reviews."""

from reviews import services
from reviews.models import ImportBatch, Review
from tests.factories import make_review
from tests.reviews.admin.import_pages import GOOD, page, press, upload


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
