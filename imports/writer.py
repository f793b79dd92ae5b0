"""Reviews in the thousands, as an import looks them up and writes them.

A test shows that a row written here equals one written by `Review.save`. Nothing here raises the
revision; the import does so once, as its last write.
"""

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection, models
from django.db.models import QuerySet

from imports.merge import FIELDS, MENTIONING, Change, StoredReview, incoming_values
from imports.models import ImportBatch, ImportChange
from imports.report import as_json
from review_analysis.name_matching import Roster
from review_exports.records import Record
from reviews.bulk import PORTION, overwrite, without_revision
from reviews.models import Mention, Review, public_form
from reviews.models.review import HiddenReason, trace_of_hiding
from reviews.roster import mentions_of
from reviews.timestamps import change_instant, first_change, publication_instants
from reviews.ulids import new_ulid

Key = tuple[str, str]
STATE_FIELDS = (
    "edited_fields",
    "hidden",
    "changed_by_batch_id",
    "modified_at",
    "is_author_forgotten",
)
# Fields of a stored review that an import or its undo changes; each once, as PostgreSQL demands.
CHANGED_FIELDS = tuple(
    dict.fromkeys(
        (*FIELDS, *("hidden", "edited_fields", "changed_by_batch"), *Review.DERIVED_FIELDS)
    )
)
# A change of these alone leaves the published review as it was.
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


def find(records: Sequence[Record]) -> tuple[dict[str, StoredReview], dict[Key, StoredReview]]:
    """Stored reviews that may be those of the records, by our own id and by merge key."""
    reviews = without_revision(Review)
    by_source: dict[str, list[str]] = defaultdict(list)
    for record in records:
        by_source[record.source].append(record.external_id)
    by_key = {
        (source, external_id): stored
        for source, external_ids in by_source.items()
        for external_id, stored in _read(
            reviews.filter(source=source, external_id__in=external_ids)
        )
    }
    ulids = [record.ulid for record in records if record.ulid]
    found = _read(reviews.filter(ulid__in=ulids)) if ulids else ()
    return {stored.ulid: stored for _, stored in found}, by_key


def stored_reviews(ids: Iterable[int], *, locked: bool = False) -> dict[int, StoredReview]:
    """The reviews as they are now; `locked` ones are held until the end of the transaction."""
    rows = without_revision(Review).filter(id__in=list(ids))
    if locked:
        rows = rows.order_by("id").select_for_update(no_key=True)
    return {stored.id: stored for _, stored in _read(rows)}


def _read(rows: QuerySet[Review]) -> Iterator[tuple[str, StoredReview]]:
    """Stored reviews with their external ids."""
    columns = ("external_id", "id", "ulid", "source", *FIELDS, *STATE_FIELDS)
    for row in rows.values_list(*columns).iterator(PORTION):
        external_id, review_id, ulid, source = row[:4]
        edited_fields, hidden, batch_id, modified_at, is_forgotten = row[-len(STATE_FIELDS) :]
        yield (
            external_id,
            StoredReview(
                id=review_id,
                ulid=ulid,
                source=source,
                values=row[4 : -len(STATE_FIELDS)],
                edited_fields=edited_fields,
                hidden=hidden,
                changed_by_batch_id=batch_id,
                modified_at=modified_at,
                is_author_forgotten=is_forgotten,
            ),
        )


# --- Writes ---------------------------------------------------------------------------------------


class Writer:
    """Writes what one import decided. `now` is the one moment at which all of it happens.

    `is_demo`: the new reviews appeared on their days, whenever they are loaded.
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
        """Store new reviews. A record that has no id of ours gets one."""
        for record in records:
            record.ulid = record.ulid or new_ulid()
        times = self._times(records)
        reviews = []
        for record in records:
            published_at, modified_at = times[record.ulid]
            record.verified = bool(record.verified)
            values = zip(FIELDS, incoming_values(record, record.verified), strict=True)
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
                **dict(values),
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
        """The time of the next change, by a microsecond later than that of the last one.

        Feeds shall not have one time of change twice.
        """
        return self._changed_at + next(self._changes) * dt.timedelta(microseconds=1)

    def _times(self, records: Sequence[Record]) -> dict[str, tuple[dt.datetime, dt.datetime]]:
        """By id, when new reviews are published and when that last changed."""
        new = sorted((record.date, record.ulid) for record in records)
        days = [day for day, _ in new]
        instants = publication_instants(days, self.now, always_by_day=self._is_demo)
        times = {}
        for (_, ulid), published_at in zip(new, instants, strict=True):
            changed_at = published_at if self._is_demo else self.next_change()
            times[ulid] = published_at, first_change(published_at, changed_at)
        return times

    def change(self, changes: Sequence[Change]) -> None:
        """Store new values of reviews; the replaced values are saved for an undo."""
        batch_id = self.batch.pk if self.batch else None
        reviews, mentioning, replaced = [], [], []
        for change in changes:
            is_published = self.is_published_change(change.fields) or "hidden" in change.fields
            review = change.stored._replace(
                values=change.values,
                edited_fields=change.edited_fields,
                hidden=change.stored.hidden and "hidden" not in change.fields,
                changed_by_batch_id=batch_id,
                modified_at=self.next_change() if is_published else change.stored.modified_at,
            )
            reviews.append(review)
            if not MENTIONING.isdisjoint(change.fields):
                mentioning.append(review.id)
            differences = change.differences()
            before = {field: as_json(old) for field, old, _ in differences}
            after = {field: as_json(new) for field, _, new in differences}
            before |= undo_values(change.stored)
            after["edited_fields"] = change.edited_fields
            replaced.append((review.id, change.record.row, before, after))
        self.update(reviews, mentioning=mentioning)
        self._save_changes(replaced)

    def update(self, reviews: Sequence[StoredReview], *, mentioning: Sequence[int]) -> None:
        """Store the values of locked reviews, what derives from them, and mentions of some."""
        rows = without_revision(Review).in_bulk([review.id for review in reviews])
        for review in reviews:
            row = rows[review.id]
            if row.hidden != review.hidden:
                trace = trace_of_hiding(hidden=review.hidden, reason=HiddenReason.ABSENT)
                _assign(row, trace)
            _assign(
                row,
                {
                    **review.named(),
                    "hidden": review.hidden,
                    "edited_fields": review.edited_fields,
                    "changed_by_batch_id": review.changed_by_batch_id,
                    "updated_at": self.now,
                    "modified_at": review.modified_at,
                },
            )
            row.derive(self._form)
        overwrite(rows.values(), CHANGED_FIELDS)
        without_revision(Mention).filter(review_id__in=mentioning).delete()
        self._create_mentions([rows[review_id] for review_id in mentioning])

    def hide(self, ids: Sequence[int]) -> None:
        """Hide reviews that a complete file lacks, and save that for an undo."""
        rows = without_revision(Review).filter(id__in=ids)
        self._save_changes(
            (
                stored.id,
                0,
                {"hidden": False} | undo_values(stored),
                {"hidden": True, "edited_fields": stored.edited_fields},
            )
            for stored in stored_reviews(ids).values()
        )
        trace = trace_of_hiding(hidden=True, reason=HiddenReason.ABSENT)
        rows.update(hidden=True, changed_by_batch=self.batch, updated_at=self.now, **trace)

    def _save_changes(
        self, changes: Iterable[tuple[int, int, dict[str, Any], dict[str, Any]]]
    ) -> None:
        """Save for an undo which row changed a review, and its values before and after."""
        if self.batch is None:
            return  # Only a batch can be undone.
        ImportChange.objects.bulk_create(
            ImportChange(batch=self.batch, review_id=review_id, row=row, before=before, after=after)
            for review_id, row, before, after in changes
        )

    def _create_mentions(self, reviews: Iterable[Review]) -> None:
        without_revision(Mention).bulk_create(
            mention for review in reviews for mention in mentions_of(review, self.roster)
        )

    def finish(self) -> None:
        """Index the written reviews; the last call."""
        index_pending_texts()


def index_pending_texts() -> None:
    """Index the texts that PostgreSQL has only collected: each search would read through them."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        # Only the owner of an index may do so.
        cursor.execute(
            "SELECT gin_clean_pending_list(oid) FROM pg_class"
            " WHERE oid = to_regclass('review_text_trigrams') AND pg_has_role(relowner, 'USAGE')"
        )


def undo_values(stored: StoredReview) -> dict[str, Any]:
    """Values that an undo restores besides the fields that changed."""
    return {
        "edited_fields": stored.edited_fields,
        "changed_by_batch_id": stored.changed_by_batch_id,
    }


def _assign(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
