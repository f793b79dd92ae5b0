"""The pages people see, asked for as a browser asks."""

import datetime as dt
import itertools
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.core.cache import cache
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from reviews import rates
from reviews.models import Review
from reviews.rates import Counter
from tests.factories import build_review, make_business, make_review
from website.interfaces import interfaces
from website.listing import PAGE, PositionError, page
from website.templatetags.review_marks import initials, percent_of, stars, tint, web_address

pytestmark = pytest.mark.django_db

PAGES = ["/", "/reviews", "/developers", "/developers/mcp"]
INTERFACES = [
    "/reviews.json",
    "/insights.json",
    "/api/feed.json",
    "/feed.xml",
    "/.well-known/openapi.json",
    "/llms.txt",
]


class Document(HTMLParser):
    """A page as a browser reads it: elements with attributes, and the text outside of them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def all(self, tag, **wanted):
        return [
            attrs
            for name, attrs in self.elements
            if name == tag and all(attrs.get(key) == value for key, value in wanted.items())
        ]


def read(client, address, status=200):
    response = client.get(address)
    assert response.status_code == status
    return Document(response.content.decode())


# --- Every page -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize("has_reviews", [True, False])
def test_pages_may_be_cached_set_no_cookie_and_point_to_the_description(
    client, address, has_reviews
):
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
    assert "Vary" not in response


@pytest.mark.parametrize("address", PAGES)
def test_head_answers_like_get_without_a_body(client, address):
    head, get = client.head(address), client.get(address)

    assert (head.status_code, head.content) == (200, b"")
    assert head["Cache-Control"] == get["Cache-Control"]


@pytest.mark.parametrize("address", PAGES)
def test_other_methods_are_refused_with_those_allowed(client, address):
    response = client.post(address)

    assert response.status_code == 405
    assert response["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("address", PAGES)
def test_pages_need_nothing_that_the_content_security_policy_forbids(client, address):
    make_business(logo_url="https://elsewhere.example/logo.png")
    make_review(author_avatar_url="https://elsewhere.example/face.png")

    document = read(client, address)

    assert not document.all("script")
    assert not document.all("style")
    assert not document.all("img")
    assert not [attrs for _, attrs in document.elements if "style" in attrs]
    assert not [name for _, attrs in document.elements for name in attrs if name.startswith("on")]
    assert all(
        link["href"].startswith("/static/") for link in document.all("link", rel="stylesheet")
    )


@pytest.mark.parametrize("address", PAGES)
def test_pages_name_feeds_hub_description_and_their_own_address(client, address):
    document = read(client, address)

    links = [(link["rel"], link["href"]) for link in document.all("link")]
    assert ("canonical", f"https://reviews.example{address}") in links
    assert ("alternate", "https://reviews.example/api/feed.json") in links
    assert ("alternate", "https://reviews.example/feed.xml") in links
    assert ("hub", "https://reviews.example/api/websub/hub") in links
    assert ("service-desc", "https://reviews.example/.well-known/openapi.json") in links


@pytest.mark.parametrize("address", PAGES)
def test_pages_have_one_main_heading_landmarks_and_a_skip_link(client, address):
    make_business()
    make_review()

    document = read(client, address)

    assert len(document.all("h1")) == 1
    assert len(document.all("main", id="main")) == 1
    assert document.all("a", href="#main")
    assert document.all("nav", **{"aria-label": "Main"})
    assert document.all("html", lang="en")


def test_pages_never_show_the_host_that_was_asked(client):
    make_review()

    html = client.get("/", headers={"host": "localhost"}).content.decode()

    assert "localhost" not in html


# --- The home page --------------------------------------------------------------------------------


def test_home_shows_the_rating_with_its_distribution(client):
    make_business()
    for rating in (5, 5, 4):
        make_review(rating=rating)
    make_review(rating=1, hidden=True)

    document = read(client, "/")

    assert "4.67" in document.text
    assert document.all("svg", **{"aria-label": "4.67 out of 5 stars"})
    bars = [rect["width"] for rect in document.all("rect", **{"class": "bar-fill"})]
    assert bars == ["66.7%", "33.3%", "0.0%", "0.0%", "0.0%"]


def test_home_shows_the_ten_newest_visible_reviews(client):
    for day in range(1, 13):
        make_review(date=dt.date(2026, 3, day), author=f"Author {day:02}")
    make_review(date=dt.date(2026, 3, 31), author="Hidden Hand", hidden=True)

    html = client.get("/").content.decode()

    shown = [day for day in range(1, 13) if f"Author {day:02}" in html]
    assert shown == list(range(3, 13))
    assert html.index("Author 12") < html.index("Author 03")
    assert "Hidden Hand" not in html


def test_a_review_is_shown_with_all_that_is_public_about_it(client):
    review = make_review(
        author="Maya Okafor",
        rating=4,
        source="judge-me",
        source_url="https://judge.example/r/1",
        text="Came on time.",
        reply_text="Thank you!",
        verified=True,
    )

    document = read(client, "/")

    for words in ("Maya Okafor", "14 March 2026", "Came on time.", "Thank you!", "15 March 2026"):
        assert words in document.text
    assert "Judge Me" in document.text
    assert "Verified" in document.text
    assert document.all("svg", **{"aria-label": "4 out of 5 stars"})
    assert document.all("a", href=f"/reviews/{review.ulid}")
    [source] = document.all("a", href="https://judge.example/r/1")
    assert source["rel"] == "nofollow ugc noopener"


def test_home_links_every_interface_with_a_command(client):
    make_review(date=dt.date(2026, 3, 14))

    document = read(client, "/")

    base = settings.BASE_URL
    for address in INTERFACES:
        assert document.all("a", href=f"{base}{address}")
        assert f"curl {base}{address}" in document.text
    assert document.all("a", href=f"{base}/api/reviews/since/2026-03-14")
    assert document.all("a", href=f"{base}/api/reviews/search?min_rating=4&limit=5")
    assert f"curl '{base}/api/reviews/search?min_rating=4&limit=5'" in document.text
    assert document.all("a", href="/developers#mcp")
    assert document.all("a", href="/developers#hub")


def test_an_empty_installation_says_how_to_load_reviews(client):
    document = read(client, "/")

    assert "No reviews yet" in document.text
    assert "python manage.py import_reviews reviews.csv" in document.text
    assert document.all("a", href="/admin/")


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ settings.SECRET_KEY }} {% include 'x' %}",
    "</p></article><h1>Owned</h1>",
    "\u202eevil\u202c خدمة ممتازة 😀" + "w" * 5_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_as_they_are_and_never_become_markup(client, text):
    review = make_review(text=text, author=text[:200], reply_text=text)
    plain = read(client, f"/reviews/{make_review().ulid}")

    document = read(client, f"/reviews/{review.ulid}")

    assert text in document.text
    assert len(document.all("h1")) == len(plain.all("h1"))
    assert not document.all("script")
    assert not document.all("img")


def test_texts_of_strangers_choose_their_own_direction(client):
    make_review(text="خدمة ممتازة", text_language="ar")

    document = read(client, "/")

    [words] = document.all("p", itemprop="reviewBody")
    assert (words["dir"], words["lang"]) == ("auto", "ar")


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//x.example", "http://["]
)
def test_an_address_that_is_not_http_never_becomes_a_link(client, url):
    review = build_review()
    review.save()
    Review.objects.filter(pk=review.pk).update(source_url=url)
    make_business(url=url)

    document = read(client, "/")

    assert not document.all("a", href=url)
    assert "Google" in document.text


# --- The list -------------------------------------------------------------------------------------


def test_the_list_is_read_page_by_page_in_both_directions(client):
    for number in range(2 * PAGE + 3):
        make_review(date=dt.date(2026, 1, 1) + dt.timedelta(days=number // 4))
    wanted = list(Review.objects.newest_first().values_list("ulid", flat=True))

    def follow(address, rel):
        seen = []
        while True:
            document = read(client, address)
            seen.append([a["href"][9:] for a in document.all("a", itemprop="url")])
            if not (links := document.all("a", rel=rel)):
                return seen, address
            address = f"/reviews{links[0]['href']}"

    older, last = follow("/reviews", "next")
    newer, _ = follow(last, "prev")

    assert [len(found) for found in older] == [PAGE, PAGE, 3]
    assert list(itertools.chain.from_iterable(older)) == wanted
    assert set(itertools.chain.from_iterable(newer)) == set(wanted)


def test_a_review_that_arrives_meanwhile_shifts_no_page():
    for number in range(PAGE + 5):
        make_review(date=dt.date(2026, 1, 1) + dt.timedelta(days=number))
    first = page(Review.objects.visible())
    make_review(date=dt.date(2026, 12, 1))

    second = page(Review.objects.visible(), after=first.older)

    assert {r.ulid for r in first.reviews} & {r.ulid for r in second.reviews} == set()
    assert len(second.reviews) == 5
    assert second.older is None


def test_the_list_is_filtered_by_rating_and_words(client):
    make_review(rating=5, text="The CAFÉ was tidy, 100% so.", author="Wanted")
    make_review(rating=4, text="The café was tidy.", author="Other rating")
    make_review(rating=5, text="Quick.", author="Other words")
    make_review(rating=5, text="The café again.", author="Hidden", hidden=True)

    document = read(client, "/reviews?rating=5&query=caf%C3%A9")
    literal = read(client, "/reviews?query=0%25%20so")
    wildcard = read(client, "/reviews?query=t%25dy")

    assert "Wanted" in document.text
    for author in ("Other rating", "Other words", "Hidden"):
        assert author not in document.text
    assert "Wanted" in literal.text
    assert "No review matches." in wildcard.text
    assert document.all("meta", content="noindex")


def test_the_filters_go_along_to_the_next_page(client):
    for _ in range(PAGE + 1):
        make_review(rating=5)

    document = read(client, "/reviews?rating=5&query=quick")

    [older] = document.all("a", rel="next")
    assert older["href"].startswith("?rating=5&query=quick&after=2026-03-14.")


def test_the_pages_of_a_search_lead_on_and_back_to_the_newest(client):
    for number in range(PAGE + 3):
        make_review(text="A quick one.", date=dt.date(2026, 1, 1) + dt.timedelta(number // 4))
        make_review(text="Another.", date=dt.date(2026, 1, 1) + dt.timedelta(number // 4))
    wanted = (
        Review.objects.filter(text="A quick one.").newest_first().values_list("ulid", flat=True)
    )

    first = read(client, "/reviews?query=quick")
    [older] = first.all("a", rel="next")
    second = read(client, f"/reviews{older['href']}")

    shown = [a["href"][9:] for page in (first, second) for a in page.all("a", itemprop="url")]
    assert shown == list(wanted)
    assert "Newest" not in first.text
    assert second.all("a", rel="next") == []
    assert second.all("a", href="?query=quick")


def test_searches_on_the_page_have_the_budget_of_searches(client, settings, monkeypatch):
    cache.clear()
    monkeypatch.setattr(rates, "counter", Counter())
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
    assert f"Try again in {refused.headers['Retry-After']} seconds" in text
    assert 'value="time"' in text
    assert "Somebody" not in text
    assert free.status_code == 200
    assert "RateLimit" not in free.headers


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("rating=9", "Choose a rating from 1 to 5 stars."),
        ("rating=%00", "Choose a rating from 1 to 5 stars."),
        ("query=" + "x" * 201, "Search for at most 200 characters."),
        ("query=%00", "Null characters are not allowed."),
        ("after=rubbish", "No page continues from there; start with the newest."),
        ("after=2026-02-30.01ARZ3NDEKTSV4RRFFQ69G5FAV", "No page continues from there"),
        ("before=%00", "No page continues from there"),
    ],
)
def test_a_filter_that_cannot_be_used_is_explained(client, parameters, sentence):
    make_review(author="Somebody")

    document = read(client, f"/reviews?{parameters}", status=400)

    assert sentence in document.text
    assert "Somebody" not in document.text


def test_a_position_with_other_digits_is_refused():
    with pytest.raises(PositionError):
        page(Review.objects.visible(), after="\uff12026-01-01.01ARZ3NDEKTSV4RRFFQ69G5FAV")


def test_an_empty_list_says_how_to_load_reviews(client):
    assert "No reviews yet" in read(client, "/reviews").text


# --- The permalink --------------------------------------------------------------------------------


def test_a_review_has_a_page_of_its_own(client):
    review = make_review(author="Dana R.", rating=1, text="word " * 500)

    document = read(client, f"/reviews/{review.ulid}")

    assert "1 star from" in document.text
    assert ("word " * 500).strip() in document.text
    assert document.all(
        "link", rel="canonical", href=f"https://reviews.example/reviews/{review.ulid}"
    )


def test_a_hidden_review_and_an_unknown_one_look_the_same(client):
    hidden = make_review(hidden=True, text="Secret words")

    one = client.get(f"/reviews/{hidden.ulid}")
    other = client.get("/reviews/01ARZ3NDEKTSV4RRFFQ69G5FAV")

    assert (one.status_code, other.status_code) == (404, 404)
    assert one.content == other.content
    assert one["Content-Type"].startswith("text/html")


def test_the_other_spelling_of_an_id_leads_to_the_one_address(client):
    review = make_review()

    response = client.get(f"/reviews/{review.ulid.lower()}")

    assert response.status_code == 301
    assert response["Location"] == f"/reviews/{review.ulid}"


@pytest.mark.parametrize(
    "path",
    ["x", "%00", "%FF%FE", "\u0131" * 26, "0" * 27, "%0d%0aSet-Cookie:x", "..", "ﬀ" * 13, " "],
)
def test_what_is_no_id_is_not_found(client, path):
    assert client.get(f"/reviews/{path}").status_code == 404


@given(
    path=st.text(max_size=30),
    query=st.text(max_size=40),
    name=st.sampled_from(["query", "after", "rating", "x"]),
)
def test_no_path_and_no_query_breaks_a_page(client, path, query, name):
    for address in ("/reviews", f"/reviews/{path}"):
        response = client.get(address, {name: query})
        assert response.status_code < 500


# --- What never depends on anything ---------------------------------------------------------------


def test_an_unknown_address_answers_with_a_page(client):
    document = read(client, "/no/such/page", status=404)

    assert document.all("a", href="/")
    assert len(document.all("h1")) == 1


def test_the_last_resort_needs_neither_context_nor_manifest():
    assert '<link rel="stylesheet" href="/static/website/site.css">' in render_to_string("500.html")


@pytest.mark.parametrize("address", PAGES)
def test_pages_take_few_queries_however_many_reviews_there_are(
    client, address, django_assert_max_num_queries
):
    make_business()
    for _ in range(30):
        make_review(reply_text="Thanks")

    with django_assert_max_num_queries(4):
        client.get(address)


# --- Marks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("author", "letters"),
    [
        ("Dana R.", "DR"),
        ("Ben van der Berg", "BB"),
        ("zoë", "Z"),
        ("<img src=x>", "IS"),
        ("😀 👍", ""),
        ("", ""),
        ("(Maya) Okafor", "MO"),
    ],
)
def test_initials_stand_in_for_a_picture(author, letters):
    assert initials(author) == letters


@given(st.text(max_size=300))
def test_every_author_has_initials_and_a_tint(author):
    assert len(initials(author)) <= 4
    assert 0 <= tint(author) < 6


@given(st.text(max_size=100))
def test_only_http_addresses_are_followed(url):
    assert web_address(url) in {"", url}
    assert not web_address(url) or url.lower().startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("rating", "width"), [(0, "0.0"), (4.62, "92.4"), (5, "100.0"), (9, "100.0")]
)
def test_stars_are_drawn_as_wide_as_the_rating(rating, width):
    assert stars(rating)["width"] == width


def test_a_share_of_nothing_is_nothing():
    assert percent_of(0, 0) == "0"


def test_commands_can_be_pasted_into_a_shell():
    for interface in interfaces("https://reviews.example", "2026-03-14"):
        for command in interface.commands:
            assert command.startswith("curl ")
            assert "\n" not in command
            assert "&" not in command or "'" in command


def test_browsers_find_an_icon_where_they_look_for_one(client):
    assert client.get("/favicon.ico")["Location"] == "/static/website/icon.svg"
