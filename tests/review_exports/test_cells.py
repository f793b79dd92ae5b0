"""Cells as a spreadsheet shows them, and as programs write them for one."""

import datetime as dt
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from review_exports.readers.workbook import shown_number
from tests.review_exports.exports import read


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (5, "General", 5),
        (5.0, "0.0", 5),
        (4.6, "0", 5),
        (4.5, "0", 5),
        (4.4, "0", 4),
        (4.5, "0.0", 4.5),
        (4.25, "0.0", 4.3),
        (4.5, "General", 4.5),
        (0.8, "0%", "80%"),
        (0.875, "0.0%", "87.5%"),
        (4.5, '0.0" of 5"', "4.5 of 5"),
        (4, '0" stars"', "4 stars"),
        (4, 'General" of 5"', "4 of 5"),
        (4, "0\\/\\5", "4/5"),
        (4, "[Red]0;[Blue]-0", 4),
        (4, "[$-409]0.00", 4),
        (4, "0_)", 4),
        (0.8, "# ?/?", "4/5"),
        (1, "# ?/?", "1 as a fraction"),
        (4.5, "# ?/?", 4.5),
        (42, "00000", "00042"),
        (-4, '0" of 5"', "-4 of 5"),
        (1234.5, "#,##0.00", 1234.5),
        (5_000_000, "0,,", 5_000_000),
        (1.5e7, "0.00E+00", 1.5e7),
        (45_000, "yyyy-mm-dd", 45_000),
        (5, "@", 5),
        (123_456_789_012_345_678, "0", 123_456_789_012_345_678),
    ],
)
def test_number_is_rounded_and_surrounded_as_its_format_shows_it(value, code, shown):
    assert shown_number(value, code) == shown


@given(
    st.integers(-10, 10**16) | st.floats(allow_nan=True, allow_infinity=True),
    st.text(alphabet='0#?.,%/;"\\[]_*@E+-yG eneral5', max_size=12),
)
def test_any_format_shows_a_number_or_leaves_it_alone(value, code):
    assert isinstance(shown_number(value, code), int | float | str)


def rated(*cells: tuple[Any, str]) -> bytes:
    """A workbook of reviews whose ratings have these values and formats."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Name", "Date", "Rating"])
    for number, (value, code) in enumerate(cells, start=2):
        sheet.append([f"Ada {number}", dt.date(2025, 1, 2), value])
        sheet.cell(number, 3).number_format = code
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_ratings_of_a_workbook_are_read_as_it_shows_them():
    reading = read(
        rated(
            *[(5.0, "0.0"), (4.6, "0"), (0.8, "0%"), (4, '0" of 5"'), (0.6, "# ?/?")],
            *[("4", "@"), (5, "General")],
        )
    )

    assert [record.rating for record in reading.records] == [5, 5, 4, 4, 3, 4, 5]


def test_ratings_that_a_workbook_shows_as_something_else_are_told():
    reading = read(
        rated(
            (dt.date(2024, 4, 5), "d-mmm"),
            (5, "yyyy-mm-dd"),
            (1, "# ?/?"),
            (4.5, '0.0" of 5"'),
        )
    )

    assert [error.code for error in reading.errors] == [
        *["rating_unreadable"] * 3,
        "rating_not_whole",
    ]
    assert "Excel turned 4/5 into the date 5 April." in reading.errors[0].message
    assert [error.value for error in reading.errors] == [
        *("5 April 2024", "5 January 1900", "1 as a fraction", "4.5 of 5"),
    ]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('="Great"', "Great"),
        ('"=""Great"""', "Great"),
        ('"=""Say """"yes"""", please"""', 'Say "yes", please'),
        ('"=""two', '="two'),
        ("=SUM(1)", "=SUM(1)"),
        ("'=1+1", "=1+1"),
    ],
)
def test_cell_that_is_kept_from_a_spreadsheet_is_what_stands_in_it(cell, text):
    closed = cell + '"' if cell == '"=""two' else cell

    assert read(f"Name,Stars,Date,Text\nAda,5,2025-01-01,{closed}\n").record.text == text


def test_every_column_and_heading_may_be_kept_from_a_spreadsheet():
    content = '="Name",="Stars",="Date",="ID"\n="Ada",="\uff15",="25/03/2024",="007"\n'
    record = read(content + '="Bo",="4/5",="04/03/2024",=""\n').records

    assert [(r.author, r.rating, str(r.date)) for r in record] == [
        ("Ada", 5, "2024-03-25"),
        ("Bo", 4, "2024-03-04"),
    ]
    assert record[0].external_id == "007"
    assert record[1].external_id_is_synthetic
