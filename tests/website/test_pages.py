"""Rules that apply to every page for visitors."""

import datetime as dt

import pytest

from embed.options import OptionsSerializer
from reviews.search.parameters import SearchSerializer
from reviews.services import set_logo
from tests.factories import make_business, make_review
from tests.website.images import picture
from tests.website.pages import read

pytestmark = pytest.mark.django_db

PAGES = ["/", "/reviews", "/insights", "/developers", "/developers/mcp"]


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("has_reviews", [True, False])
def test_pages_are_cacheable_set_no_cookie_and_link_description(client, address, has_reviews):
    if has_reviews:
        make_business()
        make_review()

    response = client.get(address)

    assert response.status_code == 200
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response["Cache-Control"] == "public, max-age=60"
    assert response["Link"] == (
        '<https://reviews.example/.well-known/openapi.json>; rel="service-desc"'
    )
    assert not response.cookies
    assert response["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize("address", PAGES)
def test_pages_follow_policy_and_have_landmarks_and_links(client, address):
    set_logo(make_business(logo_url="https://elsewhere.example/logo.png"), picture())
    make_review(author_avatar_url="https://elsewhere.example/face.png")

    document = read(client, address)

    # JSON-LD is data, which policies allow and browsers do not run.
    assert document.all("script") == document.all("script", type="application/ld+json")
    assert not document.all("style")
    assert all(image["src"].startswith("/logo.png?") for image in document.all("img"))
    assert not [attrs for _, attrs in document.elements if "style" in attrs]
    assert not [name for _, attrs in document.elements for name in attrs if name.startswith("on")]
    assert all(
        link["href"].startswith("/static/") for link in document.all("link", rel="stylesheet")
    )
    links = [(link["rel"], link["href"]) for link in document.all("link")]
    assert ("canonical", f"https://reviews.example{address}") in links
    assert ("alternate", "https://reviews.example/api/feed.json") in links
    assert ("alternate", "https://reviews.example/feed.xml") in links
    assert ("hub", "https://reviews.example/api/websub/hub") in links
    assert ("service-desc", "https://reviews.example/.well-known/openapi.json") in links
    assert len(document.all("h1")) == 1
    assert len(document.all("main", id="main")) == 1
    assert document.all("a", href="#main")
    assert document.all("nav", **{"aria-label": "Main"})
    assert document.all("html", lang="en")


@pytest.mark.parametrize("long", ["Fine work. " * 100, "Fine work.\n" * 13])
@pytest.mark.parametrize("address", ["/", "/reviews"])
def test_list_shows_beginning_of_long_text_with_link(client, address, long):
    text, reply = f"{long}They came again.", f"{long}We came again."
    review = make_review(text=text, reply_text=reply)

    listed, whole = read(client, address), read(client, f"/reviews/{review.ulid}")

    for end, words in ((text, "Read the whole review"), (reply, "Read the whole reply")):
        assert end not in listed.text
        assert words in listed.text
        assert end in whole.text
        assert words not in whole.text
    assert listed.text.count("…") == 2


@pytest.mark.parametrize("address", PAGES)
def test_page_queries_do_not_grow_with_reviews(client, address, django_assert_max_num_queries):
    make_business()
    for _ in range(30):
        make_review(reply_text="Thanks")
    client.get(address)  # Documents are published at the first request.

    with django_assert_max_num_queries(6):  # Includes the counts of withheld reviews.
        client.get(address)


INTERFACES = [
    "/reviews.json",
    "/insights.json",
    "/api/feed.json",
    "/feed.xml",
    "/.well-known/openapi.json",
    "/llms.txt",
]


def test_developer_page_lists_every_interface_with_command(client, settings):
    make_review(date=dt.date(2026, 3, 14))

    document = read(client, "/developers")

    base = settings.BASE_URL
    for address in INTERFACES:
        assert document.all("a", href=f"{base}{address}")
        assert f"curl {base}{address}" in document.text
    assert document.all("a", href=f"{base}/api/reviews/since/2026-03-14")
    assert f"curl '{base}/api/reviews/search?min_rating=4&limit=5'" in document.text
    for anchor in ("mcp", "hub", "widgets"):
        assert document.all("section", id=anchor)


def test_developer_page_lists_parameters_of_search_and_widgets(client):
    page = client.get("/developers").content.decode()

    search = page.partition('id="search-parameters"')[2].partition("</table>")[0]
    widgets = page.partition('id="widgets-parameters"')[2].partition("</table>")[0]
    for name in SearchSerializer().fields:
        assert f'<th scope="row">{name}</th>' in search
    for name in OptionsSerializer().fields:
        assert f'<th scope="row">{name.replace("_", "-")}</th>' in widgets
    assert "<td>1 to 12</td>" in widgets
    assert "<td>list, wall, carousel, quote, badge, bar, floating</td>" in widgets
    assert "<td>YYYY-MM-DD</td>" in search
