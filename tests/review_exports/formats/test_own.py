"""Published documents and their tables, imported again."""

import json

import pytest

from tests.review_exports.exports import read

OWN = {
    "id": "01JWN0000000000000000000AA",
    "author": "A &amp; B <b>x</b>  y",
    "author_avatar_url": "https://img.example/a.png",
    "rating": 4,
    "date": "2025-07-07",
    "text": " one&lt;br&gt;<br>\r\n(Translated by Google) two ",
    "source": "judge-me",
    "source_url": "https://x.example/r/1",
    "owner_reply": {"text": "Thanks &amp; bye", "date": "2025-07-08"},
    "verified": False,
}


@pytest.mark.parametrize(
    ("content", "format_name"),
    [
        ({"version": 1, "business": {"name": "Tern"}, "reviews": [OWN]}, "own_or_generic_json"),
        ([OWN], "own_or_generic_json"),
        (f"{json.dumps(OWN)}\n\n{json.dumps(OWN)}\n", "jsonl"),
    ],
)
def test_own_export_comes_back_unaltered(content, format_name):
    reading = read(content)
    record = reading.record

    assert reading.export.format == format_name
    assert record.ulid == record.external_id == OWN["id"]
    assert record.author == OWN["author"]
    assert record.text == OWN["text"]
    assert record.author_avatar_url == OWN["author_avatar_url"]
    assert (record.source, record.source_url) == (OWN["source"], OWN["source_url"])
    assert record.reply_text == "Thanks &amp; bye"
    assert str(record.reply_date) == "2025-07-08"
    assert record.verified is False
    assert not record.external_id_is_synthetic


def test_own_table_comes_back_unaltered():
    reading = read(
        "id,author,author_avatar_url,rating,date,text,source,source_url,owner_reply,"
        "owner_reply_date,verified\n"
        "01JWN0000000000000000000AA,'=Ada,,5,2025-07-07,'-&amp;<b>,google,,Thanks,2025-07-08,true\n"
    )
    record = reading.record

    assert reading.export.format == "own_table"
    assert (record.author, record.text, record.verified) == ("=Ada", "-&amp;<b>", True)
    assert record.ulid == "01JWN0000000000000000000AA"


def test_own_export_with_an_id_that_is_no_ulid_keeps_it_as_the_vendor_id():
    record = read([{**OWN, "id": "not-a-ulid"}]).record

    assert (record.ulid, record.external_id) == ("", "not-a-ulid")


def test_own_export_without_reviews_is_an_empty_export():
    reading = read({"version": 1, "business": None, "reviews": []})

    assert reading.export.format == "own_or_generic_json"
    assert reading.outcomes == []


def test_a_foreign_object_with_a_ulid_does_not_choose_our_id():
    record = read([{"id": OWN["id"], "rating": 5, "date": "2025-01-01", "author": "Ada"}]).record

    assert (record.ulid, record.external_id) == ("", OWN["id"])
