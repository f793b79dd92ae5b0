"""Options of one import, as an administrator chose them."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any
from zoneinfo import ZoneInfo

from review_exports.options import ReadChoices, ReadOptions
from reviews.imports.merge import Rules


@dataclass(frozen=True, kw_only=True)
class ImportOptions(ReadChoices):
    """All options of an import; stored on the batch as JSON."""

    time_zone: str = ""  # Empty: the business's.
    verified: bool | None = None
    overwrite_edits: bool = False
    complete: bool = False  # Hide the reviews of this source that the file does not have.
    hide_many: bool = False  # Also when that is more than 5 % or 20 of them.

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "ImportOptions":
        return cls(**stored)

    def for_reading(
        self, *, time_zone: ZoneInfo, now: dt.datetime, max_rows: int | None
    ) -> ReadOptions:
        chosen = {choice.name: getattr(self, choice.name) for choice in fields(ReadChoices)}
        today = now.astimezone(time_zone).date()
        return ReadOptions(**chosen, time_zone=time_zone, today=today, max_rows=max_rows)

    def for_merging(self, provided_fields: frozenset[str] | None) -> Rules:
        return Rules(
            verified=self.verified,
            overwrite_edits=self.overwrite_edits,
            provided_fields=provided_fields,
            ids_are_sure=self.ids == "same",
        )
