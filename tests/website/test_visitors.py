"""Contact, praise and complaints, filters and translations on the pages for visitors."""

import re

import pytest

from insights.refresh import refresh
from reviews.services import set_logo
from tests.factories import (
    make_business,
    make_complete_business,
    make_review,
    make_service,
    make_technician,
)
from tests.website.images import picture
from tests.website.pages import read
from website.contact import Opening, address_lines, openings, phone_link

pytestmark = pytest.mark.django_db


def test_home_shows_facts_of_business_and_review_links(client):
    set_logo(make_complete_business(), picture())

    document = read(client, "/")

    for words in ("48 Old Ferry Road", "Tern Hollow, CA 90000", "07:30 to 18:00", "closed"):
        assert words in document.text
    assert document.all("a", href="tel:+15550142")
    assert document.all("a", href="mailto:hello@tern.example")
    assert document.all("img", alt="Logo of Tern Hollow Home Services")
    assert document.all("a", href="https://www.instagram.com/tern")
    assert document.all("a", href="https://g.page/r/tern/review", rel="noopener nofollow")
    assert document.all("a", **{"aria-label": "Leave a review on Google"})
    assert document.all("a", **{"aria-label": "Leave a review on Facebook"})
    assert not document.all("a", **{"aria-label": "Leave a review on Instagram"})


@pytest.mark.parametrize(
    ("phone", "link"),
    [
        ("+1 555-0142", "tel:+15550142"),
        ("(0)30 / 12 34 56", "tel:030123456"),
        ("+49 (0)30 123456", "tel:+4930123456"),
        ("555.0142 ext. 7", "tel:5550142;ext=7"),
        ("555 0142 x12", "tel:5550142;ext=12"),
        ("1-800-FLOWERS", ""),
        ("555 0142 or 555 0143", ""),
        ("javascript:alert(1)", ""),
        ("", ""),
    ],
)
def test_phone_numbers_are_links(phone, link):
    assert phone_link(phone) == link


@pytest.mark.parametrize(
    ("country", "lines"),
    [
        ("US", ["1 Quay", "Tern, CA 90000"]),
        ("", ["1 Quay", "Tern, CA 90000"]),
        ("DE", ["1 Quay", "90000 Tern, CA"]),
    ],
)
def test_address_has_format_of_its_country(country, lines):
    business = make_business(
        street="1 Quay", city="Tern", region="CA", postal_code="90000", country=country
    )

    assert address_lines(business) == lines


def test_consecutive_days_with_same_hours_are_one_line():
    def day(name, opens="08:00", closes="17:00"):
        return {"day": name, "opens": opens, "closes": closes}

    hours = [
        day("monday"),
        day("tuesday"),
        day("wednesday", "08:00", "12:00"),
        day("wednesday", "14:00", "18:00"),
        day("friday"),
        "rubbish",
    ]

    assert openings(hours) == [
        Opening("Monday to Tuesday", "08:00 to 17:00"),
        Opening("Wednesday", "08:00 to 12:00, 14:00 to 18:00"),
        Opening("Thursday", "closed"),
        Opening("Friday", "08:00 to 17:00"),
        Opening("Saturday to Sunday", "closed"),
    ]
    assert openings([]) == openings("rubbish") == []


def test_home_shows_strengths_and_complaints_with_evidence(client):
    make_business()
    for _ in range(8):
        make_review(rating=5, text="They arrived on time. Very polite technician.")
    for _ in range(6):
        make_review(rating=1, text="Their prices are far too expensive. Overpriced.")
    refresh()

    html = client.get("/").content.decode()

    praised, criticised = html.index(">What customers love<"), html.index(">What to work on<")
    punctuality = html.index('href="/insights/aspects/punctuality/positive"')
    price = html.index('href="/insights/complaints/price"')
    assert praised < punctuality < criticised < price
    assert "Eight of eight customers who mention punctuality praise it." in html
    assert "Six of six dissatisfied customers object to the price or the bill." in html
    quoted = re.findall(r'<a class="quiet" href="/reviews/\w{26}"><q dir="auto">(.*?)</q>', html)
    assert "They arrived on time." in quoted  # Whole sentences instead of phrases.
    assert "Their prices are far too expensive." in quoted


@pytest.fixture
def mentioned():
    make_technician("Maren Holt")
    make_technician("Theo Brandt")
    make_service("Leak detection")
    make_service("Duct cleaning")
    make_review(
        author="Leak", technicians=["maren-holt"], services=["leak-detection"], language="en"
    )
    make_review(author="Rohr", text="Das Rohr war undicht, alles wurde gut gemacht.", rating=3)


def test_each_set_filter_can_be_removed(client, mentioned):
    document = read(client, "/reviews?rating=5&mentions_service=leak-detection&sort=oldest")

    chips = [link["href"] for link in document.all("a", **{"class": "chip"})]
    assert chips == [
        "/reviews?sort=oldest&mentions_service=leak-detection",
        "/reviews?rating=5&sort=oldest",
    ]
    assert "Service: Leak detection" in document.text
    (more,) = document.all("details", **{"class": "more-fields"})
    assert "open" in more


@pytest.mark.parametrize("address", ["/", "/reviews", "review"])
def test_stored_translation_is_shown_with_original(client, address):
    make_business()
    review = make_review(
        text="Sehr freundlich und pünktlich.",
        text_language="de",
        translated_text="Very friendly and on time.",
    )

    document = read(client, f"/reviews/{review.ulid}" if address == "review" else address)

    assert "Translated from German" in document.text
    assert "Very friendly and on time." in document.text
    assert document.all("p", lang="de", **{"class": "words"})
    assert "Sehr freundlich und pünktlich." in document.text


PHOTO = "https://photos.example/1.jpg"


@pytest.mark.parametrize("address", ["/", "/reviews", "review"])
@pytest.mark.parametrize("setting", ["off", "links", "images"])
def test_photos_are_shown_and_loaded_by_setting_only(client, address, setting):
    make_business(photos=setting)
    review = make_review(photos=[PHOTO])
    place = f"/reviews/{review.ulid}" if address == "review" else address

    document, response = read(client, place), client.get(place)

    links = document.all("a", href=PHOTO, rel="nofollow ugc noopener noreferrer")
    assert bool(links) == (setting != "off")
    images = document.all("img", src=PHOTO)
    assert bool(images) == (setting == "images")
    assert all(image["referrerpolicy"] == "no-referrer" for image in images)
    assert ("https:" in response["Content-Security-Policy"]) == (setting == "images")
