"""The known formats, most of them described in `formats.toml`."""

from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from review_exports.formats import generic, own, schema_org
from review_exports.formats.adjustments import ADJUSTMENTS
from review_exports.formats.base import Format, columns, comment_columns, fold_names
from review_exports.records import ReadWarning
from review_exports.vocabulary import load


def _described() -> tuple[Format, ...]:
    """The formats of the table."""
    entries: dict[str, dict[str, Any]] = {}
    for entry in load("formats/formats.toml")["formats"]:
        entries[entry["name"]] = entries.get(entry.pop("like", ""), {}) | entry
    return tuple(map(_format, entries.values()))


def _format(entry: dict[str, Any]) -> Format:
    """The format that an entry of the table describes."""
    comments = entry.get("comments")
    members = comment_columns(**comments) if comments else {}
    return Format(
        **{key: value for key, value in entry.items() if key not in {"like", "comments"}}
        | {
            "signatures": tuple(frozenset(fold_names(names)) for names in entry["signatures"]),
            "columns": columns(**entry["columns"], **members),
            "adjust": ADJUSTMENTS[entry["adjust"]] if "adjust" in entry else None,
            "joined": frozenset(entry.get("joined", ())),
            "warnings": tuple(ReadWarning(**warning) for warning in entry.get("warnings", ())),
        }
    )


# Recognised by the folded names of their columns or members.
BY_SIGNATURE: tuple[Format, ...] = (own.OWN_TABLE, *_described())
BY_NAME = {format_.name: format_ for format_ in BY_SIGNATURE}
TAKEOUT_ZIP = replace(
    BY_NAME["google_takeout"],
    name="google_takeout_zip",
    label="Google Takeout, the whole archive",
    signatures=(),  # What is inside tells.
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
    """The first format with a signature that the names contain, and a date among them.

    Other tables have "Name" and "Star Rating" as well, or "Review ID".
    """
    for format_ in BY_SIGNATURE:
        if any(signature <= names for signature in format_.signatures) and not names.isdisjoint(
            format_.columns["date"]
        ):
            return format_
    return None
