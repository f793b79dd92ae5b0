"""Tables of any kind: delimiters, headings and columns, also in workbooks."""

import pytest

from review_exports.opening import FORMATS
from tests.review_exports.exports import columns_of, read, refused, workbook

# --- Delimiters, headings -------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_counted_in_the_heading_outside_quotes(delimiter):
    cells = [
        ["Name", '"Stars, of; 5|\tin\nall"', "Rating", "Date"],
        ["Ada", "x", "5", "2025-01-01"],
    ]
    reading = read("\n".join(delimiter.join(row) for row in cells))

    assert (reading.record.author, reading.record.rating) == ("Ada", 5)


def test_first_line_may_name_the_delimiter_as_excel_does():
    reading = read("sep=;\r\nName;Stars;Date\r\nAda;5;2025-01-01\r\n;0;2025-01-01\r\n")

    assert reading.record.author == "Ada"
    assert reading.codes == [(3, "rating", "rating_out_of_range")]


def test_blank_lines_before_the_heading_count_as_rows():
    reading = read("\n\nName,Stars,Date\nAda,5,2025-01-01\n")

    assert reading.record.row == 4


@pytest.mark.parametrize(
    "above",
    [
        "Reviews of 2025\n",
        "Reviews of 2025;;\nMade on 2025-06-01;;\n;;\n",
        'For:,"Tern Hollow\nHome Services"\n\n',
        "sep=;\nReviews\n",
    ],
)
def test_titles_above_the_headings_are_left_out_and_told(above):
    reading = read(f"{above}Name;Stars;Date\nAda;5;2025-01-01\nBo;0;2025-01-01\n")

    (warning,) = reading.export.warnings
    assert reading.record.author == "Ada"
    assert (warning.code, reading.errors[0].row) == (
        "rows_above_headings",
        reading.record.row + 1,
    )
    assert f"row {reading.record.row - 1};" in warning.message


def test_titles_of_a_sheet_are_left_out_and_told():
    reading = read(
        workbook(
            [["Reviews"], [], ["Made", "2025-06-01"], ["Name", "Stars", "Date"], ["Ada", 5, "2025"]]
        )
    )

    assert reading.codes == [(5, "date", "date_invalid")]
    assert reading.warnings == ["rows_above_headings"]


def test_headings_to_map_are_those_of_the_first_row():
    assert columns_of(refused("Who;Count\nAda;5\nBo;4\n")) == ["Who", "Count"]


def test_dates_under_titles_may_need_an_answer():
    content = "Reviews\nName;Stars;Date\nAda;5;04/05/2025\n"

    assert refused(content).code == "date_order_ambiguous"


def test_cells_with_line_breaks_count_as_one_row():
    reading = read('Name,Stars,Date,Text\nAda,5,2025-01-01,"a\n\nb"\n\nBo,0,2025-01-01,x\n')

    assert reading.record.text == "a\n\nb"
    assert reading.codes == [(4, "rating", "rating_out_of_range")]


def test_blanks_after_the_delimiters_of_the_heading_may_stand_before_quotes():
    reading = read('Name, Stars, Date, Text\nAda, 5, 2025-01-01, "Fast, and tidy"\n')

    assert reading.record.text == "Fast, and tidy"


def test_quotes_behind_a_backslash_are_quotes_where_a_file_has_them_so():
    reading = read(
        "Name,Stars,Date,Text\n"
        'Ada,5,2025-01-01,"She said \\"wow\\", twice"\n'
        'Bo,5,2025-01-01,"C:\\new \\"x\\""\n'
    )

    texts = [record.text for record in reading.records]
    assert texts == ['She said "wow", twice', 'C:\\new "x"']


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('"in C:\\"', "in C:\\"),
        ('"in ""C:\\"", twice"', 'in "C:\\", twice'),
        ('2\\" pipe', '2\\" pipe'),
    ],
)
def test_other_backslashes_stay(cell, text):
    assert read(f"Name,Stars,Date,Text,Source\nAda,5,2025-01-01,{cell},x\n").record.text == text


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_any_line_end_ends_a_row(line_end):
    reading = read(line_end.join(["Name,Stars,Date", "Ada,5,2025-01-01", "Bo,4,2025-01-01", ""]))

    assert [record.author for record in reading.records] == ["Ada", "Bo"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_letters_survive_every_encoding(encoding):
    reading = read("Name,Stars,Date\nZoë Müller,5,2025-01-01\n".encode(encoding))

    assert reading.record.author == "Zoë Müller"
    assert reading.export.encoding == encoding


def test_file_cut_off_inside_a_character_is_still_utf8_and_says_so():
    content = "Name,Stars,Date,Text\nZoë,5,2025-01-01,Müll".encode() + b"\xc3"
    reading = read(content)

    assert reading.record.author == "Zoë"
    assert reading.warnings == ["file_cut_off"]


# --- Mapping --------------------------------------------------------------------------------------


def test_columns_are_mapped_as_the_administrator_says():
    reading = read(
        "A,B,C,Text\nAda,5,2025-01-01,Fine\n",
        columns={"A": "author", "B": "rating", "C": "date", "Text": "ignore"},
    )

    assert reading.record.author == "Ada"
    assert reading.record.text == ""
    assert reading.mapping == {"A": "author", "B": "rating", "C": "date"}
    assert reading.export.provided_fields == {"author", "rating", "date"}


@pytest.mark.parametrize(
    "content",
    [
        'Pros,Cons,Stars,Date\nQuick,"Dear, but fair",5,2025-01-02\nTidy,,4,2025-01-03\n',
        [
            {"Pros": "Quick", "Cons": "Dear, but fair", "Stars": 5, "Date": "2025-01-02"},
            {"Pros": "Tidy", "Cons": None, "Stars": 4, "Date": "2025-01-03"},
        ],
    ],
)
def test_columns_that_share_the_words_are_put_one_under_the_other(content):
    reading = read(content, columns={"Pros": "text", "Cons": "text"})

    assert [r.text for r in reading.records] == ["Quick\n\nDear, but fair", "Tidy"]


def test_of_columns_mapped_alike_the_first_one_with_a_value_counts():
    reading = read(
        "Nick,Full,Stars,Date\nada,Ada Wynn,5,2025-01-02\n,Bo,4,2025-01-03\n",
        columns={"Nick": "author", "Full": "author"},
    )

    assert [record.author for record in reading.records] == ["ada", "Bo"]


def test_mapping_overrules_what_was_recognised():
    content = "curated,review_date,body,rating,remark,reviewer_name\nok,2025-01-01,a,5,b,Ada\n"

    reading = read(content, columns={"remark": "text"})

    assert reading.export.format == "judge.me"
    assert reading.record.text == "b"


@pytest.mark.parametrize("columns", [{"Nowhere": "rating"}, {"Name": "nothing"}])
def test_mapping_of_unknown_columns_or_fields_is_refused(columns):
    assert refused("Name,Stars,Date\n", columns=columns).code == "mapping_invalid"


def test_sample_rows_leave_out_contact_data():
    content = "Name,E-Mail,Phone,Stars,Date,Note\nAda,a@mail.example,555,5,2025-01-01,203.0.113.7\n"

    samples = [column.samples for column in read(content).export.shape.columns]
    assert samples == [("Ada",), (), (), ("5",), ("2025-01-01",), ()]


# --- The choice of the format ---------------------------------------------------------------------


def test_format_can_be_overruled_by_name():
    content = "curated,review_date,body,rating,reviewer_name\nok,2025-01-01,a,5,Ada\n"

    assert read(content).record.source == "judge-me"
    assert read(content, format="generic").record.source == "import"


@pytest.mark.parametrize(
    ("name", "code"),
    [("nonsense", "format_unknown"), ("google_takeout_zip", "format_mismatch")],
)
def test_format_that_cannot_be_is_refused(name, code):
    assert refused("Name,Stars,Date\n", format=name).code == code


def test_known_formats_have_unique_names():
    names = [known.name for known in FORMATS]

    assert len(set(names)) == len(names)
    assert {"google_takeout_zip", "generic", "jsonl", "judge.me", "schema.org"} <= set(names)
