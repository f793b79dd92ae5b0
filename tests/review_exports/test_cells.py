"""Cells as a spreadsheet shows them, and as programs write them for one."""

import datetime as dt
import io
from typing import Any

import pytest
from openpyxl import Workbook

from tests.review_exports.exports import read


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


def test_ratings_of_a_workbook_count_as_their_numbers():
    reading = read(rated((5.0, "0.0"), (4, '0" of 5"'), ("4", "@"), (5, "General")))

    assert [record.rating for record in reading.records] == [5, 4, 4, 5]


def test_ratings_that_a_workbook_shows_as_something_else_are_told():
    cells = (dt.date(2024, 4, 5), "d-mmm"), (5, "yyyy-mm-dd"), (0.8, "0%"), (4.6, "0")
    reading = read(rated(*cells), round_half_up=True)

    assert [error.code for error in reading.errors] == [
        *["rating_unreadable"] * 2,
        "rating_out_of_range",
    ]
    assert "Excel turned 4/5 into the date 5 April." in reading.errors[0].message
    assert [error.value for error in reading.errors] == ["5 April 2024", "5 January 1900", "0.8"]


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
