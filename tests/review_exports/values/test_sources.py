import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.values.identifiers import SOURCE_MAX, source_slug
from tests.review_exports.exports import read
from tests.review_exports.values.spellings import parametrize_spellings


@pytest.mark.parametrize(
    ("name", "source"),
    [
        *parametrize_spellings("sources"),
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


def test_source_has_same_spelling_from_column_or_option():
    by_column = read("Name,Stars,Date,Source\nAda,5,2025-01-01,GOOGLEMYBUSINESS\n").record
    by_choice = read("Name,Stars,Date\nAda,5,2025-01-01\n", source="Google Maps").record

    assert by_column.source == by_choice.source == "google"
    assert by_column.external_id == by_choice.external_id
