"""The rows of a table: which become records, and what is said of the others."""

import pytest

from review_exports.readers.tables import column_letters
from tests.review_exports.exports import read, refused, workbook

HEADING = "review_id,author,rating,date,text,source\n"


# --- Rows -----------------------------------------------------------------------------------------


def test_surplus_empty_cells_and_unnamed_columns_do_no_harm():
    reading = read("Name,Stars,Date,,\nAda,5,2025-01-01\nBo,4,2025-01-01,,,,\n")

    assert [record.author for record in reading.records] == ["Ada", "Bo"]


def test_rows_of_white_space_are_left_out():
    assert len(read("Name,Stars,Date\n , ,\nAda,5,2025-01-01\n,,\n").outcomes) == 1


def test_quote_that_is_never_closed_ends_the_reading_with_an_error():
    reading = read(
        'Name,Stars,Date,Text\nAda,5,2025-01-01,a\nBo,5,2025-01-01,"b\nCy,5,2025-01-01,c\n'
    )

    assert [record.author for record in reading.records] == ["Ada"]
    assert reading.codes == [(3, None, "quote_not_closed")]


@pytest.mark.parametrize("quote", ["", '"'])
def test_cell_beyond_the_limit_is_an_error_of_its_own_row_alone(quote):
    cell = f"{quote}{'x' * 140_000}{quote}"
    reading = read(
        f"Name,Stars,Date,Text\nAda,5,2025-01-01,a\nBo,5,2025-01-01,{cell}\nCy,5,2025-01-01,c\n"
    )

    assert [record.author for record in reading.records] == ["Ada", "Cy"]
    assert reading.codes == [(3, None, "text_too_long")]


def test_cell_of_many_lines_beyond_the_limit_ends_the_reading_with_an_error():
    lines = "x\n" * 70_000
    reading = read(f'Name,Stars,Date,Text\nBo,5,2025-01-01,"{lines}"\nCy,5,2025-01-01,c\n')

    assert reading.codes == [(2, None, "quote_not_closed")]


def test_ids_that_a_spreadsheet_rounded_tell_no_review_from_another():
    reading = read(
        "review_id,Name,Stars,Date\n"
        "1.23457E+17,Ada,5,2025-01-01\n1.23457E+17,Bo,4,2025-01-01\n,Cy,4,2025-01-01\n"
    )

    assert [record.author for record in reading.records] == ["Ada", "Bo", "Cy"]
    assert reading.warnings == ["review_id_dropped"]
    assert "as it was exported instead: 2." in reading.export.warnings[0].message


def test_errors_keep_only_cells_that_are_read_and_hold_no_contact_data():
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


def test_error_does_not_show_an_address_as_its_value():
    reading = read("Name,Stars,Date,Review URL\nAda,5,2025-01-01,mailto:a@mail.example\n")

    assert reading.codes == [(2, "source_url", "url_scheme")]
    assert reading.errors[0].value == ""
    assert "mail.example" not in repr(reading.outcomes)


def test_phone_numbers_in_cells_that_moved_are_kept_nowhere():
    reading = read(
        "Name,Stars,Date,Source\n"
        "Ada,+1 (555) 010-0199,2025-01-02,x\n"
        "Bo,5,2025-01-02,(555) 010-0199\n"
    )

    assert [(error.field, error.value) for error in reading.errors] == [("rating", "")]
    assert reading.record.source == "import"


def test_contact_data_in_other_columns_are_not_taken_in_either():
    reading = read(
        "Name,Stars,Date,Source,Review URL,Technician\n"
        "Ada,5,2025-01-01,a@mail.example,https://x.example/?to=a%40mail.example,b@mail.example\n"
        "Bo,5,2025-01-01,Google,https://maps.example/@40.7128%2C-74.0060/x,Maren\n"
    )
    first, second = reading.records

    assert (first.source, first.source_url, first.extra) == ("import", "", {})
    assert second.source_url == "https://maps.example/@40.7128%2C-74.0060/x"
    assert "mail" not in repr(reading.outcomes)


def test_address_in_the_customers_own_words_stays():
    record = read("Name,Stars,Date,Text\nAda,5,2025-01-01,Mail me: a@mail.example\n").record

    assert record.text == "Mail me: a@mail.example"


def test_nul_in_a_rejected_row_is_shown_as_a_replacement():
    (error,) = read("Name,Stars,Date\nA\x00da,5,2025-01-01\n").errors

    assert error.code == "control_character"
    assert error.cells[0] == "A\ufffdda"


def test_guarded_cells_lose_their_guard():
    record = read("Name,Stars,Date,Text\n'=Ada,5,2025-01-01,'-10 % is fair\n").record

    assert (record.author, record.text) == ("=Ada", "-10 % is fair")


@pytest.mark.parametrize(
    ("row", "field", "code"),
    [
        (",5,", "date", "date_missing"),
        (",,2025-01-01", "rating", "rating_missing"),
        (", ,2025-01-01", "rating", "rating_missing"),
    ],
)
def test_review_without_stars_or_date_is_refused(row, field, code):
    reading = read(f"Name,Stars,Date,Text\n{row},x\n")

    assert reading.codes == [(2, field, code)]


def test_rows_without_stars_are_skipped_when_asked():
    reading = read("Name,Stars,Date\nAda,,2025-01-01\n", skip_blank_ratings=True)

    assert [(skip.row, skip.code) for skip in reading.skipped] == [(2, "rating_missing")]


def test_too_many_rows_are_refused():
    content = "Name,Stars,Date\n" + "Ada,5,2025-01-01\n" * 4

    assert refused(content, max_rows=3).code == "too_many_rows"


@pytest.mark.parametrize("link", ["https://x.example/a b", "www.x.example/1", "View review"])
def test_broken_links_are_dropped_and_told(link):
    reading = read(f"Name,Stars,Date,Review URL,Avatar\nAda,5,2025-01-01,{link},javascript:1\n")

    assert (reading.record.source_url, reading.record.author_avatar_url) == ("", "")
    assert reading.warnings == ["author_avatar_url_dropped", "source_url_dropped"]


def test_source_comes_from_the_row_then_the_option():
    content = "Name,Stars,Date,Source\nAda,5,2025-01-01,Judge.me\nBo,5,2025-01-01,\n"

    assert [record.source for record in read(content).records] == ["judge-me", "import"]
    assert [record.source for record in read(content, source="Phone survey").records] == [
        "judge-me",
        "phone-survey",
    ]


# --- Replies --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "reply_date", "expected"),
    [
        ("Thanks", "", ("Thanks", "None")),
        ("Thanks", "2025-01-06", ("Thanks", "2025-01-06")),
        ("Thanks", "2025-01-09", ("Thanks", "2025-01-09")),
        # 1 a.m. UTC is still the 5th in Los Angeles; the review's bare date may be of any zone.
        ("Thanks", "2025-01-06T01:00:00Z", ("Thanks", "2025-01-05")),
        ("", "2025-01-09", ("", "None")),
        ("  ", "nonsense", ("", "None")),
    ],
)
def test_reply_has_its_own_date_or_none(reply, reply_date, expected):
    record = read(
        f"Name,Stars,Date,Reply,Reply date\nAda,5,2025-01-06,{reply},{reply_date}\n"
    ).record

    assert (record.reply_text, str(record.reply_date)) == expected


@pytest.mark.parametrize(
    "content",
    [
        # Google's table by Outscraper, and the same reviews of other programs.
        (
            "author_title,review_rating,review_datetime_utc,owner_answer,owner_answer_timestamp\n"
            "Ada,5,06/01/2025 12:00:00,Sorry,1714564800\n"
        ),
        "Name,Stars,Date,Reply,Reply Date\nAda,5,2025-06-01 12:00:00,Sorry,2025-05-01 12:00:00\n",
        {
            "reviews": [
                {
                    "name": "accounts/1/locations/2/reviews/A",
                    "reviewId": "A",
                    "starRating": "FIVE",
                    "createTime": "2025-06-01T12:00:00Z",
                    "reviewReply": {"comment": "Sorry", "updateTime": "2025-05-01T12:00:00Z"},
                }
            ]
        },
        [{"rating": 5, "date": "2025-06-01", "reply": {"text": "Sorry", "date": "2025-05-01"}}],
    ],
)
def test_review_that_was_edited_after_its_reply_is_kept(content):
    reading = read(content)

    assert (reading.record.reply_text, str(reading.record.date)) == ("Sorry", "2025-06-01")
    assert reading.record.reply_date < reading.record.date
    assert "edited_after_reply" in reading.warnings


@pytest.mark.parametrize(
    ("reply_date", "code"),
    [
        ("2025-01-05", "reply_before_review"),
        ("2025-01-05T01:00:00Z", "reply_before_review"),
        ("2 days ago", "date_relative"),
        ("2199-01-01", "date_in_future"),
        ("soon", "date_invalid"),
    ],
)
def test_reply_with_an_impossible_date_is_refused(reply_date, code):
    reading = read(f"Name,Stars,Date,Reply,Reply date\nAda,5,2025-01-06,Thanks,{reply_date}\n")

    assert reading.codes == [(2, "owner_reply_date", code)]


# --- Repetitions and ids --------------------------------------------------------------------------


def test_repeated_row_is_skipped_and_other_content_refused():
    row = "a,Ada,5,2025-01-01,Fine,google\n"
    reading = read(HEADING + row + row + row.replace("Fine", "Bad"))

    assert len(reading.records) == 1
    assert [(skip.row, skip.code) for skip in reading.skipped] == [(3, "repeated_in_file")]
    assert reading.codes == [(4, "review_id", "duplicate_id_in_file")]
    assert reading.errors[0].value == "a"


def test_same_id_at_another_source_is_another_review():
    rows = "a,Ada,5,2025-01-01,Fine,google\na,Ada,4,2025-01-02,Fine,yelp\n"

    assert len(read(HEADING + rows).records) == 2


def test_bare_stars_of_one_day_are_counted_so_that_none_is_lost():
    rows = ",,5,2025-01-01,,\n" * 3 + ",,4,2025-01-01,,\n"
    first = [record.external_id for record in read(HEADING + rows).records]
    again = [record.external_id for record in read(HEADING + rows + rows).records]

    assert len(set(first)) == 4
    assert first[1] == f"{first[0]}-2"
    assert again[:3] == first[:3]
    assert len(set(again)) == 8


def test_short_words_of_nameless_people_on_one_day_are_those_of_several():
    rows = ",,5,2025-01-01,Great,\n" * 2 + ",,4,2025-01-01,Great,\n"
    long = ",,5,2025-01-01,Came within the hour and stayed until it worked.,\n"
    reading = read(HEADING + rows + long + long + ",Ada,5,2025-01-01,Great,\n" * 2)

    assert [record.rating for record in reading.records] == [5, 5, 4, 5, 5]
    assert [skip.row for skip in reading.skipped] == [6, 8]
    assert len({record.external_id for record in reading.records}) == 5


def test_ids_made_from_the_content_follow_the_first_eighty_characters():
    long = "x" * 80
    reading = read(HEADING + f",Ada,5,2025-01-01,{long}a,\n,Ada,5,2025-01-01,{long[1:]}b,\n")
    changed = read(HEADING + f",Ada,4,2025-01-01,{long}other,\n")

    first, second = reading.records
    assert first.external_id_is_synthetic
    assert first.external_id != second.external_id
    assert first.external_id == changed.record.external_id


def test_letters_spoilt_before_are_told():
    texts = [
        "Tr\u00c3\u00a8s bon",
        "Très bon",
        "BOA MANH\u00c3! N\u00c3O",
        "It\u2019s fine",
        "Fine",
    ]
    rows = [f"Ada {at},5,2025-01-0{at + 1},{text}" for at, text in enumerate(texts)]
    (warning,) = read("\n".join(["Name,Stars,Date,Text", *rows])).export.warnings

    assert warning.code == "letters_spoilt"
    assert "like \u00c3\u00a8: 1. Whatever wrote this file" in warning.message


def test_quotes_spoilt_before_are_told():
    content = "Name,Stars,Date,Text\nAda,5,2025-01-01,It\u00e2\u20ac\u2122s fine\n"

    assert read(content).warnings == ["letters_spoilt"]


@pytest.mark.parametrize("nothing", ["nan", "NaN", "None", "null", "N/A", "undefined", "-", "—"])
def test_what_stands_for_nothing_is_nothing(nothing):
    row = ",".join(["2025-01-02", "5", *[nothing] * 5, "NaT"])
    reading = read(f"Date,Stars,Name,Text,Title,URL,Reply,Reply date\n{row}\n")

    assert not reading.warnings
    assert (reading.record.author, reading.record.text) == ("Anonymous", "")
    assert (reading.record.reply_text, reading.record.source_url) == ("", "")


@pytest.mark.parametrize("word", ["Yes", "no", "TRUE", "x"])
def test_column_that_says_whether_there_is_a_reply_is_none(word):
    reading = read(f"Date,Stars,Name,Text,Response\n2025-01-02,5,Ada,Fine,{word}\n")

    assert (reading.record.reply_text, reading.record.reply_date) == ("", None)


def test_stars_of_the_review_come_before_a_rating_that_may_be_the_places():
    assert read("Date,Rating,Stars,Name\n2025-01-02,5.0,3,Ada\n").record.rating == 3


@pytest.mark.parametrize(
    ("headings", "cells"),
    [("Nom,Prénom", "P,Ada"), ("Name;Vorname", "P;Ada")],
)
def test_name_beside_a_first_name_is_the_surname(headings, cells):
    mark = ";" if ";" in headings else ","
    content = mark.join([headings, "Date", "Stars"]) + "\n" + mark.join([cells, "2025-01-02", "5"])

    assert read(content).record.author == "Ada P"


@pytest.mark.parametrize(
    ("cell", "author"),
    [
        ("Ada P. 555-123-4567", "Ada P."),
        ("Ada (+1 555 010-0199)", "Ada"),
        ("Ada | 020 7946 0991", "Ada"),
        ("ada19871203", "ada19871203"),
        ("Room 12 B", "Room 12 B"),
        ("Ada 2nd, 1987", "Ada 2nd, 1987"),
    ],
)
def test_phone_number_beside_a_name_is_left_out(cell, author):
    assert read(f'Date,Stars,Name\n2025-01-02,5,"{cell}"\n').record.author == author


@pytest.mark.parametrize("cell", ["ada@mail.example", "+1 (555) 010-0199"])
def test_contact_in_place_of_the_words_is_refused_and_not_shown(cell):
    reading = read(f"Date,Stars,Name,Text\n2025-01-02,5,Ada,{cell}\n")

    assert reading.codes == [(2, "text", "contact_in_text")]
    assert reading.errors[0].value == ""


@pytest.mark.parametrize(
    "text", ["10/10/10", "1000/1000", "Call 555 010 0199", "Mail ada@mail.example!", "5"]
)
def test_words_beside_a_contact_are_words(text):
    assert read(f"Date,Stars,Name,Text\n2025-01-02,5,Ada,{text}\n").record.text == text


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
def test_stray_cell_is_named_by_row_and_column(content, letter):
    reading = read(content)

    assert reading.codes == [(3, None, "row_too_long")]
    sentence = f"Row 3 has something in column {letter}, which has no heading."
    assert sentence in reading.errors[0].message
    assert "clear the cell" in reading.errors[0].message
    assert [record.author for record in reading.records] == ["Ann", "Cy"]


def test_remedy_for_surplus_cell_names_quotation_marks_only_where_there_are_some():
    assert "quotation marks" in read(as_csv(STRAY)).errors[0].message
    assert "quotation marks" not in read(workbook(STRAY)).errors[0].message


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")]
)
def test_columns_are_called_as_in_spreadsheets(index, letters):
    assert column_letters(index) == letters
