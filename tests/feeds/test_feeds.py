import datetime as dt
import json
import xml.etree.ElementTree as ET

import feedparser
import pytest

from feeds import atom, json_feed
from reviews.models import Review
from tests.factories import make_business, make_review, make_service

pytestmark = pytest.mark.django_db

MIDNIGHT = dt.datetime(2026, 3, 14, 7, tzinfo=dt.UTC)  # In Los Angeles.
NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)
ATOM = "{http://www.w3.org/2005/Atom}"


def read_json_feed():
    return json.loads(json_feed.build(NOON))


def test_json_feed_shows_a_review_with_every_member_in_order():
    make_business(logo_url="https://tern.example/logo.png")
    make_service("Leak detection")
    review = make_review(
        services=["leak-detection"],
        text="Found the leak.",
        source_url="https://maps.example/1",
        author_avatar_url="https://img.example/a.png",
        reply_text="Thanks!",
        verified=True,
        published_at=MIDNIGHT,
        modified_at=NOON - dt.timedelta(days=1),
    )

    feed = read_json_feed()

    permalink = f"https://reviews.example/reviews/{review.ulid}"
    assert list(feed) == [
        "version", "title", "home_page_url", "feed_url", "description", "icon", "language",
        "authors", "hubs", "items",
    ]  # fmt: skip
    items = feed.pop("items")
    assert feed == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Reviews of Tern Hollow Home Services",
        "home_page_url": "https://reviews.example/",
        "feed_url": "https://reviews.example/api/feed.json",
        "description": "The 50 newest customer reviews.",
        "icon": "https://tern.example/logo.png",
        "language": "en",
        "authors": [{"name": "Tern Hollow Home Services", "url": "https://reviews.example/"}],
        "hubs": [{"type": "WebSub", "url": "https://reviews.example/api/websub/hub"}],
    }
    assert items == [
        {
            "id": permalink,
            "url": permalink,
            "external_url": "https://maps.example/1",
            "title": "5 stars from Dana R.",
            "content_text": "Found the leak.",
            "date_published": "2026-03-14T00:00:00-07:00",
            "date_modified": "2026-03-19T12:00:00+00:00",
            "authors": [{"name": "Dana R.", "avatar": "https://img.example/a.png"}],
            "tags": ["leak-detection"],
            "_review": {
                "about": "https://reviews.example/developers",
                "id": review.ulid,
                "rating": 5,
                "date": "2026-03-14",
                "source": "google",
                "verified": True,
                "owner_reply": {"text": "Thanks!", "date": "2026-03-15"},
            },
        }
    ]


def test_stars_without_words_are_a_plain_sentence_in_both_feeds():
    make_review(text="", rating=1, author="Sam")

    (item,), (entry,) = read_json_feed()["items"], feedparser.parse(atom.build(NOON)).entries

    assert item["title"] == entry.title == "1 star from Sam"
    assert item["content_text"] == entry.summary == "Sam gave 1 star without words."


def test_what_is_not_known_is_left_out_of_both_feeds():
    make_business()
    make_review(source_url="", author_avatar_url="")

    feed = read_json_feed()
    assert "icon" not in feed
    (item,) = feed["items"]
    assert "external_url" not in item
    assert item["authors"] == [{"name": "Dana R."}]
    shown = feedparser.parse(atom.build(NOON))
    assert "logo" not in shown.feed
    assert [link.rel for link in shown.entries[0].links] == ["alternate"]


def test_an_old_date_has_an_offset_that_feeds_know():
    make_business(time_zone="Africa/Monrovia")  # 44 minutes and 30 seconds behind until 1972.
    make_review(date="1971-06-01")

    assert read_json_feed()["items"][0]["date_published"] == "1971-06-01T00:00:00-00:45"
    entry = ET.fromstring(atom.build(NOON)).find(f"{ATOM}entry")
    assert entry.find(f"{ATOM}published").text == "1971-06-01T00:00:00-00:45"


def test_feeds_hold_the_fifty_newest_visible_reviews():
    for day in range(1, 61):
        make_review(date=dt.date(2026, 1, 1) + dt.timedelta(days=day))
    Review.objects.newest_first().first().delete()
    hidden = Review.objects.newest_first().first()
    hidden.hidden = True
    hidden.save()

    expected = [
        f"https://reviews.example/reviews/{ulid}"
        for ulid in Review.objects.visible().newest_first().values_list("ulid", flat=True)[:50]
    ]
    assert [item["id"] for item in read_json_feed()["items"]] == expected
    assert [entry.id for entry in feedparser.parse(atom.build(NOON)).entries] == expected


def test_an_edit_shows_as_modified_and_a_save_without_change_does_not():
    review = make_review()
    before = read_json_feed()
    review.save()
    assert read_json_feed() == before

    review.text = "Better now."
    review.save()

    modified = review.modified_at.isoformat()
    assert before["items"][0]["date_modified"] < modified
    assert read_json_feed()["items"][0]["date_modified"] == modified
    entry = ET.fromstring(atom.build(NOON)).find(f"{ATOM}entry")
    assert entry.find(f"{ATOM}updated").text == modified.replace("+00:00", "Z")
    assert entry.find(f"{ATOM}published").text == "2026-03-14T00:00:00+00:00"


def test_feeds_of_an_empty_database_are_valid_and_empty():
    assert read_json_feed()["items"] == []
    assert read_json_feed()["title"] == "Reviews"
    feed = feedparser.parse(atom.build(NOON))
    assert not feed.bozo
    assert feed.feed.title == "Reviews"


def test_atom_feed_shows_a_review_with_every_element_in_order():
    make_business(logo_url="https://tern.example/logo.png")
    make_service("Leak detection")
    review = make_review(
        services=["leak-detection"],
        source_url="https://maps.example/1?a=1&b=2",
        published_at=MIDNIGHT,
        modified_at=NOON - dt.timedelta(days=1),
    )

    shown = atom.build(NOON).decode().replace("><", ">\n<")

    permalink = f"https://reviews.example/reviews/{review.ulid}"
    expected = f"""\
<?xml version='1.0' encoding='utf-8'?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>https://reviews.example/feed.xml</id>
<title>Reviews of Tern Hollow Home Services</title>
<subtitle>The 50 newest customer reviews.</subtitle>
<updated>2026-03-20T12:00:00Z</updated>
<author>
<name>Tern Hollow Home Services</name>
</author>
<link rel="self" href="https://reviews.example/feed.xml" type="application/atom+xml" />
<link rel="hub" href="https://reviews.example/api/websub/hub" />
<link rel="alternate" href="https://reviews.example/" type="text/html" />
<logo>https://tern.example/logo.png</logo>
<entry>
<id>{permalink}</id>
<title>5 stars from Dana R.</title>
<updated>2026-03-19T12:00:00Z</updated>
<published>2026-03-14T00:00:00-07:00</published>
<author>
<name>Dana R.</name>
</author>
<content type="text">Quick and tidy work.</content>
<link rel="alternate" href="{permalink}" type="text/html" />
<link rel="via" href="https://maps.example/1?a=1&amp;b=2" />
<category term="5" scheme="https://reviews.example/developers#rating" />
<category term="leak-detection" scheme="https://reviews.example/developers#service" \
label="Leak detection" />
</entry>
</feed>"""
    assert shown == expected


def test_atom_is_well_formed_whatever_a_review_contains():
    text = "Bell \x07, \x0b, \x9b, \ufffe; ]]> <script>&amp;\r\n\u2028"
    make_review(text=text, author="<b>\x1f")

    entry = ET.fromstring(atom.build(NOON)).find(f"{ATOM}entry")

    shown = atom.NOT_XML.sub("", text).replace("\r\n", "\n")
    assert entry.find(f"{ATOM}content").text == shown
