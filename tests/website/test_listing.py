import datetime as dt
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.models import Review
from tests.factories import make_review
from tests.website.pages import read
from website.listing import PAGE

pytestmark = pytest.mark.django_db


def test_list_is_paginated_in_both_directions(client):
    for number in range(2 * PAGE + 3):
        # The reviews with the greatest ids are not the newest.
        make_review(date=dt.date(2026, 1, 1) + dt.timedelta(days=number * 7 % 11))
    wanted = list(Review.objects.newest_first().values_list("ulid", flat=True))

    def follow(address, rel):
        seen = []
        while True:
            document = read(client, address)
            seen.append([a["href"][9:] for a in document.all("a", rel="bookmark")])
            if not (links := document.all("a", rel=rel)):
                return seen, address
            address = f"/reviews{links[0]['href']}"

    older, last = follow("/reviews", "next")
    newer, first = follow(last, "prev")
    again, _ = follow(first, "next")

    assert [len(found) for found in older] == [PAGE, PAGE, 3]
    assert list(itertools.chain.from_iterable(older)) == wanted
    assert list(itertools.chain.from_iterable(again)) == wanted
    assert set(itertools.chain.from_iterable(newer)) == set(wanted)
    for found in newer:
        place = wanted.index(found[0])
        assert found == wanted[place : place + len(found)]


@pytest.mark.parametrize(
    ("query", "clean"),
    [
        ("query=&rating=&sort=newest&mentions_service=&since=&until=", ""),
        ("query=on+time&rating=5&sort=newest&source=", "?query=on+time&rating=5"),
        ("sort=lowest&rating=", "?sort=lowest"),
        ("query=+&rating=5", "?rating=5"),
        ("rating=&rating=5&x=%26&y=", "?rating=5&x=%26"),
        ("after=&query=caf%C3%A9%00", "?query=caf%C3%A9%00"),
    ],
)
def test_empty_parameters_redirect_to_url_without_them(client, query, clean):
    response = client.get(f"/reviews?{query}")

    assert (response.status_code, response["Location"]) == (301, f"/reviews{clean}")
    assert "Location" not in client.get(response["Location"])


@pytest.mark.parametrize(
    "page", ["/reviews", "/insights/aspects/quality", "/developers", "/status"]
)
def test_trailing_slash_redirects_to_page(client, page):
    response = client.get(f"{page}/?query=on+time&x=%2F")

    assert (response.status_code, response["Location"]) == (301, f"{page}?query=on+time&x=%2F")


def test_searches_on_page_count_for_search_limit(client, settings):
    settings.RATE_LIMITS = {"search": (2, 600)}
    make_review(text="On time", author="Somebody")

    assert (
        client.get("/api/reviews/search?query=time").headers["RateLimit"].startswith('"search";r=1')
    )
    assert client.get("/reviews?query=time").headers["RateLimit"].startswith('"search";r=0')
    refused = client.get("/reviews?query=time")
    free = client.get("/reviews?rating=5")

    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) in range(1, 601)
    assert refused.headers["Cache-Control"] == "no-store"
    text = refused.content.decode()
    assert f"Please try again in {refused.headers['Retry-After']} seconds" in text
    assert 'value="time"' in text
    assert "Somebody" not in text
    assert free.status_code == 200
    assert "RateLimit" not in free.headers


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("rating=9", "Choose a rating from 1 to 5 stars."),
        ("rating=%00", "Choose a rating from 1 to 5 stars."),
        ("since=2026-02-30", "Write the day as YYYY-MM-DD."),
        ("until=02/03/2026", "Write the day as YYYY-MM-DD."),
        ("query=" + "x" * 201, "Search for at most 200 characters."),
        ("query=%00", "Null characters are not allowed."),
        ("source=nowhere", "Choose one of the sources."),
        ("after=rubbish", "There is no page at this position. Start with the newest."),
        ("after=2026-02-30.01ARZ3NDEKTSV4RRFFQ69G5FAV", "There is no page at this position"),
        ("before=%00", "There is no page at this position"),
    ],
)
def test_invalid_filter_is_explained(client, parameters, sentence):
    make_review(author="Somebody")

    document = read(client, f"/reviews?{parameters}", status=400)

    assert sentence in document.text
    assert "Somebody" not in document.text


def test_review_has_a_page(client):
    review = make_review(author="Dana R.", rating=1, text="word " * 500)

    document = read(client, f"/reviews/{review.ulid}")

    assert "1 star from" in document.text
    assert ("word " * 500).strip() in document.text
    assert document.all(
        "link", rel="canonical", href=f"https://reviews.example/reviews/{review.ulid}"
    )


def test_hidden_and_unknown_reviews_look_the_same(client):
    hidden = make_review(hidden=True, text="Secret words")

    one = client.get(f"/reviews/{hidden.ulid}")
    other = client.get("/reviews/01ARZ3NDEKTSV4RRFFQ69G5FAV")

    assert (one.status_code, other.status_code) == (404, 404)
    assert one.content == other.content
    assert one["Content-Type"].startswith("text/html")


def test_other_spelling_of_id_redirects_to_canonical_url(client):
    review = make_review()

    response = client.get(f"/reviews/{review.ulid.lower()}")

    assert response.status_code == 301
    assert response["Location"] == f"/reviews/{review.ulid}"


@given(
    path=st.text(max_size=30),
    query=st.text(max_size=40),
    name=st.sampled_from(["query", "after", "rating", "x"]),
)
def test_any_path_and_query_is_handled(client, path, query, name):
    for address in ("/reviews", f"/reviews/{path}"):
        response = client.get(address, {name: query})
        assert response.status_code < 500
