"""Records of reviews, with the extra columns of which the importer stores something."""

from dataclasses import dataclass
from typing import Any

from review_exports import records
from review_exports.values.flags import read_flag
from review_exports.values.people import AUTHOR_MAX, is_contact
from reviews.published_json import EDITED, REDACTED
from reviews.ulids import is_ulid

_NAMES_MAX = 20


@dataclass(slots=True, kw_only=True)
class Record(records.Record):
    """A record of an export, with our own id, a mark of alteration, and who did which work."""

    ulid: str = ""  # Our own id, in our own export alone.
    alteration: str | None = None  # By the business, in its own export alone.
    named_technicians: tuple[str, ...] = ()
    named_services: tuple[str, ...] = ()

    @classmethod
    def of(cls, **fields: Any) -> "Record":
        """The record with these fields of the library's, the rest taken from its extra columns."""
        record, extra = cls(**fields), fields["extra"]
        if extra:
            if is_ulid(own_id := extra.get("own_id", "")):
                record.ulid = own_id
            if read_flag(extra.get("edited_by_business")):
                record.alteration = EDITED
            elif read_flag(extra.get("redacted_by_business")):
                record.alteration = REDACTED
            record.named_technicians = _names(extra.get("technician", ""), "/|&\n")
            # A single service may be called "Heating & Cooling".
            record.named_services = _names(extra.get("service", ""), "|\n")
        if record.reply_date and record.reply_date < record.date:
            record.reply_date = record.date  # The review was edited after the reply.
        return record


def _names(text: str, marks: str) -> tuple[str, ...]:
    """The names in a cell that may hold several of them, between marks."""
    for mark in marks:
        text = text.replace(mark, ";")
    if ";" not in text:
        text = text.replace(",", ";")
    names = (" ".join(name.split())[:AUTHOR_MAX] for name in text.split(";"))
    # A column about the staff or the service may hold stars for them instead.
    kept = [name for name in names if any(map(str.isalpha, name)) and not is_contact(name)]
    return tuple(dict.fromkeys(kept))[:_NAMES_MAX]
