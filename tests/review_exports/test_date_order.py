"""The order of day and month in dates, decided for a whole column."""

import contextlib
import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.records import DateOrderAmbiguous
from tests.review_exports.exports import read, refused, workbook


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


def test_answer_resolves_ambiguous_dates():
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
