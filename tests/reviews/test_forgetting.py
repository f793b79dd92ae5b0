"""A forgotten person is not restored by imports."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.core import serializers

from imports import services as import_services
from imports.models import ImportBatch, ImportChange, ImportOptions
from reviews import services
from reviews.models import DeletedReview, ForgottenAuthor, Review
from tests.administration import change_url, form_fields, page_html
from tests.reviews.imports import ROWS, counts, load, table, upload

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"
FORGOTTEN = "/admin/reviews/forgottenauthor/"
DANA = ROWS[0].replace("google,https", "yelp,https").replace("g-1", "y-1").replace("Dana", "DANA")


def forget(client, *external_ids, **values):
    chosen = Review.objects.filter(external_id__in=external_ids).values_list("pk", flat=True)
    data = {"action": "forget", "_selected_action": list(chosen)}
    return client.post(REVIEWS, data | values, follow=True)


def dump_rows() -> str:
    """Return all rows of reviews and their history as text."""
    models = (Review, ImportBatch, ImportChange, DeletedReview, ForgottenAuthor, LogEntry)
    return "".join(serializers.serialize("json", model._base_manager.all()) for model in models)


def test_author_picture_and_links_are_removed(admin_client, admin_user):
    load(table(*ROWS, DANA))

    page = page_html(forget(admin_client, "g-1"))
    assert page.count('name="of"') == 2
    assert Review.objects.filter(author="Dana R.").exists()
    done = forget(admin_client, "g-1", post="yes", reviews="keep")

    assert "2 reviews no longer name their author." in page_html(done)
    for review in Review.objects.filter(external_id__in=["g-1", "y-1"]):
        published = json.loads(review.fragment)
        assert (published["author"], published["source_url"]) == ("Anonymous", None)
        assert (published["text"], published["rating"]) == ("Maren was quick.", 5)
        assert "verified" in published
        assert "edited_by_business" not in published
    assert ForgottenAuthor.objects.get().forgotten_by == admin_user
    assert Review.objects.filter(author="Ivo B.").exists()


def test_stored_rows_do_not_hold_name(admin_client):
    load(table(*ROWS))
    load(table(ROWS[0].replace("Dana R.", "Dana Q."), ROWS[1]))
    load(table(ROWS[0], ROWS[1]))
    review = Review.objects.get(external_id="g-1")
    admin_client.post(change_url(review), form_fields(admin_client.get(change_url(review))))
    batch = upload(table(*ROWS).replace(b"quick", b"slow"))
    import_services.preview(batch)
    assert "Dana R." in dump_rows()

    forget(admin_client, "g-1", post="yes", reviews="keep")

    assert "Dana R." not in dump_rows()
    assert "maps.example" not in serializers.serialize("json", Review.objects.all())


@pytest.mark.parametrize(
    "options",
    [ImportOptions(accept=True), ImportOptions(accept=True, overwrite_edits=True)],
    ids=["plain", "overwriting"],
)
@pytest.mark.parametrize("author", ["Dana R.", "dana  r.", "Dana Q. Renamed"])
def test_later_imports_restore_nothing(admin_client, author, options):
    load(table(*ROWS))
    forget(admin_client, "g-1", post="yes", reviews="keep")

    report = load(table(ROWS[0].replace("Dana R.", author), *ROWS[1:]), options=options)

    assert counts(report) == (0, 0, 3, 0, 0)
    review = Review.objects.get(external_id="g-1")
    assert (review.author, review.source_url) == ("Anonymous", "")
    services.release_edits(Review.objects.all())
    assert load(table(*ROWS)).changed == 0
    assert "Dana" not in dump_rows()


def test_reviews_can_be_deleted_too(admin_client):
    load(table(*ROWS))

    forget(admin_client, "g-1", post="yes", reviews="delete")

    assert load(table(*ROWS)).deleted == 1
    assert not Review.objects.filter(external_id="g-1").exists()
    assert "Dana" not in dump_rows()


def test_undo_does_not_restore_name(admin_client):
    load(table(*ROWS))
    changed = load(table(ROWS[0].replace("Dana R.", "Dana Q.").replace("5,2026", "4,2026")))
    forget(admin_client, "g-1", post="yes", reviews="keep")

    import_services.undo(ImportBatch.objects.get(pk=changed.batch_id))

    assert Review.objects.get(external_id="g-1").author == "Anonymous"


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [(("g-1", "g-2"), "Choose reviews of one person"), (("g-8",), "These reviews have no author")],
)
def test_only_one_person_is_forgotten(admin_client, chosen, sentence):
    load(table(*ROWS, "g-8,,5,2026-01-01,Good.,google,,,"))

    page = page_html(forget(admin_client, *chosen, post="yes", reviews="keep"))

    assert sentence in page
    assert not ForgottenAuthor.objects.exists()


def test_namesake_keeps_name(admin_client):
    load(table(*ROWS, DANA))
    other = Review.objects.get(external_id="y-1")
    mine = Review.objects.get(external_id="g-1")

    shown_and_ticked = {"shown": [mine.pk, other.pk], "of": [mine.pk]}
    forget(admin_client, "g-1", post="yes", reviews="keep", **shown_and_ticked)

    load(table(*ROWS, DANA))
    assert Review.objects.get(external_id="g-1").author == "Anonymous"
    assert Review.objects.get(external_id="y-1").author == "DANA R."


def test_page_lists_texts_with_name(admin_client):
    load(table("g-1,Dana R.,5,2026-03-14,Dana was here.,google,,,", *ROWS[1:]))

    page = page_html(forget(admin_client, "g-1"))

    assert "Texts and replies that contain a part of the name" in page


def test_forgotten_name_can_be_used_again(admin_client):
    load(table(*ROWS))
    forget(admin_client, "g-1", post="yes", reviews="keep")
    row = ForgottenAuthor.objects.get()
    assert "1" in page_html(admin_client.get(FORGOTTEN))

    admin_client.post(FORGOTTEN, {"action": "lift", "_selected_action": [row.pk]})
    load(table(ROWS[0].replace("g-1", "g-7"), ROWS[0]))

    assert Review.objects.get(external_id="g-7").author == "Dana R."
    assert Review.objects.get(external_id="g-1").author == "Anonymous"
