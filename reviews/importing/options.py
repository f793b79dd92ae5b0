"""Pure: what an administrator chose for one import."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from reviews.importing.asked import ReadOptions
from reviews.importing.merge import Rules
from reviews.importing.values.dates import DateOrder

BEST_RATINGS = (5, 10, 20, 100)  # How far stars count.


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Every choice has a default that suits most files; kept on the batch as JSON."""

    format: str | None = None
    time_zone: str = ""  # Empty: the business's.
    columns: Mapping[str, str] = field(default_factory=dict)
    date_order: DateOrder | None = None
    best_rating: int | None = None
    round_half_up: bool = False
    skip_blank_ratings: bool = False
    source: str | None = None
    verified: bool | None = None
    overwrite_edits: bool = False
    complete: bool = False  # Hide the reviews of this source that the file does not have.
    hide_many: bool = False  # Also when that is more than a fifth of them.

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "ImportOptions":
        return cls(**stored)

    def for_reading(
        self, *, time_zone: ZoneInfo, now: dt.datetime, max_rows: int | None
    ) -> ReadOptions:
        return ReadOptions(
            time_zone=time_zone,
            today=now.astimezone(time_zone).date(),
            format=self.format,
            columns=dict(self.columns),
            date_order=self.date_order,
            best_rating=self.best_rating,
            round_half_up=self.round_half_up,
            skip_blank_ratings=self.skip_blank_ratings,
            source=self.source,
            max_rows=max_rows,
        )

    def for_merging(self, carried: frozenset[str] | None) -> Rules:
        return Rules(verified=self.verified, overwrite_edits=self.overwrite_edits, carried=carried)
