"""Reviews as schema.org has them, in pages and in JSON-LD."""

import json

import pytest

from tests.review_exports.exports import SCHEMA_ORG_REVIEW as REVIEW
from tests.review_exports.exports import read


def test_saved_page_is_read_although_a_script_block_is_broken():
    page = (
        "<!DOCTYPE html><html><head><title>Reviews</title>"
        '<script type="application/ld+json">{"@context": "https://schema.org", broken</script>'
        "<script>var x = {'@type': 'Review'};</script>"
        f'<script type="application/ld+json">{json.dumps({"@type": "Plumber", "review": REVIEW})}'
        '</script><!-- <script type=\'application/ld+json\'>{"@type": "Review"}</script> -->'
        f"<SCRIPT TYPE='application/ld+json'>//<![CDATA[\n{json.dumps({**REVIEW, 'author': 'Bo'})}"
        "\n//]]></SCRIPT></head></html>"
    )
    reading = read(page)

    assert reading.export.format == "schema.org"
    assert [record.author for record in reading.records] == ["Ada", "Bo"]
    assert reading.warnings == ["script_blocks_broken"]


def test_line_breaks_inside_texts_of_a_page_are_forgiven():
    block = json.dumps({**REVIEW, "reviewBody": "one two"}).replace("one two", "one\ntwo")
    page = f'<html><script type="application/ld+json">{block}</script></html>'

    assert read(page).record.text == "one\ntwo"


@pytest.mark.parametrize(
    "author",
    ["Ada", {"@type": "Person", "name": "Ada"}, [{"name": "Ada"}], ["Ada"], {"@id": "#ada"}],
)
def test_author_may_be_a_text_a_person_a_list_or_a_reference(author):
    graph = [
        {**REVIEW, "author": author},
        {"@id": "#ada", "@type": "Person", "name": "Ada"},
    ]

    assert read({"@context": "https://schema.org", "@graph": graph}).record.author == "Ada"


def test_reviews_are_found_wherever_they_stand_and_whatever_their_type_is_called():
    types = ["http://schema.org/Review", "schema:Review", ["Thing", "UserReview"]]
    reviews = [{**REVIEW, "@type": kind, "author": f"A{n}"} for n, kind in enumerate(types)]
    reading = read([{"@type": "WebPage", "mainEntity": {"hasPart": [reviews]}}])

    assert [record.author for record in reading.records] == ["A0", "A1", "A2"]


def test_month_alone_is_no_date():
    assert read({**REVIEW, "datePublished": "2023-12"}).codes == [(1, "date", "date_invalid")]


def test_rating_on_another_scale_counts_on_five():
    rating = {"ratingValue": 45, "bestRating": 50, "worstRating": 0}

    assert read({**REVIEW, "reviewRating": rating}).record.rating == 5
