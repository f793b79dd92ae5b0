"""Long lists of JSON, read item by item with the same result."""

import io
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from review_exports.readers import json_stream
from review_exports.readers.json_stream import LongList
from review_exports.records import FileRefused
from tests.review_exports.exports import SAMPLES, SCHEMA_ORG_REVIEW, read, zipped

JSON_SAMPLES = [
    path
    for path in sorted(SAMPLES.iterdir())
    if path.suffix in {".json", ".jsonld", ".zip"} and path.name != "expected.json"
]
ROW = {"rating": 5, "date": "2025-01-02", "author": "Ada", "text": "Fine \U0001f600"}
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(), inner, max_size=4),
)
documents = st.lists(values) | st.dictionaries(st.text(), values)


@pytest.fixture
def in_chunks(monkeypatch):
    """Every list of more than one item is long, and little of a text is held."""
    monkeypatch.setattr(json_stream, "SHORT", 1)
    monkeypatch.setattr(json_stream, "_WINDOW", 7)


def whole(document):
    if isinstance(document, dict):
        return {name: whole(value) for name, value in document.items()}
    return list(document) if isinstance(document, list | LongList) else document


def outcome_of(content):
    try:
        reading = read(content)
    except FileRefused as refused:
        return refused.code, refused.message
    return reading.export.format, reading.outcomes, reading.export.warnings


@given(documents, st.sampled_from([None, 0, 2]))
@example([10.5, 100.5, 1000.5], 0)
@example([10000, 100000, 1e100, 1e-200], 0)
@example({"a": [1, 2], "b": [[1], [2]], "c": {"d": [1, 2]}}, 1)
def test_document_is_the_same_item_by_item(document, indent):
    text = json.dumps(document, indent=indent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "SHORT", 1)
        patch.setattr(json_stream, "_WINDOW", 7)
        assert whole(json_stream.read(lambda: io.StringIO(text))) == document


@given(documents.map(json.dumps), st.data())
def test_text_is_valid_item_by_item_as_in_one_piece(text, data):
    at = data.draw(st.integers(0, len(text) - 1))
    broken = text[:at] + data.draw(st.sampled_from(["", "]", "}", '"', ",", "x", "{"])) + text[at:]
    try:
        expected = json.loads(broken)
    except ValueError:
        with pytest.raises(ValueError):
            json_stream.read(lambda: io.StringIO(broken))
    else:
        assert json_stream.read(lambda: io.StringIO(broken)) == expected


@pytest.mark.parametrize(
    "content",
    [
        [ROW, ROW | {"author": "Bo"}, "none", 7],
        {"page": 1, "data": [[ROW], [ROW | {"author": "Bo"}]], "next": [1, 2]},
        {"result": {"reviews": [ROW, ROW | {"author": "Bo"}]}},
        [{"name": "a place", "reviews_data": [ROW, ROW | {"author": "Bo"}]}, ROW],
        [SCHEMA_ORG_REVIEW | {"@context": "https://schema.org"}, SCHEMA_ORG_REVIEW],
        {"@graph": [SCHEMA_ORG_REVIEW, SCHEMA_ORG_REVIEW | {"author": "Bo"}]},
        {"type": "FeatureCollection", "features": [ROW, ROW]},
        json.dumps({"reviews": [ROW] * 3})[:-9],
        '{"reviews": [1], "reviews": ' + json.dumps([ROW, ROW]) + "}",
        "\ufeff\ufeff" + json.dumps([ROW, ROW | {"author": "Bo"}]) + "\0",
        zipped({"reviews.json": {"reviews": [ROW, ROW]}, "reviews-1.json": [ROW]}),
        zipped({"reviews.json": b'{"reviews": [{}, {"a": "\xff"}]}'}),
        *(path.read_bytes() for path in JSON_SAMPLES),
    ],
)
def test_file_is_the_same_item_by_item(content, request):
    expected = outcome_of(content)
    request.getfixturevalue("in_chunks")

    assert outcome_of(content) == expected


def test_document_in_one_line_is_not_held_as_lines(monkeypatch):
    monkeypatch.setattr("review_exports.readers.json_text._LINE_MAX", 20)

    assert len(read([ROW, ROW | {"author": "Bo"}]).records) == 2


def test_entry_of_an_archive_counts_once_however_often_it_is_read(monkeypatch, in_chunks):
    content = json.dumps({"reviews": [ROW | {"author": f"Ada {n}"} for n in range(9)]})
    monkeypatch.setattr("review_exports.readers.archives.UNPACKED_MAX", len(content.encode()))

    assert len(read(zipped({"reviews.json": content.encode()})).outcomes) == 9
