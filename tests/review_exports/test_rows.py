"""The rows of a table: which become records, and what is said of the others."""

import contextlib
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.readers.tables import column_letters
from review_exports.records import DateOrderAmbiguous
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


def edited_later(content):
    """The day of the reply and the warnings of a review that was edited after it."""
    reading = read(content)
    (record,) = reading.records
    assert (record.reply_text, str(record.date)) == ("Sorry", "2025-06-01")
    return str(record.reply_date), reading.warnings


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
    day, warnings = edited_later(content)

    assert day == "2025-06-01"
    assert "edited_after_reply" in warnings


def test_reply_without_a_day_is_no_older_than_the_review():
    assert edited_later("Name,Stars,Date,Reply\nAda,5,2025-06-01,Sorry\n") == ("2025-06-01", [])


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


def slashed(*dates: str) -> str:
    return "Name,Stars,Date\n" + "".join(f"Ada {n},5,{date}\n" for n, date in enumerate(dates))


def days(reading) -> list[str]:
    return [str(record.date) for record in reading.records]


# --- Dates with slashes ---------------------------------------------------------------------------


def test_one_date_decides_the_order_for_the_whole_file():
    assert days(read(slashed("04/05/2024", "13/02/2025"))) == ["2024-05-04", "2025-02-13"]
    assert days(read(slashed("04/05/2024", "02/13/2025"))) == ["2024-04-05", "2025-02-13"]


def test_marks_of_direction_do_not_hide_the_order():
    reading = read(slashed("\u200e04/\u200e05/\u200e2024", "\u200e13/\u200e02/\u200e2025"))

    assert days(reading) == ["2024-05-04", "2025-02-13"]


def test_date_that_decides_may_stand_far_below():
    dates = ["2024-01-01"] * 150 + ["04/05/2024"] * 150 + ["13/02/2025"]

    assert days(read(slashed(*dates)))[200] == "2024-05-04"


def test_file_that_stays_ambiguous_is_asked_about_once_with_three_values():
    error = refused(slashed("04/05/2024", "01/02/2024", "04/05/2024", "03/03/2024", "12/11/2024"))

    assert error.code == "date_order_ambiguous"
    assert error.message.startswith("Dates such as 04/05/2024, 01/02/2024, 12/11/2024 can")


def test_mistyped_date_does_not_turn_the_others_around():
    reading = read(slashed("13/01/2025", "01/02/2025", "01/25/2025", "01/26/2025"))

    assert days(reading) == ["2025-01-02", "2025-01-25", "2025-01-26"]
    assert reading.codes == [(2, "date", "date_invalid")]


def test_file_that_shows_both_orders_alike_is_asked_about():
    content = slashed("01/02/2025", "13/01/2025", "01/25/2025")

    error = refused(content)

    assert error.code == "date_order_ambiguous"
    assert "13/01/2025 and 01/25/2025" in error.message
    assert days(read(content, date_order="dmy")) == ["2025-02-01", "2025-01-13"]


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


def test_order_is_decided_for_each_column_by_itself():
    heading = "Name,Stars,Date,Reply,Reply Date\n"
    rows = "Ada,5,25/03/2024,Thanks,04/13/2024\nBo,5,03/04/2024,Thanks,05/06/2024\n"

    records = read(heading + rows).records

    assert [(str(one.date), str(one.reply_date)) for one in records] == [
        ("2024-03-25", "2024-04-13"),
        ("2024-04-03", "2024-05-06"),
    ]


def test_column_that_does_not_decide_follows_the_other_one():
    heading = "Name,Stars,Date,Reply,Reply Date\n"
    (record,) = read(heading + "Ada,5,03/04/2024,Thanks,25/04/2024\n").records

    assert (str(record.date), str(record.reply_date)) == ("2024-04-03", "2024-04-25")


def test_day_that_has_not_come_decides_the_order():
    assert days(read(slashed("03/12/2025", "01/02/2026"))) == ["2025-03-12", "2026-01-02"]


def test_column_of_many_dates_in_both_orders_is_asked_about():
    error = refused(slashed(*["13/01/2025"] * 4, *["01/25/2025"] * 3))

    assert "Some dates of the file have the day first, others the month" in error.message
    assert error.choices == ("dmy", "mdy")


def test_dates_with_dots_have_the_day_first_unless_one_shows_otherwise():
    assert days(read(slashed("03.04.2024"))) == ["2024-04-03"]
    assert days(read(slashed("03.04.2024", "12.31.2024"))) == ["2024-03-04", "2024-12-31"]


def test_year_of_two_digits_may_come_first():
    assert days(read(slashed("24/03/05", "23/12/31"))) == ["2024-03-05", "2023-12-31"]
    assert days(read(slashed("24. 3. 5.", "24. 3. 10."))) == ["2024-03-05", "2024-03-10"]
    assert days(read(slashed("13.03.24", "28.11.23"))) == ["2024-03-13", "2023-11-28"]
    assert days(read(slashed("05.03.24"))) == ["2024-03-05"]


def test_two_digits_that_may_be_day_or_year_are_asked_about():
    content = slashed("24/03/05", "24/03/17")
    error = refused(content)

    assert error.choices == ("dmy", "ymd")
    assert "24/03/05, 24/03/17 can be read with the day or with the year first" in error.message
    assert days(read(content, date_order="ymd")) == ["2024-03-05", "2024-03-17"]
    assert days(read(content, date_order="dmy")) == ["2005-03-24", "2017-03-24"]


@pytest.mark.parametrize("spelling", ["%d/%m/%Y", "%m/%d/%Y", "%d-%m-%y", "%y/%m/%d", "%d.%m.%Y"])
@given(st.lists(st.dates(dt.date(2011, 1, 1), dt.date(2025, 12, 31)), min_size=1, max_size=20))
def test_column_in_one_order_is_read_in_it_or_asked_about(spelling, dates):
    content = slashed(*(date.strftime(spelling) for date in dates))
    answer = {"%d": "dmy", "%m": "mdy", "%y": "ymd"}[spelling[:2]]

    # Without an answer it is asked for, or not needed.
    with contextlib.suppress(DateOrderAmbiguous):
        assert days(read(content)) == [str(date) for date in dates]
    assert days(read(content, date_order=answer)) == [str(date) for date in dates]


def converted(*dates):
    return workbook([["Name", "Stars", "Date"], *([f"Ada {n}", 5, d] for n, d in enumerate(dates))])


def test_column_of_which_a_spreadsheet_has_read_half_is_asked_about():
    # 04/05/2024 was taken for 5 April, and 13/05/2024 was left.
    content = converted(dt.date(2024, 4, 5), "13/05/2024", dt.date(2024, 6, 7))
    error = refused(content)

    assert (error.code, error.choices) == ("date_order_ambiguous", ("dmy",))
    assert "Some dates are texts, like 13/05/2024, and others were taken for dates" in error.message
    assert days(read(content, date_order="dmy")) == ["2024-04-05", "2024-05-13", "2024-06-07"]


def test_dates_of_a_spreadsheet_with_late_days_were_not_swapped():
    content = converted(dt.date(2024, 4, 25), "13/05/2024")

    assert days(read(content)) == ["2024-04-25", "2024-05-13"]


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


def test_scale_that_may_be_of_ten_is_told():
    reading = read(rated("9.0", 3, 8, 4, 5))

    (warning,) = reading.export.warnings
    assert warning.code == "ratings_above_five"
    assert "Stars above 5 were refused: 9.0, 8. If the file counts to 10, " in warning.message
    assert read(rated(6)).warnings == []


def rated(*stars):
    rows = [f"Ada {number},{one},2025-01-01" for number, one in enumerate(stars)]
    return "\n".join(["Name,Stars,Date", *rows])


@pytest.mark.parametrize(
    "stars",
    [
        (9, 10),
        (9, 10, 3, 8),
        ("9,5", 3, "10,0", 7.5),
        (95, 80, 2, 100),
        (10, 5, 4),
        (5, 4, 3, 5, 5, 5, 5, 5, 5, 10),
        ("10 - Extremely likely", "8 - Likely", "2 - Unlikely"),
    ],
)
def test_file_with_many_stars_above_five_asks_how_far_they_count(stars):
    stars = [f'"{one}"' for one in stars]

    for content in (rated(*stars), [{"rating": one, "date": "2025-01-01"} for one in (9, 10, 7)]):
        refusal = refused(content)
        assert refusal.code == "best_rating_unknown"
        assert "are above 5, and nothing in the file says how far" in refusal.message


def test_answer_says_how_far_the_stars_count():
    assert ratings(read(rated(9, 10, 3, 8), best_rating=10)) == [5, 5, 2, 4]
    assert ratings(read(rated(95, 40, 5, 62), best_rating=100)) == [5, 2, 3]
    assert ratings(read(rated(9, "3/5", 3, 8), best_rating=10)) == [5, 3, 2, 4]

    reading = read(rated(9, 10, 3, 8), best_rating=5)
    assert ratings(reading) == [3]
    assert [code for _, _, code in reading.codes] == ["rating_out_of_range"] * 3


def ratings(reading):
    return [record.rating for record in reading.records]


def test_scale_that_begins_with_the_best_is_refused():
    refusal = refused(rated("1 - Excellent", "2 - Good", "5 - Poor"))

    assert refusal.code == "scale_reversed"
    assert "Ratings such as '1 - Excellent' begin with the best." in refusal.message
    reading = read(rated("5 - Excellent", "1 - Excellent", "1 - Poor", "3 - Neutral"))
    assert ratings(reading) == [5, 1, 3]
    assert reading.codes == [(3, "rating", "rating_unreadable")]


def test_few_stars_above_five_are_slips():
    assert ratings(read(rated(*[5] * 10, 6, 7, 9))) == [5] * 10
    assert ratings(read(rated(5, 6, 4, 7, 9, 5, 5))) == [5, 4, 5, 5]
    assert ratings(read(rated(*[5] * 30, 10))) == [5] * 30


@pytest.mark.parametrize(
    "column",
    ["Best Rating,10", "Out of,10", "Max Rating,10.0", "Rating Scale,1-10", "Survey Type,NPS"],
)
def test_column_may_say_how_far_the_stars_count(column):
    heading, best = column.split(",")
    rows = [f"{stars},{best},2025-01-01,Ada {stars}" for stars in (9, 10, 3, 8)]

    assert ratings(read("\n".join([f"Stars,{heading},Date,Name", *rows]))) == [5, 5, 2, 4]


@pytest.mark.parametrize(
    "members",
    [
        {"rating": {"value": 8, "max": 10}},
        {"rating": {"rating": 8, "rating_max": 10}},
        {"score": 8, "survey_type": "nps"},
    ],
)
def test_member_may_say_how_far_the_stars_count(members):
    assert read([{"date": "2025-01-01", **members}]).record.rating == 4


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
    "content",
    [
        "\n".join([",Date,Name,Stars", *(f"{n},2024-03-0{n},Ann {n},5" for n in range(1, 6))]),
        workbook([["Date", "Name", "Stars"],
                  *([f"2024-03-0{n}", f"Ann {n}", 5, "a note"] for n in range(1, 6))]),
    ],
)  # fmt: skip
def test_column_in_use_without_heading_is_told_and_rejects_no_row(content):
    reading = read(content)

    assert len(reading.records) == 5
    assert reading.warnings[0] == "columns_without_heading"


@pytest.mark.parametrize(
    ("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (702, "AAA")]
)
def test_columns_are_called_as_in_spreadsheets(index, letters):
    assert column_letters(index) == letters
