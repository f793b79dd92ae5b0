import pytest

from reviews.models import Business, Mention, Review, Technician
from tests.administration import assert_refused, change_url, form_fields, page_html
from tests.factories import make_business, make_review, make_technician

pytestmark = pytest.mark.django_db

REVIEWS = "/admin/reviews/review/"
BUSINESS = {
    "name": "Tern Hollow",
    "slug": "",
    "vertical": "home_services",
    "language": "en",
    "time_zone": "America/Los_Angeles",
}


def test_business_is_created_once_and_has_form_instead_of_list(admin_client):
    assert (
        admin_client.get("/admin/reviews/business/")["Location"] == "/admin/reviews/business/add/"
    )

    hours = {
        "hours-monday-0-opens": "08:00",
        "hours-monday-0-closes": "17:00",
        "hours-tuesday-0-opens": "08:00",
        "hours-tuesday-0-closes": "16:30",
    }
    response = admin_client.post(
        "/admin/reviews/business/add/",
        BUSINESS | hours | {"same_as": " https://a.example/x \r\nhttp://b.example"},
    )

    assert response.status_code == 302
    business = Business.objects.get()
    assert business.slug == "tern-hollow"
    assert business.same_as == ["https://a.example/x", "http://b.example"]
    assert business.hours == [
        {"day": "monday", "opens": "08:00", "closes": "17:00"},
        {"day": "tuesday", "opens": "08:00", "closes": "16:30"},
    ]
    assert admin_client.get("/admin/reviews/business/")["Location"] == change_url(business)
    assert admin_client.get("/admin/reviews/business/add/").status_code == 403
    assert admin_client.get(f"/admin/reviews/business/{business.pk}/delete/").status_code == 403
    page = admin_client.get(change_url(business))
    assert hours.items() <= form_fields(page).items()
    assert "hours-same" not in form_fields(page)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("time_zone", "Mars/Olympus", "Select a valid choice. Mars/Olympus is not one"),
        ("time_zone", "../../etc/passwd", "Select a valid choice."),
        ("hours-friday-0-opens", "08:00", "Friday: enter when you open and when you close"),
        ("hours-sunday-1-closes", "08:00", "Sunday: enter when you open and when you close"),
        ("same_as", "https://ok.example\nfacebook/us", "Entry 2: “facebook/us” is not a complete"),
        ("same_as", "javascript:alert(1)", "Entry 1: “javascript:alert(1)” is not a complete web"),
        ("same_as", "https://x.example/\x00", "Entry 1"),
        ("url", "ftp://x.example", "Write a complete web address"),
        ("country", "us", "Select a valid choice. us is not one of the available choices."),
        ("language", "e_n", "Select a valid choice. e_n is not one of the available choices."),
        ("latitude", "47.1", "Write the longitude too, or neither of the two."),
        ("latitude", "nan", "Enter a number."),
        ("slug", "Tern Hollow", "Use lower-case letters and digits joined by single hyphens."),
        ("name", "東京", "Enter an id of lower-case letters and digits."),
        ("name", "Tern\x00Hollow", "Null characters are not allowed."),
        ("description", "Tern\x07Hollow", "Character 5 is U+0007, a control character"),
        ("description", "a\ufffe", "Character 2 is U+FFFE"),
    ],
)
def test_invalid_value_of_business_is_explained(admin_client, field, value, sentence):
    assert_refused(
        admin_client.post("/admin/reviews/business/add/", BUSINESS | {field: value}), sentence
    )
    assert not Business.objects.exists()


def test_kind_of_business_is_asked_for_until_chosen(admin_client):
    add = "/admin/reviews/business/add/"
    assert form_fields(admin_client.get(add))["vertical"] == ""
    assert_refused(
        admin_client.post(add, BUSINESS | {"vertical": ""}), "Choose the kind of business."
    )

    admin_client.post(add, BUSINESS | {"vertical": "generic"})

    business = Business.objects.get()
    assert (business.vertical, business.vertical_confirmed) == ("generic", True)
    assert form_fields(admin_client.get(change_url(business)))["vertical"] == "generic"


def test_id_of_business_is_kept(admin_client):
    business = make_business()

    admin_client.post(change_url(business), BUSINESS | {"slug": "other", "name": "Renamed"})

    business.refresh_from_db()
    assert (business.slug, business.name) == ("tern-hollow", "Renamed")


def test_added_technician_is_found_in_reviews(admin_client):
    review = make_review(text="Maren fixed it. Thanks, Mari!")

    response = admin_client.post(
        "/admin/reviews/technician/add/",
        {"name": "Maren Holt", "slug": "", "aliases": "Mari\r\n\r\nMari\r\nThe Leak Lady"},
    )

    assert response.status_code == 302
    technician = Technician.objects.get()
    assert technician.slug == "maren-holt"
    assert technician.aliases == ["Mari", "The Leak Lady"]
    assert list(review.mentions.values_list("kind", "subject")) == [("technician", "maren-holt")]


def test_second_technician_of_same_name_is_a_warning(admin_client):
    make_technician("Ana Reyes")
    add = "/admin/reviews/technician/add/"

    alike = admin_client.post(add, {"name": "ana reyes", "slug": "ana-2"}, follow=True)
    other = admin_client.post(add, {"name": "Theo Brandt", "slug": ""}, follow=True)

    warning = "Two team members are now called ana reyes."
    assert warning in page_html(alike)
    assert "Two team members" not in page_html(other)


def test_technician_renamed_or_deleted_leaves_no_stale_mentions(admin_client):
    technician = make_technician("Maren Holt")
    review = make_review(text="Thanks to Maren", technicians=["maren-holt"])
    other = make_review(text="Thanks to Ruben")

    admin_client.post(change_url(technician), {"name": "Ruben Holt", "slug": "x", "aliases": ""})
    after_rename = list(Mention.objects.values_list("review", "subject"))
    admin_client.post(f"/admin/reviews/technician/{technician.pk}/delete/", {"post": "yes"})

    assert after_rename == [(other.pk, "maren-holt")]
    assert not Mention.objects.exists()
    assert Review.objects.filter(pk=review.pk).exists()


def test_many_reviews_are_matched_again_by_worker(
    admin_client, monkeypatch, django_capture_on_commit_callbacks
):
    nudged = []
    monkeypatch.setattr("reviews.services.MAX_MATCHED_AT_ONCE", 0)
    monkeypatch.setattr("reviews.tasks.match_mentions.delay", lambda *_: nudged.append(True))
    make_review(text="Maren came")

    with django_capture_on_commit_callbacks(execute=True):
        admin_client.post("/admin/reviews/technician/add/", {"name": "Maren Holt"})

    assert nudged == [True]
    assert not Mention.objects.exists()


@pytest.mark.parametrize(
    ("model", "values", "sentence"),
    [
        ("technician", {"name": "A", "aliases": "ok\n" + "x" * 201}, "Entry 2: “xxx"),
        ("technician", {"name": "A", "aliases": "a\x00b"}, "holds a control character; remove it"),
        (
            "technician",
            {"name": "A", "active_from": "2026-02-01", "active_to": "2026-01-01"},
            "The last day is before the first one.",
        ),
        ("service", {"label": "A", "keywords": "leak*\n*"}, "Entry 2: “*” has no letters"),
        ("service", {"label": "A", "keywords": "\n".join(map(str, range(201)))}, "At most 200"),
        ("service", {"label": "A\x08"}, "Character 2 is U+0008"),
        ("servicearea", {"name": "A", "slug": "a--b"}, "joined by single hyphens"),
        ("servicearea", {"name": ""}, "This field is required."),
    ],
)
def test_invalid_entry_is_explained(admin_client, model, values, sentence):
    assert_refused(admin_client.post(f"/admin/reviews/{model}/add/", values), sentence)
