"""Report of an import: counts, samples and messages."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import ngettext_lazy

from imports.merge import Change, Conflict
from imports.records import Record
from review_exports.records import RowError, Skipped
from review_exports.shapes import NOT_READ, Shape
from reviews.models import Review
from reviews.stars import mean_rating

EXAMPLES = 2  # Reviews that a question shows.
SAMPLES = 50  # Rows of each kind that a preview shows.
REASONS_MAX = 20  # Distinct reasons for skipping; others count as the first of their code.
UNREAD_MAX = 200  # Unread columns that a preview names.
KEPT_ERRORS = 1_000  # Row errors stored on a batch; errors.csv has all of them.
# Attributes that a preview has unchanged.
PREVIEWED = (
    *("label", "has_columns", "heading_row", "first_rows", "conflicts", "matched"),
    *("replaced", "asks_about_ids", "deleted", "missing", "missing_ids", "missing_of"),
    *("sourceless", "hidden", "samples"),
)
# Attributes that are known before the rows are read.
DESCRIPTION = frozenset(
    {"format", "label", "encoding", "has_columns", "shape", "heading_row", "first_rows"}
)
# Messages about counts of the report.
NOTES = {
    "older": ngettext_lazy(
        "%d row has an older version of a review than the stored one, by the dates of the "
        "source. The stored version is kept.",
        "%d rows have older versions of reviews than the stored ones, by the dates of the "
        "source. The stored versions are kept.",
    ),
    "shown_again": ngettext_lazy(
        "%d review that an earlier complete file lacked is shown again.",
        "%d reviews that an earlier complete file lacked are shown again.",
    ),
    "deleted": ngettext_lazy(
        "%d row is a review that was deleted here. It is not imported. “Deleted reviews” "
        "in the administration lists such reviews and can let imports restore them.",
        "%d rows are reviews that were deleted here. They are not imported. “Deleted "
        "reviews” in the administration lists such reviews and can let imports restore "
        "them.",
    ),
    "conflicts": ngettext_lazy(
        "%d field was edited by hand and differs from the file; the edits are kept.",
        "%d fields were edited by hand and differ from the file; the edits are kept.",
    ),
    "replaced": ngettext_lazy(
        "%d review has another author, day and text in this file: the file may use the "
        "same ids for other reviews. If so, import it with a separate source.",
        "%d reviews have another author, day and text in this file: the file may use the "
        "same ids for other reviews. If so, import it with a separate source.",
    ),
}


def as_json(value: Any) -> Any:
    """Convert a value of a field for JSON."""
    return value.isoformat() if isinstance(value, dt.date) else value


def _no_samples() -> dict[str, list[dict[str, Any]]]:
    return {name: [] for name in ("new", "changed", "skipped", "conflicts", "replaced")}


@dataclass(slots=True, kw_only=True)
class Report:
    """Counts of all rows, and samples of them."""

    format: str | None = None
    label: str = ""
    has_columns: bool = False
    encoding: str = ""
    rows: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    skipped: int = 0
    # (code, message) -> number of skipped rows.
    skipped_reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    rejected: int = 0
    warnings: list[str] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    max_errors: int | None = None  # Number of listed errors; None: all.
    refusal: dict[str, Any] | None = None  # The reason if the file as a whole is refused.
    needs_confirmation: bool = False  # A person must confirm the columns.
    shape: Shape | None = None
    heading_row: int = 0
    first_rows: list[tuple[int, list[str]]] = field(default_factory=list)
    batch_id: int | None = None

    # For the preview.
    samples: dict[str, list[dict[str, Any]]] = field(default_factory=_no_samples)
    conflicts: int = 0
    older: int = 0  # Unchanged, since a newer version is stored.
    asks_about_ids: bool = False  # A person must say whether the ids are reliable.
    shown_again: int = 0  # Changed reviews that an earlier complete file had hidden.
    matched: int = 0  # Stored reviews with the id of a row.
    replaced: int = 0  # Matched reviews with another author, date and text.
    deleted: int = 0  # Skipped, since a person deleted the review here.
    missing: int = 0  # Stored reviews of the same sources that a complete file lacks.
    missing_ids: list[int] = field(default_factory=list)  # Only in a preview; limited.
    missing_of: int = 0
    hidden: int = 0
    sourceless: int = 0  # New reviews without a stated source.
    oldest: dt.date | None = None
    newest: dt.date | None = None
    ratings_before: tuple[int, int] = (0, 0)  # Sum and number of the visible ratings.
    ratings_added: tuple[int, int] = (0, 0)

    @classmethod
    def refused(cls, code: str, message: str, *, of: "Report | None" = None) -> "Report":
        """Build the report of a refused file; `of` has the facts that are known."""
        described = {name: getattr(of, name) for name in DESCRIPTION} if of else {}
        refusal = {"row": None, "field": None, "code": code, "message": message, "value": ""}
        return cls(refusal=refusal, **described)

    def describe(self, facts: Mapping[str, Any]) -> None:
        """Copy the facts of a recognised file."""
        self.has_columns = bool(facts["columns"])
        for name in DESCRIPTION - {"has_columns"}:
            setattr(self, name, facts[name])

    @property
    def unread(self) -> list[str]:
        """Columns that are not read."""
        columns = self.shape.columns if self.shape else ()
        return [column.name for column in columns if column.field == NOT_READ]

    @property
    def is_refused(self) -> bool:
        """Whether nothing can be imported, since all rows are bad or skipped."""
        return self.refusal is not None or not (
            self.new or self.changed or self.unchanged or self.deleted
        )

    @property
    def writes(self) -> int:
        return self.new + self.changed + self.hidden

    # --- Counting -----------------------------------------------------------------------------

    def reject(self, error: RowError) -> None:
        self.rejected += 1
        if self.max_errors is None or len(self.errors) < self.max_errors:
            self.errors.append(_values(error, "row", "field", "code", "message", "value"))

    def skip(self, skipped: Skipped) -> None:
        self.skipped += 1
        reason = (skipped.code, skipped.message)
        if reason not in self.skipped_reasons and len(self.skipped_reasons) >= REASONS_MAX:
            reason = next((one for one in self.skipped_reasons if one[0] == skipped.code), reason)
        self.skipped_reasons[reason] += 1
        self._sample("skipped", _values(skipped, "row", "code", "message"))

    def count(self, record: Record) -> None:
        self.oldest = min(self.oldest or record.date, record.date)
        self.newest = max(self.newest or record.date, record.date)

    def add_new(self, record: Record) -> None:
        self.new += 1
        self._add_ratings(record.rating, 1)
        if len(self.samples["new"]) < SAMPLES:
            content = {"rating": record.rating, "text": record.text, "reply": record.reply_text}
            self._sample("new", _about(record) | {"source": record.source} | content)

    def add_changed(self, change: Change) -> None:
        self.changed += 1
        rating = change.values.get("rating", change.stored.rating)
        if "hidden" in change.values:
            self.shown_again += 1
            self._add_ratings(rating, 1)
        elif not change.stored.hidden:
            self._add_ratings(rating - change.stored.rating, 0)
        if len(self.samples["changed"]) < SAMPLES:
            fields = [
                {"field": name, "before": as_json(before), "after": as_json(after)}
                for name, before, after in change.differences()
            ]
            about = _about(change.record) | {"id": change.stored.ulid, "fields": fields}
            self._sample("changed", about)

    def add_conflicts(self, record: Record, ulid: str, conflicts: tuple[Conflict, ...]) -> None:
        for conflict in conflicts:
            self.conflicts += 1
            values = {name: as_json(value) for name, value in conflict._asdict().items()}
            self._sample("conflicts", _about(record) | {"id": ulid} | values)

    def add_replaced(self, record: Record, stored: Review) -> None:
        self.replaced += 1
        if len(self.samples["replaced"]) < EXAMPLES:
            other = {"author": stored.author, "date": as_json(stored.date), "text": stored.text}
            ids = {"id": stored.ulid, "external_id": record.external_id}
            content = {"text": record.text, "stored": other}
            self._sample("replaced", _about(record) | ids | content)

    def add_hidden(self, ratings: list[int]) -> None:
        self.hidden += len(ratings)
        self._add_ratings(-sum(ratings), -len(ratings))

    def _add_ratings(self, total: int, count: int) -> None:
        self.ratings_added = (self.ratings_added[0] + total, self.ratings_added[1] + count)

    def _sample(self, kind: str, sample: dict[str, Any]) -> None:
        if len(self.samples[kind]) < SAMPLES:
            self.samples[kind].append(sample)

    # --- Output -------------------------------------------------------------------------------

    def notes(self, *, keeps_edits: bool, ids_are_sure: bool) -> Iterator[str]:
        """Yield messages about differences between the file and the stored reviews."""
        counts = {name: getattr(self, name) for name in NOTES}
        if not keeps_edits:
            counts["conflicts"] = 0
        if self.asks_about_ids or ids_are_sure:
            counts["replaced"] = 0
        yield from (str(NOTES[name] % count) for name, count in counts.items() if count)

    def reasons(self) -> list[dict[str, Any]]:
        """List the reasons for skipped rows with their numbers, the most frequent first."""
        return [
            {"code": code, "message": message, "rows": rows}
            for (code, message), rows in self.skipped_reasons.most_common()
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the report as `import_reviews --json` prints it."""
        asks = self.needs_confirmation
        return {
            **_values(self, "format", "rows", "new", "changed", "unchanged", "skipped"),
            "skipped_reasons": self.reasons(),
            **({"deleted": self.deleted} if self.deleted else {}),
            **({"hidden": self.hidden} if self.missing else {}),
            "unread": self.unread,
            "warnings": self.warnings,
            "errors": [self.refusal, *self.errors] if self.refusal else self.errors,
            **({"confirmation": self.shape.as_json()} if asks and self.shape else {}),
        }

    def preview(self) -> dict[str, Any]:
        """Return the values of the preview besides the counts on the batch."""
        total, count = self.ratings_before
        more, added = self.ratings_added
        return {
            **_values(self, *PREVIEWED),
            "refusal_code": self.refusal["code"] if self.refusal else "",
            "shape": self.shape.as_json() if self.shape else None,
            "unread": self.unread[:UNREAD_MAX],
            "rating_before": mean_rating(total, count),
            "rating_after": mean_rating(total + more, count + added),
            "oldest": as_json(self.oldest),
            "newest": as_json(self.newest),
            "skipped_reasons": self.reasons(),
        }


def _values(holder: object, *names: str) -> dict[str, Any]:
    return {name: getattr(holder, name) for name in names}


def _about(record: Record) -> dict[str, Any]:
    return {"row": record.row, "author": record.author, "date": record.date.isoformat()}
