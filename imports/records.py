"""Records of reviews, with fields from the extra columns of an export."""

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
    """A record of an export, with an own id, an alteration, technicians and services."""

    ulid: str = ""  # Our own id, in our own export only.
    alteration: str | None = None  # Alteration by the business, in our own export only.
    named_technicians: tuple[str, ...] = ()
    named_services: tuple[str, ...] = ()

    @classmethod
    def of(cls, **fields: Any) -> "Record":
        """Build a record from the fields of the library's; further fields come from `extra`."""
        record, extra = cls(**fields), fields["extra"]
        if extra:
            if is_ulid(own_id := extra.get("own_id", "")):
                record.ulid = own_id
            if read_flag(extra.get("edited_by_business")):
                record.alteration = EDITED
            elif read_flag(extra.get("redacted_by_business")):
                record.alteration = REDACTED
            record.named_technicians = _names(extra.get("technician", ""), "/|&\n")
            # Not split at "&", as in "Heating & Cooling".
            record.named_services = _names(extra.get("service", ""), "|\n")
        if record.reply_date and record.reply_date < record.date:
            record.reply_date = record.date  # The review was edited after the reply.
        return record


def _names(text: str, marks: str) -> tuple[str, ...]:
    """Split a cell at marks, semicolons or commas into names."""
    for mark in marks:
        text = text.replace(mark, ";")
    if ";" not in text:
        text = text.replace(",", ";")
    names = (" ".join(name.split())[:AUTHOR_MAX] for name in text.split(";"))
    # Such a column may hold ratings of the staff or the service instead.
    kept = [name for name in names if any(map(str.isalpha, name)) and not is_contact(name)]
    return tuple(dict.fromkeys(kept))[:_NAMES_MAX]
