"""The URLs that other sites embed: their content and their caching."""

import datetime as dt
import gzip
import json
from io import BytesIO

import pytest
from django.db import OperationalError
from PIL import Image

from publishing.cache import cache
from publishing.publisher import publish_due
from tests.embed.conftest import HOSTILE
from tests.factories import make_business, make_review
from tests.website.pages import read

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESSES = [
    "/embed.json",
    "/embed.js",
    "/embed.css",
    "/embed/widget.json?max=3",
    "/embed?layout=grid",
    "/embed.html?min-rating=4",
    "/badge.svg",
    "/badge.png?theme=dark",
    "/oembed?url=https://reviews.example/reviews",
]


def widget(client, query=""):
    response = client.get(f"/embed/widget.json?{query}")
    assert response.status_code == 200
    return json.loads(response.content)


@pytest.mark.parametrize("query", ["", "min-rating=5", "source=google", "max=1&sort=highest"])
def test_rating_and_count_are_those_of_all_reviews(client, reviews, query):
    shown = widget(client, query)

    assert (shown["rating"], shown["count"]) == (3.5, 20)
    assert (shown["rating_text"], shown["count_text"]) == ("3.5", "20 reviews")


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "6 of 20 reviews: newest first"),
        ("min-rating=4&max=5", "5 of 20 reviews: 4 stars or more, newest first"),
        ("min-rating=5", "5 of 20 reviews: 5 stars only, newest first"),
        (
            "source=judge-me&sort=lowest&max=12",
            "10 of 20 reviews: from Judge.me, lowest rating first",
        ),
        ("source=yelp", "0 of 20 reviews: from Yelp, newest first. No review matches."),
        ("min-rating=4&max=5&lang=de", "5 von 20 Bewertungen: ab 4 Sternen, neueste zuerst"),
    ],
)
def test_filtered_list_is_labelled(client, reviews, query, note):
    assert widget(client, query)["note"] == note


def test_list_holds_reviews_selected_by_options(client, reviews):
    def listed(query):
        return [(card["author"], card["rating"]) for card in widget(client, query)["reviews"]]

    by_date = [(review.author, review.rating) for review in reversed(reviews)]
    assert listed("max=12") == by_date[:12]
    assert listed("min-rating=4&max=12") == [row for row in by_date if row[1] >= 4]
    assert (
        listed("sort=oldest&max=12&min-rating=3")
        == [row for row in reversed(by_date) if row[1] >= 3][:12]
    )
    best = sorted(by_date, key=lambda row: -row[1])
    assert listed("sort=highest&max=12") == best[:12]
    assert listed("sort=lowest&max=12") == sorted(by_date, key=lambda row: row[1])[:12]
    assert (
        listed("source=google&sort=highest&max=3")
        == [row for row in best if int(row[0].split()[1]) % 2 == 0][:3]
    )


def test_review_changed_by_business_is_marked(client):
    make_business()
    make_review(alteration="edited")
    make_review(alteration="redacted")

    marks = {card["mark"] for card in widget(client)["reviews"]}

    assert marks == {"Edited by the business", "Shortened by the business"}
    assert "Edited by the business" in client.get("/embed").content.decode()


def test_business_is_named_as_the_publisher(client, reviews):
    sentence = "Published by the business, Tern Hollow Home Services"
    assert widget(client)["publisher"] == sentence
    for address in ("/embed", "/embed.html", "/embed?layout=badge"):
        assert sentence in client.get(address).content.decode()
    assert "Published by the business" in client.get("/badge.svg").content.decode()


@pytest.mark.parametrize(
    ("lang", "rating", "count", "date"),
    [
        ("en", "4.67", "10,002 reviews", "14 March 2026"),
        ("de-AT", "4,67", "10.002 Bewertungen", "14. März 2026"),
        ("fr", "4,67", "10\u202f002 avis", "14 mars 2026"),
        ("es", "4,67", "10.002 opiniones", "14 de marzo de 2026"),
        ("pl", "4.67", "10,002 reviews", "14 March 2026"),
    ],
)
def test_numbers_and_dates_are_localized(lang, rating, count, date):
    from embed.languages import language

    spoken = language(lang, "en-GB")
    assert spoken.rating(4.67) == rating
    assert spoken.counted("count", 10_002) == count
    assert spoken.date("2026-03-14") == date


def test_language_is_that_of_business_or_requested_one(client):
    make_business(language="de-AT")
    make_review()

    assert widget(client)["lang"] == "de"
    assert widget(client, "lang=pl")["lang"] == "de"
    assert widget(client, "lang=en")["lang"] == "en"
    assert read(client, "/embed").all("html", lang="de")


def test_installation_without_reviews_is_explained(client):
    shown = widget(client)

    assert (shown["rating"], shown["count_text"], shown["reviews"]) == (None, "0 reviews", [])
    assert shown["note"] == "There are no reviews yet."
    for address in ADDRESSES:
        assert client.get(address).status_code == 200
    badge = client.get("/badge.svg").content.decode()
    assert "<path" not in badge  # No stars without reviews.
    assert "Customer reviews: 0 reviews. " in badge


@pytest.mark.parametrize("address", ["/embed", "/embed.html", "/embed?layout=badge", "/badge.svg"])
def test_hostile_texts_never_become_markup(client, address):
    make_business(name=HOSTILE)
    make_review(author=HOSTILE, text=HOSTILE)

    page = client.get(address).content.decode()

    assert "<img" not in page
    assert page.count("<script") == page.count('/embed.js" defer></script>')
    assert "&lt;script&gt;" in page


PICTURES = {
    "author_avatar_url": "https://elsewhere.example/a.png",
    "photos": ["https://elsewhere.example/b.png"],
}


@pytest.mark.parametrize("photos", ["off", "links"])
def test_external_pictures_are_shown_only_if_business_publishes_them(client, photos):
    make_business(photos=photos)
    make_review(**PICTURES)

    assert b"elsewhere.example" not in client.get("/embed.json").content
    assert "img-src" not in client.get("/embed")["Content-Security-Policy"]


def test_published_pictures_are_shown(client):
    make_business(photos="images")
    make_review(**PICTURES)

    (card,) = widget(client)["reviews"]
    assert (card["avatar"], card["photos"]) == (
        "https://elsewhere.example/a.png",
        ["https://elsewhere.example/b.png"],
    )
    framed = client.get("/embed")
    assert framed.content.decode().count("elsewhere.example") == 2
    assert "img-src https:;" in framed["Content-Security-Policy"]


def test_long_text_opens_in_place_and_reply_is_shown(client):
    make_business()
    text = " ".join(f"word{number}" for number in range(60))
    make_review(text=text, reply_text="Thank you, Dana.", author="Dana Reyes", verified=True)

    (card,) = widget(client)["reviews"]
    assert card["text"] + card["rest"] == text
    assert len(card["text"]) <= 220
    assert (card["initials"], card["is_verified"]) == ("DR", True)
    page = client.get("/embed.html").content.decode()
    for words in ("word59", "Read more", "Reply by the business", "Thank you, Dana."):
        assert words in page


def test_quote_is_a_review_with_text(client):
    make_business()
    make_review(text="They came at once.", date=dt.date(2026, 3, 1))
    make_review(text="", date=dt.date(2026, 3, 2))

    (card,) = widget(client, "layout=quote")["reviews"]
    assert card["text"] == "They came at once."
    assert widget(client, "layout=quote")["note"] == "1 of 2 reviews: newest first"


@pytest.mark.parametrize("address", ADDRESSES)
def test_response_is_conditional_cacheable_and_cross_origin(client, reviews, address):
    response = client.get(address)
    assert response.status_code == 200
    assert response["Cache-Control"] == "public, max-age=60, stale-while-revalidate=300"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert not response.cookies
    assert response.get("Vary", "Accept-Encoding") == "Accept-Encoding"

    held = client.get(address, headers={"If-None-Match": response["ETag"]})
    assert (held.status_code, held.content, held["ETag"]) == (304, b"", response["ETag"])

    head = client.head(address)
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Length"] == str(len(response.content))
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("address", [each for each in ADDRESSES if "png" not in each])
def test_response_is_compressed(client, reviews, address):
    plain = client.get(address)
    coded = client.get(address, headers={"Accept-Encoding": "gzip"})

    assert coded["Content-Encoding"] == "gzip"
    assert gzip.decompress(coded.content) == plain.content
    assert coded["ETag"] != plain["ETag"]


def test_script_is_at_most_ten_kilobytes(client):
    coded = client.get("/embed.js", headers={"Accept-Encoding": "gzip"})

    assert len(coded.content) <= 10_000
    assert b"__" not in gzip.decompress(coded.content)  # No placeholder is left.


def test_unknown_languages_and_parameters_add_no_variants(client, reviews):
    tags = {
        client.get(f"/embed/widget.json?lang={lang}&x={lang}&theme=dark&accent=%23abc")["ETag"]
        for lang in ("pl", "sv", "xx", "en", "en-GB")
    }

    assert len(tags) == 1


def test_widgets_are_served_while_database_is_unreachable(client, reviews, monkeypatch):
    from publishing.cache import DocumentCache

    publish_due()
    cache.refresh()

    def away(*args, **kwargs):
        raise OperationalError("away")

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.ensure_connection", away)
    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", away)
    # As in a web process, where a thread caches the documents.
    monkeypatch.setattr(DocumentCache, "is_running", True)
    monkeypatch.setattr(DocumentCache, "wait", lambda self, path: None)

    for address in ADDRESSES:
        assert (address, client.get(address).status_code) == (address, 200)


@pytest.mark.parametrize(
    "address", ["/embed/widget.json", "/embed", "/embed.html", "/embed.css", "/badge.svg"]
)
def test_unusable_option_is_explained(client, reviews, address):
    response = client.get(f"{address}?accent=url(x)&theme=pink")

    assert response.status_code == 400
    assert response["Cache-Control"] == "no-store"
    assert "theme must be one of: auto, light, dark." in response.content.decode()


def test_only_embed_page_may_be_framed_by_configured_sites(client, reviews, settings):
    for address in ("/", "/reviews", "/embed.html", "/embed/widget.json", "/admin/login/"):
        assert client.get(address)["X-Frame-Options"] == "DENY"
    framed = client.get("/embed")
    assert "X-Frame-Options" not in framed
    assert "frame-ancestors 'self' *;" in framed["Content-Security-Policy"]

    settings.EMBED_FRAME_ANCESTORS = ["'self'", "https://www.example.com"]
    policy = client.get("/embed")["Content-Security-Policy"]
    assert "frame-ancestors 'self' https://www.example.com;" in policy


def test_badge_is_a_picture_in_both_formats(client, reviews):
    drawn = client.get("/badge.svg?lang=de")
    assert drawn["Content-Type"] == "image/svg+xml"
    assert "3,5" in drawn.content.decode()
    painted = client.get("/badge.png?lang=fr&theme=dark&accent=0b6b57")
    assert painted["Content-Type"] == "image/png"
    assert Image.open(BytesIO(painted.content)).size == (464, 152)


def oembed(client, **query):
    return client.get("/oembed", query)


def test_oembed_describes_a_frame(client, reviews):
    described = oembed(client, url="https://reviews.example/reviews").json()

    assert described["version"] == "1.0"
    assert described["type"] == "rich"
    assert described["title"] == "Customer reviews of Tern Hollow Home Services"
    assert described["provider_name"] == "Tern Hollow Home Services"
    assert described["html"].startswith('<iframe src="https://reviews.example/embed" ')
    assert f'height="{described["height"]}"' in described["html"]
    assert f'width="{described["width"]}"' in described["html"]


def test_oembed_respects_maximum_size(client, reviews):
    described = oembed(
        client, url="https://reviews.example/", maxwidth="300", maxheight="500"
    ).json()
    assert described["width"] == 300
    assert described["height"] <= 500
    assert "max=2" in described["html"]
    smallest = oembed(client, url="https://reviews.example/", maxheight="100").json()
    assert "layout=badge" in smallest["html"]
    assert smallest["height"] <= 100


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 400),
        ({"url": "https://elsewhere.example/"}, 404),
        ({"url": "https://reviews.example/admin/"}, 404),
        ({"url": "https://reviews.example.evil.example/"}, 404),
        ({"url": "https://reviews.example/embed?max=99"}, 404),
        ({"url": "https://[reviews.example/"}, 404),
        ({"url": "https://reviews.example/", "format": "xml"}, 501),
        ({"url": "https://reviews.example/", "maxwidth": "wide"}, 400),
    ],
)
def test_oembed_error_is_explained(client, reviews, query, status):
    response = oembed(client, **query)

    assert response.status_code == status
    assert response.json()["detail"]


@pytest.mark.parametrize("address", ["/", "/reviews", "/reviews/{ulid}"])
def test_pages_link_to_oembed(client, reviews, address):
    page = read(client, address.format(ulid=reviews[0].ulid))

    (link,) = page.all("link", type="application/json+oembed")
    assert link["rel"] == "alternate"
    found = client.get(link["href"].removeprefix("https://reviews.example"))
    assert found.json()["type"] == "rich"


def test_hidden_reviews_are_in_no_widget(client, reviews):
    make_review(author="Hidden", date=dt.date(2026, 6, 1), hidden=True)

    assert b"Hidden" not in client.get("/embed.json").content
    assert widget(client)["count"] == 20
