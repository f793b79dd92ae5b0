"""The merge of a file into the reviews, or a preview of it by the same code."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable

from django.db.models import Count, Sum
from django.db.models.functions import Substr

from imports.merge import Change, Rules, StoredReview, decide, is_another, is_older
from imports.report import Report
from imports.writer import Writer, find, stored_reviews
from review_exports.formats.base import NO_SOURCE
from review_exports.records import Record, RowError, Skipped
from review_exports.values.people import ANONYMOUS
from reviews.models import Review
from reviews.models.deletion import Deletions, name_digest

CHUNK = 2_000  # Records that are looked up, decided and written together.
# How many reviews of its sources a complete file hides without asking again: both hold.
HIDDEN_SHARE, HIDDEN_MOST = 0.05, 20
REPEATED = "An earlier row of this file has this review already; the repetition is left out."
LISTED_MISSING = 10_000  # Reviews that a preview lists; later previews list further ones.


class TooManyToHide(Exception):
    """A complete file lacks many reviews, which are hidden once confirmed."""

    def __init__(self, missing: int, of: int) -> None:
        super().__init__(
            f"This file lacks {missing} of the {of} reviews of its source, more than 5 % or "
            f"{HIDDEN_MOST}. Nothing was imported. If the file really is complete, say that so "
            "many may be hidden."
        )


class TooManyRows(Exception):
    """The file has more rows than the caller allows."""


def visible_ratings() -> tuple[int, int]:
    """Sum and count of the visible reviews' stars."""
    visible = Review.objects.visible().aggregate(total=Sum("rating"), count=Count("id"))
    return visible["total"] or 0, visible["count"]


class Importer:
    """Merges records as they come; `writer` None only looks.

    The caller opens the transaction and raises the revision when `report.writes` is not zero.
    """

    def __init__(
        self,
        *,
        rules: Rules,
        writer: Writer | None,
        report: Report,
        deletions: Deletions | None = None,
        forgotten: frozenset[str] = frozenset(),
    ) -> None:
        self.rules = rules
        self.writer = writer
        self.report = report
        self._deletions = deletions
        self._forgotten = forgotten
        self._matched_ids: set[int] = set()  # Stored reviews that the file has.
        self._provided_ids: set[str] = set()  # Ids of ours that came with new records.
        self._sources: set[str] = set()
        self._signatures: dict[int, int] = {}  # Hash of a new record's content -> its row.
        self._duplicates: set[int] = set()  # Rows of new records that look like another review.
        # Hash of source, author and day -> row, and whether its id is made from its content.
        self._author_days: dict[int, tuple[int, bool]] = {}
        self._likely_duplicates: list[str] = []
        # Reviews without an id whose text differs from that of a stored one.
        self._likely_edits: list[str] = []

    def run(
        self,
        items: Iterable[Record | RowError | Skipped],
        *,
        on_progress: Callable[[int], None] = lambda _: None,
        at_most: int | None = None,
        strict: bool = False,
    ) -> None:
        """Merge every item. With `strict` the first row error ends all writing."""
        report = self.report
        chunk: list[Record] = []
        seen = 0
        for item in items:
            seen += 1
            if at_most is not None and seen > at_most:
                raise TooManyRows
            if isinstance(item, Record):
                chunk.append(item)
                if len(chunk) == CHUNK:
                    self.merge(chunk)
                    chunk = []
            elif isinstance(item, RowError):
                report.reject(item)
                if strict:
                    self.writer = None
            else:
                report.skip(item)
            if seen % CHUNK == 0:
                on_progress(seen)
        self.merge(chunk)
        report.rows = seen
        on_progress(seen)
        self._find_duplicates()

    def merge(self, records: list[Record]) -> None:
        """Merge some records; no two of one call may have the same merge key."""
        by_ulid, by_key = find(records)
        report = self.report
        new: list[Record] = []
        changes: list[Change] = []
        for record in records:
            report.count(record)
            stored = by_ulid.get(record.ulid) or by_key.get((record.source, record.external_id))
            if record.ulid in self._provided_ids or (stored and stored.id in self._matched_ids):
                report.skip(Skipped(row=record.row, code="repeated", message=REPEATED))
            elif (
                stored is None
                and self._deletions
                and (deletion := self._deletions.find(record, sourceless=NO_SOURCE))
            ):
                self._skip_deleted(record, deletion["deleted_at"])
            elif stored is None:
                self._forget_author(record)
                if record.ulid:
                    self._provided_ids.add(record.ulid)
                new.append(record)
            else:
                self._forget_author(record, stored)
                self._matched_ids.add(stored.id)
                self._sources.add(record.source)
                self._compare_identity(record, stored)
                change, conflicts = decide(record, stored, self.rules)
                if conflicts:
                    report.add_conflicts(record, stored.ulid, conflicts)
                if change is None:
                    report.unchanged += 1
                    report.older += is_older(record, stored)
                else:
                    changes.append(change)
        if changes:
            self._change(changes)
        if new:
            self._create(new)

    def _compare_identity(self, record: Record, stored: StoredReview) -> None:
        """Count ids that stand for another review than the stored one."""
        if record.external_id_is_synthetic or record.ulid or is_older(record, stored):
            return
        self.report.matched += 1
        if is_another(record, stored, self.rules):
            self.report.add_replaced(record, stored)

    def _create(self, records: list[Record]) -> None:
        report = self.report
        for record in records:
            if record.verified is None:
                record.verified = bool(self.rules.verified)
            self._sources.add(record.source)
            report.sourceless += record.source == NO_SOURCE and not record.ulid
            report.add_new(record)
            self._add_signature(record)
        if self.writer:
            self.writer.create(records)

    def _change(self, changes: list[Change]) -> None:
        if self.writer:
            # What was read without a lock may have been edited since: decide again under one.
            current = stored_reviews((change.stored.id for change in changes), locked=True)
            again = [
                self._decide_again(change, current.get(change.stored.id)) for change in changes
            ]
            self.report.unchanged += again.count(None)
            changes = [change for change in again if change]
            self.writer.change(changes)
        for change in changes:
            self.report.add_changed(change)

    def _decide_again(self, change: Change, stored: StoredReview | None) -> Change | None:
        """The change as the review now calls for it; None where it is right already, or gone."""
        if stored is None or stored == change.stored:
            return stored and change
        changed, _ = decide(change.record, stored, self.rules)
        return changed

    # --- Deleted reviews ------------------------------------------------------------------------

    def _forget_author(self, record: Record, stored: StoredReview | None = None) -> None:
        """Leave out a name that a person had removed here, with pictures and link."""
        if (stored and stored.is_author_forgotten) or (
            self._forgotten and name_digest(record.author) in self._forgotten
        ):
            record.author, record.author_avatar_url, record.source_url = ANONYMOUS, "", ""
            record.photos = ()

    def _skip_deleted(self, record: Record, at: dt.datetime) -> None:
        self.report.deleted += 1
        message = (
            f"This review was deleted here on {at:%-d %B %Y}; it stays "
            "deleted. To have it again, lift its deletion under “Deleted reviews” in the "
            "administration and import the file again."
        )
        self.report.skip(Skipped(row=record.row, code="deleted", message=message))

    # --- Probable duplicates --------------------------------------------------------------------

    def _add_signature(self, record: Record) -> None:
        if record.author == "Anonymous" and not record.text:
            return  # Stars alone tell nobody apart.
        looks = hash((record.source, record.author, record.date, record.rating, record.text[:40]))
        if (row := self._signatures.setdefault(looks, record.row)) != record.row:
            self._add_duplicate(record.row, f"row {row}", self._likely_duplicates)
        if record.author != "Anonymous":
            author = hash((record.source, record.author, record.date))
            self._author_days.setdefault(author, (record.row, record.external_id_is_synthetic))

    def _find_duplicates(self) -> None:
        """New records that look like a stored review which has another id, or had another text."""
        if self._signatures:
            rows = Review.objects.all()
            if NO_SOURCE not in self._sources:
                rows = rows.filter(source__in=[*self._sources, NO_SOURCE])
            if self.writer and self.writer.batch:
                rows = rows.exclude(created_by_batch=self.writer.batch)
            start = Substr("text", 1, 40)
            looks = rows.values_list(
                *("source", "author", "date", "rating", start, "ulid", "id"),
                "external_id_is_synthetic",
            )
            for source, *look, ulid, pk, is_synthetic in looks.iterator(CHUNK):
                # One that came without a source may be of any.
                others = self._sources if source == NO_SOURCE else {source, NO_SOURCE}
                rows_like_it = (self._signatures.get(hash((other, *look))) for other in others)
                if row := next(filter(None, rows_like_it), None):
                    self._add_duplicate(row, f"review {ulid}", self._likely_duplicates)
                elif pk not in self._matched_ids:
                    author, date, *_ = look
                    by_author = (
                        self._author_days.get(hash((other, author, date))) for other in others
                    )
                    row, has_no_id = next(filter(None, by_author), (0, False))
                    if row and (has_no_id or is_synthetic):
                        self._add_duplicate(row, f"review {ulid}", self._likely_edits)
        self._warn_of_duplicates(
            self._likely_duplicates,
            "same source or none, author, date, stars and first words as another review, but "
            "another id",
        )
        self._warn_of_duplicates(
            self._likely_edits,
            "same source, author and day as a stored review that the file does not have, but "
            "another text, as after an edit, and no id that tells",
        )

    def _warn_of_duplicates(self, pairs: list[str], why: str) -> None:
        if pairs:
            are = (
                "review is a probable duplicate"
                if len(pairs) == 1
                else "reviews are probable duplicates"
            )
            some = "; ".join([*pairs[:3], *(["..."] if pairs[3:] else [])])
            self.report.warnings.append(
                f"{len(pairs)} new {are}: {why} ({some}). Nothing was merged."
            )

    def _add_duplicate(self, row: int, other: str, kind: list[str]) -> None:
        if row not in self._duplicates:
            self._duplicates.add(row)
            self.report.add_duplicate(row, other)
            kind.append(f"row {row} like {other}")

    # --- Complete files -------------------------------------------------------------------------

    def hide_missing(
        self,
        *,
        confirmed: bool,
        is_part: bool = False,
        origin: str = "",
        previewed: Collection[int] | None = None,
    ) -> None:
        """Hide visible reviews of the file's sources that it lacks.

        With an `origin` only reviews that files of the same origin have created, since others may
        still have theirs; with `previewed` ids only those. A file with rejected rows hides nothing,
        since a rejected row may be such a review, nor does one that says that it is a part. Reviews
        that an administrator showed or hid by hand stay as they are.
        """
        report = self.report
        if is_part:
            report.warnings.append(
                "No missing review is hidden, because the file itself says that it is a part."
            )
            return
        if report.rejected:
            report.warnings.append(
                "No missing review is hidden, because some rows could not be read and may be the "
                "missing ones. Correct them first."
            )
            return
        missing = self._missing(origin, None if previewed is None else frozenset(previewed))
        report.missing = len(missing)
        if not self.writer:
            report.missing_ids = list(missing)[:LISTED_MISSING]
        most = min(HIDDEN_MOST, HIDDEN_SHARE * report.missing_of)
        if report.missing > most and not confirmed:
            if self.writer:
                raise TooManyToHide(report.missing, report.missing_of)
            report.warnings.append(
                f"The file lacks {report.missing} of the {report.missing_of} reviews of its "
                f"source, more than 5 % or {HIDDEN_MOST}. They are hidden only if you say so."
            )
            return
        report.add_hidden(list(missing.values()))
        if self.writer:
            ids = list(missing)
            for start in range(0, len(ids), CHUNK):
                self.writer.hide(ids[start : start + CHUNK])

    def _missing(self, origin: str, previewed: Collection[int] | None) -> dict[int, int]:
        """Missing reviews' ids and stars."""
        rows = Review.objects.visible().filter(source__in=self._sources)
        if origin:
            rows = rows.filter(created_by_batch__options__origin=origin)
        if self.writer and self.writer.batch:
            rows = rows.exclude(created_by_batch=self.writer.batch)
        missing = {}
        about = rows.values_list("id", "rating", "edited_fields")
        for review_id, rating, edited_fields in about.iterator(CHUNK):
            self.report.missing_of += 1
            if (
                review_id not in self._matched_ids
                and "hidden" not in edited_fields
                and (previewed is None or review_id in previewed)
            ):
                missing[review_id] = rating
        return missing
