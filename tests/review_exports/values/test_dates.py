"""Days and instants, as exports write them."""
# ruff: noqa: RUF001  (Letters of several scripts look alike.)

import contextlib
import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.values import ValueRefused, dates
from tests.review_exports.values.refusing import refused

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
TODAY = dt.date(2026, 1, 1)


def day(value, *, order="mdy", zone=LOS_ANGELES, naive=dt.UTC, today=TODAY):
    def find_order(_field, numbers):
        return "dmy" if numbers.is_dotted else order

    reader = dates.DateReader(time_zone=zone, today=today, naive_zone=naive, order=find_order)
    return reader.read(value, "date").date.isoformat()


@pytest.mark.parametrize("value", ["45718", "45718.5", 45718, 45718.5])
def test_number_of_a_spreadsheet_is_refused_with_the_day_it_may_mean(value):
    with pytest.raises(ValueRefused, match=r"may mean 2025-03-02\. Give the column the format"):
        day(value)


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("2025-03-02", "2025-03-02"),
        ("2025-3-2", "2025-03-02"),
        ("2025/03/02", "2025-03-02"),
        ("20250302", "2025-03-02"),
        ("2025-03-02T04:30:00Z", "2025-03-01"),
        ("2025-03-02T04:30:00.123456789Z", "2025-03-01"),
        ("2025-03-02T04:30:00.5+00:00", "2025-03-01"),
        ("2024-11-30T23:30:00+05:30", "2024-11-30"),
        ("2024-11-30T03:30:00+0530", "2024-11-29"),
        ("2024-02-29T23:10:00-08:00", "2024-02-29"),
        ("2025-03-20 08:15:00", "2025-03-20"),
        ("2025-03-20 06:15:00", "2025-03-19"),
        ("2025-03-02 10:12:00 UTC", "2025-03-02"),
        ("2025-03-02 02:12:00 UTC", "2025-03-01"),
        ("2025-02-14T05:42:47+0000", "2025-02-13"),
        ("2016-12-31T23:59:60Z", "2016-12-31"),
        ("31.12.2024", "2024-12-31"),
        ("1.2.2025", "2025-02-01"),
        ("01. 02. 2025", "2025-02-01"),
        ("31.12.24", "2024-12-31"),
        ("31.12.2024 14:05 Uhr", "2024-12-31"),
        ("Jan 5, 2024", "2024-01-05"),
        ("3. Mär. 2025", "2025-03-03"),
        ("3. marts 2025", "2025-03-03"),
        ("12 augusti 2025", "2025-08-12"),
        ("12. desember 2025", "2025-12-12"),
        ("January 5th, 2024", "2024-01-05"),
        ("5 January 2024", "2024-01-05"),
        ("Jul 04, 2025", "2025-07-04"),
        ("Jul 05, 2025 09:30 AM", "2025-07-05"),
        ("Jul 05, 2025 12:30 am", "2025-07-04"),
        ("Fri, 05 Jan 2024 10:00:00 +0000", "2024-01-05"),
        ("Fri, 05 Jan 2024 13:20:00 +0530", "2024-01-04"),
        ("Fri, 05 Jan 2024 13:40:00 +05:30", "2024-01-05"),
        ("Sun Mar 02 2025 04:30:00 GMT+0000 (Coordinated Universal Time)", "2025-03-01"),
        ("Sun Mar 02 2025 09:30:00 GMT+0200 (Central European Standard Time)", "2025-03-01"),
        ("5. März 2024", "2024-03-05"),
        ("\ufeff2025-03-02", "2025-03-02"),
        ("\u200e3/\u200e2/\u200e2025", "2025-03-02"),
        ("4th of March 2024", "2024-03-04"),
        ("3 de mayo de 2024", "2024-05-03"),
        ("5 janv. 2024", "2024-01-05"),
        ("5 mag 2024", "2024-05-05"),
        ("5 lug. 2024", "2024-07-05"),
        ("5 de março de 2024", "2024-03-05"),
        ("5 de out. de 2024", "2024-10-05"),
        ("5 set 2024", "2024-09-05"),
        ("5 stycznia 2024", "2024-01-05"),
        ("5 sie 2024", "2024-08-05"),
        ("05-Jan-2024", "2024-01-05"),
        ("5-Jan-24", "2024-01-05"),
        ("05JAN2024", "2024-01-05"),
        ("1900-01-01", "1900-01-01"),
        ("1/5/2025", "2025-01-05"),
        ("01/05/2025 14:00", "2025-01-05"),
        ("1/5/25", "2025-01-05"),
        ("1741996800", "2025-03-14"),
        ("1741996800.0", "2025-03-14"),
        ("1741996800000", "2025-03-14"),
        (1741996800, "2025-03-14"),
        (1741996800123.0, "2025-03-14"),
        (dt.date(2025, 3, 2), "2025-03-02"),
        (dt.datetime(2025, 3, 2, 0, 0), "2025-03-02"),  # noqa: DTZ001
        ("2025-03-02 00:00:00", "2025-03-01"),
        ("2025-03-02T00:00:00Z", "2025-03-01"),
        ("Mar 2, 2025 2:30 AM EST", "2025-03-01"),
        ("03/02/2025 12:30 AM PST", "2025-03-02"),
        ("Sun Mar 02 07:30:00 UTC 2025", "2025-03-01"),
        ("Sun Mar  2 00:30:00 PST 2025", "2025-03-02"),
        ("Sun Mar 02 07:30:00 +0000 2025", "2025-03-01"),
        (dt.datetime(2025, 3, 2, 4, 0), "2025-03-01"),  # noqa: DTZ001
        ("2026-01-02", "2026-01-02"),
        ("2024年3月3日", "2024-03-03"),
        ("2024年03月03日 21:02", "2024-03-03"),
        ("2024年3月3日 午後9時02分", "2024-03-03"),
        ("2024年3月3日(日)", "2024-03-03"),
        ("２０２４年３月３日", "2024-03-03"),
        ("2024年3月3日 星期日 上午10:02", "2024-03-03"),
        ("2024년 3월 3일", "2024-03-03"),
        ("2024년 3월 3일 오후 3:04", "2024-03-03"),
        ("2024. 3. 3.", "2024-03-03"),
        ("2024. 3. 3. 오후 3:04", "2024-03-03"),
        ("3 мар. 2024 г.", "2024-03-03"),
        ("3 марта 2024 г., 10:02", "2024-03-03"),
        ("3 марта 2024 в 10:02", "2024-03-03"),
        ("воскресенье, 3 марта 2024 г.", "2024-03-03"),
        ("3 июля 2024", "2024-07-03"),
        ("3 березня 2024 р.", "2024-03-03"),
        ("3 Mart 2024 Pazar", "2024-03-03"),
        ("3 AĞUSTOS 2024", "2024-08-03"),
        ("3 kasım 2024", "2024-11-03"),
        ("3 Şubat 2024, 10:02", "2024-02-03"),
        ("1º de março de 2024", "2024-03-01"),
        ("3 de mar. de 2024 às 10:02", "2024-03-03"),
        ("domingo, 3 de março de 2024", "2024-03-03"),
        ("le 3 mars 2024 à 10:02", "2024-03-03"),
        ("1er mars 2024 à 10h02", "2024-03-01"),
        ("3 de marzo de 2024 a las 10:02", "2024-03-03"),
        ("3. März 2024 um 10:02 Uhr", "2024-03-03"),
        ("domenica 3 marzo 2024", "2024-03-03"),
        ("mar 5 mar 2024", "2024-03-05"),
        ("Sunday, March 3, 2024 at 10:02 AM", "2024-03-03"),
        ("1\u00b0 marzo 2024 alle 10:02", "2024-03-01"),
        ("3 maart 2024 om 10:02", "2024-03-03"),
        ("3 marca 2024 r. 10:02", "2024-03-03"),
        ("den 3 mars 2024 kl. 10:02", "2024-03-03"),
        ("2024. március 3.", "2024-03-03"),
        ("3. maaliskuuta 2024", "2024-03-03"),
        ("3 Μαρτίου 2024", "2024-03-03"),
        ("3 března 2024", "2024-03-03"),
        ("3 Agustus 2024", "2024-08-03"),
        ("3 thg 3, 2024", "2024-03-03"),
        ("3. maaliskuuta 2024 klo 10.02", "2024-03-03"),
        ("3 Maret 2024 10.02", "2024-03-03"),
        ("3 fe\u0301vr. 2024", "2024-02-03"),
    ],
)
def test_date_in_every_spelling(spelling, expected):
    assert day(spelling) == expected


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        ("2025-02-30", "date_invalid"),
        ("2025-13-01", "date_invalid"),
        ("2025-03-02 09:30:00 IST", "date_invalid"),
        ("30.02.2025", "date_invalid"),
        ("13/13/2025", "date_invalid"),
        ("2025-01-01T25:00:00Z", "date_invalid"),
        ("2025-01-01T10:00:00+99:00", "date_invalid"),
        ("0001-01-01T00:00:00+14:00", "date_invalid"),
        ("9999-12-31T23:59:59-14:00", "date_invalid"),
        ("0025-01-03", "date_invalid"),
        ("1970-01-01", "date_invalid"),
        ("1969-12-31T16:00:00-08:00", "date_invalid"),
        ("1899-12-31", "date_invalid"),
        (dt.date(1899, 12, 30), "date_invalid"),
        ("2023-12", "date_invalid"),
        ("Jan 2024", "date_invalid"),
        ("2024", "date_invalid"),
        ("Foo 5, 2024", "date_invalid"),
        ("a2025/03/02", "date_invalid"),
        ("2025-03-d02", "date_invalid"),
        ("2025-03-02 (edited)", "date_invalid"),
        ("Visited 5 March 2024", "date_invalid"),
        ("Jan 5 Feb 2024", "date_invalid"),
        ("2025年-03-02", "date_invalid"),
        ("45000", "date_invalid"),
        (45000, "date_invalid"),
        (0, "date_invalid"),
        (float("nan"), "date_invalid"),
        (float("inf"), "date_invalid"),
        (True, "date_invalid"),
        ([2025], "date_invalid"),
        ("1.74E+09", "date_invalid"),
        ("x" * 1000, "date_invalid"),
        ("\u0662\u0660\u0662\u0665-\u0660\u0661-\u0660\u0661", "date_invalid"),
        ("3 weeks ago", "date_relative"),
        ("a year ago", "date_relative"),
        ("yesterday", "date_relative"),
        ("vor 3 Wochen", "date_relative"),
        ("il y a 2 mois", "date_relative"),
        ("hace 2 meses", "date_relative"),
        ("3 недели назад", "date_relative"),
        ("3週間前", "date_relative"),
        ("3주 전", "date_relative"),
        ("3 hafta önce", "date_relative"),
        ("há 3 semanas", "date_relative"),
        ("3 tygodnie temu", "date_relative"),
        ("令和6年3月3日", "date_invalid"),
        ("2024年3月", "date_invalid"),
        ("3月3日", "date_invalid"),
        ("2024年2月30日", "date_invalid"),
        ("2199-01-01", "date_in_future"),
        ("2026-01-03", "date_in_future"),
        (4102444800, "date_in_future"),
    ],
)
def test_date_that_is_none_or_could_be_two_is_refused(spelling, code):
    assert refused(day, spelling) == code


def test_slashes_follow_the_order_of_the_file():
    assert day("04/05/2024", order="dmy") == "2024-05-04"
    assert day("04/05/2024", order="mdy") == "2024-04-05"
    assert day("04-05-2024", order="dmy") == "2024-05-04"
    assert day("04-05-24", order="ymd") == "2004-05-24"
    assert day("24/3/5", order="ymd") == "2024-03-05"
    assert refused(day, "24/3/5", order="dmy") == "date_invalid"


def test_order_is_not_asked_where_it_does_not_matter():
    assert day("05/05/2024", order=None) == "2024-05-05"


def test_time_without_offset_is_one_of_the_format():
    assert day("2025-01-05 22:41:13") == "2025-01-05"
    assert day("2025-01-05 22:41:13", zone=dt.UTC, naive=LOS_ANGELES) == "2025-01-06"


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        ("13/02/2025", (13, 2, 2025, False, 4)),
        ("02-13-25", (2, 13, 25, False, 2)),
        ("31.12.2024", (31, 12, 2024, True, 4)),
        ("24. 3. 5.", (24, 3, 5, True, 1)),
        ("24. 3. 05.", (24, 3, 5, True, 2)),
        ("\uff10\uff14\uff0f\uff10\uff15\uff0f\uff12\uff10\uff12\uff14", (4, 5, 2024, False, 4)),
        ("2024/05/04", None),
        ("text", None),
        (None, None),
    ],
)
def test_date_of_three_numbers_is_told_from_others(value, numbers):
    assert dates.numbers_of(value) == numbers


@given(st.dates(dt.date(1990, 1, 1), TODAY))
def test_every_spelling_of_a_day_gives_that_day(date):
    for spelling in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%b %d, %Y", "%d %B %Y", "%Y%m%d"):
        assert day(date.strftime(spelling)) == date.isoformat()


@given(
    st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2025, 12, 31)),  # noqa: DTZ001
    st.timezones(),
)
def test_an_instant_gives_the_day_in_the_business_zone(moment, zone):
    instant = moment.replace(tzinfo=dt.UTC)

    assert day(instant.isoformat(), zone=zone) == instant.astimezone(zone).date().isoformat()
    assert day(moment.strftime("%Y-%m-%d %H:%M:%S UTC"), zone=zone) == day(
        instant.replace(microsecond=0).isoformat(), zone=zone
    )


@given(
    st.dates(dt.date(1990, 1, 1), TODAY),
    st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%d.%m.%Y", "%m-%d-%y", "%Y%m%d"]),
    st.characters(categories=["L"]),
    st.integers(0, 10),
)
def test_date_in_digits_with_a_letter_in_it_is_refused(date, spelling, letter, at):
    text = date.strftime(spelling)

    assert refused(day, text[:at] + letter + text[at:]) in {"date_invalid", "date_relative"}


@given(st.text(max_size=30))
def test_a_date_is_read_or_refused(text):
    with contextlib.suppress(ValueRefused):
        assert day(text) <= "2026-01-02"
