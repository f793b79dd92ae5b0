"""Bulk reading and writing of reviews by an import.

A test compares rows written here with those of `Review.save`. The import raises the revision once,
after the last write.
"""

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from imports.merge import FIELDS, MENTIONING, Change, incoming_values
from imports.models import ImportBatch, ImportChange
from imports.records import Record
from imports.report import as_json
from review_analysis.name_matching import Roster
from reviews.models import Mention, Review, public_form
from reviews.models.review import HiddenReason, hiding_fields, overwrite
from reviews.models.revision import without_revision
from reviews.roster import mentions_of
from reviews.timestamps import change_instant, first_change, publication_instants
from reviews.ulids import new_ulid

Key = tuple[str, str]
# Fields of a review that an import or its undo changes, without duplicates.
CHANGED_FIELDS = tuple(
    dict.fromkeys(
        (*FIELDS, *("hidden", "edited_fields", "changed_by_batch"), *Review.DERIVED_FIELDS)
    )
)
# A change of these fields alone does not change the published review.
UNPUBLISHED = frozenset(
    {
        "translated_text",
        "text_language",
        "source_rating",
        "source_updated_at",
        "named_technicians",
        "named_services",
    }
)


# --- Stored reviews -------------------------------------------------------------------------------


def find(records: Sequence[Record]) -> tuple[dict[str, Review], dict[Key, Review]]:
    """Find the stored reviews of records, by our own id and by merge key."""
    rows = without_revision(Review)
    external_ids: dict[str, list[str]] = defaultdict(list)
    for record in records:
        external_ids[record.source].append(record.external_id)
    by_key = {
        (source, review.external_id): review
        for source, ids in external_ids.items()
        for review in rows.filter(source=source, external_id__in=ids)
    }
    ulids = [record.ulid for record in records if record.ulid]
    found = rows.filter(ulid__in=ulids) if ulids else ()
    return {review.ulid: review for review in found}, by_key


def stored_reviews(ids: Iterable[int], *, locked: bool = False) -> dict[int, Review]:
    """Load reviews by id; `locked` ones are locked until the end of the transaction."""
    rows = without_revision(Review).filter(id__in=list(ids))
    if locked:
        rows = rows.order_by("id").select_for_update(no_key=True)
    return {review.pk: review for review in rows}


# --- Writes ---------------------------------------------------------------------------------------


class Writer:
    """Writes the changes of one import, all with the time `now`.

    `is_demo`: new reviews count as published on their own dates.
    """

    def __init__(
        self,
        roster: Roster,
        *,
        batch: ImportBatch | None,
        now: dt.datetime,
        is_demo: bool = False,
    ) -> None:
        self.roster = roster
        self.batch = batch
        self.now = now
        self._changed_at = change_instant(now)
        self._changes = itertools.count()
        self._is_demo = is_demo
        self._form = public_form()

    def create(self, records: Sequence[Record]) -> None:
        """Store new reviews; records without our own id get one."""
        for record in records:
            record.ulid = record.ulid or new_ulid()
        times = self._times(records)
        reviews = []
        for record in records:
            published_at, modified_at = times[record.ulid]
            review = Review(
                ulid=record.ulid,
                source=record.source,
                external_id=record.external_id,
                external_id_is_synthetic=record.external_id_is_synthetic,
                created_by_batch=self.batch,
                created_at=self.now,
                updated_at=self.now,
                published_at=published_at,
                modified_at=modified_at,
                **incoming_values(record, verified=bool(record.verified)),
            )
            review.derive(self._form)
            reviews.append(review)
        without_revision(Review).bulk_create(reviews)
        self._create_mentions(reviews)

    def is_published_change(self, fields: Iterable[str]) -> bool:
        """Whether new values of these fields change the published review."""
        unpublished = UNPUBLISHED if self._form.photos else UNPUBLISHED | {"photos"}
        return not unpublished.issuperset(fields)

    def next_change(self) -> dt.datetime:
        """Return the time of the next change, a microsecond after the last one.

        Times of changes must be unique in feeds.
        """
        return self._changed_at + next(self._changes) * dt.timedelta(microseconds=1)

    def _times(self, records: Sequence[Record]) -> dict[str, tuple[dt.datetime, dt.datetime]]:
        """Map our own ids to times of publication and of change."""
        new = sorted((record.date, record.ulid) for record in records)
        days = [day for day, _ in new]
        instants = publication_instants(days, self.now, always_by_day=self._is_demo)
        times = {}
        for (_, ulid), published_at in zip(new, instants, strict=True):
            changed_at = published_at if self._is_demo else self.next_change()
            times[ulid] = published_at, first_change(published_at, changed_at)
        return times

    def change(self, changes: Sequence[Change]) -> None:
        """Store new values of locked reviews, and save the old ones for an undo."""
        saved = []
        for change in changes:
            review = change.stored
            differences = change.differences()
            before = {field: as_json(old) for field, old, _ in differences}
            after = {field: as_json(new) for field, _, new in differences}
            after["edited_fields"] = change.edited_fields
            saved.append(self._saved(review, change.record.row, before, after))
            assign(review, **change.values, edited_fields=change.edited_fields)
            review.changed_by_batch = self.batch
            if self.is_published_change(change.values):
                review.modified_at = self.next_change()
        mentioning = [c.stored for c in changes if not MENTIONING.isdisjoint(c.values)]
        self.update([change.stored for change in changes], mentioning=mentioning)
        self._save(saved)

    def update(self, reviews: Sequence[Review], *, mentioning: Sequence[Review]) -> None:
        """Store locked reviews with derived fields, and update the mentions of some."""
        for review in reviews:
            review.updated_at = self.now
            review.derive(self._form)
        overwrite(reviews, CHANGED_FIELDS)
        without_revision(Mention).filter(review__in=mentioning).delete()
        self._create_mentions(mentioning)

    def hide(self, ids: Sequence[int]) -> None:
        """Hide reviews that a complete file lacks, and save the change for an undo."""
        rows = without_revision(Review).filter(id__in=ids)
        self._save(
            self._saved(
                review,
                0,
                {"hidden": False},
                {"hidden": True, "edited_fields": review.edited_fields},
            )
            for review in rows
        )
        trace = hiding_fields(hidden=True, reason=HiddenReason.ABSENT)
        rows.update(hidden=True, changed_by_batch=self.batch, updated_at=self.now, **trace)

    def _saved(
        self, review: Review, row: int, before: dict[str, Any], after: dict[str, Any]
    ) -> ImportChange:
        """Build a change with all values that an undo restores."""
        before |= {name: getattr(review, name) for name in ("edited_fields", "changed_by_batch_id")}
        return ImportChange(batch=self.batch, review=review, row=row, before=before, after=after)

    def _save(self, changes: Iterable[ImportChange]) -> None:
        if self.batch is not None:  # Only a batch can be undone.
            ImportChange.objects.bulk_create(changes)

    def _create_mentions(self, reviews: Iterable[Review]) -> None:
        without_revision(Mention).bulk_create(
            mention for review in reviews for mention in mentions_of(review, self.roster)
        )

    def finish(self) -> None:
        """Index the written reviews; must be called last."""
        index_pending_texts()


def index_pending_texts() -> None:
    """Index the pending texts of PostgreSQL, which would slow down each search."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        # Only the owner of the index may call the function.
        cursor.execute(
            "SELECT gin_clean_pending_list(oid) FROM pg_class"
            " WHERE oid = to_regclass('review_text_trigrams') AND pg_has_role(relowner, 'USAGE')"
        )


def assign(review: Review, **values: Any) -> None:
    """Set these fields; the caller stores the review."""
    for name, value in values.items():
        setattr(review, name, value)
