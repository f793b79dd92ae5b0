"""Names of sources: those of known sites, and others as entered."""

import pytest
from django.core.management import call_command

from review_exports.vocabulary import load
from reviews import sites
from reviews.models import Review, Revision, SourceName
from sources.models import SourceConnection
from tests.administration import form_fields, page_html
from tests.factories import make_business, make_review
from tests.imports.command import run

ADD = "/admin/reviews/review/add/"
VOCABULARY = load("vocabulary/sources.toml")
FORMATS = load("formats/formats.toml")["formats"]
REVIEW = {"rating": "5", "author": "Ann", "date": "2026-03-14", "text": "Fine."}

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "source",
    sorted(
        {
            *VOCABULARY["spellings"],
            *VOCABULARY["names"]["known"].split(),
            *(each["source"] for each in FORMATS if "source" in each),
        }
    ),
)
def test_sources_of_known_formats_have_proper_names(source):
    assert sites.source_name(source) == sites.NAMES[source]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Booking.com", "Booking.com"),
        ("booking", "Booking.com"),
        ("BBB", "BBB"),
        ("Better Business Bureau", "BBB"),
        ("Reviews.io", "Reviews.io"),
        ("GOOGLE MAPS", "Google"),
        ("MyHammer", "MyHammer"),
        ("  Check a   trade ", "Check a trade"),
        ("11880.com", "11880.com"),
        ("my-survey", "My Survey"),  # An id instead of a name.
        ("import", "Source not stated"),
    ],
)
def test_entered_source_has_proper_name_or_keeps_spelling(typed, name):
    assert sites.source_name(sites.typed_source(typed)) == name


def test_last_spelling_of_source_is_stored_once():
    sites.typed_source("Myhammer")
    sites.typed_source("MyHammer")
    before = Revision.objects.current(Revision.REVIEWS)

    for typed in ("MyHammer", "myhammer", "Google"):
        sites.typed_source(typed)

    assert SourceName.objects.get().name == "MyHammer"
    assert Revision.objects.current(Revision.REVIEWS) == before


def enter_in_form(client, tmp_path):
    client.post(ADD, form_fields(client.get(ADD)) | REVIEW | {"source": "MyHammer"})


def enter_with_add_review(client, tmp_path):
    call_command("add_review", rating=5, text="Fine.", source="MyHammer")


def enter_with_import_reviews(client, tmp_path):
    file = tmp_path / "r.csv"
    file.write_text("author,rating,date,text\nAnn,5,2026-03-14,Fine.\n")
    run(file, "--source", "MyHammer", "--dry-run")
    assert not SourceName.objects.exists()
    run(file, "--source", "MyHammer")


@pytest.mark.parametrize("add", [enter_in_form, enter_with_add_review, enter_with_import_reviews])
def test_entered_spelling_is_shown_everywhere(add, admin_client, tmp_path):
    make_business()
    make_review(source="booking-com")
    add(admin_client, tmp_path)
    review = Review.objects.get(source="myhammer")

    for address in (
        "/",
        "/reviews",
        f"/reviews/{review.ulid}",
        "/embed?max=12",
        "/embed?source=myhammer",
        "/embed.html",
        "/admin/reviews/review/",
        "/admin/website/",
    ):
        page = page_html(admin_client.get(address, follow=True))
        assert "MyHammer" in page, address
        assert "Myhammer" not in page, address
    names = {each["id"]: each["name"] for each in admin_client.get("/embed.json").json()["sources"]}
    assert names == {"booking-com": "Booking.com", "myhammer": "MyHammer"}


def test_source_entered_for_connection_keeps_spelling(admin_client):
    page = "/admin/sources/sourceconnection/add/?kind=push"
    admin_client.post(
        page, form_fields(admin_client.get(page)) | {"name": "x", "source": "MyHammer"}
    )

    assert SourceConnection.objects.get().import_options["source"] == "myhammer"
    assert sites.source_name("myhammer") == "MyHammer"
