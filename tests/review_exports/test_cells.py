"""Cells as a spreadsheet shows them, and as programs write them."""

import datetime as dt
import io
from typing import Any

from openpyxl import Workbook

from review_exports.values.photos import PHOTOS_MAX
from tests.review_exports.exports import read


def rated(*cells: tuple[Any, str]) -> bytes:
    """Return a workbook of reviews with these rating values and formats."""
    book = Workbook()
    sheet = book.active
    sheet.append(["Name", "Date", "Rating"])
    for number, (value, code) in enumerate(cells, start=2):
        sheet.append([f"Ada {number}", dt.date(2025, 1, 2), value])
        sheet.cell(number, 3).number_format = code
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_ratings_of_workbook_are_their_numbers():
    reading = read(rated((5.0, "0.0"), (4, '0" of 5"'), ("4", "@"), (5, "General")))

    assert [record.rating for record in reading.records] == [5, 4, 4, 5]


def test_ratings_with_misleading_format_are_reported():
    cells = (dt.date(2024, 4, 5), "d-mmm"), (5, "yyyy-mm-dd"), (0.8, "0%"), (4.6, "0")
    reading = read(rated(*cells), round_half_up=True)

    assert [error.code for error in reading.errors] == [
        *["rating_unreadable"] * 2,
        "rating_out_of_range",
    ]
    assert "Excel turned 4/5 into the date 5 April." in reading.errors[0].message
    assert [error.value for error in reading.errors] == ["5 April 2024", "5 January 1900", "0.8"]


def test_number_of_photos_is_bounded():
    many = [f"https://img.example/{number}.jpg" for number in range(1_000)]
    item = {"name": "Ada", "reviewId": "a", "stars": 5, "publishedAtDate": "2025-03-02T12:00:00Z"}

    assert read([item | {"reviewImageUrls": many}]).record.photos == tuple(many[:PHOTOS_MAX])
