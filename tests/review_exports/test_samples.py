"""The sample files give the records, errors and refusals written beside them."""

import json

import pytest

from review_exports.records import FileRefused, Record
from review_exports.values.identifiers import slug
from tests.review_exports.exports import SAMPLES, read_sample

EXPECTED = json.loads((SAMPLES / "expected.json").read_text())["files"]
READABLE = sorted(name for name, entry in EXPECTED.items() if "file_error" not in entry)
REFUSED = sorted(name for name, entry in EXPECTED.items() if "file_error" in entry)
BROKEN_ROWS = json.loads((SAMPLES / "broken_rows.key.json").read_text())


def as_expected(record: Record) -> dict:
    reply = {"text": record.reply_text, "date": record.reply_date and str(record.reply_date)}
    return {
        "source": record.source,
        "external_id": "synthetic" if record.external_id_is_synthetic else record.external_id,
        "author": record.author,
        "rating": record.rating,
        "date": str(record.date),
        "text": record.text or None,
        "source_url": record.source_url or None,
        "owner_reply": reply if record.reply_text else None,
        "translated_text": record.translated_text or None,
    }


def written_down(record: dict) -> dict:
    is_synthetic = record["external_id"].startswith("sha1:")
    fields = {key: value for key, value in record.items() if key not in {"extra", "verified"}}
    return {
        **fields,
        "source": slug(record["source"]),
        "external_id": "synthetic" if is_synthetic else record["external_id"],
    }


def by_text(records: list[dict]) -> list[dict]:
    return sorted(records, key=lambda record: json.dumps(record, sort_keys=True))


@pytest.mark.parametrize("name", READABLE)
def test_sample_gives_expected_records(name):
    reading = read_sample(name)

    expected = [written_down(record) for record in EXPECTED[name]["records"]]
    assert by_text([as_expected(record) for record in reading.records]) == by_text(expected)
    assert len(reading.records) == EXPECTED[name]["imported"]


@pytest.mark.parametrize("name", READABLE)
def test_sample_is_recognised_by_content(name):
    reading = read_sample(name, file_name="wrong.pdf")

    assert reading.export.format == EXPECTED[name]["format"]
    assert len(reading.outcomes) == EXPECTED[name]["items"]
    if encoding := EXPECTED[name].get("encoding"):
        assert reading.export.encoding == encoding


@pytest.mark.parametrize("name", READABLE)
def test_sample_with_named_format_gives_same_records(name):
    named = read_sample(name, format=EXPECTED[name]["format"])

    assert named.outcomes == read_sample(name).outcomes
    assert named.export.format == EXPECTED[name]["format"]


@pytest.mark.parametrize("name", READABLE)
def test_sample_has_expected_errors_and_skipped_rows(name):
    reading = read_sample(name)
    # `item` counts the data rows, `row` those of the spreadsheet.
    heading = 1 if reading.export.columns else 0

    def numbered(entries):
        return [
            (entry.get("row", entry.get("item", 0) + heading), entry["code"]) for entry in entries
        ]

    assert [(e.row, e.code) for e in reading.errors] == numbered(EXPECTED[name]["errors"])
    assert [(s.row, s.code) for s in reading.skipped] == numbered(EXPECTED[name]["skipped"])


@pytest.mark.parametrize("name", READABLE)
def test_sample_read_twice_gives_equal_records(name):
    first, second = read_sample(name), read_sample(name)

    assert first.outcomes == second.outcomes
    keys = [(record.source, record.external_id) for record in first.records]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", REFUSED)
def test_unreadable_sample_is_refused_with_code(name):
    with pytest.raises(FileRefused) as refused:
        read_sample(name)

    assert refused.value.code == EXPECTED[name]["file_error"].removeprefix("file:")
    assert refused.value.message.endswith(".")


def test_broken_rows_have_field_and_code():
    reading = read_sample("broken_rows.csv")

    expected = [(error["row"], error["field"], error["code"]) for error in BROKEN_ROWS["errors"]]
    assert reading.codes == expected
    assert len(reading.records) == BROKEN_ROWS["counts"]["importable"]
    assert all(error.message.endswith(".") for error in reading.errors)


def test_rejected_row_keeps_its_cells():
    reading = read_sample("broken_rows.csv")

    assert reading.errors[0].cells[:5] == ("b-01", "Zero Star", "0", "2025-01-05", "Zero stars")
    assert reading.errors[0].value == "0"


def test_unknown_columns_have_data_for_mapping_page():
    with pytest.raises(FileRefused) as refused:
        read_sample("not_reviews.csv")

    columns = [(one.name, one.samples) for one in refused.value.shape.columns]
    assert columns == [("email", ()), ("first_name", ("Lea",))]


def test_recommendations_and_excerpts_are_marked():
    facebook, yelp = read_sample("facebook_ratings.json"), read_sample("yelp_fusion.json")

    assert [record.notes for record in facebook.records] == [
        ("recommendation_positive",),
        ("recommendation_negative",),
        (),
    ]
    assert yelp.record.notes == ("text_is_excerpt",)
    assert yelp.warnings == ["terms_forbid_storing", "text_is_excerpt"]


def test_verified_is_from_file_or_unset():
    assert [record.verified for record in read_sample("reviews_io.json").records] == [True, False]
    assert {record.verified for record in read_sample("outscraper.json").records} == {None}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("google_business_profile_api.json", "page_token_left"),
        ("google_places_new.json", "sample_only"),
        ("google_takeout.zip", "maps_reviews_ignored"),
        ("google_takeout.zip", "older_versions_left_out"),
        ("generic_latin1.csv", "decoded_as_windows_1252"),
    ],
)
def test_sample_has_expected_warnings(name, code):
    assert code in read_sample(name).warnings


def test_guessed_encoding_shows_three_values():
    export = read_sample("generic_latin1.csv").export

    (warning,) = export.warnings
    assert "Renée Müller · Très bien \u2013 prix honnête, “top” · Niño Peña" in warning.message


def test_archive_names_its_listing():
    export = read_sample("google_takeout.zip").export

    assert "Tern Hollow Home Services" in export.warnings[0].message


@pytest.mark.parametrize("name", READABLE)
def test_contact_data_is_removed(name):
    everything = repr(read_sample(name).outcomes) + repr(read_sample(name).export.shape)

    assert "@mail.example" not in everything
    assert "203.0.113." not in everything
    assert "198.51.100." not in everything


def test_own_export_keeps_ids():
    record = read_sample("own_export.json").record

    assert record.extra["own_id"] == record.external_id == "01JWN0000000000000000000AA"
    assert record.verified is True
    assert record.source == "google"
