"""Languages of pages: the business's at plain URLs, others below their tags."""

import pytest

from insights.refresh import refresh
from tests.factories import make_business, make_review
from tests.website.pages import read

pytestmark = pytest.mark.django_db


def links(page):
    return [attrs["href"] for attrs in page.all("a") if attrs.get("href", "").startswith("/")]


def test_page_below_tag_has_its_language_and_links_within_it(client):
    make_business()
    review = make_review()

    page = read(client, "/de/reviews")

    assert page.all("html", lang="de")
    assert "Alle Bewertungen" in page.text
    assert "14. März 2026" in page.text
    assert f"/de/reviews/{review.ulid}" in links(page)
    assert "/de" in links(page)
    others = {"/reviews", "/es/reviews", "/fr/reviews"}
    assert others < set(links(page))


def test_plain_url_has_language_of_business(client):
    make_business(language="fr-CA")

    page = read(client, "/reviews")

    assert page.all("html", lang="fr-CA")
    assert "Tous les avis" in page.text
    assert read(client, "/en/reviews").all("html", lang="en")


def test_tag_of_own_language_redirects_to_plain_url(client):
    make_business(language="de")

    response = client.get("/de/reviews?rating=5")

    assert (response.status_code, response["Location"]) == (302, "/reviews?rating=5")
    assert client.get("/de")["Location"] == "/"
    assert client.get("/de?from=mail")["Location"] == "/?from=mail"


def test_head_links_page_in_each_language(client):
    make_business()

    alternates = {
        attrs["hreflang"]: attrs["href"].removeprefix("https://reviews.example")
        for attrs in read(client, "/es/insights").all("link", rel="alternate")
        if "hreflang" in attrs
    }

    assert {
        tag: address.removeprefix("https://reviews.example") for tag, address in alternates.items()
    } == {
        "en": "/insights",
        "de": "/de/insights",
        "es": "/es/insights",
        "fr": "/fr/insights",
    }


def test_missing_page_has_language_of_its_url(client):
    make_business()

    assert (
        "Seite nicht gefunden" in read(client, "/de/reviews/01HZZZZZZZZZZZZZZZZZZZZZZZ", 404).text
    )
    assert "Seite nicht gefunden" in read(client, "/de/nothing", 404).text
    assert "Page not found" in read(client, "/nothing", 404).text


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_api_responses_are_english_after_translated_page(client, language):
    make_business()
    read(client, f"/{language}/reviews")

    problem = client.get("/api/reviews/search?rating=9").json()

    assert problem["detail"] == "Some parameters cannot be used; see issues."


def test_administration_has_language_of_browser(admin_client, client):
    make_business()

    page = admin_client.get("/admin/", headers={"accept-language": "fr-FR,fr;q=0.9"})

    assert page["Content-Language"] == "fr"
    assert "Accept-Language" in page["Vary"]
    assert read(client, "/reviews").all("html", lang="en")


@pytest.mark.parametrize("address", ["/de", "/fr/insights", "/es/insights"])
def test_charts_and_data_keep_decimal_point(client, address):
    make_business()
    for stars in (5, 4, 4, 2, 1, 5, 5):
        make_review(rating=stars, text="They arrived on time. The price was far too high.")
    refresh()

    page = read(client, address)

    drawn = [
        value
        for tag, attrs in page.elements
        if tag in {"rect", "line", "circle", "polyline", "path", "svg", "text"}
        for name, value in attrs.items()
        if name in {"x", "y", "x1", "x2", "y1", "y2", "width", "height", "cx", "cy", "r"}
    ]
    assert drawn
    assert [value for value in drawn if "," in value] == []
    for attrs in page.all("span", itemprop="ratingValue"):
        assert attrs["content"] == "3.71"
