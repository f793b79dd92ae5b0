"""Comparison of an incoming record with the review that is stored.

A record and a stored review are compared field by field. What a file cannot know it does not erase:
a field that has no column in it, the optional extras that only some exports have, the whole of a
text of which it has an excerpt, the original of which it has a translation. What an administrator
edited by hand is kept and reported as a conflict.
"""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from review_analysis.text import compose
from review_exports.records import Record
from review_exports.values.people import ANONYMOUS
from reviews.published_json import EDITED, FIRST_NAME, INITIALS, REDACTED, public_name

# The fields of a review that an import writes, in the order of every tuple of values.
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
_VERIFIED = FIELDS.index("verified")
_UPDATED_AT = FIELDS.index("source_updated_at")
# An empty value of these says "this export does not tell", never "there is none any more".
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
# A reply and its date are one thing: kept together or replaced together.
REPLY = frozenset({"reply_text", "reply_date"})
# Fields whose change by the business is marked in public.
ALTERABLE = frozenset({"text", "rating"})
# A change of these can change whom and what a review mentions.
MENTIONING = frozenset({"text", "date", "alteration", "named_technicians", "named_services"})


class StoredReview(NamedTuple):
    """A review as the database has it, or shall have it, with the values of `FIELDS`."""

    id: int
    ulid: str
    source: str
    values: tuple[Any, ...]
    edited_fields: list[str]
    hidden: bool
    changed_by_batch_id: int | None
    modified_at: dt.datetime | None
    is_author_forgotten: bool | None = None

    @property
    def is_hidden_by_import(self) -> bool:
        """Whether it is hidden because a complete file lacked it, rather than by hand."""
        return self.hidden and "hidden" not in self.edited_fields

    def named(self) -> dict[str, Any]:
        return dict(zip(FIELDS, self.values, strict=True))

    def __str__(self) -> str:
        """As reviews are shown; see `Review.__str__`."""
        author, _, _, rating, date, *_ = self.values
        return f"{rating}/5 by {author} on {date}"


class Conflict(NamedTuple):
    """A field edited by hand for which the file has another value."""

    field: str
    stored: Any
    incoming: Any


class Change(NamedTuple):
    """The new values of a stored review, and which fields they replace.

    `hidden` is one of these where the review is shown again.
    """

    stored: StoredReview
    record: Record
    values: tuple[Any, ...]
    fields: tuple[str, ...]
    edited_fields: list[str]

    def differences(self) -> list[tuple[str, Any, Any]]:
        """(field, value before, value after) of every changed field."""
        before, after = (*self.stored.values, True), (*self.values, False)
        pairs = zip((*FIELDS, "hidden"), before, after, strict=True)
        return [pair for pair in pairs if pair[0] in self.fields]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Rules by which one import merges."""

    verified: bool | None = None  # For records whose file does not say; None: keep, or false.
    overwrite_edits: bool = False
    provided_fields: frozenset[str] | None = None  # The fields that have a column; None: all.
    ids_are_sure: bool = False  # The same id is the same review, whatever else it says.


def incoming_values(record: Record, verified: bool) -> tuple[Any, ...]:  # noqa: FBT001  (hot path)
    return (
        record.author,
        record.author_avatar_url,
        list(record.photos) or None,
        record.rating,
        record.date,
        record.text,
        record.translated_text,
        record.text_language,
        record.source_url,
        record.reply_text,
        record.reply_date,
        verified,
        record.alteration,
        record.source_updated_at,
        list(record.named_technicians),
        list(record.named_services),
        None,  # See `_keep_alteration`.
    )


def decide(
    record: Record, stored: StoredReview, rules: Rules
) -> tuple[Change | None, tuple[Conflict, ...]]:
    """The change that the record makes (None: none), and its conflicts with edits by hand.

    An older version changes nothing, whatever it says. A review that a complete
    file lacked, and so hid, is shown again.
    """
    if is_older(record, stored):
        return None, ()
    verified = record.verified
    if verified is None:
        verified = stored.values[_VERIFIED] if rules.verified is None else rules.verified
    incoming = incoming_values(record, verified)
    if incoming == stored.values and not stored.is_hidden_by_import:
        return None, ()
    return _compare(record, incoming, stored, rules)


def is_older(record: Record, stored: StoredReview) -> bool:
    """Whether the source itself has a newer version, which is stored already."""
    updated_at, stored_at = record.source_updated_at, stored.values[_UPDATED_AT]
    return updated_at is not None and stored_at is not None and updated_at < stored_at


def is_another(record: Record, stored: StoredReview, rules: Rules) -> bool:
    """Whether the same id stands for a review by another author, of another day.

    What is edited by hand, lacks a column or is empty on both sides says nothing.
    """
    before = stored.named()
    silent = set(stored.edited_fields)
    alike = [record.date == before["date"]] if "date" not in silent else []
    if before["author"] == record.author == ANONYMOUS:
        silent.add("author")
    if not (before["text"] or record.text):
        silent.add("text")
    stated = [
        field for field in ("author", "text") if field not in silent and _is_provided(field, rules)
    ]
    if "author" in stated:
        alike.append(record.author.casefold() == before["author"].casefold())
    if "text" in stated:
        stem = record.text.rstrip(".… ")
        alike.append(
            record.text == before["text"]
            or (bool(stem) and before["text"].startswith(stem))
            or (bool(stem) and record.text == before["translated_text"])
        )
    return bool(stated) and not any(alike)


def _compare(
    record: Record, incoming: tuple[Any, ...], stored: StoredReview, rules: Rules
) -> tuple[Change | None, tuple[Conflict, ...]]:
    before = stored.named()
    if record.ulid and before["author"] != record.author:
        # Our own documents may show less of a name than is stored.
        short = {public_name(before["author"], style) for style in (FIRST_NAME, INITIALS)}
        record = replace(record, author=before["author"]) if record.author in short else record
        incoming = (record.author, *incoming[1:])
    after = dict(zip(FIELDS, incoming, strict=True))
    for field in TEXTS:
        # The same letters in another Unicode form are no change.
        if after[field] != before[field] and compose(after[field]) == compose(before[field]):
            after[field] = before[field]
    _keep_unstated_values(record, rules, before, after)
    edited = set(stored.edited_fields)
    if edited & REPLY:
        edited |= REPLY
    conflicts = tuple(
        Conflict(field, before[field], after[field])
        for field in FIELDS
        if field in edited and after[field] != before[field]
    )
    edited_fields = stored.edited_fields
    if rules.overwrite_edits:
        taken = {conflict.field for conflict in conflicts}
        edited_fields = [field for field in edited_fields if field not in taken]
    else:
        after.update((conflict.field, conflict.stored) for conflict in conflicts)

    _keep_alteration(record, rules, before, after, set(edited_fields))
    fields = tuple(field for field in FIELDS if after[field] != before[field])
    if stored.is_hidden_by_import:
        fields = (*fields, "hidden")
    if not fields:
        return None, conflicts
    return Change(stored, record, tuple(after.values()), fields, edited_fields), conflicts


def _keep_alteration(
    record: Record,
    rules: Rules,
    before: dict[str, Any],
    after: dict[str, Any],
    edited: set[str],
) -> None:
    """Leave a review marked as altered, until its text and stars return.

    An edited one is not verified, whatever the file says, and counts with the stars of the file. A
    file that is our own may bring a mark, and then has the edited stars.
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
    """Keep stored values where the file does not state better ones."""
    _keep_fuller_text(record, before, after)
    if after["reply_text"] == before["reply_text"] and after["reply_date"] is None:
        after["reply_date"] = before["reply_date"]  # The file repeats the reply without its day.
    unsaid = EXTRAS if after["text"] != before["text"] else EXTRAS | ABOUT_TEXT
    for field in FIELDS:
        if (field in unsaid and not after[field]) or not _is_provided(field, rules):
            after[field] = before[field]


def _keep_fuller_text(record: Record, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Keep the stored text where the file has less of the same."""
    if "text_is_translation" in record.notes and before["translated_text"]:
        # What is stored beside a translation is the original, which this file lacks.
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
