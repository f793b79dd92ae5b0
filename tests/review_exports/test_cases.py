"""Small files of known and unknown makers, with all that is read from them.

Each file of `cases` holds cases by name: `content` (a text, JSON as it is, or bytes as base64), the
`options` that differ from those of `exports.options`, and the result: the fields of records that
are set, row errors and skipped rows by row and code, codes of warnings, or the refusal. `asks`
holds the columns that need a decision, `says` parts of messages.
"""

import base64
import dataclasses
import datetime as dt
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from review_exports.records import FileRefused, Record
from review_exports.shapes import ConfirmationRequired
from tests.review_exports.exports import Reading, opened

CASES = Path(__file__).parent / "cases"
ENTRIES = [
    pytest.param(entry, id=f"{path.stem}: {name} {number}")
    for path in sorted(CASES.glob("*.json"))
    for name, entries in json.loads(path.read_text()).items()
    for number, entry in enumerate(entries, start=1)
]
CONVERTED = {"time_zone": ZoneInfo, "today": dt.date.fromisoformat}


def outcome_of(entry: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the whole result of a case's file, and its messages as one text."""
    content = entry["content"]
    if isinstance(content, dict) and "base64" in content:
        content = base64.b64decode(content["base64"])
    options = {
        name: CONVERTED.get(name, lambda same: same)(value)
        for name, value in entry.get("options", {}).items()
    }
    try:
        export = opened(content, file_name=entry.get("file_name", "upload"), **options)
        reading = Reading(export)
    except ConfirmationRequired as required:
        columns = required.shape.columns
        asks = [one.name for one in columns if one.is_open]
        return {"refused": required.code, "asks": asks}, required.message
    except FileRefused as refused:
        return {"refused": refused.code}, refused.message
    found = {
        "format": export.format,
        "mapping": reading.mapping if export.format == "generic" else {},
        "records": [set_fields(record) for record in reading.records],
        "errors": [list(code) for code in reading.codes],
        "skipped": [[skipped.row, skipped.code] for skipped in reading.skipped],
        "warnings": reading.warnings,
    }
    reported = [*reading.errors, *reading.skipped, *export.warnings]
    messages = "\n".join(one.message for one in reported)
    return {name: value for name, value in found.items() if value}, messages


def set_fields(record: Record) -> dict[str, Any]:
    """Return fields that differ from their defaults, except ids made from content."""
    defaults = {one.name: one.default for one in dataclasses.fields(Record)} | {"extra": {}}
    fields = {
        name: value for name, value in dataclasses.asdict(record).items() if value != defaults[name]
    }
    if fields.pop("external_id_is_synthetic"):
        del fields["external_id"]
    return json.loads(json.dumps(fields, default=str))


@pytest.mark.parametrize("entry", ENTRIES)
def test_case_has_expected_result(entry):
    given = {"content", "options", "file_name", "says"}
    expected = {name: value for name, value in entry.items() if name not in given}

    outcome, messages = outcome_of(entry)

    assert outcome == expected
    assert all(said in messages for said in entry.get("says", ()))
    assert "mail.example" not in json.dumps(outcome) + messages
