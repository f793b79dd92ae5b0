"""Comparison of an incoming record with the stored review, field by field.

A file does not erase what it cannot know: a field without a column, optional fields that only some
exports have, a text of which it has an excerpt, and an original of which it has a translation.
Fields that an administrator edited by hand are kept and reported as conflicts.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from imports.records import Record
from review_analysis.text import compose
from review_exports.values.people import ANONYMOUS
from reviews.models import Review
from reviews.published_json import EDITED, FIRST_NAME, INITIALS, REDACTED, public_name

# The fields of a review that an import writes; records lack `source_rating`.
FIELDS = (
    "author",
    "author_avatar_url",
    "photos",
    "rating",
    "date",
    "text",
    "translated_text",
    "text_language",
    "source_url",
    "reply_text",
    "reply_date",
    "verified",
    "alteration",
    "source_updated_at",
    "named_technicians",
    "named_services",
    "source_rating",
)
# An empty value of these fields means that the export does not say, so it erases nothing.
EXTRAS = frozenset(
    {
        "author_avatar_url",
        "photos",
        "source_url",
        "source_updated_at",
        "named_technicians",
        "named_services",
    }
)
ABOUT_TEXT = frozenset({"translated_text", "text_language"})
TEXTS = ("author", "text", "translated_text", "reply_text")
# A reply and its date are kept together or replaced together.
REPLY = frozenset({"reply_text", "reply_date"})
# Fields whose changes by the business are marked publicly.
ALTERABLE = frozenset({"text", "rating"})
# Fields whose changes can affect the mentions of a review.
MENTIONING = frozenset({"text", "date", "alteration", "named_technicians", "named_services"})


class Conflict(NamedTuple):
    """A field edited by hand for which the file has another value."""

    field: str
    stored: Any
    incoming: Any


class Change(NamedTuple):
    """The new values of the fields of a stored review that change.

    They include `hidden` if the review is shown again.
    """

    stored: Review
    record: Record
    values: dict[str, Any]
    edited_fields: list[str]

    def differences(self) -> list[tuple[str, Any, Any]]:
        """List (field, old value, new value) of every change, before it is written."""
        return [(name, getattr(self.stored, name), new) for name, new in self.values.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Rules by which one import merges."""

    verified: bool | None = None  # For files that do not say; None: keep the stored value.
    overwrite_edits: bool = False
    provided_fields: frozenset[str] | None = None  # Fields that have a column; None: all.
    ids_are_sure: bool = False  # The same id is the same review, even with other content.


def incoming_values(record: Record, *, verified: bool) -> dict[str, Any]:
    """Values of `FIELDS` from a record."""
    values = {name: getattr(record, name, None) for name in FIELDS}
    return values | {
        "photos": list(record.photos) or None,
        "verified": verified,
        "named_technicians": list(record.named_technicians),
        "named_services": list(record.named_services),
    }


def decide(
    record: Record, stored: Review, rules: Rules
) -> tuple[Change | None, tuple[Conflict, ...]]:
    """Return the change that a record makes, if any, and its conflicts with edits by hand.

    An older version changes nothing. A review that an earlier complete file has hidden is shown
    again.
    """
    if is_older(record, stored):
        return None, ()
    verified = record.verified
    if verified is None:
        verified = stored.verified if rules.verified is None else rules.verified
    before = {name: getattr(stored, name) for name in FIELDS}
    after = incoming_values(record, verified=verified)
    is_shown_again = stored.hidden and "hidden" not in stored.edited_fields
    if after == before and not is_shown_again:
        return None, ()
    edited_fields, conflicts = _compare(record, before, after, stored.edited_fields, rules)
    values = {name: after[name] for name in FIELDS if after[name] != before[name]}
    if is_shown_again:
        values["hidden"] = False
    return (Change(stored, record, values, edited_fields) if values else None), conflicts


def is_older(record: Record, stored: Review) -> bool:
    """Whether a newer version is stored, by the times of the source."""
    updated_at, stored_at = record.source_updated_at, stored.source_updated_at
    return updated_at is not None and stored_at is not None and updated_at < stored_at


def is_another(record: Record, stored: Review, rules: Rules) -> bool:
    """Whether a record with the same id has another author, text and date.

    Fields that are edited by hand, lack a column or are empty on both sides are not compared.
    """
    silent = set(stored.edited_fields)
    alike = [record.date == stored.date] if "date" not in silent else []
    if stored.author == record.author == ANONYMOUS:
        silent.add("author")
    if not (stored.text or record.text):
        silent.add("text")
    stated = [
        field for field in ("author", "text") if field not in silent and _is_provided(field, rules)
    ]
    if "author" in stated:
        alike.append(record.author.casefold() == stored.author.casefold())
    if "text" in stated:
        stem = record.text.rstrip(".… ")
        alike.append(
            record.text == stored.text
            or (bool(stem) and stored.text.startswith(stem))
            or (bool(stem) and record.text == stored.translated_text)
        )
    return bool(stated) and not any(alike)


def _compare(
    record: Record,
    before: dict[str, Any],
    after: dict[str, Any],
    edited_fields: list[str],
    rules: Rules,
) -> tuple[list[str], tuple[Conflict, ...]]:
    """Restore kept values in `after`; return the fields that remain edited, and conflicts."""
    if record.ulid and before["author"] != record.author:
        # Our own documents may publish a shorter name than the stored one.
        short = {public_name(before["author"], style) for style in (FIRST_NAME, INITIALS)}
        record = replace(record, author=before["author"]) if record.author in short else record
        after["author"] = record.author
    for field in TEXTS:
        # Another Unicode normal form is not a change.
        if after[field] != before[field] and compose(after[field]) == compose(before[field]):
            after[field] = before[field]
    _keep_unstated_values(record, rules, before, after)
    edited = set(edited_fields)
    if edited & REPLY:
        edited |= REPLY
    conflicts = tuple(
        Conflict(field, before[field], after[field])
        for field in FIELDS
        if field in edited and after[field] != before[field]
    )
    if rules.overwrite_edits:
        taken = {conflict.field for conflict in conflicts}
        edited_fields = [field for field in edited_fields if field not in taken]
    else:
        after.update((conflict.field, conflict.stored) for conflict in conflicts)
    _keep_alteration(record, rules, before, after, set(edited_fields))
    return edited_fields, conflicts


def _keep_alteration(
    record: Record,
    rules: Rules,
    before: dict[str, Any],
    after: dict[str, Any],
    edited: set[str],
) -> None:
    """Keep the mark of an altered review until the original content returns.

    An edited review is never verified, and counts with the rating of its source. Our own export may
    bring the mark, and then has the edited rating.
    """
    is_restored = (
        not ALTERABLE & edited
        and all(_is_column(field, rules) for field in ALTERABLE)
        and (after["text"], after["rating"]) == (record.text, record.rating)
    )
    if before["alteration"] and not is_restored:
        marks = {before["alteration"], record.alteration}
        after["alteration"] = EDITED if EDITED in marks else REDACTED
    if after["alteration"] != EDITED:
        after["source_rating"] = None
    else:
        after["verified"] = False
        is_edited = record.alteration == EDITED
        after["source_rating"] = before["source_rating"] if is_edited else record.rating


def _keep_unstated_values(
    record: Record, rules: Rules, before: dict[str, Any], after: dict[str, Any]
) -> None:
    """Keep stored values for which the file has none or less."""
    _keep_fuller_text(record, before, after)
    if after["reply_text"] == before["reply_text"] and after["reply_date"] is None:
        after["reply_date"] = before["reply_date"]  # The same reply without its date.
    unsaid = EXTRAS if after["text"] != before["text"] else EXTRAS | ABOUT_TEXT
    for field in FIELDS:
        if (field in unsaid and not after[field]) or not _is_provided(field, rules):
            after[field] = before[field]


def _keep_fuller_text(record: Record, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Keep the stored text if the file has less of it."""
    if "text_is_translation" in record.notes and before["translated_text"]:
        # The stored text is the original, which this file lacks.
        after["translated_text"], after["text"] = after["text"], before["text"]
    elif "text_is_excerpt" in record.notes and before["text"].startswith(
        after["text"].rstrip(".… ")
    ):
        after["text"] = before["text"]


def _is_provided(field: str, rules: Rules) -> bool:
    if field in {"photos", "verified", "alteration", "source_updated_at"}:
        return True
    return _is_column("reply_text" if field in REPLY else field, rules)


def _is_column(field: str, rules: Rules) -> bool:
    return rules.provided_fields is None or field in rules.provided_fields
