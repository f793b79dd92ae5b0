"""The heading row of a table."""

import pytest

from tests.review_exports.exports import opened, read, refusal_reason, workbook

TITLED = (
    "Job list Q3\n\nMade on,1 May\nDay,Mark,Who,Words\n2026-01-01,5,Jo,Great\n2026-01-01,4,Sam,Ok\n"
)
HEADLESS = "2025-08-01,5,Jo Park,Great work\n2025-08-02,4,Sam Hill,Quick\n"
NAMED = {"Day": "date", "Mark": "rating", "Who": "author", "Words": "text"}
NUMBERED = {
    "Column 1": "date", "Column 2": "rating", "Column 3": "author", "Column 4": "text"
}  # fmt: skip


def unrecognised(content, **changes):
    export = opened(content, **changes)
    assert export.shape.questions
    return export


def as_workbook(text):
    return workbook([line.split(",") if line else [] for line in text.splitlines()])


@pytest.mark.parametrize("written", [str, as_workbook, lambda text: text.replace(",", ";")])
def test_widest_early_row_is_offered_as_headings(written):
    export = unrecognised(written(TITLED))

    assert export.columns == ["Day", "Mark", "Who", "Words"]
    assert export.heading_row == 4
    assert [number for number, _ in export.first_rows] == [1, 3, 4, 5, 6]
    assert export.first_rows[0][1] == ["Job list Q3"]


@pytest.mark.parametrize("written", [str, as_workbook])
def test_table_without_headings_is_offered_with_numbered_columns(written):
    export = unrecognised(written(HEADLESS))

    assert export.columns == [*NUMBERED]
    assert export.heading_row == 0
    assert any("no row of headings" in one.message for one in export.shape.questions)
    assert [one.samples[0] for one in export.shape.columns] == [
        "2025-08-01",
        "5",
        "Jo Park",
        "Great work",
    ]


@pytest.mark.parametrize("written", [str, as_workbook])
@pytest.mark.parametrize(
    ("content", "columns", "heading_row", "rows"),
    [
        (TITLED, NAMED, 4, [5, 6]),
        (TITLED, NAMED, None, [5, 6]),
        (HEADLESS, NUMBERED, 0, [1, 2]),
    ],
)
def test_named_columns_are_read_by_heading_row(written, content, columns, heading_row, rows):
    reading = read(written(content), columns=columns, heading_row=heading_row)

    assert [record.row for record in reading.records] == rows
    assert [record.rating for record in reading.records] == [5, 4]
    assert not reading.errors


@pytest.mark.parametrize("written", [str, as_workbook])
@pytest.mark.parametrize("row", [2, 99])
def test_empty_row_cannot_be_headings(written, row):
    refusal = refusal_reason(written(TITLED), heading_row=row)

    assert refusal.code == "heading_row_missing"
    assert f"Row {row} holds nothing" in refusal.message


def test_first_rows_show_no_contact_data():
    export = unrecognised("Day,Phone,Mail\nx,555 010 0199,ada@mail.example\n")

    assert export.first_rows == [(1, ["Day", "Phone", "Mail"]), (2, ["x", "", ""])]


def test_date_of_workbook_is_shown_as_date():
    import datetime as dt

    day = dt.datetime(2025, 8, 1)  # noqa: DTZ001
    export = unrecognised(workbook([["Who", "Day"], ["Ann", day]]))

    assert export.first_rows[1] == (2, ["Ann", "2025-08-01"])
    assert [one.samples for one in export.shape.columns] == [("Ann",), ("2025-08-01",)]


def test_headings_with_runs_of_blanks_are_read_quickly():
    """Searching within the blanks took a fifth of a second per heading."""
    blanks = [f"Question {number}{' ' * 180}x" for number in range(1_900)]
    headings = ",".join(["Name", "Stars", "Date", *blanks, " " * 100_000])
    content = f"{headings}\nAda,5,2025-01-01{',no' * 1_901}\n"

    assert read(content).record.rating == 5
