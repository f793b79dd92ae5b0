"""Formats of our own export: `/reviews.json`, JSON Lines, and a table."""

from dataclasses import replace
from typing import Any

from review_exports.formats.base import Format, columns, fold_name

# Members of a published review; a file with all of them is ours, and is read literally.
PUBLISHED = (
    *("id", "author", "author_avatar_url", "rating", "date", "text", "source", "source_url"),
    *("owner_reply", "verified"),
)
# Headings of the table; a reply has two columns.
TABLE_HEADINGS = (*PUBLISHED[:-1], "owner_reply_date", "verified")


def is_own(item: Any) -> bool:
    """Whether an item of JSON has every member of a published review."""
    return isinstance(item, dict) and item.keys() >= set(PUBLISHED)


OWN = Format(
    name="own_or_generic_json",
    label="Our own reviews.json",
    columns=columns(
        review_id="id",
        **{name: name for name in PUBLISHED if name not in {"id", "owner_reply"}},
        owner_reply="owner_reply.text,owner_reply",
        owner_reply_date="owner_reply.date,owner_reply_date",
        _photos="photos",
        own_id="id",
        edited_by_business="edited_by_business",
        redacted_by_business="redacted_by_business",
    ),
    is_literal=True,
)
OWN_LINES = replace(OWN, name="jsonl", label="Our own reviews as JSON Lines")
OWN_TABLE = replace(
    OWN,
    name="own_table",
    label="Our own reviews as a table",
    signatures=(frozenset(map(fold_name, TABLE_HEADINGS)),),
)
