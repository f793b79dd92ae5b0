"""Rows of a table: records, row errors and their messages."""

import pytest

from review_exports.readers.tables import column_letters
from tests.review_exports.exports import read, workbook

HEADING = "review_id,author,rating,date,text,source\n"


@pytest.mark.parametrize("quote", ["", '"'])
def test_cell_over_limit_is_an_error_of_its_row(quote):
    cell = f"{quote}{'x' * 140_000}{quote}"
    reading = read(
        f"Name,Stars,Date,Text\nAda,5,2025-01-01,a\nBo,5,2025-01-01,{cell}\nCy,5,2025-01-01,c\n"
    )

    assert [record.author for record in reading.records] == ["Ada", "Cy"]
    assert reading.codes == [(3, None, "text_too_long")]


def test_multiline_cell_over_limit_ends_reading_with_error():
    lines = "x\n" * 70_000
    reading = read(f'Name,Stars,Date,Text\nBo,5,2025-01-01,"{lines}"\nCy,5,2025-01-01,c\n')

    assert reading.codes == [(2, None, "quote_not_closed")]


def test_errors_hold_read_cells_without_contact_data():
    content = (
        "Name,E-Mail,Stars,Date,Text,Order number\n"
        "a@mail.example,a@mail.example,9,2025-01-01,Write to a@mail.example,A-77\n"
        "Ada,b@mail.example,9\n"
        "Ada,c at mail,9,2025-01-01,Fine,A-78,surplus\n"
    )
    ignored = {"E-Mail": "ignore", "Order number": "ignore"}
    first, second, third = read(content, columns=ignored).errors

    assert first.cells == ("", "", "9", "2025-01-01", "Write to a@mail.example", "")
    assert second.cells == ("Ada", "", "9")
    assert second.value == ""
    assert third.cells == ("Ada", "", "9", "2025-01-01", "Fine", "", "surplus")


def test_error_hides_email_address():
    reading = read("Name,Stars,Date,Review URL\nAda,5,2025-01-01,mailto:a@mail.example\n")

    assert reading.codes == [(2, "source_url", "url_scheme")]
    assert reading.errors[0].value == ""
    assert "mail.example" not in repr(reading.outcomes)


def test_phone_numbers_in_shifted_cells_are_not_stored():
    reading = read(
        "Name,Stars,Date,Source\n"
        "Ada,+1 (555) 010-0199,2025-01-02,x\n"
        "Bo,5,2025-01-02,(555) 010-0199\n"
    )

    assert [(error.field, error.value) for error in reading.errors] == [("rating", "")]
    assert reading.record.source == "import"


def test_nul_in_rejected_row_is_replaced():
    (error,) = read("Name,Stars,Date\nA\x00da,5,2025-01-01\n").errors

    assert error.code == "control_character"
    assert error.cells[0] == "A\ufffdda"


def test_ratings_without_text_of_one_day_are_all_kept():
    rows = ",,5,2025-01-01,,\n" * 3 + ",,4,2025-01-01,,\n"
    first = [record.external_id for record in read(HEADING + rows).records]
    again = [record.external_id for record in read(HEADING + rows + rows).records]

    assert len(set(first)) == 4
    assert first[1] == f"{first[0]}-2"
    assert again[:3] == first[:3]
    assert len(set(again)) == 8


def test_ids_from_content_use_first_eighty_characters():
    long = "x" * 80
    reading = read(HEADING + f",Ada,5,2025-01-01,{long}a,\n,Ada,5,2025-01-01,{long[1:]}b,\n")
    changed = read(HEADING + f",Ada,4,2025-01-01,{long}other,\n")

    first, second = reading.records
    assert first.external_id_is_synthetic
    assert first.external_id != second.external_id
    assert first.external_id == changed.record.external_id


@pytest.mark.parametrize("cell", ["ada@mail.example", "+1 (555) 010-0199"])
def test_contact_data_as_text_is_refused_and_not_shown(cell):
    reading = read(f"Date,Stars,Name,Text\n2025-01-02,5,Ada,{cell}\n")

    assert reading.codes == [(2, "text", "contact_in_text")]
    assert reading.errors[0].value == ""


# --- Cells without a heading ----------------------------------------------------------------------

STRAY = [
    ["Date", "Name", "Stars", "Text", "Reply"],
    ["2024-03-03", "Ann", 5, "New", None],
    ["2024-03-04", "Ben", 4, "Two", None, "note by the office"],
    ["2024-03-05", "Cy", 4, "Three", None],
]


def as_csv(rows, heading=""):
    lines = [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
    return "\n".join([lines[0] + heading, *lines[1:]])


@pytest.mark.parametrize(
    ("content", "letter"),
    [
        (workbook(STRAY), "F"),
        (workbook([*STRAY[:2], [*STRAY[2][:5], *[None] * 25, "far away"], STRAY[3]]), "AE"),
        (as_csv(STRAY), "F"),
        (as_csv(STRAY, ",,"), "F"),
        (as_csv([["Date", "Name", "", "Stars"], ["2024-03-03", "Ann", "", 5],
                 ["2024-03-04", "Ben", "x", 4], ["2024-03-05", "Cy", "", 4]]), "C"),
    ],
)  # fmt: skip
def test_cell_without_heading_is_named_by_row_and_column(content, letter):
    reading = read(content)

    assert reading.codes == [(3, None, "row_too_long")]
    sentence = f"Row 3 has something in column {letter}, which has no heading."
    assert sentence in reading.errors[0].message
    assert "clear the cell" in reading.errors[0].message
    assert [record.author for record in reading.records] == ["Ann", "Cy"]


def test_remedy_for_surplus_cell_names_quotation_marks_if_present():
    assert "quotation marks" in read(as_csv(STRAY)).errors[0].message
    assert "quotation marks" not in read(workbook(STRAY)).errors[0].message


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")]
)
def test_columns_are_named_as_in_spreadsheets(index, letters):
    assert column_letters(index) == letters
