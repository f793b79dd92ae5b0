"""JSON-LD and social cards by the documentation of search engines and networks."""

import json
import re

import pytest

from reviews.models import Vertical
from tests.factories import make_business, make_complete_business, make_review
from tests.website.pages import read

pytestmark = pytest.mark.django_db

# Subtypes of LocalBusiness at schema.org that pages use.
LOCAL = (
    "AmusementPark AutoRepair ExerciseGym HealthAndBeautyBusiness HomeAndConstructionBusiness Hotel"
    " LegalService LocalBusiness MedicalClinic Restaurant Store"
).split()
HOSTILE = "</script><script>alert(1)</script><!-- \u2028 & \" ' \\"


def structured_data(client, address):
    """Return the JSON-LD of a page, or none."""
    html = client.get(address).content.decode()
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    assert len(found) <= 1
    return json.loads(found[0]) if found else None


def properties(document):
    """Return the Open Graph and Twitter properties of a page."""
    metas = document.all("meta")
    return {
        meta.get("property") or meta.get("name"): meta["content"]
        for meta in metas
        if (meta.get("property") or meta.get("name") or "").startswith(("og:", "twitter:"))
    }


@pytest.mark.parametrize("vertical", Vertical.values)
def test_business_with_address_is_complete_local_business(client, vertical):
    make_complete_business(vertical=vertical)
    make_review(rating=4)

    data = structured_data(client, "/")

    assert data["telephone"] == "+1 555-0142"
    assert data["sameAs"][0] == "https://www.facebook.com/tern"
    assert data["geo"] == {"@type": "GeoCoordinates", "latitude": 34.0, "longitude": -119.0}
    [opening] = data["openingHoursSpecification"]
    assert opening["dayOfWeek"] == "https://schema.org/Monday"
    assert (opening["opens"], opening["closes"]) == ("07:30", "18:00")

    assert data["@context"] == "https://schema.org"
    assert data["@type"] in LOCAL
    assert data["name"] == "Tern Hollow Home Services"
    assert data["address"] == {
        "@type": "PostalAddress",
        "streetAddress": "48 Old Ferry Road",
        "addressLocality": "Tern Hollow",
        "addressRegion": "CA",
        "postalCode": "90000",
        "addressCountry": "US",
    }
    assert data["image"] == "https://reviews.example/share.png"


def test_business_without_address_is_an_organization(client):
    make_business()
    make_review()

    data = structured_data(client, "/")

    assert data["@type"] == "Organization"
    assert "address" not in data
    assert read(client, "/").all("main", itemtype="https://schema.org/Organization")


def test_rating_equals_shown_one(client):
    make_complete_business()
    for rating in (5, 4, 4):
        make_review(rating=rating)
    make_review(rating=1, hidden=True)

    document = read(client, "/")
    data = structured_data(client, "/")

    assert data["aggregateRating"] == {
        "@type": "AggregateRating",
        "ratingValue": 4.33,
        "reviewCount": 3,
        "bestRating": 5,
        "worstRating": 1,
    }
    assert "4.33" in document.text
    assert len(data["review"]) == 3


@pytest.mark.parametrize("address", ["/", "/reviews"])
def test_microdata_equal_json_ld(client, address):
    make_complete_business()
    for rating in (5, 4):
        make_review(rating=rating)

    document = read(client, address)
    data = structured_data(client, address)

    assert document.all("main", itemtype=f"https://schema.org/{data['@type']}")
    assert document.all("section", itemprop="aggregateRating")
    reviews = document.all(
        "article", itemprop="review", itemtype="https://schema.org/Review", itemscope=None
    )
    assert len(reviews) == len(data["review"])
    stars = [int(meta["content"]) for meta in document.all("meta", itemprop="ratingValue")]
    assert stars == [review["reviewRating"]["ratingValue"] for review in data["review"]]
    addresses = [link["href"] for link in document.all("a", rel="bookmark", itemprop="url")]
    assert [review["url"].partition("/reviews/")[2] for review in data["review"]] == [
        each.removeprefix("/reviews/") for each in addresses
    ]


def test_review_names_author_stars_and_business(client):
    make_complete_business()
    review = make_review(author="Dana R.", rating=2, text="Came late.")

    data = structured_data(client, f"/reviews/{review.ulid}")

    assert data["@type"] == "Review"
    assert data["author"] == {"@type": "Person", "name": "Dana R."}
    assert data["reviewRating"]["ratingValue"] == 2
    assert (data["reviewRating"]["bestRating"], data["reviewRating"]["worstRating"]) == (5, 1)
    assert data["datePublished"] == "2026-03-14"
    assert data["reviewBody"] == "Came late."
    assert data["itemReviewed"]["name"] == "Tern Hollow Home Services"
    assert data["itemReviewed"]["address"]["addressLocality"] == "Tern Hollow"


@pytest.mark.parametrize("place", ["/", "/reviews", "review"])
def test_hostile_texts_stay_inside_data(client, place):
    make_complete_business(name=HOSTILE, description=HOSTILE)
    review = make_review(text=HOSTILE, author=HOSTILE)
    address = f"/reviews/{review.ulid}" if place == "review" else place

    html = client.get(address).content.decode()
    data = structured_data(client, address)

    assert html.count("<script") == 1
    assert html.count("</script>") == 1
    shown = data if place == "review" else data["review"][0]
    assert shown["reviewBody"] == HOSTILE


@pytest.mark.parametrize(
    "address", ["/", "/reviews", "/insights", "/developers", "/developers/mcp"]
)
def test_pages_have_social_card_with_picture(client, address):
    make_business(language="en-GB", country="GB")
    make_review(rating=4)

    document = read(client, address)
    card = properties(document)

    assert card["og:url"] == f"https://reviews.example{address}"
    assert card["og:image"] == "https://reviews.example/share.png"
    assert (card["og:image:width"], card["og:image:height"]) == ("1200", "630")
    assert card["og:site_name"] == "Tern Hollow Home Services"
    assert card["og:locale"] == "en_GB"
    assert card["twitter:card"] == "summary_large_image"
    assert card["og:title"]
    assert card["og:description"]
    [description] = document.all("meta", name="description")
    assert 20 <= len(description["content"]) <= 320
