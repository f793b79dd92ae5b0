import datetime as dt

import pytest

from imports.models import ImportBatch
from reviews.models import Review
from tests.administration import page_html
from tests.factories import make_review

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"


@pytest.mark.parametrize(
    ("query", "authors"),
    [
        ("", {"Ann", "Bob", "Cleo"}),
        ("state=hidden", {"Cleo"}),
        ("state=public", {"Ann", "Bob"}),
        ("rating=2", {"Bob"}),
        ("source=yelp", {"Cleo"}),
        ("source=nowhere", {"Ann", "Bob", "Cleo"}),
        ("edited=yes", {"Bob"}),
        ("edited=no", {"Ann", "Cleo"}),
        ("date__gte=2026-03-14&date__lt=2026-03-15", {"Ann", "Cleo"}),
        ("mentions=service:leak-detection", {"Ann"}),
        ("mentions=rubbish", {"Ann", "Bob", "Cleo"}),
        ("q=CAF%C3%89", {"Ann"}),
        ("q=bob", {"Bob"}),
        ("q=100%25", {"Cleo"}),
        ("q=ext-9", {"Cleo"}),
    ],
)
def test_reviews_are_found_by_filter_and_words(admin_client, query, authors):
    make_review(author="Ann", text="The café leak", services=["leak-detection"])
    make_review(author="Bob", rating=2, edited_fields=["text"], date=dt.date(2026, 1, 1))
    make_review(author="Cleo", source="yelp", hidden=True, text="100% ok", external_id="ext-9")

    response = admin_client.get(f"{REVIEWS}?{query}")

    assert {review.author for review in response.context["cl"].result_list} == authors


@pytest.mark.parametrize(
    "words",
    ["Øyvind Åsheim", "øyvind", "ÅSHEIM", '"Øyvind Å"', "GRÖSSE", "åsheim größe", "ext-Ø", "ИВАН"],
)
def test_author_is_found_in_any_case(admin_client, words):
    make_review(author="Øyvind Åsheim (Иван)", text="Die Größe passt.", external_id="ext-Ø")
    make_review(author="Øyvind Berg")

    response = admin_client.get(REVIEWS, {"q": words})

    assert "Øyvind Åsheim (Иван)" in {r.author for r in response.context["cl"].result_list}
    lacks_one = admin_client.get(REVIEWS, {"q": f"{words} nothing"})
    assert not lacks_one.context["cl"].result_list


def test_list_takes_same_queries_for_fifty_as_for_one(
    admin_client, django_assert_max_num_queries, settings
):
    settings.VERSION_POLL_MS = 60_000  # A slow machine may read the revision once more.
    batch = ImportBatch.objects.create(file_name="export.csv")
    for _ in range(50):
        make_review(created_by_batch=batch)

    admin_client.get(REVIEWS)  # The first page after signing in also writes to the session.
    with django_assert_max_num_queries(9):
        page = page_html(admin_client.get(REVIEWS))

    assert page.count("export.csv") == 50
    assert page.count("Dana R.") >= 50
    assert page.count("★★★★★") >= 50


def test_chosen_reviews_are_shown_again(admin_client):
    chosen = [make_review(hidden=True).pk, make_review(hidden=True).pk]

    public = admin_client.post(REVIEWS, {"action": "show", "_selected_action": chosen}, follow=True)
    again = admin_client.post(REVIEWS, {"action": "show", "_selected_action": chosen}, follow=True)

    assert "2 reviews are public now." in page_html(public)
    assert "Nothing has changed" in page_html(again)
    assert Review.objects.visible().count() == 2


def test_edits_by_hand_can_be_released_to_imports(admin_client):
    review = make_review(edited_fields=["text"])

    response = admin_client.post(
        REVIEWS, {"action": "release", "_selected_action": [review.pk]}, follow=True
    )

    assert "1 review follows imports again." in page_html(response)
    assert Review.objects.get().edited_fields == []
