import contextlib
import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_exports.values import ValueRefused, dates
from tests.review_exports.values.spellings import assert_refused, parametrize_spellings

LOS_ANGELES = ZoneInfo("America/Los_Angeles")
TODAY = dt.date(2026, 1, 1)


def day(value, *, order="mdy", zone=LOS_ANGELES, naive=dt.UTC, today=TODAY):
    def find_order(_field, numbers):
        return "dmy" if numbers.is_dotted else order

    reader = dates.DateReader(time_zone=zone, today=today, naive_zone=naive, order=find_order)
    return reader.read(value, "date").date.isoformat()


@pytest.mark.parametrize("value", ["45718", "45718.5", 45718, 45718.5])
def test_spreadsheet_number_is_refused_with_possible_date(value):
    with pytest.raises(ValueRefused, match=r"may mean 2025-03-02\. Give the column the format"):
        day(value)


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        *parametrize_spellings("days"),
        (1741996800, "2025-03-14"),
        (1741996800123.0, "2025-03-14"),
        (dt.date(2025, 3, 2), "2025-03-02"),
        (dt.datetime(2025, 3, 2, 0, 0), "2025-03-02"),  # noqa: DTZ001
        (dt.datetime(2025, 3, 2, 4, 0), "2025-03-01"),  # noqa: DTZ001
    ],
)
def test_date_in_every_spelling(spelling, expected):
    assert day(spelling) == expected


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        *parametrize_spellings("refused_days"),
        (dt.date(1899, 12, 30), "date_invalid"),
        (45000, "date_invalid"),
        (0, "date_invalid"),
        (float("nan"), "date_invalid"),
        (float("inf"), "date_invalid"),
        (True, "date_invalid"),
        ([2025], "date_invalid"),
        ("x" * 1000, "date_invalid"),
        (4102444800, "date_in_future"),
    ],
)
def test_invalid_or_ambiguous_date_is_refused(spelling, code):
    assert assert_refused(day, spelling) == code


def test_slashes_follow_date_order_of_file():
    assert day("04/05/2024", order="dmy") == "2024-05-04"
    assert day("04/05/2024", order="mdy") == "2024-04-05"
    assert day("04-05-2024", order="dmy") == "2024-05-04"
    assert day("04-05-24", order="ymd") == "2004-05-24"
    assert day("24/3/5", order="ymd") == "2024-03-05"
    assert assert_refused(day, "24/3/5", order="dmy") == "date_invalid"


def test_order_is_asked_only_if_relevant():
    assert day("05/05/2024", order=None) == "2024-05-05"


def test_time_without_offset_has_zone_of_format():
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
def test_date_of_three_numbers_is_recognised(value, numbers):
    assert dates.numbers_of(value) == numbers


@given(st.dates(dt.date(1990, 1, 1), TODAY))
def test_every_spelling_of_a_day_gives_that_day(date):
    for spelling in ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%b %d, %Y", "%d %B %Y", "%Y%m%d"):
        assert day(date.strftime(spelling)) == date.isoformat()


@given(
    st.datetimes(dt.datetime(1990, 1, 1), dt.datetime(2025, 12, 31)),  # noqa: DTZ001
    st.timezones(),
)
def test_instant_gives_day_in_zone_of_business(moment, zone):
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
def test_date_with_letter_among_digits_is_refused(date, spelling, letter, at):
    text = date.strftime(spelling)

    assert assert_refused(day, text[:at] + letter + text[at:]) in {"date_invalid", "date_relative"}


@given(st.text(max_size=30))
def test_date_is_read_or_refused(text):
    with contextlib.suppress(ValueRefused):
        assert day(text) <= "2026-01-02"
