"""Merge of records into the stored reviews, or a preview of the merge."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable

from django.db.models import Count, Sum
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from imports.merge import Change, Rules, decide, is_another, is_older
from imports.records import Record
from imports.report import Report
from imports.writer import Writer, find, stored_reviews
from review_exports.formats.base import NO_SOURCE
from review_exports.records import FileRefused, RowError, Skipped
from review_exports.values.people import ANONYMOUS
from reviews.models import Review
from reviews.models.deletion import Deletions, name_digest

CHUNK = 2_000  # Records that are processed together.
# A complete file hides at most so many reviews of its sources unless a person agrees to more.
HIDDEN_SHARE, HIDDEN_MOST = 0.05, 20
REPEATED = gettext_noop(
    "An earlier row of this file already has this review. This row is left out."
)
IS_PART = gettext_noop("No missing review is hidden, because the file says that it is only a part.")
HAS_REJECTED = gettext_noop(
    "No missing review is hidden, because some rows could not be read and may be the missing ones. "
    "Correct them first."
)
LACKS_MANY = gettext_noop(
    "This file lacks %(missing)d of the %(of)d reviews of its source, more than 5 %% or "
    "%(most)d. Nothing was imported. If the file really is complete, confirm that so many "
    "may be hidden."
)
WOULD_LACK_MANY = gettext_noop(
    "The file lacks %(missing)d of the %(of)d reviews of its source, more than 5 %% or "
    "%(most)d. They are hidden only if you confirm it."
)
LISTED_MISSING = 10_000  # Missing reviews that a preview lists.


class TooManyRows(Exception):
    """The file has more rows than the caller allows."""


def visible_ratings() -> tuple[int, int]:
    """Sum and number of the ratings of visible reviews."""
    visible = Review.objects.visible().aggregate(total=Sum("rating"), count=Count("id"))
    return visible["total"] or 0, visible["count"]


class Importer:
    """Merges records into the stored reviews; without a `writer` it only reports.

    The caller opens the transaction, and raises the revision if `report.writes` is not zero.
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
        self._provided_ids: set[str] = set()  # Our own ids of new records.
        self._sources: set[str] = set()

    def run(
        self,
        items: Iterable[Record | RowError | Skipped],
        *,
        on_progress: Callable[[int], None] = lambda _: None,
        at_most: int | None = None,
        strict: bool = False,
    ) -> None:
        """Merge all items; with `strict` the first row error stops all writing."""
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

    def merge(self, records: list[Record]) -> None:
        """Merge some records, whose merge keys must be unique."""
        by_ulid, by_key = find(records)
        report = self.report
        new: list[Record] = []
        changes: list[Change] = []
        for record in records:
            report.count(record)
            stored = by_ulid.get(record.ulid) or by_key.get((record.source, record.external_id))
            if record.ulid in self._provided_ids or (stored and stored.pk in self._matched_ids):
                report.skip(Skipped(row=record.row, code="repeated", message=gettext(REPEATED)))
            elif stored is None and self._deletions and (deletion := self._deletions.find(record)):
                self._skip_deleted(record, deletion["deleted_at"])
            elif stored is None:
                self._forget_author(record)
                if record.ulid:
                    self._provided_ids.add(record.ulid)
                new.append(record)
            else:
                self._forget_author(record, stored)
                self._matched_ids.add(stored.pk)
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

    def _compare_identity(self, record: Record, stored: Review) -> None:
        """Count ids that stand for a review other than the stored one."""
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
        if self.writer:
            self.writer.create(records)

    def _change(self, changes: list[Change]) -> None:
        if self.writer:
            # The reviews may have been edited or deleted since they were read without a lock.
            locked = stored_reviews((change.stored.pk for change in changes), locked=True)
            again = [
                decide(change.record, locked[change.stored.pk], self.rules)[0]
                for change in changes
                if change.stored.pk in locked
            ]
            self.report.unchanged += len(changes) - len(again) + again.count(None)
            changes = [change for change in again if change]
        for change in changes:
            self.report.add_changed(change)
        if self.writer:
            self.writer.change(changes)

    # --- Deleted reviews ------------------------------------------------------------------------

    def _forget_author(self, record: Record, stored: Review | None = None) -> None:
        """Remove the name, pictures and link of an author who was forgotten here."""
        if (stored and stored.is_author_forgotten) or (
            self._forgotten and name_digest(record.author) in self._forgotten
        ):
            record.author, record.author_avatar_url, record.source_url = ANONYMOUS, "", ""
            record.photos = ()

    def _skip_deleted(self, record: Record, at: dt.datetime) -> None:
        self.report.deleted += 1
        message = gettext(
            "This review was deleted here on %s and stays deleted. To restore it, choose "
            "it under “Deleted reviews” in the administration, let imports restore it, and "
            "import the file again."
        ) % date_format(at, "j F Y")
        self.report.skip(Skipped(row=record.row, code="deleted", message=message))

    # --- Complete files -------------------------------------------------------------------------

    def hide_missing(
        self,
        *,
        confirmed: bool,
        is_part: bool = False,
        origin: str = "",
        previewed: Collection[int] | None = None,
    ) -> None:
        """Hide visible reviews of the file's sources that the file lacks.

        With an `origin`, only reviews created by files of the same origin are hidden; with
        `previewed` ids, only these. A file with rejected rows hides nothing, since a rejected row
        may be a missing review. A partial file hides nothing either. Reviews that an administrator
        showed or hid by hand stay unchanged.
        """
        report = self.report
        if is_part or report.rejected:
            report.warnings.append(gettext(IS_PART if is_part else HAS_REJECTED))
            return
        missing = self._missing(origin, None if previewed is None else frozenset(previewed))
        report.missing = len(missing)
        if not self.writer:
            report.missing_ids = list(missing)[:LISTED_MISSING]
        most = min(HIDDEN_MOST, HIDDEN_SHARE * report.missing_of)
        if report.missing > most and not confirmed:
            counts = {"missing": report.missing, "of": report.missing_of, "most": HIDDEN_MOST}
            if self.writer:
                raise FileRefused("too_many_to_hide", gettext(LACKS_MANY) % counts)
            report.warnings.append(gettext(WOULD_LACK_MANY) % counts)
            return
        report.add_hidden(list(missing.values()))
        if self.writer:
            ids = list(missing)
            for start in range(0, len(ids), CHUNK):
                self.writer.hide(ids[start : start + CHUNK])

    def _missing(self, origin: str, previewed: Collection[int] | None) -> dict[int, int]:
        """Map the ids of missing reviews to their ratings."""
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
