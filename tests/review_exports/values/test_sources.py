"""Sources, as makers and people spell them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.values.identifiers import SOURCE_MAX, source_slug
from tests.review_exports.exports import read
from tests.review_exports.values.refusing import spelt


@pytest.mark.parametrize(
    ("name", "source"),
    [
        *spelt("sources"),
    ],
)
def test_source_has_one_spelling(name, source):
    assert source_slug(name) == source
    assert source_slug(source) == source


@given(st.text(max_size=80))
def test_source_is_a_slug_and_keeps_its_spelling(name):
    source = source_slug(name)

    assert len(source) <= SOURCE_MAX
    assert source_slug(source) == source


def test_spelling_of_source_in_a_column_or_by_choice_makes_no_difference():
    by_column = read("Name,Stars,Date,Source\nAda,5,2025-01-01,GOOGLEMYBUSINESS\n").record
    by_choice = read("Name,Stars,Date\nAda,5,2025-01-01\n", source="Google Maps").record

    assert by_column.source == by_choice.source == "google"
    assert by_column.external_id == by_choice.external_id
