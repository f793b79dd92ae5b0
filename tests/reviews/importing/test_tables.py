"""Tables of any maker: delimiters, headings, mapping, rows, dates with slashes, repetitions."""

import pytest

from reviews.importing.reading import FORMATS
from reviews.importing.records import FileRefused
from tests.reviews.importing.exports import read, workbook

HEADING = "review_id,author,rating,date,text,source\n"


def refused(content, **changes) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        read(content, **changes)
    return caught.value


# --- Delimiters, headings


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_counted_in_the_heading_outside_quotes(delimiter):
    cells = [
        ["Name", '"Stars, of; 5|\tin\nall"', "Rating", "Date"],
        ["Ada", "x", "5", "2025-01-01"],
    ]
    reading = read("\n".join(delimiter.join(row) for row in cells))

    assert reading.export.delimiter == delimiter
    assert (reading.record.author, reading.record.rating) == ("Ada", 5)


def test_first_line_may_name_the_delimiter_as_excel_does():
    reading = read("sep=;\r\nName;Stars;Date\r\nAda;5;2025-01-01\r\n;9;2025-01-01\r\n")

    assert reading.record.author == "Ada"
    assert reading.codes == [(3, "rating", "rating_out_of_range")]


def test_blank_lines_before_the_heading_count_as_rows():
    reading = read("\n\nName,Stars,Date\nAda,5,2025-01-01\n")

    assert reading.record.row == 4


def test_cells_with_line_breaks_count_as_one_row():
    reading = read('Name,Stars,Date,Text\nAda,5,2025-01-01,"a\n\nb"\n\nBo,9,2025-01-01,x\n')

    assert reading.record.text == "a\n\nb"
    assert reading.codes == [(4, "rating", "rating_out_of_range")]


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


@pytest.mark.parametrize(
    ("headings", "mapping"),
    [
        (
            "Kunde;Sterne;Bewertung;Datum;Antwort;Antwortdatum;Techniker;Leistung",
            "author rating text date owner_reply owner_reply_date technician service",
        ),
        ("Bewertung;Kommentar;Datum;Vorname", "rating text date"),
        ("Nom;Note;Avis;Date;Réponse", "author rating text date owner_reply"),
        ("Nombre;Estrellas;Comentario;Fecha", "author rating text date"),
        ("Customer Name;Star Rating;Review Text;Review Date", "author rating text date"),
        ("name;body;rating;dateCreated;handle", "author text rating date"),
        (
            "state;rating;title;author;body;reply;created_at;replied_at",
            "rating title author text owner_reply date owner_reply_date",
        ),
        (
            "Review Id;Review Display;Review Title;Review Date;Review Text;Rating;Verified Buyer",
            "review_id title date text rating verified",
        ),
        ("reviewID;rating;title;content;created_at", "review_id rating title text date"),
    ],
)
def test_headings_are_known_by_what_people_and_programs_call_them(headings, mapping):
    export = read(f"{headings}\n").export

    assert export.format == "generic"
    assert sorted(export.mapping.values()) == sorted(mapping.split())


def test_a_review_column_is_the_text_rather_than_a_comment_beside_it():
    reading = read("Date,Stars,Comment,Review\n2025-01-01,5,call her back,Fine work.\n")

    assert reading.record.text == "Fine work."


def test_columns_that_lost_to_another_are_told():
    reading = read("Date,Stars,Review,Comment,Text,Text\n2025-01-01,5,a,b,c,d\n")

    (warning,) = reading.export.warnings
    assert warning.code == "columns_left_unread"
    assert "Review, Comment, Text (the text is read from Text)" in warning.message


def test_table_without_words_names_the_columns_that_may_hold_them():
    reading = read("Date,Stars,Positive,Negative,E-Mail\n2025-01-01,5,quick,,a@b.mail.example\n")

    (warning,) = reading.export.warnings
    assert warning.code == "no_text_column"
    assert "Positive, Negative." in warning.message


def test_columns_that_were_named_are_told_no_more():
    content = "Date,Stars,Review,Comment\n2025-01-01,5,a,b\n"

    assert read(content, columns={"Comment": "text", "Review": "ignore"}).warnings == []


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("state", "spam"),
        ("Status", "Pending"),
        ("Review Status", " Rejected "),
        ("published", "false"),
        ("Is Approved", "no"),
        ("Hidden", "1"),
        ("is_spam", "TRUE"),
    ],
)
def test_reviews_that_a_source_does_not_publish_are_left_out(heading, value):
    item = {"Stars": 5, "Date": "2025-01-01", heading: value}

    for reading in (
        read(f"Stars,Date,{heading}\n5,2025-01-01,{value}\n"),
        read([item]),
    ):
        assert reading.records == []
        assert [one.code for one in reading.skipped] == ["not_published"]


@pytest.mark.parametrize(
    ("heading", "value"),
    [
        ("state", "published"),
        ("State", "CA"),
        ("Status", "Completed"),
        ("Status", ""),
        ("Published", "2025-01-01"),
        ("Approved", "yes"),
        ("Hidden", "0"),
        ("Deleted", ""),
    ],
)
def test_reviews_of_any_other_status_are_taken_in(heading, value):
    assert len(read(f"Stars,Date,{heading}\n5,2025-01-01,{value}\n").records) == 1
    assert len(read([{"Stars": 5, "Date": "2025-01-01", heading: value}]).records) == 1


def test_first_and_last_name_make_the_author():
    assert read("Vorname;Nachname;Sterne;Datum\nAda;Wynn;5;2025-01-01").record.author == "Ada Wynn"


def test_named_technicians_and_services_are_kept():
    record = read(
        'Name,Stars,Date,Technician,Service\nAda,5,2025-01-01,"Maren & Jonah","Drains, Heaters"\n'
    ).record

    assert record.named_technicians == ("Maren", "Jonah")
    assert record.named_services == ("Drains", "Heaters")


# --- Mapping


def test_columns_are_mapped_as_the_administrator_says():
    reading = read(
        "A,B,C,Text\nAda,5,2025-01-01,Fine\n",
        columns={"A": "author", "B": "rating", "C": "date", "Text": "ignore"},
    )

    assert reading.record.author == "Ada"
    assert reading.record.text == ""
    assert reading.export.mapping == {"A": "author", "B": "rating", "C": "date"}
    assert reading.export.carried == {"author", "rating", "date"}


def test_mapping_overrules_what_was_recognised():
    content = "curated,review_date,body,rating,remark,reviewer_name\nok,2025-01-01,a,5,b,Ada\n"

    reading = read(content, columns={"remark": "text"})

    assert reading.export.format == "judge.me"
    assert reading.record.text == "b"


@pytest.mark.parametrize("columns", [{"Nowhere": "rating"}, {"Name": "nothing"}])
def test_mapping_of_unknown_columns_or_fields_is_refused(columns):
    assert refused("Name,Stars,Date\n", columns=columns).code == "mapping_invalid"


def test_same_headings_have_the_same_signature_whatever_their_case():
    first = read("Name,Stars,Date\n").export.signature

    assert first == read("NAME;stars;Date\n").export.signature
    assert first != read("Name,Date,Stars\n").export.signature
    assert len(first) == 64


def test_sample_rows_leave_out_contact_data():
    content = "Name,E-Mail,Phone,Stars,Date,Note\nAda,a@mail.example,555,5,2025-01-01,203.0.113.7\n"

    assert read(content).export.sample_rows == [["Ada", "", "", "5", "2025-01-01", ""]]


# --- Rows


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


def test_errors_keep_only_cells_that_are_read_and_hold_no_contact_data():
    content = (
        "Name,E-Mail,Stars,Date,Text,Order number\n"
        "a@mail.example,a@mail.example,9,2025-01-01,Write to a@mail.example,A-77\n"
        "Ada,b@mail.example,9\n"
        "Ada,c at mail,9,2025-01-01,Fine,A-78,surplus\n"
    )
    first, second, third = read(content).errors

    assert first.cells == ("", "", "9", "2025-01-01", "Write to a@mail.example", "")
    assert second.cells == ("Ada", "", "9")
    assert second.value == ""
    assert third.cells == ("Ada", "", "9", "2025-01-01", "Fine", "", "surplus")


def test_error_does_not_show_an_address_as_its_value():
    reading = read("Name,Stars,Date,Review URL\nAda,5,2025-01-01,mailto:a@mail.example\n")

    assert reading.codes == [(2, "source_url", "url_scheme")]
    assert reading.errors[0].value == ""
    assert "mail.example" not in repr(reading.outcomes)


def test_contact_data_in_other_columns_are_not_taken_in_either():
    reading = read(
        "Name,Stars,Date,Source,Review URL,Technician\n"
        "Ada,5,2025-01-01,a@mail.example,https://x.example/?to=a%40mail.example,b@mail.example\n"
        "Bo,5,2025-01-01,Google,https://maps.example/@40.7128%2C-74.0060/x,Maren\n"
    )
    first, second = reading.records

    assert (first.source, first.source_url, first.named_technicians) == ("import", "", ())
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


def test_half_stars_are_rounded_up_when_asked():
    assert read('Name,Stars,Date\nAda,"4,5",2025-01-01\n', round_half_up=True).record.rating == 5


def test_too_many_rows_are_refused():
    content = "Name,Stars,Date\n" + "Ada,5,2025-01-01\n" * 4

    assert refused(content, max_rows=3).code == "too_many_rows"


def test_broken_links_are_dropped_and_told():
    reading = read(
        "Name,Stars,Date,Review URL,Avatar\nAda,5,2025-01-01,https://x.example/a b,javascript:1\n"
    )

    assert (reading.record.source_url, reading.record.author_avatar_url) == ("", "")
    assert reading.warnings == ["author_avatar_url_dropped", "source_url_dropped"]


def test_source_comes_from_the_row_then_the_option():
    content = "Name,Stars,Date,Source\nAda,5,2025-01-01,Judge.me\nBo,5,2025-01-01,\n"

    assert [record.source for record in read(content).records] == ["judge-me", "import"]
    assert [record.source for record in read(content, source="Phone survey").records] == [
        "judge-me",
        "phone-survey",
    ]


# --- Replies


@pytest.mark.parametrize(
    ("reply", "reply_date", "expected"),
    [
        ("Thanks", "", ("Thanks", "2025-01-06")),
        ("Thanks", "2025-01-06", ("Thanks", "2025-01-06")),
        ("Thanks", "2025-01-09", ("Thanks", "2025-01-09")),
        # 1 a.m. UTC is still the 5th in Los Angeles; the review's bare date may be of any zone.
        ("Thanks", "2025-01-06T01:00:00Z", ("Thanks", "2025-01-06")),
        ("", "2025-01-09", ("", "None")),
        ("  ", "nonsense", ("", "None")),
    ],
)
def test_reply_has_a_date_and_is_no_older_than_the_review(reply, reply_date, expected):
    record = read(
        f"Name,Stars,Date,Reply,Reply date\nAda,5,2025-01-06,{reply},{reply_date}\n"
    ).record

    assert (record.reply_text, str(record.reply_date)) == expected


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


# --- Dates with slashes


def slashed(*dates: str) -> str:
    return "Name,Stars,Date\n" + "".join(f"Ada {n},5,{date}\n" for n, date in enumerate(dates))


def days(reading) -> list[str]:
    return [str(record.date) for record in reading.records]


def test_one_date_decides_the_order_for_the_whole_file():
    assert days(read(slashed("04/05/2024", "13/02/2025"))) == ["2024-05-04", "2025-02-13"]
    assert days(read(slashed("04/05/2024", "02/13/2025"))) == ["2024-04-05", "2025-02-13"]


def test_date_that_decides_may_stand_far_below():
    dates = ["2024-01-01"] * 150 + ["04/05/2024"] * 150 + ["13/02/2025"]

    assert days(read(slashed(*dates)))[200] == "2024-05-04"


def test_file_that_stays_ambiguous_is_asked_about_once_with_three_values():
    error = refused(slashed("04/05/2024", "01/02/2024", "04/05/2024", "03/03/2024", "12/11/2024"))

    assert error.code == "date_order_ambiguous"
    assert error.samples == ["04/05/2024", "01/02/2024", "12/11/2024"]


def test_answer_settles_an_ambiguous_file():
    content = slashed("04/05/2024")

    assert days(read(content, date_order="dmy")) == ["2024-05-04"]
    assert days(read(content, date_order="mdy")) == ["2024-04-05"]


def test_equal_day_and_month_need_no_answer():
    assert days(read(slashed("05/05/2024"))) == ["2024-05-05"]


def test_json_with_slashes_is_asked_about_too():
    items = [{"rating": 5, "date": "04/05/2024"}, {"rating": 4, "date": "03/04/2024"}]

    assert refused({"reviews": items}).code == "date_order_ambiguous"
    assert days(read([*items, {"rating": 3, "date": "25/04/2024"}]))[0] == "2024-05-04"


# --- Repetitions and ids


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


def test_ids_made_from_the_content_follow_the_first_eighty_characters():
    long = "x" * 80
    reading = read(HEADING + f",Ada,5,2025-01-01,{long}a,\n,Ada,5,2025-01-01,{long[1:]}b,\n")
    changed = read(HEADING + f",Ada,4,2025-01-01,{long}other,\n")

    first, second = reading.records
    assert first.external_id_is_synthetic
    assert first.external_id != second.external_id
    assert first.external_id == changed.record.external_id


# --- The choice of the format


def test_format_can_be_overruled_by_name():
    content = "curated,review_date,body,rating,reviewer_name\nspam,2025-01-01,a,5,Ada\n"

    assert read(content).skipped[0].code == "not_published"
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


# --- Workbooks


def test_workbook_is_read_like_a_table():
    import datetime as dt

    content = workbook(
        [
            ["Name", "Stars", "Date", "Text", "Reply", "E-Mail"],
            ["Ada", 5, dt.datetime(2025, 1, 1), "Fine\nwork", None, "a@mail.example"],  # noqa: DTZ001
            [],
            ["Bo", 4.0, dt.datetime(2025, 3, 2, 4, 30), 42, "Thanks", None],  # noqa: DTZ001
            ["Cy", "4/5", "31.12.2024", None, None, None],
            ["Di", 4.5, "2025-01-01", None, None, None],
            ["Ed", 5, 45000, None, None, None],
            ["Fi", 5, "2025-01-01", None, None, None, "surplus"],
        ]
    )
    reading = read(content)

    assert [(r.row, r.author, r.rating, str(r.date), r.text) for r in reading.records] == [
        (2, "Ada", 5, "2025-01-01", "Fine\nwork"),
        (4, "Bo", 4, "2025-03-01", "42"),
        (5, "Cy", 4, "2024-12-31", ""),
    ]
    assert reading.codes == [
        (6, "rating", "rating_not_whole"),
        (7, "date", "date_invalid"),
        (8, None, "row_too_long"),
    ]
    assert "mail.example" not in repr(reading.outcomes)
    assert reading.export.encoding == "xlsx"


def test_mere_date_of_a_workbook_stays_one_among_the_cells_of_an_error():
    import datetime as dt

    moment = dt.datetime(2025, 1, 1)  # noqa: DTZ001  (as a workbook has it)
    (error,) = read(workbook([["Name", "Stars", "Date"], ["Ada", 9, moment]])).errors

    assert error.cells == ("Ada", "9", "2025-01-01")


def test_workbook_of_a_known_maker_is_recognised():
    content = workbook(
        [
            [
                "review_id",
                "author_title",
                "review_rating",
                "review_datetime_utc",
                "review_timestamp",
            ],
            ["ChdX", "Keiko", 5, "08/04/2025 09:33:20", 1754300000],
        ]
    )
    reading = read(content)

    assert reading.export.format == "outscraper"
    assert (reading.record.external_id, str(reading.record.date)) == ("ChdX", "2025-08-04")
