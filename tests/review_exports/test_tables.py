"""Tables of any kind: delimiters, headings and columns, including workbooks."""

import pytest

from review_exports.recognition import FORMATS
from tests.review_exports.exports import read, workbook


def test_titles_of_sheet_are_skipped_and_reported():
    reading = read(
        workbook(
            [["Reviews"], [], ["Made", "2025-06-01"], ["Name", "Stars", "Date"], ["Ada", 5, "2025"]]
        )
    )

    assert reading.codes == [(5, "date", "date_invalid")]
    assert reading.warnings == ["rows_above_headings"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_letters_are_read_in_every_encoding(encoding):
    reading = read("Name,Stars,Date\nZoë Müller,5,2025-01-01\n".encode(encoding))

    assert reading.record.author == "Zoë Müller"
    assert reading.export.encoding == encoding


def test_columns_are_mapped_by_options():
    reading = read(
        "A,B,C,Text\nAda,5,2025-01-01,Fine\n",
        columns={"A": "author", "B": "rating", "C": "date", "Text": "ignore"},
    )

    assert reading.record.author == "Ada"
    assert reading.record.text == ""
    assert reading.mapping == {"A": "author", "B": "rating", "C": "date"}
    assert reading.export.provided_fields == {"author", "rating", "date"}


def test_sample_rows_leave_out_contact_data():
    content = "Name,E-Mail,Phone,Stars,Date,Note\nAda,a@mail.example,555,5,2025-01-01,203.0.113.7\n"

    samples = [column.samples for column in read(content).export.shape.columns]
    assert samples == [("Ada",), (), (), ("5",), ("2025-01-01",), ()]


def test_known_formats_have_unique_names():
    names = [known.name for known in FORMATS]

    assert len(set(names)) == len(names)
    assert {"google_takeout_zip", "generic", "jsonl", "judge.me", "schema.org"} <= set(names)
