import datetime as dt
import json
import xml.etree.ElementTree as ET

import feedparser
import pytest

from feeds import atom, json_feed
from reviews.models import Review
from tests.factories import make_business, make_review

pytestmark = pytest.mark.django_db

MIDNIGHT = dt.datetime(2026, 3, 14, 7, tzinfo=dt.UTC)  # In Los Angeles.
NOON = dt.datetime(2026, 3, 20, 12, tzinfo=dt.UTC)
ATOM = "{http://www.w3.org/2005/Atom}"


def read_json_feed():
    return json.loads(json_feed.build(NOON))


def test_review_without_text_is_a_sentence_in_both_feeds():
    make_review(text="", rating=1, author="Sam")

    (item,), (entry,) = read_json_feed()["items"], feedparser.parse(atom.build(NOON)).entries

    assert item["title"] == entry.title == "1 star from Sam"
    assert item["content_text"] == entry.summary == "Sam gave 1 star without words."


def test_unknown_facts_are_left_out_of_both_feeds():
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


def test_old_date_has_valid_offset():
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


def test_edit_is_a_modification_and_unchanged_save_is_not():
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


def test_feeds_of_empty_database_are_valid():
    assert read_json_feed()["items"] == []
    assert read_json_feed()["title"] == "Reviews"
    feed = feedparser.parse(atom.build(NOON))
    assert not feed.bozo
    assert feed.feed.title == "Reviews"


def test_atom_is_well_formed_for_any_review():
    text = "Bell \x07, \x0b, \x9b, \ufffe; ]]> <script>&amp;\r\n\u2028"
    make_review(text=text, author="<b>\x1f")

    entry = ET.fromstring(atom.build(NOON)).find(f"{ATOM}entry")

    shown = atom.NOT_XML.sub("", text).replace("\r\n", "\n")
    assert entry.find(f"{ATOM}content").text == shown
