"""The setup in five steps, each of which saves by itself and can be skipped."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from core.images import encode_png
from imports.models import ImportBatch
from reviews.models import Business, Logo
from tests.administration import form_fields, page_html
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db

SETUP = "/admin/setup/"
PASSWORD = "moss under nine lanterns"
NAME = {"name": "Tern Hollow Plumbing", "vertical": "home_services"}
PLACE = {
    "street": "4 Weir Lane",
    "city": "Tern Hollow",
    "country": "GB",
    "phone": "01632 960 014",
    "time_zone": "Europe/London",
    "language": "en-GB",
    "hours-same": "yes",
    "hours-monday-0-opens": "08:00",
    "hours-monday-0-closes": "12:00",
    "hours-monday-1-opens": "13:00",
    "hours-monday-1-closes": "17:30",
    "hours-saturday-0-opens": "09:00",
    "hours-saturday-0-closes": "12:00",
}


def step(client, name, values, *, leads_to):
    """Save a step as a browser does."""
    page = client.get(f"{SETUP}{name}/")
    answer = client.post(f"{SETUP}{name}/", form_fields(page) | values)
    assert (answer.status_code, answer["Location"]) == (302, leads_to)


def test_first_sign_in_of_administrator_opens_setup_once():
    User.objects.create_superuser("owner", password=PASSWORD)
    values = {"username": "owner", "password": PASSWORD, "next": "/admin/"}

    assert Client().post("/admin/login/", values)["Location"] == SETUP
    make_business()
    assert Client().post("/admin/login/", values)["Location"] == "/admin/"


def test_steps_save_and_lead_to_public_page(admin_client):
    assert admin_client.get(SETUP)["Location"] == f"{SETUP}name/"

    step(admin_client, "name", NAME, leads_to=f"{SETUP}place/")
    step(admin_client, "place", PLACE, leads_to=f"{SETUP}logo/")
    logo = SimpleUploadedFile("logo.png", encode_png(Image.new("RGB", (8, 8))))
    step(admin_client, "logo", {"logo_file": logo}, leads_to=f"{SETUP}reviews/")

    business = Business.objects.get()
    assert (business.slug, business.has_vertical) == ("tern-hollow-plumbing", True)
    assert (business.country, business.time_zone, business.language) == (
        *("GB", "Europe/London"),
        "en-GB",
    )
    assert [entry["opens"] for entry in business.hours if entry["day"] == "friday"] == [
        *("08:00", "13:00")
    ]
    assert len(business.hours) == 11
    assert Logo.objects.get().business == business
    assert LogEntry.objects.count() == 3
    # The entered values are there when the step is opened again.
    assert PLACE.items() <= form_fields(admin_client.get(f"{SETUP}place/")).items()
    assert f"/logo.png?v={Logo.objects.get().digest}" in page_html(
        admin_client.get(f"{SETUP}logo/")
    )
    finished = admin_client.post(f"{SETUP}website/")
    assert finished["Location"] == "/"
    assert "Setup in five steps" not in page_html(admin_client.get("/admin/"))


def test_fourth_step_reads_file_and_links_back(admin_client):
    make_business()
    assert "Back to the setup" not in page_html(admin_client.get("/admin/imports/importbatch/"))
    page = page_html(admin_client.get(f"{SETUP}reviews/"))
    assert 'action="/admin/imports/importbatch/add/"' in page
    assert 'href="/admin/sources/sourceconnection/add/"' in page

    table = b"author,rating,date,text\nDana,5,2026-05-01,Good work\n"
    file = SimpleUploadedFile("may.csv", table)
    answer = admin_client.post("/admin/imports/importbatch/add/", {"file": file}, follow=True)

    assert ImportBatch.objects.get().file_name == "may.csv"
    assert 'href="/admin/setup/reviews/">Back to the setup' in page_html(answer)
    admin_client.get("/admin/")
    assert "Back to the setup" not in page_html(admin_client.get("/admin/imports/importbatch/"))


def test_last_step_shows_widget_code_and_public_address(admin_client, settings):
    make_business()
    make_review()

    page = page_html(admin_client.get(f"{SETUP}website/"))

    assert '<customer-reviews layout="wall"' in page
    assert f'<a href="/">{settings.BASE_URL}/</a>' in page
    assert 'alt="QR code of your public page"' in page


def test_later_step_asks_for_name_if_first_was_skipped(admin_client):
    refusal = admin_client.post(f"{SETUP}place/", PLACE)
    assert "This field is required." in page_html(refusal)
    assert PLACE.items() <= form_fields(refusal).items()

    step(admin_client, "place", PLACE | {"name": "東京"}, leads_to=f"{SETUP}logo/")

    assert (Business.objects.get().name, Business.objects.get().slug) == ("東京", "business")
    assert not Business.objects.get().has_vertical


@pytest.mark.parametrize(
    ("query", "accepted", "expected"),
    [
        ("?zone=Europe/Berlin&language=de-DE", "en-US", ("DE", "Europe/Berlin", "de")),
        ("?zone=Asia/Calcutta&language=en-IN", "", ("IN", "Asia/Kolkata", "en")),
        ("", "pt-BR,pt;q=0.9", ("BR", "UTC", "pt-BR")),
        ("", "de-AT;q=0.9", ("AT", "Europe/Vienna", "de")),
        ("?zone=Mars/Olympus&language=%00", "xx", ("", "UTC", "en")),
    ],
)
def test_browser_presets_country_time_zone_and_language(admin_client, query, accepted, expected):
    page = admin_client.get(f"{SETUP}place/{query}", headers={"accept-language": accepted})

    preset = form_fields(page)
    assert tuple(preset[name] for name in ("country", "time_zone", "language")) == expected
    assert ("data-ask-browser" in page_html(page)) is not bool(query)


def test_unusable_picture_is_refused_and_not_saved(admin_client):
    make_business()
    file = SimpleUploadedFile("logo.png", b"no picture")

    page = admin_client.post(f"{SETUP}logo/", {"logo_file": file})

    assert "Nothing was saved." in page_html(page)
    assert not Logo.objects.exists()


def test_setup_requires_permission_to_change_business(client):
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename="view_review"))
    client.force_login(clerk)

    assert client.get(f"{SETUP}name/").status_code == 403
    assert client.post(f"{SETUP}website/").status_code == 403
    client.force_login(User.objects.create_superuser("owner"))
    assert client.get(f"{SETUP}nothing/").status_code == 404
