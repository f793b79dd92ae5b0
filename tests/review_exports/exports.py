"""Read bytes as an export file of an administrator."""

import datetime as dt
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from review_exports import recognition
from review_exports.export import Export
from review_exports.options import ReadOptions
from review_exports.records import FileRefused, Record, RowError, Skipped
from review_exports.shapes import ConfirmationRequired, Shape

SAMPLES = Path(__file__).parent / "samples"
LOS_ANGELES = ZoneInfo("America/Los_Angeles")
TODAY = dt.date(2026, 1, 1)
SCHEMA_ORG_REVIEW = {
    "@type": "Review",
    "author": "Ada",
    "datePublished": "2025-01-02",
    "reviewBody": "Fine",
    "reviewRating": {"ratingValue": "5"},
}


class Reading:
    """An export that was read to its end."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.outcomes = list(export)
        self.records = [one for one in self.outcomes if isinstance(one, Record)]
        self.errors = [one for one in self.outcomes if isinstance(one, RowError)]
        self.skipped = [one for one in self.outcomes if isinstance(one, Skipped)]
        self.warnings = [warning.code for warning in export.warnings]

    @property
    def mapping(self) -> dict[str, str]:
        """Map each column that is read to its field."""
        return {one.name: one.field for one in self.export.shape.columns if one.field}

    @property
    def record(self) -> Record:
        (record,) = self.records
        return record

    @property
    def codes(self) -> list[tuple[int, str | None, str]]:
        return [(error.row, error.field, error.code) for error in self.errors]


def options(**changes: Any) -> ReadOptions:
    return ReadOptions(**{"time_zone": LOS_ANGELES, "today": TODAY, "accept": True, **changes})


def read(content: Any, *, file_name: str = "upload", **changes: Any) -> Reading:
    """Read bytes and texts as they are, and other values as JSON."""
    return Reading(opened(content, file_name=file_name, **changes))


def opened(content: Any, *, file_name: str = "upload", **changes: Any) -> Export:
    """Return the export before its rows are read."""
    if isinstance(content, str):
        content = content.encode()
    elif not isinstance(content, bytes):
        content = json.dumps(content).encode()
    return recognition.read(io.BytesIO(content), file_name=file_name, options=options(**changes))


def read_sample(name: str, **changes: Any) -> Reading:
    return read((SAMPLES / name).read_bytes(), **changes)


def zipped(entries: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            archive.writestr(name, data)
    return buffer.getvalue()


def workbook(rows: list[list[Any]], **further: list[list[Any]]) -> bytes:
    """Return a workbook with a sheet, further sheets by name, and `hidden` as hidden."""
    from openpyxl import Workbook

    book = Workbook()
    for name, lines in {"First": rows, **further}.items():
        sheet = book.active if name == "First" else book.create_sheet(name)
        sheet.title = name
        sheet.sheet_state = "hidden" if name == "hidden" else "visible"
        for row in lines:
            sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def summary(reading: Reading) -> list[tuple[Any, ...]]:
    """Return the main values of each record."""
    return [
        (r.source, r.author, r.rating, str(r.date), r.text, r.reply_text) for r in reading.records
    ]


def columns_of(refusal: FileRefused) -> list[str]:
    """Return the names of the columns that need a decision."""
    assert isinstance(refusal, ConfirmationRequired)
    return [column.name for column in refusal.shape.columns]


def open_shape(content: Any, **changes: Any) -> Shape:
    """Return the shape of a file with open questions."""
    with pytest.raises(ConfirmationRequired) as caught:
        read(content, **changes)
    return caught.value.shape


def refusal_reason(content: Any, **changes: Any) -> FileRefused:
    """Return the reason that the file is refused."""
    with pytest.raises(FileRefused) as caught:
        read(content, **changes)
    return caught.value
