"""The known formats, most of them described in `formats.toml`."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from review_exports.formats import generic, own, schema_org
from review_exports.formats.adjustments import ADJUSTMENTS
from review_exports.formats.base import (
    Format,
    columns,
    comment_columns,
    fold_name,
    fold_names,
    fold_value,
)
from review_exports.readers.json_items import PLACE_ID_MEMBER, PLACE_MEMBER
from review_exports.records import ReadWarning
from review_exports.vocabulary import load


def _described() -> tuple[Format, ...]:
    """Build the formats of `formats.toml`."""
    table = load("formats/formats.toml")
    values = {name: _value_set(words) for name, words in table["values"].items()}
    entries: dict[str, dict[str, Any]] = {}
    for entry in table["formats"]:
        entries[entry["name"]] = entries.get(entry.pop("like", ""), {}) | entry
    return tuple(_format(entry, values) for entry in entries.values())


def _value_set(words: Mapping[str, str]) -> dict[str, bool]:
    """Map folded values to whether they permit publication; an empty word is a blank cell."""
    return {
        fold_value(word): key == "public" for key, text in words.items() for word in text.split(",")
    }


def _format(entry: dict[str, Any], values: Mapping[str, Mapping[str, bool]]) -> Format:
    """Build the format that an entry of the table describes."""
    comments = entry.get("comments")
    members = comment_columns(**comments) if comments else {}
    decisions = {
        key: {fold_name(name): values[value_set] for name, value_set in entry.get(key, {}).items()}
        for key in ("decides", "reply_decides")
    }
    return Format(
        **{key: value for key, value in entry.items() if key != "comments"}
        | decisions
        | {
            "signatures": tuple(frozenset(fold_names(names)) for names in entry["signatures"]),
            "columns": columns(**_with_place(entry["columns"]), **members),
            "ignored": frozenset(fold_names(entry.get("ignored", ""))) - {""},
            "adjust": ADJUSTMENTS[entry["adjust"]] if "adjust" in entry else None,
            "joined": frozenset(entry.get("joined", ())),
            "warnings": tuple(ReadWarning(**warning) for warning in entry.get("warnings", ())),
        }
    )


def _with_place(names: Mapping[str, str]) -> dict[str, str]:
    """Add the members for a place that is named above its reviews."""
    above = {"_place": PLACE_MEMBER, "_place_id": PLACE_ID_MEMBER}
    return {
        **names,
        **{field: ",".join(filter(None, (names.get(field), one))) for field, one in above.items()},
    }


# Recognised by the folded names of their columns or members.
BY_SIGNATURE: tuple[Format, ...] = (own.OWN_TABLE, *_described())
BY_NAME = {format_.name: format_ for format_ in BY_SIGNATURE}
TAKEOUT_ZIP = replace(
    BY_NAME["google_takeout"],
    name="google_takeout_zip",
    label="Google Takeout, the whole archive",
    signatures=(),  # Recognised by the files in the archive.
    has_row_numbers=False,
)
# Recognised by the kind of file.
BY_CONTAINER: tuple[Format, ...] = (
    TAKEOUT_ZIP,
    schema_org.SCHEMA_ORG,
    generic.OBJECTS,
    generic.LINES,
    generic.TABLE,
)


def recognise(names: AbstractSet[str]) -> Format | None:
    """Find the first format whose signature and date the names contain.

    A date is required since other tables have "Name" and "Star Rating" or "Review ID" as well.
    """
    for format_ in BY_SIGNATURE:
        if any(signature <= names for signature in format_.signatures) and not names.isdisjoint(
            format_.columns["date"]
        ):
            return format_
    return None
